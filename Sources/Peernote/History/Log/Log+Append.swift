extension Log {
  /// Appends an operation at the end: joins it to the last ones where it can, numbers its scalars
  /// and the containers that it creates.
  ///
  /// It names its container, keys, events and contents, which are in the table already, by this
  /// log's numbers. Nothing before `firstOperation`, the first of the chain, is joined to.
  mutating func append(_ operation: Operation, joiningFrom firstOperation: Int) {
    var rest = operation
    if operation.kind == .insertText {
      rest.firstScalar = insertedScalarCount
      insertedScalarCount += operation.length
    } else if operation.kind.deletesText {
      rest.firstScalar = deletedScalarCount
      deletedScalarCount += operation.length
      if rest.length == 1 { rest.kind = .deleteForward }
    } else {
      recordContainers(of: operation)
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

  private mutating func recordContainers(of operation: Operation) {
    for (event, number) in zip(operation.events, operation.contents) {
      guard let kind = contents.containerKind(ofContent: number) else { continue }
      containers.append(Container(kind: kind, created: event, parent: operation.container))
    }
  }
}
