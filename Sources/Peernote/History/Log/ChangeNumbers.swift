/// The indices of a log's changes by their names.
package struct ChangeNumbers {
  private let log: Log
  private let chains: [[ChainIndex]]
  private var numbers: [AgentID: Int] = [:]

  /// O(chains + agents).
  package init(_ log: Log) {
    self.log = log
    chains = log.chainsByAgent()
    for (number, agent) in log.agents.enumerated() { numbers[agent] = number }
  }

  /// The index of a change; `nil` if it is not there.
  ///
  /// O(log chains).
  package subscript(id: ChangeID) -> ChangeIndex? {
    guard let agent = numbers[id.agent] else { return nil }
    let chains = chains[agent]
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
  /// The local version of an event; `nil` if it is not there.
  ///
  /// O(chains + agents).
  package func event(_ id: EventID) -> LocalVersion? {
    guard let change = ChangeNumbers(self)[id.change] else { return nil }
    let first = eventCounts.firstEvent(ofChange: change)
    let end = eventCounts.firstEvent(ofChange: change + 1)
    guard id.index >= 0, id.index < Int(end - first) else { return nil }
    return first + Int32(id.index)
  }

  /// The number of a container; `nil` if it is not there.
  ///
  /// O(chains + agents).
  package func containerNumber(of id: ContainerID) -> ContainerIndex? {
    switch id {
    case .root: .root
    case .created(let event): self.event(event).flatMap { container(createdBy: $0) }
    }
  }
}
