/// Reading many rows of text edits at once.
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

  /// Appends the edits of one text that a run of rows holds from `state.offset` on; see
  /// ``TextRow``.
  ///
  /// Stops before the first row that says something else, is not in its canonical form or reaches
  /// over `end`: whoever reads rows one by one knows what to do about it.
  ///
  /// O(rows). The chain ends before `end`; nothing before its first operation could be joined to.
  /// `state` goes on with each row.
  mutating func appendTextRows(
    _ rows: Span<UInt8>, of container: ContainerIndex, until end: LocalVersion, firstOperation: Int,
    _ state: inout RowState
  ) {
    var last = LastEdit()
    if count > firstOperation {
      let operation = self[count - 1]
      if operation.container == container, operation.kind.editsText {
        last = LastEdit(TextRow(operation))
      }
    }
    while end > self.end {
      // A row takes a byte or more.
      let room = Swift.min(Int(end - self.end), rows.count - state.offset, 256)
      if room == 0 { return }
      let event = Self.readTextRows(
        rows, of: container, from: self.end, until: end, room, &last, &state, into: &own)
      if event == self.end { return }
      self.end = event
    }
  }

  /// Appends the edits of one text that rows hold for consecutive chains, as long as whole chains
  /// hold nothing else and are in canonical form.
  ///
  /// O(rows). The rows stand from `state.offset` on; `state` goes on with each chain, but for its
  /// own cursor, which is not used. `cursors` holds where each agent's last edit left its cursor.
  /// For each chain that was read `body` gets its number among those to come and where its rows
  /// begin; how many they are is returned.
  mutating func appendTextRows(
    _ rows: Span<UInt8>, of container: ContainerIndex, in chains: ArraySlice<Chain>,
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
          now.cursor = cursors[chain.agent]
          var last = LastEdit()
          let count = new.count
          let event = Self.readTextRows(
            rows, codes, from: chain.start, until: chain.end, &last, &now, into: &new)
          guard event == chain.end else {
            isFit = new.freeCapacity == 0
            new.removeLast(new.count - count)
            return
          }
          body(next - chains.startIndex, state.offset)
          state = now
          cursors[chain.agent] = now.cursor
          reached = event
          next += 1
        }
      }
      end = reached
      if next == first { break }
    }
    return next - chains.startIndex
  }

  /// Reads at most `room` rows, and gives the end of the last event read; see
  /// ``appendTextRows(_:of:until:firstOperation:_:)``.
  private static func readTextRows(
    _ rows: Span<UInt8>, of container: ContainerIndex, from first: LocalVersion,
    until end: LocalVersion,
    _ room: Int, _ last: inout LastEdit, _ state: inout RowState, into own: inout [Packed]
  ) -> LocalVersion {
    let codes = Codes(container)
    var event = first
    own.append(addingCapacity: room) { new in
      event = readTextRows(rows, codes, from: first, until: end, &last, &state, into: &new)
    }
    return event
  }

  /// What operations of each kind on a text are packed with.
  private struct Codes {
    let insert: UInt32
    let forward: UInt32
    let backward: UInt32

    init(_ container: ContainerIndex) {
      insert = Packed.pack(container, .insertText)
      forward = Packed.pack(container, .deleteForward)
      backward = Packed.pack(container, .deleteBackward)
    }
  }

  /// Reads rows as long as there is room for them, and gives the end of the last event read.
  @inline(__always)
  private static func readTextRows(
    _ rows: Span<UInt8>, _ codes: Codes, from first: LocalVersion, until end: LocalVersion,
    _ last: inout LastEdit, _ state: inout RowState, into new: inout OutputSpan<Packed>
  ) -> LocalVersion {
    var event = first
    var (now, before) = (state, last)
    while event < end, new.freeCapacity > 0 {
      var offset = now.offset
      guard let row = try? TextRow(rows, &offset, cursor: now.cursor), row.length <= end - event,
        !before.joins(row)
      else { break }
      let code: UInt32
      let number: Int32
      if row.kind == .insertText {
        (code, number) = (codes.insert, now.insertedScalars)
        now.insertedScalars += row.length
      } else {
        code = row.kind == .deleteForward ? codes.forward : codes.backward
        number = now.deletedScalars
        now.deletedScalars += row.length
      }
      new.append(Packed(first: event, containerAndKind: code, a: row.position, b: number))
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
