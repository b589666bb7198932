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
  /// - Throws: ``DocumentError`` with the place of the first fault; the chains before it are
  ///   appended all the same.
  mutating func appendChains(
    _ rows: ColumnReader, agents: [AgentID], counts: EventCounts, starts: inout [Int32]
  ) throws(DocumentError) {
    var reader = ChainReader(after: self, agents: agents, counts: counts, reading: rows.remaining)
    var fault: DocumentError?
    do throws(DocumentError) {
      try reader.readChains(rows, into: &chains)
    } catch {
      fault = error
    }
    // A row that cannot be read may have left some.
    let parentEnd = chains.last.map { Int($0.parentStart + $0.parentCount) } ?? 0
    reader.appendParents(upTo: parentEnd, to: &parentPool, &parentChains)
    reader.starts.append(to: &starts)
    heads = reader.heads
    if let fault { throw fault }
  }
}
