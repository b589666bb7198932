extension Log {
  /// How many changes there are.
  package var changeCount: Int { Int(graph.changeCount) }
  /// How many events there are.
  package var eventCount: Int { Int(graph.eventCount) }

  /// The change that holds an event.
  ///
  /// O(log n).
  package func changeID(of event: LocalVersion) -> ChangeID {
    changeID(ofChange: eventCounts.change(of: event))
  }

  /// The name of the change with an index.
  ///
  /// O(log chains).
  package func changeID(ofChange change: ChangeIndex) -> ChangeID {
    let chain = graph.chains[chainIndex(ofChange: change)]
    return ChangeID(
      agent: agents[chain.agent],
      sequence: Int(chain.firstSequence + (change - chain.firstChange)))
  }

  /// The name of an event.
  ///
  /// O(log n).
  package func eventID(of event: LocalVersion) -> EventID {
    let change = eventCounts.change(of: event)
    return EventID(
      change: changeID(ofChange: change),
      index: Int(event - eventCounts.firstEvent(ofChange: change)))
  }

  /// The chain that holds the change with an index.
  ///
  /// O(log chains).
  package func chainIndex(ofChange change: ChangeIndex) -> ChainIndex {
    graph.chains.indices.partitionPoint { graph.chains[$0].firstChange > change } - 1
  }

  /// Time, author and message of the change with an index.
  ///
  /// O(log runs).
  package func metadata(ofChange change: ChangeIndex) -> MetadataRun {
    metadataRun(at: change).run
  }

  /// The run that holds the change with an index, and the first change after the run.
  ///
  /// O(log runs).
  package func metadataRun(at change: ChangeIndex) -> (run: MetadataRun, end: ChangeIndex) {
    let next = metadata.partitionPoint { $0.firstChange > change }
    return (
      metadata[next - 1],
      next < metadata.count ? metadata[next].firstChange : graph.changes.upperBound
    )
  }

  /// The last events of the changes that nothing comes after: the log's heads.
  package var headChanges: [ChangeID] { graph.heads.map { changeID(of: $0) }.sorted() }

  /// The parents of the change with an index, by name, ascending.
  ///
  /// O(p log n).
  package func parentIDs(ofChange change: ChangeIndex) -> [ChangeID] {
    let index = chainIndex(ofChange: change)
    if change > graph.chains[index].firstChange { return [changeID(ofChange: change - 1)] }
    return graph.parents(ofChain: index).map { changeID(of: $0) }.sorted()
  }

  /// The index of the first operation that ends after an event.
  ///
  /// O(log operations).
  package func operationIndex(endingAfter event: LocalVersion) -> Int {
    (0..<operations.count).partitionPoint { operations.first(of: $0 + 1) > event }
  }

  /// Calls `body` with the operations of a range of events, cut to it.
  ///
  /// O(log n + operations).
  package func forEachOperation(
    in events: Range<LocalVersion>, _ body: (Operation) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    if events.isEmpty { return }
    var index = operationIndex(endingAfter: events.lowerBound)
    while index < operations.count, operations[index].first < events.upperBound {
      let operation = operations[index]
      try body(operation.slice(operation.events.clamped(to: events)))
      index += 1
    }
  }

  /// Where each agent's chains are: agent, then chain indices in the order of their sequence
  /// numbers.
  ///
  /// O(chains).
  package func chainsByAgent() -> [[ChainIndex]] {
    var result = [[ChainIndex]](repeating: [], count: agents.count)
    for index in graph.chains.indices {
      result[graph.chains[index].agent].append(index)
    }
    return result
  }

  /// Orders two writes: the later one by time, Lamport timestamp, agent, sequence number and index
  /// wins wherever one of several concurrent writes has to be shown.
  package func isLaterWrite(_ left: LocalVersion, than right: LocalVersion) -> Bool {
    let first = metadata(ofChange: eventCounts.change(of: left)).time
    let second = metadata(ofChange: eventCounts.change(of: right)).time
    if first != second { return first > second }
    let lamports = (graph.lamport(of: left), graph.lamport(of: right))
    if lamports.0 != lamports.1 { return lamports.0 > lamports.1 }
    return eventID(of: left) > eventID(of: right)
  }
}
