extension Log {
  /// Builds a log from changes in any order, and all inserted text in the order of the insertion
  /// events.
  ///
  /// O(n log n). A change that stands twice, word for word, counts once. Each is asked for again
  /// and again, and takes no memory in between but its name, its length and its parents.
  ///
  /// Throws if a parent is missing, names contradict each other, or a change names something that
  /// it cannot have seen. `isChecked` traps unless all is sound after each change; for tests.
  package static func make<Changes: RandomAccessCollection<Change>>(
    from changes: Changes, limits: Limits = Limits(), checkingEach isChecked: Bool = false
  ) throws(HistoryError) -> (log: Log, insertedText: TextBuffer) {
    let order = try CanonicalOrder(of: changes)
    var assembler = ChangeAssembler(order, limits: limits)
    for number in try order.numbers() {
      try assembler.append(order.change(Int(number), of: changes), Int(number))
      if isChecked { assembler.checkInvariants() }
    }
    return try assembler.finished()
  }

  /// All changes in canonical order, in portable form, with the operations as runs of their own, of
  /// which each deletes only text that is redacted, or none that is.
  ///
  /// They don't say what they insert if that is `nil`. O(1) if nothing is redacted, else O(n log r) for
  /// r redacted ranges.
  package func changes(insertedText: InsertedText?) -> PortableChanges {
    PortableChanges(source: PortableChanges.Source(self, insertedText))
  }

  /// The operations, cut where what is redacted of the text that they delete begins and ends.
  fileprivate func operationsByRedaction() -> OperationList {
    if deletedText.redacted.isEmpty { return operations }
    var result = OperationList()
    for operation in operations {
      guard operation.kind.deletesText else {
        result.append(operation)
        continue
      }
      deletedText.forEachPart(in: operation.scalars) { part, _ in
        let start = operation.first + (part.lowerBound - operation.firstScalar)
        result.append(operation.slice(start..<start + Int32(part.count)))
      }
    }
    return result
  }

  fileprivate func edit(_ operation: Operation, of source: PortableChanges.Source) -> Edit {
    let operands = operation.kind.operands
    var edit = Edit(operation.kind, in: containerID(operation.container))
    edit.count = Int(operation.length)
    if operands.contains(.scalars) {
      edit.position = Int(operation.position)
      let text =
        operation.kind == .insertText
        ? source.insertedText?.text(of: operation.scalars).string
        : deletedString(of: operation, source.deletedText)
      edit.text = text.map { ExactString($0) }
    }
    if operands.contains(.key) { edit.key = ExactString(keys[operation.key]) }
    if operands.contains(.element) { edit.element = eventID(of: operation.element) }
    if operands.contains(.slots) {
      edit.place = ListPlace(
        left: operation.left.event.map { eventID(of: $0) },
        right: operation.right.event.map { eventID(of: $0) })
    }
    edit.contents = operation.contents.map { contents[$0] }
    return edit
  }

  /// The name of a container.
  package func containerID(_ number: ContainerIndex) -> ContainerID {
    number == .root ? .root : .created(eventID(of: containers[number].created))
  }

  /// What a deletion removed, in document order; `nil` if it is redacted.
  private func deletedString(of operation: Operation, _ indexed: IndexedText) -> String? {
    guard let start = deletedText.part(of: operation.firstScalar).scalar else { return nil }
    let text = indexed.scalars(from: start, count: operation.scalars.count)
    return (operation.kind == .deleteBackward ? text.reversed() : text).string
  }
}

/// The changes of a log in canonical order, each put into portable form when it is asked for, and
/// each of its edits likewise.
package struct PortableChanges: RandomAccessCollection, Sendable {
  /// What all of them are made from, kept once for all.
  fileprivate final class Source: Sendable {
    let log: Log
    let operations: OperationList
    let insertedText: InsertedText?
    let deletedText: IndexedText

    init(_ log: Log, _ insertedText: InsertedText?) {
      self.log = log
      operations = log.operationsByRedaction()
      self.insertedText = insertedText
      deletedText = IndexedText(log.deletedText.text)
    }
  }

  fileprivate let source: Source

  package var startIndex: Int { 0 }
  package var endIndex: Int { source.log.changeCount }

  /// A change, in O(log n).
  package subscript(position: Int) -> Change {
    precondition(indices.contains(position), "a change outside the log")
    let (log, number) = (source.log, ChangeIndex(position))
    let metadata = log.metadata(ofChange: number)
    let events = log.eventCounts.events(ofChange: number)
    let first = source.operations.index(endingAfter: events.lowerBound)
    let end = source.operations.index(endingAfter: events.upperBound - 1) + 1
    let edits = EditList(count: end - first) { [source] index in
      let operation = source.operations[first + index]
      return source.log.edit(
        operation.slice(operation.events.clamped(to: events)), of: source)
    }
    return Change(
      id: log.changeID(ofChange: number), parents: log.parentIDs(ofChange: number),
      time: metadata.time, author: log.authors[metadata.author],
      message: metadata.message.map { log.messages[$0] }, edits: edits)
  }
}
