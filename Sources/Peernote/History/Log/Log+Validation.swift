extension Log {
  /// Finds what an honest program would not have written, beyond what reading a file checks:
  /// parents that are ancestors of each other, agents that don't know their own changes, and
  /// operations on what their authors had not seen.
  ///
  /// O(n log n) where history is mostly linear; where it is made so that this takes more than
  /// ``workLimit`` steps, that is the last thing found. What comes before `start` is known to be
  /// sound.
  package func faults(
    critical: CriticalVersions, from start: LocalVersion = .first
  ) -> [HistoryError] {
    let limit = workLimit
    /// How many chains were met while ancestors were looked for.
    var steps = 0
    var found = graphFaults(critical: critical, from: start, workLimit: limit, &steps)
    /// A container that all have seen who wrote up to an event.
    var seen: (container: ContainerIndex, end: LocalVersion) = (.root, .afterAll)
    func isSeen(_ earlier: LocalVersion, by event: LocalVersion) -> Bool {
      isSettled(earlier, before: event) || graph.isAncestor(earlier, orSelf: event, &steps)
    }
    /// Whether a critical version has it that all who write from an event on have seen another.
    func isSettled(_ earlier: LocalVersion, before event: LocalVersion) -> Bool {
      !earlier.isEvent || critical.separate(earlier, from: event)
    }
    for index in operationIndex(endingAfter: start)..<operations.count {
      let operation = operations[index]
      if steps > limit { return found + [HistoryError(.tooMuchWork, event: operation.first)] }
      if operation.container != seen.container || operation.first >= seen.end {
        let created = containers[operation.container].created
        if isSettled(created, before: operation.first) {
          seen = (operation.container, .afterAll)
        } else if graph.isAncestor(created, orSelf: operation.first, &steps) {
          seen = (operation.container, graph.chains[graph.chainIndex(of: operation.first)].end)
        } else {
          found.append(HistoryError(.containerNotSeen, event: operation.first))
        }
      }
      if operation.kind.editsText { continue }
      for reference in operation.references
      where !isSeen(reference, by: operation.first) {
        found.append(HistoryError(.unknownElement, event: operation.first))
      }
    }
    return found
  }

  /// Finds parents that are ancestors of each other, and agents that don't know their own changes.
  private func graphFaults(
    critical: CriticalVersions, from start: LocalVersion, workLimit: Int, _ steps: inout Int
  ) -> [HistoryError] {
    var found: [HistoryError] = []
    var lastEvents = [LocalVersion](repeating: .beforeAll, count: agents.count)
    for index in graph.chains.indices {
      let chain = graph.chains[index]
      let last = lastEvents[chain.agent]
      lastEvents[chain.agent] = chain.end - 1
      if chain.start < start { continue }
      if steps > workLimit { return found }
      if !graph.hasConcurrentParents(chain: index, &steps) {
        found.append(HistoryError(.redundantParents, event: chain.start))
      }
      if last.isEvent, !critical.separate(last, from: chain.start),
        !graph.isAncestor(last, ofChain: index, &steps)
      {
        found.append(HistoryError(.agentForksItself, event: chain.start))
      }
    }
    return found
  }
}
