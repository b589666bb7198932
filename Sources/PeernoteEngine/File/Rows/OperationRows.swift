/// A row of the operations column that edits a text: a header with kind, jump bit and length, and
/// after a jump bit the distance from where its agent edited last; see peernote(5).
struct TextRow {
  /// What it does; a deletion of one scalar has no direction.
  let kind: Operation.Kind
  let position: Int32
  let length: Int32
  /// Where it leaves the cursor of its agent.
  let cursor: Int32

  @inline(__always)
  init(_ operation: Operation) {
    kind = operation.kind
    position = operation.position
    length = operation.length
    cursor = kind == .insertText ? position + length : position
  }
}

extension TextRow {
  /// Reads a row, and moves `offset` behind it; the agent's last edit left its cursor at `before`.
  @inline(__always)
  init(_ rows: Span<UInt8>, _ offset: inout Int, cursor before: Int32) throws(RowFault) {
    let header = try Varint.read(rows, &offset)
    guard header & 3 != 3 else { throw .header }
    try self.init(header: header, rows, &offset, cursor: before)
  }

  /// Reads the rest of a row after its header, which is not one of another kind; on a fault of an
  /// integer, `offset` stays before it.
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

// MARK: Rows of other operations

/// The headers of rows in the operations column that are not text edits; see peernote(5).
enum RowHeader {
  /// The code of a row that names the container that the rows after it work on.
  static let target = 0

  @inline(__always)
  static func header(code: Int) -> UInt64 { UInt64(code << 2 | 3) }

  /// The code in a header; `nil` in that of a text edit.
  @inline(__always)
  static func code(in header: Int) -> Int? { header & 3 == 3 ? header >> 2 : nil }
}

extension Operation.Kind {
  /// The code of the rows of operations of this kind, which edits no text (``TextRow``: the first
  /// three); after the header come, if there are any, length less 1, key, element, and both slots.
  var rowCode: Int { Int(rawValue) - 2 }

  /// The kind of operations whose rows have a code; `nil` if there is none.
  @inline(__always)
  init?(rowCode: Int) {
    guard rowCode > 0, let number = UInt8(exactly: rowCode + 2) else { return nil }
    self.init(rawValue: number)
  }
}

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

// MARK: Cursors

/// In files, an edit of a text stands as the distance from where its agent edited last.
extension Log {
  /// Where each agent's cursor stands after the first chains; 0 for those who have edited no text;
  /// O(chains), and O(1) where every agent has edited a text lately.
  package func cursors(after prefix: LogPrefix) -> [Int32] {
    var cursors = [Int32](repeating: 0, count: agents.count)
    var isKnown = [Bool](repeating: false, count: agents.count)
    var unknown = prefix.agents
    var end = ChainIndex(prefix.chains)
    while unknown > 0, end > .first {
      let index = end - 1
      let agent = graph.chains[index].agent
      if !isKnown[agent], let cursor = lastCursor(in: graph.chains[index].events) {
        cursors[agent] = cursor
        isKnown[agent] = true
        unknown -= 1
      }
      end = index
    }
    return cursors
  }

  /// Where the last text operation of a chain leaves the cursor; `nil` if there is none.
  private func lastCursor(in events: Range<LocalVersion>) -> Int32? {
    var index = operationIndex(endingAfter: events.upperBound - 1)
    while index >= 0, operations[index].end > events.lowerBound {
      let operation = operations[index]
      if operation.kind.editsText { return TextRow(operation).cursor }
      index -= 1
    }
    return nil
  }
}

// MARK: Many rows at once

extension OperationList {
  /// What rows of text edits lead to.
  struct RowState {
    /// Where the next row begins.
    var offset: Int
    /// Where the last edit of the agent left its cursor.
    var cursor: Int32 = 0
    /// How many scalars all operations insert and delete so far.
    var insertedScalars: Int32
    var deletedScalars: Int32
  }

