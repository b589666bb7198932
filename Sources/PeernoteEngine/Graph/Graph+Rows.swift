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
    _ rows: VarintReader, agents: [AgentID], counts: EventCounts, starts: inout [Int32]
  ) throws(VarintReader.Fault) {
    var reader = ChainReader(rows, after: self, agents: agents, counts: counts)
    // A chain takes at least three bytes.
    chains.reserveCapacity(chains.count + rows.remaining / 3)
    while !reader.isAtEnd { try reader.readChain(into: &chains) }
    try reader.finish()
    reader.parents.append(to: &parentPool)
    reader.parentChains.append(to: &parentChains)
    reader.starts.append(to: &starts)
    openHeads = reader.heads
  }
}
