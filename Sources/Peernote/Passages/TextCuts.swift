extension Log {
  /// The critical versions of texts: of each those of a history that holds nothing but its edits.
  ///
  /// So what was done elsewhere in a document changes nothing in how a text is read.
  ///
  /// O(operations + c log c) for c chains with edits of the texts, plus, for each of them that has
  /// not seen all before it, the chains that it and the one it is compared with don't both follow.
  ///
  /// - Parameters:
  ///   - containers: the texts.
  ///   - last: the last event of a critical version of the document; edits up to it don't count.
  /// - Returns: the critical versions by container number.
  func criticalCuts(
    ofTexts containers: some Sequence<ContainerIndex>, after last: LocalVersion = .beforeAll
  ) -> [ContainerIndex: CriticalCuts] {
    var numbers: [ContainerIndex: Int] = [:]
    for container in containers where numbers[container] == nil {
      numbers[container] = numbers.count
    }
    var searches = numbers.map { _ in TextCuts(graph: graph, after: last) }
    // Edits of one text often follow each other.
    var latest: (container: ContainerIndex, number: Int?)?
    for index in operationIndex(endingAfter: last + 1)..<operations.count {
      let operation = operations[index]
      guard operation.kind.editsText else { continue }
      if latest?.container != operation.container {
        latest = (operation.container, numbers[operation.container])
      }
      guard let number = latest?.number else { continue }
      searches[number].add(max(operation.first, last + 1)..<operation.end)
    }
    return numbers.mapValues { searches[$0].finish() }
  }
}

/// Finds the critical versions of some events, as ``CriticalVersions`` does of all.
///
/// An event that has not seen all before it rules out the cuts from the first one that it lacks up
/// to itself.
private struct TextCuts {
  /// From the first to the last of the events in a chain.
  struct Run {
    var chain: ChainIndex
    var events: Range<LocalVersion>
    /// How many events are in the runs before.
    var countBefore: Int32
    /// How many of those the run has not seen.
    var unseen: Int32

    var last: LocalVersion { events.upperBound - 1 }
  }

  private let graph: Graph
  private var runs: [Run] = []
  /// Where cuts may lie before the last run, each by the last event before it.
  private var open: [Range<LocalVersion>] = []
  /// The last event before the cuts that are looked for next.
  private var last: LocalVersion

  init(graph: Graph, after last: LocalVersion) {
    self.graph = graph
    self.last = last
  }

  /// Takes the next events.
  mutating func add(_ events: Range<LocalVersion>) {
    var first = events.lowerBound
    while first < events.upperBound {
      if let run = runs.last, first < graph.chains[run.chain].end {
        let end = min(events.upperBound, graph.chains[run.chain].end)
        runs[runs.count - 1].events = run.events.lowerBound..<end
        first = end
      } else {
        begin(at: first)
        first += 1
      }
    }
  }

  /// Begins a run.
  private mutating func begin(at first: LocalVersion) {
    endRun(before: first)
    let chain = graph.chainIndex(of: first)
    var run = Run(
      chain: chain, events: first..<first + 1, countBefore: count(before: first), unseen: 0)
    if !runs.isEmpty, !graph.chains[chain].joinsEverything {
      let (unseen, missing) = unseen(by: chain)
      run.unseen = unseen
      if unseen > 0 { removeCuts(from: missing) }
    }
    runs.append(run)
  }

  /// Adds the cuts in the last run, and from it up to an event.
  private mutating func endRun(before next: LocalVersion) {
    if let run = runs.last {
      if run.unseen == 0 { open.append(run.events.lowerBound..<run.last) }
      last = run.last
    }
    open.append(last..<next)
  }

  private mutating func removeCuts(from first: LocalVersion) {
    while let range = open.popLast() {
      if range.lowerBound >= first { continue }
      open.append(range.lowerBound..<min(range.upperBound, first))
      return
    }
  }

  /// How many of the events so far a chain has not seen, and from where it rules out the cuts that
  /// are still open.
  ///
  /// It is compared with an event before it, whose run rules out its cuts already. What that one
  /// lacked and the chain lacks too comes before those, so that only the cut at the event is left
  /// to rule out.
  private func unseen(by chain: ChainIndex) -> (count: Int32, missing: LocalVersion) {
    let parents = Version(graph.parents(ofChain: chain))
    let (run, event) = nearest(to: parents)
    let difference = graph.difference(parents, [event])
    let all = runs[runs.count - 1].events.upperBound
    var lacked = runs[run].unseen + difference.onlySecond.reduce(0) { $0 + count(in: $1) }
    var later = count(in: event + 1..<all)
    var missing = event
    if let first = difference.onlySecond.last(where: { count(in: $0) > 0 }) {
      missing = min(missing, first.lowerBound)
    }
    // The first event after it that the chain has not seen, if that is seen as far.
    var next = event + 1
    for seen in difference.onlyFirst.reversed() {
      lacked -= count(in: seen.clamped(to: .first..<event))
      let after = seen.clamped(to: event + 1..<all)
      later -= count(in: after)
      if count(in: next..<max(next, after.lowerBound)) == 0 { next = max(next, after.upperBound) }
    }
    return (lacked + later, lacked > 0 ? missing : next)
  }

  /// An event before a chain with these parents, such that few others lie between: one that the
  /// chain has seen if a parent's chain has one, else the last one.
  private func nearest(to parents: Version) -> (run: Int, event: LocalVersion) {
    for parent in parents.reversed() {
      let index = lastRun(from: parent)
      if index >= 0, parent < graph.chains[runs[index].chain].end {
        return (index, min(parent, runs[index].last))
      }
    }
    return (runs.count - 1, runs[runs.count - 1].last)
  }

  /// The last run that begins at an event or before; -1 if there is none.
  private func lastRun(from event: LocalVersion) -> Int {
    runs.partitionPoint { $0.events.lowerBound > event } - 1
  }

  /// How many events of the runs are in a range.
  private func count(in events: Range<LocalVersion>) -> Int32 {
    count(before: events.upperBound) - count(before: events.lowerBound)
  }

  private func count(before event: LocalVersion) -> Int32 {
    let index = lastRun(from: event)
    guard index >= 0 else { return 0 }
    let run = runs[index]
    return run.countBefore + (min(event, run.events.upperBound) - run.events.lowerBound)
  }

  /// The cuts, when all events are there.
  mutating func finish() -> CriticalCuts {
    endRun(before: graph.end)
    runs = []
    defer { open = [] }
    return CriticalCuts(open.filter { !$0.isEmpty })
  }
}
