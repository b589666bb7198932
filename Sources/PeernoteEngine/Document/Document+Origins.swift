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
    if containers.allSatisfy({ $0 == nil }) { return containers.map { _ in nil } }
    let replay: Replay
    do throws(HistoryError) {
      replay = try Replay(log)
    } catch {
      throw DocumentError(error, in: log)
    }
    var result: [[(end: Int32, change: ChangeIndex)]?] = []
    for container in containers {
      if let container {
        result.append(passages(of: container, in: replay))
      } else {
        result.append(nil)
      }
    }
    return result
  }

  /// The number of the text at a path; `nil` if none stands there.
  package func text(at path: JSONPointer) -> ContainerIndex? {
    guard let container = Target(path, in: file.objects)?.container(in: file.objects),
      log.containers[container].kind == .text
    else { return nil }
    return container
  }

  private func passages(
    of container: ContainerIndex, in replay: borrowing Replay
  ) -> [(end: Int32, change: ChangeIndex)] {
    var raw: [(end: Int32, change: ChangeIndex)] = []
    replay.forEachRun(of: container) { first, length in
      var event = first
      while event < first + length {
        let change = log.eventCounts.change(of: event)
        let end = min(first + length, log.eventCounts.firstEvent(ofChange: change + 1))
        raw.append(end - event, by: change)
        event = end
      }
    }
    return file.passages[container].map { shown(raw, through: $0) } ?? raw
  }

  /// The passages of a raw text in the one that is shown: what is contested is the work of the last of
  /// those whose reading is shown.
  private func shown(
    _ raw: [(end: Int32, change: ChangeIndex)], through open: [TextPassage]
  ) -> [(end: Int32, change: ChangeIndex)] {
    let numbers = ChangeNumbers(log)
    var result: [(end: Int32, change: ChangeIndex)] = []
    var next = 0
    var start = 0
    for (end, change) in raw {
      while start < end {
        while next < open.count, open[next].raw.upperBound <= start { next += 1 }
        let passage = next < open.count ? open[next] : nil
        if let passage, passage.raw.lowerBound <= start {
          if start == passage.raw.lowerBound, let last = passage.shown.changes.last {
            result.append(Int32(passage.shown.text.scalarCount), by: numbers[last] ?? change)
          }
          start = min(passage.raw.upperBound, Int(end))
        } else {
          let stop = min(passage?.raw.lowerBound ?? .max, Int(end))
          result.append(Int32(stop - start), by: change)
          start = stop
        }
      }
    }
    return result
  }
}

extension Array where Element == (end: Int32, change: ChangeIndex) {
  /// Goes on with some scalars of a change, or with none.
  fileprivate mutating func append(_ count: Int32, by change: ChangeIndex) {
    if count <= 0 { return }
    let end = (last?.end ?? 0) + count
    if last?.change == change {
      self[self.count - 1].end = end
    } else {
      append((end, change))
    }
  }
}
