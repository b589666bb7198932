extension Document {
  /// Tells which change wrote each passage of a text; `nil` if no text stands at the path.
  ///
  /// The passages are in order, without gaps, each with the scalar that ends it and the place of
  /// its change in ``changes``. One walk over the whole history: O(n log n) for n operations, plus
  /// what their concurrency costs. Throws if the history contradicts itself or takes more than the
  /// limits.
  package func passages(
    ofTextAt path: JSONPointer
  ) throws(DocumentError) -> [(end: Int32, change: ChangeIndex)]? {
    try passages(ofTextsAt: [path])[0]
  }

  /// The same for several texts, in one walk over the history.
  package func passages(
    ofTextsAt paths: [JSONPointer]
  ) throws(DocumentError) -> [[(end: Int32, change: ChangeIndex)]?] {
    let containers = paths.map { text(at: $0) }
    var raw = try rawPassages(of: containers.compactMap(\.self))[...]
    return containers.map { container in
      guard let container, let passages = raw.popFirst() else { return nil }
      return file.passages[container].map { shown(passages, through: $0) } ?? passages
    }
  }

  /// The number of the text at a path; `nil` if none stands there.
  func text(at path: JSONPointer) -> ContainerIndex? {
    guard let container = Target(path, in: file.objects)?.container(in: file.objects),
      log.containers[container].kind == .text
    else { return nil }
    return container
  }

  /// The same of raw texts, which insertions and deletions alone add up to.
  private func rawPassages(
    of containers: [ContainerIndex]
  ) throws(DocumentError) -> [[(end: Int32, change: ChangeIndex)]] {
    if containers.isEmpty { return [] }
    let replay: Replay
    do throws(HistoryError) {
      replay = try Replay(log)
    } catch {
      throw DocumentError(error, in: log)
    }
    var found: [[(end: Int32, change: ChangeIndex)]] = []
    for container in containers { found.append(rawPassages(of: container, in: replay)) }
    return found
  }

  private func rawPassages(
    of container: ContainerIndex, in replay: borrowing Replay
  ) -> [(end: Int32, change: ChangeIndex)] {
    var passages: [(end: Int32, change: ChangeIndex)] = []
    var position: Int32 = 0
    replay.forEachRun(of: container) { first, length in
      var event = first
      while event < first + length {
        let change = log.eventCounts.change(of: event)
        let end = min(first + length, log.eventCounts.firstEvent(ofChange: change + 1))
        position += end - event
        if passages.last?.change == change {
          passages[passages.count - 1].end = position
        } else {
          passages.append((position, change))
        }
        event = end
      }
    }
    return passages
  }

  /// The same in the text that is shown: a passage is the work of the last of those whose reading is
  /// shown.
  private func shown(
    _ raw: [(end: Int32, change: ChangeIndex)], through open: [TextPassage]
  ) -> [(end: Int32, change: ChangeIndex)] {
    let numbers = ChangeNumbers(log)
    var result: [(end: Int32, change: ChangeIndex)] = []
    var position: Int32 = 0
    func append(_ count: Int, by change: ChangeIndex) {
      if count <= 0 { return }
      position += Int32(count)
      if result.last?.change == change {
        result[result.count - 1].end = position
      } else {
        result.append((position, change))
      }
    }
    var next = 0
    var start = 0
    for (end, change) in raw {
      while start < end {
        while next < open.count, open[next].raw.upperBound <= start { next += 1 }
        let passage = next < open.count ? open[next] : nil
        if let passage, passage.raw.lowerBound <= start {
          if start == passage.raw.lowerBound, let last = passage.shown.changes.last {
            append(passage.shown.text.scalarCount, by: numbers[last] ?? change)
          }
          start = min(passage.raw.upperBound, Int(end))
        } else {
          let stop = min(passage?.raw.lowerBound ?? .max, Int(end))
          append(stop - start, by: change)
          start = stop
        }
      }
    }
    return result
  }
}