  /// Appends the edits of one text that a run of rows holds from `state.offset` on, chain after
  /// chain; see ``TextRow``.
  ///
  /// Stops before the first row that says something else, is not in its canonical form or reaches
  /// over the end of its chain: whoever reads rows one by one knows what to do about it.
  ///
  /// O(rows). Of the first chain some may have been read before. `state` goes on with each row, but
  /// for its cursor: where each agent's last edit left that stands in `cursors`. For each chain that
  /// begins `body` gets its number among those given and where its rows begin; how many were read to
  /// their end is returned.
  mutating func appendTextRows(
    _ rows: Span<UInt8>, of container: ContainerIndex, in chains: ArraySlice<Chain>,
    cursors: inout [Int32], _ state: inout RowState, _ body: (_ number: Int, _ offset: Int) -> Void
  ) -> Int {
    var next = chains.startIndex
    var event = end
    var before = LastEdit()
    if let operation = last, let chain = chains.first, event > chain.start,
      operation.container == container, operation.kind.editsText
    {
      before = LastEdit(TextRow(operation))
    }
    var isFit = true
    while isFit, next < chains.endIndex {
      // A row takes a byte or more.
      let room = Swift.min(rows.count - state.offset, 1024)
      if room == 0 { break }
      packed.append(addingCapacity: room) { new in
        while next < chains.endIndex, new.freeCapacity > 0 {
          let chain = chains[next]
          if event == chain.start {
            body(next - chains.startIndex, state.offset)
            before = LastEdit()
          }
          state.cursor = cursors[chain.agent]
          event = Self.readTextRows(
            rows, of: container, from: event, until: chain.end, &before, &state, into: &new)
          cursors[chain.agent] = state.cursor
          guard event == chain.end else {
            isFit = new.freeCapacity == 0
            return
          }
          next += 1
        }
      }
      end = event
    }
    return next - chains.startIndex
  }

  /// Reads rows as long as there is room for them, and gives the end of the last event read.
  @inline(__always)
  private static func readTextRows(
    _ rows: Span<UInt8>, of container: ContainerIndex, from first: LocalVersion,
    until end: LocalVersion, _ last: inout LastEdit, _ state: inout RowState,
    into new: inout OutputSpan<Packed>
  ) -> LocalVersion {
    var event = first
    var (now, before) = (state, last)
    while event < end, new.freeCapacity > 0 {
      var offset = now.offset
      guard let row = try? TextRow(rows, &offset, cursor: now.cursor), row.length <= end - event,
        !before.joins(row)
      else { break }
      let number: Int32
      if row.kind == .insertText {
        number = now.insertedScalars
        now.insertedScalars += row.length
      } else {
        number = now.deletedScalars
        now.deletedScalars += row.length
      }
      new.append(
        Packed(
          first: event, containerAndKind: Packed.pack(container, row.kind), a: row.position,
          b: number))
      now.offset = offset
      now.cursor = row.cursor
      before = LastEdit(row)
      event += row.length
    }
    (state, last) = (now, before)
    return event
  }

  /// What has to be known of an edit to tell whether the next one could be joined to it.
  private struct LastEdit {
    private var insertionEnd: Int32 = -1
    private var deletion: Int32 = -2
    private var isForward = false
    private var isBackward = false

    init() {}

    @inline(__always)
    init(_ row: TextRow) {
      if row.kind == .insertText {
        insertionEnd = row.cursor
      } else {
        deletion = row.position
        isForward = row.kind == .deleteForward
        isBackward = row.kind == .deleteBackward || row.length == 1
      }
    }

    /// Whether ``Operation/take(from:)`` would take in some of the edit.
    @inline(__always)
    func joins(_ row: TextRow) -> Bool {
      if row.kind == .insertText { return row.position == insertionEnd }
      let first = row.kind == .deleteBackward ? row.position + row.length - 1 : row.position
      return isForward && first == deletion || isBackward && first == deletion - 1
    }
  }
}
