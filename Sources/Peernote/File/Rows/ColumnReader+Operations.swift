extension ColumnReader {
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
