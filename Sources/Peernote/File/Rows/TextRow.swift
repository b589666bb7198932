/// A row of the operations column that edits a text: a header with kind, jump bit and length, and
/// after a jump bit the distance from where its agent edited last; see peernote(5).
struct TextRow {
  /// What it does; a deletion of one scalar has no direction.
  let kind: Operation.Kind
  let position: Int32
  let length: Int32
  /// Where it leaves the cursor of its agent.
  let cursor: Int32

  /// The row of an operation.
  @inline(__always)
  init(_ operation: Operation) {
    kind = operation.kind
    position = operation.position
    length = operation.length
    cursor = kind == .insertText ? position + length : position
  }
}

// MARK: Reading

extension TextRow {
  /// Reads a row, and moves `offset` behind it; the agent's last edit left its cursor at `before`.
  @inline(__always)
  init(_ rows: Span<UInt8>, _ offset: inout Int, cursor before: Int32) throws(RowFault) {
    let header = try Varint.read(rows, &offset)
    guard header & 3 != 3 else { throw .otherKind }
    try self.init(header: header, rows, &offset, cursor: before)
  }

  /// Reads the rest of a row after its header, which is not one of another kind.
  ///
  /// On a fault of an integer, `offset` stays before it.
  @inline(__always)
  init(
    header: UInt64, _ rows: Span<UInt8>, _ offset: inout Int, cursor before: Int32
  ) throws(RowFault) {
    guard header >> 3 < UInt64(LocalVersion.maximumEventCount) else { throw .header }
    let count = Int64(header >> 3) + 1
    var place = Int64(before)
    let jumps = header & 4 != 0
    if jumps {
      var next = offset
      let distance = try Varint.read(rows, &next)
      guard distance != 0, distance < UInt64(UInt32.max) else { throw .distance }
      offset = next
      place += Varint.signed(distance)
    }
    var start = place
    var after = place
    switch header & 3 {
    case 0:
      kind = .insertText
      after += count
    case 1:
      kind = .deleteForward
      if count == 1, place == Int64(before) - 1 { throw .form }
    default:
      kind = count == 1 ? .deleteForward : .deleteBackward
      if count == 1, jumps { throw .form }
      start -= count
      after = start
    }
    // No position lies behind the place that it leads to.
    guard start >= 0, after <= Int64(LocalVersion.maximumEventCount) else { throw .position }
    length = Int32(truncatingIfNeeded: count)
    position = Int32(truncatingIfNeeded: start)
    cursor = Int32(truncatingIfNeeded: after)
  }
}

// MARK: Writing

extension TextRow {
  /// Writes the row after an edit that left the agent's cursor somewhere.
  @inline(__always)
  func write(after before: Int32, to column: inout ColumnWriter) {
    let code: UInt64
    let place: Int32
    switch kind {
    case .insertText:
      (code, place) = (0, position)
    case .deleteBackward:
      (code, place) = (2, position + length)
    default:
      let isBeforeCursor = length == 1 && position + 1 == before
      (code, place) = isBeforeCursor ? (2, before) : (1, position)
    }
    let jump = Int64(place) - Int64(before)
    column.varint(UInt64(length - 1) << 3 | (jump == 0 ? 0 : 4) | code)
    if jump != 0 { column.signed(jump) }
  }
}
