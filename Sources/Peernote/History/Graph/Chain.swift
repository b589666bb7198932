/// A linear run of one agent's changes, the unit in which the event graph is kept.
///
/// A change continues the chain of its parent exactly if that is its only parent, by the same
/// agent. This is a property of the change alone, so that the chains of a union of two sets are
/// the unions of their chains. Inside a chain local versions are consecutive, and every event has
/// the one before it as its parent; only the first event has parents elsewhere.
package struct Chain: Hashable, Sendable {
  /// The agent, as an index into the log's agents.
  package var agent: AgentIndex
  /// The sequence number of the first change.
  package var firstSequence: Int32
  /// The index of the first change in the log's order.
  package var firstChange: ChangeIndex
  /// How many changes.
  package var changeCount: Int32
  /// The first event.
  package var start: LocalVersion
  /// One past the last event.
  package var end: LocalVersion
  /// The Lamport timestamp of the first event.
  package var lamport: Int32
  /// Where the first event's parents stand in ``Graph/parentPool``.
  package var parentStart: Int32
  /// How many parents the first event has.
  package var parentCount: Int32
  /// Whether the parents are the heads of everything before the chain.
  package var joinsEverything: Bool

  /// Whether a chain is the same in another graph, where agents, parents and all chains before it
  /// are the same.
  @inline(__always)
  func isLike(_ other: Chain) -> Bool {
    agent == other.agent && end == other.end && changeCount == other.changeCount
      && parentCount == other.parentCount
  }

  /// The local versions of the chain.
  package var events: Range<LocalVersion> { start..<end }
  /// The indices of its changes.
  package var changes: Range<ChangeIndex> { firstChange..<firstChange + changeCount }
}

/// The chains of a graph, in canonical order.
package typealias ChainList = SharedList<ChainIndex, Chain>

extension ChainList {
  /// The index of the chain that holds an event.
  ///
  /// O(log chains).
  ///
  /// Precondition: one of them holds it.
  func index(of event: LocalVersion) -> ChainIndex {
    ChainIndex((0..<count).partitionPoint { self[number: $0].start > event } - 1)
  }
}
