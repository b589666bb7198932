/// Reading text edits in the compact form in which files hold them.
extension OperationList {
  /// What rows of text edits lead to.
  package struct RowState {
    /// Where the next row begins.
    package var offset: Int
    /// Where the last edit of the agent left its cursor.
    package var cursor: Int32
    /// How many scalars all operations insert and delete so far.
    package var insertedScalars: Int32
    package var deletedScalars: Int32

    package init(offset: Int, cursor: Int32, insertedScalars: Int32, deletedScalars: Int32) {
      self.offset = offset
      self.cursor = cursor
      self.insertedScalars = insertedScalars
      self.deletedScalars = deletedScalars
    }
  }

  /// Appends the edits of one text that a run of rows holds: a header with kind, jump bit and
  /// length, and after a jump bit the distance from the cursor (see peernote(5)).
  ///
  /// O(rows).
  ///
  /// Stops before the first row that says something else, is not in its canonical form or reaches
  /// over `end`: whoever reads rows one by one knows what to do about it.
  ///
  /// - Parameters:
  ///   - rows: bytes that hold rows from `state.offset` on.
  ///   - container: the text.
  ///   - end: one past the last event of the chain.
  ///   - firstOperation: the first operation of the chain; nothing before could be joined to.
  ///   - state: goes on with each row.
  package mutating func appendTextEdits(
    _ rows: Span<UInt8>, of container: Int32, until end: LocalVersion, firstOperation: Int,
    _ state: inout RowState
  ) {
    var last = LastEdit()
    if count > firstOperation { last.note(self[count - 1], container) }
    while end > self.end {
      // A row takes a byte or more.
      let room = Swift.min(Int(end - self.end), rows.count - state.offset, 256)
      if room == 0 { return }
      let event = Self.readTextEdits(
        rows, of: container, from: self.end, until: end, room, &last, &state, into: &own)
      if event == self.end { return }
      self.end = event
    }
  }

  /// Appends the edits of one text that rows hold for consecutive chains, as long as whole chains
  /// hold nothing else and are in canonical form.
  ///
  /// O(rows).
  ///
  /// - Parameters:
  ///   - rows: bytes that hold rows from `state.offset` on.
  ///   - container: the text.
  ///   - chains: the chains to come.
  ///   - cursors: where each agent's last edit left its cursor.
  ///   - state: goes on with each chain; its own cursor is not used.
  ///   - body: called for each chain that was read, with its number among those to come and where
  ///     its rows begin.
  /// - Returns: how many chains were read.
  mutating func appendTextEdits(
    _ rows: Span<UInt8>, of container: Int32, in chains: ArraySlice<Chain>,
    cursors: inout [Int32], _ state: inout RowState, _ body: (_ number: Int, _ offset: Int) -> Void
  ) -> Int {
    let codes = Codes(container)
    var next = chains.startIndex
    var isFit = true
    while isFit, next < chains.endIndex {
      // A row takes a byte or more. What does not fit is read row by row.
      let room = Swift.min(rows.count - state.offset, 1024)
      if room == 0 { break }
      let first = next
      var reached = end
      own.append(addingCapacity: room) { new in
        while next < chains.endIndex {
          let chain = chains[next]
          var now = state
          now.cursor = cursors[Int(chain.agent)]
          var last = LastEdit()
          let count = new.count
          let event = Self.readTextEdits(
            rows, codes, from: chain.start, until: chain.end, &last, &now, into: &new)
          guard event == chain.end else {
            isFit = new.freeCapacity == 0
            new.removeLast(new.count - count)
            return
          }
          body(next - chains.startIndex, state.offset)
          state = now
          cursors[Int(chain.agent)] = now.cursor
          reached = event
          next += 1
        }
      }
      end = reached
      if next == first { break }
    }
    return next - chains.startIndex
  }

  /// Reads at most some rows; see
  /// ``appendTextEdits(_:of:until:firstOperation:_:)``.
  ///
  /// - Returns: one past the last event read.
  private static func readTextEdits(
    _ rows: Span<UInt8>, of container: Int32, from first: LocalVersion, until end: LocalVersion,
    _ room: Int, _ last: inout LastEdit, _ state: inout RowState, into own: inout [Packed]
  ) -> LocalVersion {
    let codes = Codes(container)
    var event = first
    own.append(addingCapacity: room) { new in
      event = readTextEdits(rows, codes, from: first, until: end, &last, &state, into: &new)
    }
    return event
  }

  /// What operations of each kind on a text are packed with.
  private struct Codes {
    let insert: UInt32
    let forward: UInt32
    let backward: UInt32

    init(_ container: Int32) {
      insert = Packed.pack(container, .insertText)
      forward = Packed.pack(container, .deleteForward)
      backward = Packed.pack(container, .deleteBackward)
    }
  }

