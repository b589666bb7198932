/// Reading chains in the form in which files hold them.
extension Graph {
  /// Appends the chains that the rows of a column hold, after those that are here already: agent,
  /// changes and parents of each (see peernote(5)).
  ///
  /// O(rows + parents). Accepts the canonical form only.
  ///
  /// - Parameters:
  ///   - rows: the rest of the column.
  ///   - agents: all agents, in the order of their first chain.
  ///   - counts: how many events each change holds.
  ///   - starts: the offset of each row is appended.
  /// - Throws: ``VarintReader/Fault`` with the place of the first fault.
  package mutating func appendChains(
    _ rows: inout VarintReader, agents: [AgentID], counts: EventCounts, starts: inout [Int]
  ) throws(VarintReader.Fault) {
    // A chain takes at least three bytes.
    reserve(chains: chains.count + rows.remaining / 3)
    starts.reserveCapacity(starts.count + rows.remaining / 3)
    /// The last change of each agent that has one, and how many it has.
    var last: [(change: Int32, count: Int32)] = []
    last.reserveCapacity(agents.count)
    for chain in chains {
      if Int(chain.agent) == last.count { last.append((0, 0)) }
      last[Int(chain.agent)].change = chain.changes.upperBound - 1
      last[Int(chain.agent)].count += chain.changeCount
    }
    // What the canonical order compares: of the chain before; nothing is less than none.
    var before = (Int32(0), AgentID(rawValue: 0), Int32(0))
    if let chain = chains.last {
      before = (chain.lamport, agents[Int(chain.agent)], chain.firstSequence)
    }
    var change = changeCount
    var event = eventCount
    var parents: Version = []
    while !rows.isAtEnd {
      let start = rows.offset
      starts.append(start)
      let header = try rows.read(limit: 2 * agents.count - 1, "an unknown agent")
      let agent = header / 2
      guard agent <= last.count else { throw .init("agents out of order", at: start) }
      let left = Int(counts.changeCount - change)
      let count = Int32(try rows.read(limit: left - 1, "more changes than event counts") + 1)
      let own = agent < last.count ? last[agent].change : -1
      let followsOwn = header % 2 == 1
      let isFit = try Self.readParents(
        &rows, into: &parents, before: change, own: own, followsOwn: followsOwn, counts)
      guard isFit else { throw .init("a chain is not written as it should be", at: start) }
      if agent == last.count { last.append((0, 0)) }
      let endEvent = counts.firstEvent(ofChange: change + count)
      let sequence = last[agent].count + 1
      let lamport = append(
        agent: Int32(agent), firstSequence: sequence, changeCount: count,
        eventCount: endEvent - event, parents: parents)
      let place = (lamport, agents[agent], sequence)
      guard before < place else { throw .init("chains out of order", at: start) }
      before = place
      event = endEvent
      change += count
      last[agent] = (change - 1, last[agent].count + count)
    }
    guard change == counts.changeCount, last.count == agents.count else {
      throw .init("the chains do not cover the changes", at: rows.offset)
    }
  }

  /// Reads the parents of the chain that begins with a change: those that are not its agent's last
  /// change, descending, as distances.
  ///
  /// - Parameters:
  ///   - rows: go on to the next row.
  ///   - parents: their last events, ascending.
  ///   - change: the first change of the chain.
  ///   - own: the last change of the chain's agent; -1 if there is none.
  ///   - followsOwn: whether that is a parent as well.
  ///   - counts: how many events each change holds.
  /// - Throws: ``VarintReader/Fault`` with the place of what is no distance.
  /// - Returns: whether they are as they should be: the agent's own last change stands in the
  ///   header, and never alone, since the chain would go on then.
  @inline(__always)
  private static func readParents(
    _ rows: inout VarintReader, into parents: inout Version, before change: Int32, own: Int32,
    followsOwn: Bool, _ counts: EventCounts
  ) throws(VarintReader.Fault) -> Bool {
    parents.removeAll(keepingCapacity: true)
    let count = try rows.read(limit: Int(change), "more parents than changes")
    var isFit = !followsOwn || own >= 0 && count > 0
    var ownIsLeft = followsOwn
    var above = change
    for _ in 0..<count {
      let distance = try rows.read(limit: Int(above) - 1, "a parent that does not come earlier")
      above -= Int32(distance) + 1
      if above <= own {
        if above == own { isFit = false }
        if ownIsLeft {
          parents.append(counts.firstEvent(ofChange: own + 1) - 1)
          ownIsLeft = false
        }
      }
      parents.append(counts.firstEvent(ofChange: above + 1) - 1)
    }
    if ownIsLeft, own >= 0 { parents.append(counts.firstEvent(ofChange: own + 1) - 1) }
    if parents.count > 1 { parents.reverse() }
    return isFit
  }
}
