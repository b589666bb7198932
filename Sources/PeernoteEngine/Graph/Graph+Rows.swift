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
    reserve(
      chains: chains.count + rows.remaining / 3, parents: parentPool.count + rows.remaining / 2)
    starts.reserveCapacity(starts.count + rows.remaining / 3)
    var last = lastChanges(agents: agents.count)
    // What the canonical order compares: of the chain before; nothing is less than none.
    var before = (lamport: Int32(0), agent: AgentID(rawValue: 0), sequence: Int32(0))
    if let chain = chains.last {
      before = (chain.lamport, agents[Int(chain.agent)], chain.firstSequence)
    }
    var change = changeCount
    var event = eventCount
    while !rows.isAtEnd {
      let start = rows.offset
      starts.append(start)
      let header = try rows.read(limit: 2 * agents.count - 1, "an unknown agent")
      let agent = Int32(header / 2)
      guard agent <= last.count else { throw .init("agents out of order", at: start) }
      let left = Int(counts.changeCount - change)
      let count = Int32(try rows.read(limit: left - 1, "more changes than event counts") + 1)
      let own = agent < last.count ? last[agent] : LastChange(change: -1, count: 0)
      guard
        let parentCount = try readParents(
          &rows, before: change, own: own.change, followsOwn: header % 2 == 1, counts)
      else { throw .init("a chain is not written as it should be", at: start) }
      if agent == last.count { _ = last.append(LastChange(change: -1, count: 0)) }
      last[agent] = LastChange(change: change + count - 1, count: own.count + count)
      let endEvent = counts.firstEvent(ofChange: change + count)
      let sequence = own.count + 1
      let lamport = appendChain(
        agent: agent, firstSequence: sequence, changeCount: count, eventCount: endEvent - event,
        parentCount: parentCount)
      let place = (lamport: lamport, agent: agents[Int(agent)], sequence: sequence)
      guard lamport > before.lamport || before < place else {
        throw .init("chains out of order", at: start)
      }
      before = place
      event = endEvent
      change += count
    }
    guard change == counts.changeCount, last.count == agents.count else {
      throw .init("the chains do not cover the changes", at: rows.offset)
    }
  }

  /// The last change of an agent, and how many it has made.
  private struct LastChange: BitwiseCopyable {
    var change: Int32
    var count: Int32
  }

  /// The last change of each agent that has one so far.
  private func lastChanges(agents: Int) -> Pool<LastChange> {
    var last = Pool<LastChange>(minimumCapacity: agents)
    for chain in chains {
      if Int(chain.agent) == last.count { _ = last.append(LastChange(change: -1, count: 0)) }
      last[chain.agent].change = chain.changes.upperBound - 1
      last[chain.agent].count += chain.changeCount
    }
    return last
  }

  /// Reads the parents of the chain that begins with a change: those that are not its agent's last
  /// change, descending, as distances.
  ///
  /// - Parameters:
  ///   - rows: go on to the next row.
  ///   - change: the first change of the chain.
  ///   - own: the last change of the chain's agent; -1 if there is none.
  ///   - followsOwn: whether that is a parent as well.
  ///   - counts: how many events each change holds.
  /// - Throws: ``VarintReader/Fault`` with the place of what is no distance.
  /// - Returns: how many parents were added to the pools for the chain; `nil` if they are not as
  ///   they should be: the agent's own last change stands in the header, and never alone, since the
  ///   chain would go on then.
  @inline(__always)
  private mutating func readParents(
    _ rows: inout VarintReader, before change: Int32, own: Int32, followsOwn: Bool,
    _ counts: EventCounts
  ) throws(VarintReader.Fault) -> Int32? {
    let count = try rows.read(limit: Int(change), "more parents than changes")
    if followsOwn, own < 0 || count == 0 { return nil }
    var ownIsLeft = followsOwn
    var above = change
    for _ in 0..<count {
      let distance = try rows.read(limit: Int(above) - 1, "a parent that does not come earlier")
      above -= Int32(distance) + 1
      if above == own { return nil }
      if ownIsLeft, above < own {
        appendParent(counts.firstEvent(ofChange: own + 1) - 1)
        ownIsLeft = false
      }
      appendParent(counts.firstEvent(ofChange: above + 1) - 1)
    }
    if ownIsLeft { appendParent(counts.firstEvent(ofChange: own + 1) - 1) }
    let total = count + (followsOwn ? 1 : 0)
    reverseLastParents(total)
    return Int32(total)
  }
}
