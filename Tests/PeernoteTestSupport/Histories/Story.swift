package import Peernote

/// A history told change by change, for tests written by hand.
package struct Story {
  /// What the changes told so far mean.
  package private(set) var oracle = Oracle()
  private var sequences: [UInt64: Int] = [:]
  /// When changes are made that say no time.
  private let time: Int64

  package init(time: Int64 = 0) { self.time = time }

  /// Adds a change by an agent who has seen some changes and all before them, and the agent's own.
  @discardableResult
  package mutating func change(
    _ agent: UInt64, after seen: [ChangeID] = [], time: Int64? = nil, _ edits: Edit...
  ) -> ChangeID {
    change(agent, after: seen, time: time, edits)
  }

  /// Adds a change by an agent who has seen some changes and all before them, and the agent's own.
  @discardableResult
  package mutating func change(
    _ agent: UInt64, after seen: [ChangeID] = [], time: Int64? = nil, _ edits: [Edit]
  ) -> ChangeID {
    let id = ChangeID(agent: AgentID(rawValue: agent), sequence: sequences[agent, default: 0] + 1)
    sequences[agent] = id.sequence
    let own = id.sequence > 1 ? [ChangeID(agent: id.agent, sequence: id.sequence - 1)] : []
    let parents = oracle.heads(of: oracle.version(of: seen + own))
    let time = Timestamp(milliseconds: time ?? self.time)
    oracle.add(Change(id: id, parents: parents, time: time, edits: edits))
    return id
  }

  /// All changes, parents first.
  package var changes: [Change] { oracle.changes }
}

extension ChangeID {
  /// The event at this position of the change.
  package func event(_ index: Int) -> EventID { EventID(change: self, index: index) }

  /// The container that the event at this position created.
  package func container(_ index: Int) -> ContainerID { .created(event(index)) }
}

extension Change {
  /// A change by an agent, at the first moment unless it says another one.
  package init(
    _ agent: UInt64, _ sequence: Int = 1, after parents: [ChangeID] = [], time: Int64 = 1,
    _ edits: [Edit]
  ) {
    self.init(
      id: ChangeID(agent: AgentID(rawValue: agent), sequence: sequence), parents: parents.sorted(),
      time: Timestamp(milliseconds: time), edits: edits)
  }
}
