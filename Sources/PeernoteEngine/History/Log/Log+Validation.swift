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

  /// Traps unless the parts of the log agree with each other, in O(n log n); for tests.
  package func checkInvariants() {
    graph.checkInvariants(agents: agents.count)
    contents.checkInvariants()
    operations.checkInvariants()
    precondition(operations.end == graph.end, "operations tile the events")
    precondition(
      eventCounts.end == graph.end && eventCounts.changeCount == graph.changeCount,
      "every change has its events")
    checkMetadata()
    precondition(containers.first == .root, "the first container is the root")
    for (number, container) in containers.enumerated().dropFirst() {
      precondition(
        containers[number - 1].created < container.created && container.created < operations.end,
        "containers stand as they were created")
      precondition(
        container.parent.map { $0 < ContainerIndex(number) } ?? false,
        "a container is created in an earlier one")
    }
    var inserted: Int32 = 0
    var deleted: Int32 = 0
    var others: [Int32] = []
    for (index, operation) in operations.enumerated() {
      precondition(operation.container < ContainerIndex(containers.count), "it edits a container")
      if operation.kind.operands.contains(.key) {
        precondition(operation.key.number < keys.count, "a key has a name")
      }
      if !operation.kind.editsText {
        others.append(Int32(index))
      } else if operation.kind.deletesText {
        precondition(
          operation.firstScalar == deleted, "a deletion knows how many scalars went before")
        deleted += operation.length
      } else {
        precondition(
          operation.firstScalar == inserted, "an insertion knows how many scalars came before")
        inserted += operation.length
      }
    }
    precondition(others == objectOperations, "operations on other things than texts are listed")
    precondition(
      inserted == insertedScalarCount && deleted == deletedScalarCount, "scalars are counted")
  }

  private func checkMetadata() {
    precondition(metadata.first?.firstChange ?? .first == .first, "the first change has a time")
    precondition(metadata.isEmpty == (changeCount == 0), "changes have times")
    for (run, next) in zip(metadata, metadata.dropFirst()) {
      precondition(run.firstChange < next.firstChange, "changes stand in order")
      precondition(
        run.time != next.time || run.author != next.author || run.message != next.message,
        "changes that are alike share a run")
    }
    for run in metadata {
      precondition(graph.changes.contains(run.firstChange), "a run has a change")
      precondition(authors.indices.contains(run.author.number), "a change has an author")
      precondition(
        run.message.map { messages.indices.contains($0.number) } ?? true, "and maybe a message")
    }
  }
}

extension Graph {
  /// Traps unless chains tile the events in canonical order and heads are what nothing follows, in
  /// O(n log n); for tests.
  package func checkInvariants(agents: Int) {
    var end = LocalVersion.first
    var change = ChangeIndex.first
    var parentEnd: Int32 = 0
    var childless: Set<LocalVersion> = []
    for chain in chains {
      precondition(chain.start == end && chain.end > end, "chains tile the events")
      precondition(chain.firstChange == change && chain.changeCount > 0, "and the changes")
      precondition(
        chain.agent < AgentIndex(agents) && chain.firstSequence > 0, "a chain has an agent")
      precondition(chain.parentStart == parentEnd, "chains tile the parents")
      (end, change) = (chain.end, chain.changes.upperBound)
      parentEnd += chain.parentCount
      var last = LocalVersion.beforeAll
      for place in Int(chain.parentStart)..<Int(parentEnd) {
        let parent = parentPool[place]
        precondition(parent > last && parent < chain.start, "parents ascend, before the chain")
        precondition(
          chains[parentChains[place]].events.contains(parent), "a parent is in its chain")
        last = parent
        childless.remove(parent)
      }
      childless.insert(chain.end - 1)
    }
    precondition(Int(parentEnd) == parentPool.count, "every parent belongs to a chain")
    precondition(childless.sorted() == heads, "heads are what nothing follows")
  }
}

extension OperationList {
  /// Traps unless the operations tile the events, in O(n); for tests.
  package func checkInvariants() {
    var last = LocalVersion.first
    for operation in self {
      precondition(operation.first == last && operation.length > 0, "operations tile the events")
      last = operation.end
    }
    precondition(last == end, "the last operation ends the list")
  }
}
