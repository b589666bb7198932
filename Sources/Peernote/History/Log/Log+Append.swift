extension Log {
  /// Appends an operation at the end: joins it to the last ones where it can, numbers its scalars
  /// and the containers that it creates.
  ///
  /// Its contents are in the table already.
  ///
  /// - Parameters:
  ///   - operation: names its container, keys, contents and events by this log's numbers.
  ///   - firstOperation: the first operation of the chain; nothing before is joined to.
  mutating func append(_ operation: Operation, joiningFrom firstOperation: Int) {
    var rest = operation
    switch operation.kind {
    case .insertText:
      rest.b = insertedScalarCount
      insertedScalarCount += operation.length
    case .deleteForward, .deleteBackward:
      rest.b = deletedScalarCount
      deletedScalarCount += operation.length
      if rest.length == 1 { rest.kind = .deleteForward }
    case .put, .putElement:
      noteContainers(contents: operation.b..<operation.b + 1, of: operation)
    case .insertElements:
      noteContainers(contents: operation.c..<operation.c + operation.length, of: operation)
    case .remove, .moveElement, .removeElement, .add, .discard, .increment:
      break
    }
    while operations.count > firstOperation {
      let taken = operations.joinToLast(rest)
      if taken == rest.length { return }
      if taken == 0 { break }
      rest = rest.slice(rest.first + taken..<rest.end)
    }
    appendNumbered(rest)
  }

  /// Appends an operation that has been found not to join the one before it, and whose containers
  /// have been noted.
  package mutating func append(apart operation: Operation) {
    if operation.kind == .insertText { insertedScalarCount += operation.length }
    if operation.kind.deletesText { deletedScalarCount += operation.length }
    appendNumbered(operation)
  }

  private mutating func appendNumbered(_ operation: Operation) {
    if !operation.kind.editsText { objectOperations.append(Int32(operations.count)) }
    operations.append(operation)
  }

  /// Appends the edits of one text that a run of rows holds, up to the first that is something
  /// else.
  ///
  /// O(rows). See ``OperationList/appendTextEdits(_:of:until:firstOperation:_:)``.
  ///
  /// - Parameters:
  ///   - rows: bytes that hold rows from `offset` on.
  ///   - offset: goes on to the row that was not read.
  ///   - container: the text.
  ///   - end: one past the last event of the chain.
  ///   - firstOperation: the first operation of the chain.
  ///   - cursor: the place of the agent's last edit.
  package mutating func appendTextEdits(
    _ rows: Span<UInt8>, at offset: inout Int, of container: Int32, until end: LocalVersion,
    firstOperation: Int, cursor: inout Int32
  ) {
    var state = OperationList.RowState(
      offset: offset, cursor: cursor, insertedScalars: insertedScalarCount,
      deletedScalars: deletedScalarCount)
    operations.appendTextEdits(
      rows, of: container, until: end, firstOperation: firstOperation, &state)
    offset = state.offset
    cursor = state.cursor
    insertedScalarCount = state.insertedScalars
    deletedScalarCount = state.deletedScalars
  }

  /// Appends the edits of one text that rows hold for whole chains, up to the first chain that
  /// holds something else.
  ///
  /// O(rows). See ``OperationList/appendTextEdits(_:of:in:cursors:_:_:)``.
  ///
  /// - Parameters:
  ///   - rows: bytes that hold rows from `offset` on.
  ///   - offset: goes on to the first row of the chain that was not read.
  ///   - container: the text.
  ///   - first: the first chain; it has been read from the same file.
  ///   - cursors: the place of each agent's last edit.
  ///   - body: called for each chain that was read, with its index and where its rows begin.
  /// - Returns: the index of the first chain that was not read.
  package mutating func appendTextEdits(
    _ rows: Span<UInt8>, at offset: inout Int, of container: Int32, chainsFrom first: Int,
    cursors: inout [Int32], _ body: (_ chain: Int, _ offset: Int) -> Void
  ) -> Int {
    var state = OperationList.RowState(
      offset: offset, cursor: 0, insertedScalars: insertedScalarCount,
      deletedScalars: deletedScalarCount)
    let count = operations.appendTextEdits(
      rows, of: container, in: graph.chains.unshared(from: first), cursors: &cursors, &state
    ) { number, offset in body(first + number, offset) }
    offset = state.offset
    insertedScalarCount = state.insertedScalars
    deletedScalarCount = state.deletedScalars
    return first + count
  }

  /// Appends the text edits of a chain of another log, as long as it holds nothing else.
  ///
  /// O(edits). See ``OperationList/appendTextEdits(of:from:until:containers:_:)``.
  mutating func appendTextEdits(
    of other: OperationList, from index: Int, until end: LocalVersion, containers: [Int32]
  ) -> Int {
    var counts = (inserted: insertedScalarCount, deleted: deletedScalarCount)
    let next = operations.appendTextEdits(
      of: other, from: index, until: end, containers: containers, &counts)
    (insertedScalarCount, deletedScalarCount) = counts
    return next
  }

  private mutating func noteContainers(contents numbers: Range<Int32>, of operation: Operation) {
    for number in numbers {
      guard let kind = contents.containerKind(ofContent: Int(number)) else { continue }
      containers.append(
        Container(
          kind: kind, created: operation.first + (number - numbers.lowerBound),
          parent: operation.container))
    }
  }
}
