/// Reading the operations column: the rows of texts in bulk, and passing over others.
extension ColumnReader {
  /// Reads the edits of a text, chain after chain, as long as the rows hold nothing else and are as
  /// they should be.
  ///
  /// O(rows). The first chain has been read from the same file, and maybe some of its edits. The
  /// cursors stand by agent. For each chain that begins `body` gets its index and where its rows
  /// begin. Gives the index of the first chain that was not read to its end.
  mutating func readTextRows(
    of container: ContainerIndex, chainsFrom first: ChainIndex, into log: inout Log,
    cursors: inout [Int32],
    _ body: (_ chain: ChainIndex, _ offset: Int) -> Void
  ) -> ChainIndex {
    read { rows, offset in
      var state = OperationList.RowState(
        offset: offset, insertedScalars: log.insertedScalarCount,
        deletedScalars: log.deletedScalarCount)
      let count = log.operations.appendTextRows(
        rows, of: container, in: log.graph.chains.unshared(from: first), cursors: &cursors, &state
      ) { number, offset in body(first.advanced(by: number), offset) }
      offset = state.offset
      log.insertedScalarCount = state.insertedScalars
      log.deletedScalarCount = state.deletedScalars
      return first.advanced(by: count)
    }
  }

  /// Passes over a row of a column that has been read; returns how many events it holds.
  mutating func skipOperation() throws(DocumentError) -> Int32 {
    let header = Int(truncatingIfNeeded: try readVarint())
    guard let code = RowHeader.code(in: header) else {
      if header & 4 != 0 { _ = try readVarint() }
      return Int32(truncatingIfNeeded: header >> 3) + 1
    }
    if code == RowHeader.target {
      _ = try readVarint()
      return 0
    }
    guard let kind = Operation.Kind(rowCode: code) else { return 1 }
    let length = kind.isRun ? Int32(truncatingIfNeeded: try readVarint()) + 1 : 1
    let operands = kind.operands
    let integers = operands.intersection([.key, .element]).isEmpty ? 0 : 1
    for _ in 0..<integers + (operands.contains(.slots) ? 2 : 0) { _ = try readVarint() }
    return length
  }
}
