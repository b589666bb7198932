/// Reads the rows of a column that hold chains: agent, changes and parents; see peernote(5).
struct ChainReader {
  /// The last change of an agent with its last event, and how many it has made.
  private struct LastChange {
    var change = ChangeIndex.beforeAll
    var event = LocalVersion.beforeAll
    var count: Int32 = 0
  }

  private let agents: [AgentID]
  private let changesEnd: ChangeIndex
  private var firstEvents: EventCounts.Finder
  /// The first change of the next chain.
  private var change: ChangeIndex
  /// The last changes of the agents that were come by, which are the first ones.
  private var last: [LastChange] = []
  /// The parents of the next chain, descending.
  private var parents: Version = []
  /// What the canonical order compares of the chain before; nothing is less than none.
  private var before = (lamport: Int32(0), agent: AgentID(rawValue: 0), sequence: Int32(0))

  /// Goes on after the chains of a graph.
  init(after graph: Graph, agents: [AgentID], counts: EventCounts) {
    self.agents = agents
    changesEnd = counts.changes.upperBound
    firstEvents = EventCounts.Finder(counts)
    change = graph.changes.upperBound
    last.reserveCapacity(agents.count)
    graph.chains.forEach(ofFirst: graph.chains.count) { chain in
      if chain.agent.number == last.count { last.append(LastChange()) }
      last[chain.agent].change = chain.changes.upperBound - 1
      last[chain.agent].event = chain.end - 1
      last[chain.agent].count += chain.changeCount
    }
    if let chain = graph.chains.last {
      before = (chain.lamport, agents[chain.agent], chain.firstSequence)
    }
  }

  /// How many bytes a row takes at least.
  static let leastRow = 3

  /// Whether all changes and agents have been come by.
  var isAtEnd: Bool { change == changesEnd && last.count == agents.count }

  /// Reads a row, and appends its chain unless it is at fault; O(p log n) for p parents, amortized.
  mutating func readChain(
    _ rows: inout ColumnReader, into graph: inout Graph
  ) throws(DocumentError) {
    let offset = rows.offset
    let header = try rows.readVarint(limit: 2 * agents.count - 1, "an unknown agent")
    let agent = AgentIndex(rawValue: Int32(truncatingIfNeeded: header >> 1))
    guard agent.number <= last.count else { throw rows.fault("agents out of order", at: offset) }
    let left = Int(changesEnd - change)
    let further = try rows.readVarint(limit: left - 1, "more changes than event counts")
    let count = Int32(truncatingIfNeeded: further) + 1
    let own = agent.number < last.count ? last[agent] : LastChange()
    guard try readParents(&rows, own: own, followsOwn: header & 1 == 1) else {
      throw rows.fault("a chain is not written as it should be", at: offset)
    }
    let name = agents[agent]
    let sequence = own.count + 1
    let start = graph.end
    let end = firstEvents.firstEvent(ofChange: change + count)
    let lamport = graph.append(
      agent: agent, firstSequence: sequence, changeCount: count, eventCount: end - start,
      parents: parents.reversed(), unless: { ($0, name, sequence) <= before })
    guard let lamport else { throw rows.fault("chains out of order", at: offset) }
    before = (lamport, name, sequence)
    change += count
    if agent.number == last.count { last.append(LastChange()) }
    last[agent] = LastChange(change: change - 1, event: end - 1, count: own.count + count)
  }

  /// Reads the parents of the next chain, which stand there descending, as distances, without its
  /// agent's last change.
  ///
  /// `own` is that change, which is a parent as well if the chain `followsOwn`. False if they are not
  /// as they should be: the own change stands in the header, and never alone, since the chain would
  /// go on then.
  private mutating func readParents(
    _ rows: inout ColumnReader, own: LastChange, followsOwn: Bool
  ) throws(DocumentError) -> Bool {
    let count = try rows.readVarint(limit: change.number, "more parents than changes")
    if followsOwn, own.change == .beforeAll || count == 0 { return false }
    parents.removeAll(keepingCapacity: true)
    var ownIsLeft = followsOwn
    var above = change
    for _ in 0..<count {
      let distance = try rows.readVarint(
        limit: above.number - 1, "a parent that does not come earlier")
      above -= Int32(truncatingIfNeeded: distance) + 1
      if above == own.change { return false }
      if ownIsLeft, above < own.change {
        parents.append(own.event)
        ownIsLeft = false
      }
      parents.append(firstEvents.firstEvent(ofChange: above + 1) - 1)
    }
    if ownIsLeft { parents.append(own.event) }
    return true
  }
}
