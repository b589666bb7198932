/// Reading the operations column: the rows of texts in bulk, and passing over others.
extension ColumnReader {
  /// Reads the edits of a text as long as the rows hold nothing else and are as they should be.
  ///
  /// O(rows). The chain ends before `end`; nothing before its first operation is joined to. The
  /// agent's cursor goes along.
  mutating func readTextRows(
    of container: ContainerIndex, until end: LocalVersion, firstOperation: Int, into log: inout Log,
    cursor: inout Int32
  ) {
    read { rows, offset in
      var state = OperationList.RowState(of: log, offset: offset)
      state.cursor = cursor
      log.operations.appendTextRows(
        rows, of: container, until: end, firstOperation: firstOperation, &state)
      cursor = state.cursor
      state.record(in: &log, &offset)
    }
  }

  /// Reads the edits of a text in whole chains, as long as they hold nothing else and are as they
  /// should be.
  ///
  /// O(rows). The first chain has been read from the same file. The cursors stand by agent. For
  /// each chain that was read `body` gets its index and where its rows begin. Gives the index of
  /// the first chain that was not read.
  mutating func readTextRows(
    of container: ContainerIndex, chainsFrom first: ChainIndex, into log: inout Log,
    cursors: inout [Int32],
    _ body: (_ chain: ChainIndex, _ offset: Int) -> Void
  ) -> ChainIndex {
    read { rows, offset in
      var state = OperationList.RowState(of: log, offset: offset)
      let count = log.operations.appendTextRows(
        rows, of: container, in: log.graph.chains.unshared(from: first), cursors: &cursors, &state
      ) { number, offset in body(first.advanced(by: number), offset) }
      state.record(in: &log, &offset)
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

extension OperationList.RowState {
  fileprivate init(of log: Log, offset: Int) {
    self.init(
      offset: offset, insertedScalars: log.insertedScalarCount,
      deletedScalars: log.deletedScalarCount)
  }

  /// Notes in the log and in the column how far reading has come.
  fileprivate func record(in log: inout Log, _ offset: inout Int) {
    offset = self.offset
    log.insertedScalarCount = insertedScalars
    log.deletedScalarCount = deletedScalars
  }
}
