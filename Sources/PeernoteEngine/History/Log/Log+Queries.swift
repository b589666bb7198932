extension Log {
  package var changeCount: Int { Int(graph.changeCount) }
  package var eventCount: Int { Int(graph.eventCount) }

  /// The change that holds an event, in O(log n).
  package func changeID(of event: LocalVersion) -> ChangeID {
    changeID(ofChange: eventCounts.change(of: event))
  }

  /// The name of the change with an index, in O(log chains).
  package func changeID(ofChange change: ChangeIndex) -> ChangeID {
    let chain = graph.chains[chainIndex(ofChange: change)]
    return ChangeID(
      agent: agents[chain.agent],
      sequence: Int(chain.firstSequence + (change - chain.firstChange)))
  }

  /// The name of an event, in O(log n).
  package func eventID(of event: LocalVersion) -> EventID {
    let change = eventCounts.change(of: event)
    return EventID(
      change: changeID(ofChange: change),
      index: Int(event - eventCounts.firstEvent(ofChange: change)))
  }

  /// The chain that holds the change with an index, in O(log chains).
  package func chainIndex(ofChange change: ChangeIndex) -> ChainIndex {
    graph.chains.indices.partitionPoint { graph.chains[$0].firstChange > change } - 1
  }

  /// Time, author and message of the change with an index, in O(log runs).
  package func metadata(ofChange change: ChangeIndex) -> MetadataRun {
    metadataRun(at: change).run
  }

  /// The run that holds the change with an index, and the first change after the run, in
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

  /// The parents of the change with an index, by name, ascending, in O(p log n).
  package func parentIDs(ofChange change: ChangeIndex) -> [ChangeID] {
    let index = chainIndex(ofChange: change)
    if change > graph.chains[index].firstChange { return [changeID(ofChange: change - 1)] }
    return graph.parents(ofChain: index).map { changeID(of: $0) }.sorted()
  }

  /// The containers of a kind, ascending, in O(containers).
  package func containers(of kind: ContainerKind) -> [ContainerIndex] {
    containers.indices.filter { containers[$0].kind == kind }.map { ContainerIndex($0) }
  }

  /// The index of the first operation that ends after an event, in O(log operations).
  package func operationIndex(endingAfter event: LocalVersion) -> Int {
    operations.index(endingAfter: event)
  }

  /// Calls `body` with the operations of a range of events, cut to it, in O(log n + operations).
  package func forEachOperation<Failure>(
    in events: Range<LocalVersion>, _ body: (Operation) throws(Failure) -> Void
  ) throws(Failure) {
    if events.isEmpty { return }
    var index = operationIndex(endingAfter: events.lowerBound)
    while index < operations.count, operations[index].first < events.upperBound {
      let operation = operations[index]
      try body(operation.slice(operation.events.clamped(to: events)))
      index += 1
    }
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

  /// What a line of a message begins with that names a key by which elements of lists are known.
  static let identityMark = "identity: "

  /// The keys that messages name, in the order of the messages, in O(messages).
  package var identityKeys: [String] {
    var keys: [String] = []
    for message in messages where message.utf8.contains(UInt8(ascii: ":")) {
      for line in message.splitAtLineFeeds() where line.hasPrefix(Self.identityMark) {
        let key = String(line.dropFirst(Self.identityMark.count))
        if !key.isEmpty, !keys.contains(key) { keys.append(key) }
      }
    }
    return keys
  }
}

/// The indices of a log's changes by their names.
package struct ChangeNumbers {
  private let log: Log
  /// The chains of each agent, in the order of their sequence numbers.
  private let chains: [AgentID: [ChainIndex]]

  /// O(chains + agents).
  package init(_ log: Log) {
    self.log = log
    var chains = [[ChainIndex]](repeating: [], count: log.agents.count)
    for index in log.graph.chains.indices { chains[log.graph.chains[index].agent].append(index) }
    self.chains = Dictionary(uniqueKeysWithValues: zip(log.agents, chains))
  }

  /// The index of a change; `nil` if it is not there; O(log chains).
  package subscript(id: ChangeID) -> ChangeIndex? {
    guard let chains = chains[id.agent] else { return nil }
    let next = chains.partitionPoint {
      Int(log.graph.chains[$0].firstSequence) > id.sequence
    }
    guard next > 0 else { return nil }
    let chain = log.graph.chains[chains[next - 1]]
    let offset = id.sequence - Int(chain.firstSequence)
    guard (0..<Int(chain.changeCount)).contains(offset) else { return nil }
    return chain.firstChange + Int32(offset)
  }
}

extension Log {
  /// The local version of an event; `nil` if it is not there; O(chains + agents).
  package func event(_ id: EventID) -> LocalVersion? {
    guard let change = ChangeNumbers(self)[id.change] else { return nil }
    let first = eventCounts.firstEvent(ofChange: change)
    let end = eventCounts.firstEvent(ofChange: change + 1)
    guard id.index >= 0, id.index < Int(end - first) else { return nil }
    return first + Int32(id.index)
  }

  /// The number of a container; `nil` if it is not there; O(chains + agents).
  package func containerNumber(of id: ContainerID) -> ContainerIndex? {
    switch id {
    case .root: .root
    case .created(let event): self.event(event).flatMap { container(createdBy: $0) }
    }
  }
}
