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
