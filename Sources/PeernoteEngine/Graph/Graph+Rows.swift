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
  /// - Throws: ``VarintReader/Fault`` with the place of the first fault; the chains before it are
  ///   appended all the same.
  package mutating func appendChains(
    _ rows: VarintReader, agents: [AgentID], counts: EventCounts, starts: inout [Int32]
  ) throws(VarintReader.Fault) {
    var reader = ChainReader(rows, after: self, agents: agents, counts: counts)
    // A chain takes at least three bytes.
    chains.reserveCapacity(chains.count + rows.remaining / 3)
    var fault: VarintReader.Fault?
    do throws(VarintReader.Fault) {
      while !reader.isAtEnd { try reader.readChain(into: &chains) }
      try reader.finish()
    } catch {
      fault = error
    }
    reader.parents.append(to: &parentPool)
    reader.parentChains.append(to: &parentChains)
    // A row that cannot be read may have left some.
    let parentEnd = chains.last.map { Int($0.parentStart + $0.parentCount) } ?? 0
    parentPool.removeLast(parentPool.count - parentEnd)
    parentChains.removeLast(parentChains.count - parentEnd)
    reader.starts.append(to: &starts)
    openHeads = reader.heads
    if let fault { throw fault }
  }
}
