/// Reading chains in the form in which files hold them.
extension Graph {
  /// Appends the chains that the rows of a column hold, after those that are here already: agent,
  /// changes and parents of each (see peernote(5)).
  ///
  /// O(rows + parents). Accepts the canonical form only, of the rest of the column. The agents
  /// stand in the order of their first chain. The offset of each row is appended to `starts`.
  /// Throws the first fault with its place; the chains before it are appended all the same.
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