  /// Reads rows as long as there is room for them.
  ///
  /// - Returns: one past the last event read.
  @inline(__always)
  private static func readTextEdits(
    _ rows: Span<UInt8>, _ codes: Codes, from first: LocalVersion, until end: LocalVersion,
    _ last: inout LastEdit, _ state: inout RowState, into new: inout OutputSpan<Packed>
  ) -> LocalVersion {
    var event = first
    var (now, before) = (state, last)
    while event < end, new.freeCapacity > 0 {
      var offset = now.offset
      guard let edit = TextEdit(rows, &offset, cursor: now.cursor), edit.length <= end - event,
        !before.joins(edit)
      else { break }
      let code: UInt32
      let number: Int32
      switch edit.kind {
      case .insert:
        (code, number) = (codes.insert, now.insertedScalars)
        now.insertedScalars += edit.length
      case .deleteForward, .deleteBackward:
        code = edit.kind == .deleteForward ? codes.forward : codes.backward
        number = now.deletedScalars
        now.deletedScalars += edit.length
      }
      new.append(Packed(first: event, containerAndKind: code, a: edit.position, b: number))
      now.offset = offset
      now.cursor = edit.cursor
      before = LastEdit(edit)
      event += edit.length
    }
    (state, last) = (now, before)
    return event
  }

  /// One row.
  private struct TextEdit {
    enum Kind { case insert, deleteForward, deleteBackward }

    var kind: Kind
    var position: Int32
    var length: Int32
    /// Where it leaves the cursor.
    var cursor: Int32

    /// Reads a row; `nil` if it is not a text edit in canonical form.
    @inline(__always)
    init?(_ rows: Span<UInt8>, _ offset: inout Int, cursor: Int32) {
      guard let header = Self.varint(rows, &offset), header & 3 != 3 else { return nil }
      guard header >> 3 < UInt64(LocalVersion.maximumEventCount) else { return nil }
      let count = Int64(header >> 3) + 1
      var place = Int64(cursor)
      let jumps = header & 4 != 0
      if jumps {
        guard let zigzag = Self.varint(rows, &offset), zigzag != 0 else { return nil }
        place += Int64(zigzag >> 1) ^ -Int64(zigzag & 1)
      }
      var start = place
      var after = place
      switch header & 3 {
      case 0:
        kind = .insert
        after += count
      case 1:
        kind = .deleteForward
        if count == 1, place == Int64(cursor) - 1 { return nil }
      default:
        kind = count == 1 ? .deleteForward : .deleteBackward
        if count == 1, jumps { return nil }
        start -= count
        after = start
      }
      let range = 0...Int64(LocalVersion.maximumEventCount)
      guard range.contains(start), range.contains(after) else { return nil }
      length = Int32(truncatingIfNeeded: count)
      position = Int32(truncatingIfNeeded: start)
      self.cursor = Int32(truncatingIfNeeded: after)
    }

    /// Reads an unsigned integer of up to five bytes; `nil` if it is not in its shortest form.
    @inline(__always)
    private static func varint(_ bytes: Span<UInt8>, _ offset: inout Int) -> UInt64? {
      guard offset < bytes.count else { return nil }
      var byte = bytes[offset]
      offset += 1
      if byte < 0x80 { return UInt64(byte) }
      var value = UInt64(byte & 0x7F)
      var shift: UInt64 = 7
      while shift < 35, offset < bytes.count {
        byte = bytes[offset]
        offset += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return byte == 0 ? nil : value }
        shift += 7
      }
      return nil
    }
  }

  /// What has to be known of an edit to tell whether the next one could be joined to it.
  private struct LastEdit {
    private var insertionEnd: Int32 = -1
    private var deletion: Int32 = -2
    private var isForward = false
    private var isBackward = false

    init() {}

    init(_ edit: TextEdit) {
      if edit.kind == .insert {
        insertionEnd = edit.position + edit.length
      } else {
        deletion = edit.position
        isForward = edit.kind == .deleteForward
        isBackward = edit.kind == .deleteBackward || edit.length == 1
      }
    }

    mutating func note(_ operation: Operation, _ container: Int32) {
      guard operation.container == container, operation.kind.editsText else { return }
      if operation.kind == .insertText {
        insertionEnd = operation.a + operation.length
      } else {
        deletion = operation.a
        isForward = operation.kind == .deleteForward
        isBackward = operation.kind == .deleteBackward || operation.length == 1
      }
    }

    /// Whether ``Operation/take(from:)`` would take in some of the edit.
    @inline(__always)
    func joins(_ edit: TextEdit) -> Bool {
      if edit.kind == .insert { return edit.position == insertionEnd }
      let first = edit.kind == .deleteBackward ? edit.position + edit.length - 1 : edit.position
      return isForward && first == deletion || isBackward && first == deletion - 1
    }
  }
}
