extension Log {
  /// Builds a log from changes in any order.
  ///
  /// O(n log n). A change that stands twice, word for word, counts once. Each is asked for twice,
  /// and takes no memory in between.
  ///
  /// - Parameters:
  ///   - changes: closed under parents.
  ///   - limits: how much the log may hold.
  /// - Returns: the log, and all inserted text in the order of the insertion events.
  /// - Throws: ``HistoryError`` if a parent is missing, names contradict each other, or a change
  ///   names something that it cannot have seen.
  package static func make<Changes: RandomAccessCollection<Change>>(
    from changes: Changes, limits: Limits = Limits()
  ) throws(HistoryError) -> (log: Log, insertedText: TextBuffer) {
    var assembler = ChangeAssembler(limits: limits)
    for place in try CanonicalOrder.places(of: changes) { try assembler.append(changes[place]) }
    return try assembler.finished()
  }

  /// All changes in canonical order, in portable form.
  ///
  /// O(1).
  ///
  /// - Parameter insertedText: all inserted text; see ``InsertedText``.
  /// - Returns: the changes, with the operations as runs of their own.
  package func changes(insertedText: InsertedText) -> PortableChanges {
    PortableChanges(log: self, insertedText: insertedText)
  }

  /// A change in portable form.
  ///
  /// O(log n + edits).
  fileprivate func change(_ change: Int32, insertedText: InsertedText) -> Change {
    let events =
      eventCounts.firstEvent(ofChange: change)..<eventCounts.firstEvent(ofChange: change + 1)
    let first = operationIndex(endingAfter: events.lowerBound)
    let last = operationIndex(endingAfter: events.upperBound - 1)
    let edits = operations[first...last].map { operation in
      edit(operation.slice(operation.events.intersection(events)), insertedText: insertedText)
    }
    let metadata = metadata(ofChange: change)
    return Change(
      id: changeID(ofChange: change), parents: parentIDs(ofChange: change), time: metadata.time,
      author: authors[Int(metadata.author)],
      message: metadata.message < 0 ? nil : messages[Int(metadata.message)], edits: edits)
  }

  private func edit(_ operation: Operation, insertedText: InsertedText) -> Edit {
    let container = containerID(operation.container)
    switch operation.kind {
    case .insertText:
      return .insertText(
        into: container, at: Int(operation.a), text: insertedText.text(of: operation).string)
    case .deleteForward, .deleteBackward:
      return .deleteText(
        from: container, at: Int(operation.a), count: Int(operation.length),
        backward: operation.kind == .deleteBackward, text: deletedString(of: operation))
    case .put:
      return .put(
        map: container, key: keys[Int(operation.a)], content: contents[Int(operation.b)])
    case .remove:
      return .remove(map: container, key: keys[Int(operation.a)])
    case .insertElements:
      return .insertElements(
        list: container, at: place(operation.a, operation.b),
        contents: Array(contents[Int(operation.c)..<Int(operation.c + operation.length)]))
    case .putElement:
      return .putElement(
        list: container, element: eventID(of: operation.a), content: contents[Int(operation.b)])
    case .moveElement:
      return .moveElement(
        list: container, element: eventID(of: operation.a), to: place(operation.b, operation.c))
    case .removeElement:
      return .removeElement(list: container, element: eventID(of: operation.a))
    case .add:
      return .add(set: container, value: value(operation.a))
    case .discard:
      return .discard(set: container, value: value(operation.a))
    case .increment:
      guard case .integer(let amount) = value(operation.a) else {
        preconditionFailure("a log's increments are integers")
      }
      return .increment(counter: container, by: amount)
    }
  }

  /// The name of a container.
  package func containerID(_ number: Int32) -> ContainerID {
    number == 0 ? .root : .created(eventID(of: containers[Int(number)].created))
  }

  private func place(_ left: LocalVersion, _ right: LocalVersion) -> ListPlace {
    ListPlace(
      left: left == .none ? nil : eventID(of: left),
      right: right == .none ? nil : eventID(of: right))
  }

  private func value(_ content: Int32) -> Value {
    guard case .value(let value) = contents[Int(content)] else {
      preconditionFailure("a log's sets and counters are given values")
    }
    return value
  }

  /// What a deletion removed, in document order; `nil` if any of it is redacted.
  private func deletedString(of operation: Operation) -> String? {
    var scalars = String.UnicodeScalarView()
    var isKnown = true
    deletedText.forEachPart(in: operation.b..<operation.b + operation.length) { part, first in
      guard let first else {
        isKnown = false
        return
      }
      let from = deletedText.text.place(ofScalar: first)
      let to = deletedText.text.place(ofScalar: first + part.count, from: from)
      scalars.append(
        contentsOf: String(decoding: deletedText.text.utf8[from.byte..<to.byte], as: UTF8.self)
          .unicodeScalars)
    }
    if !isKnown { return nil }
    if operation.kind == .deleteBackward {
      var reversed = String.UnicodeScalarView()
      reversed.append(contentsOf: scalars.reversed())
      return String(reversed)
    }
    return String(scalars)
  }
}

/// The changes of a log in canonical order, each put into portable form when it is asked for.
///
/// In that form a change takes some thirty times the memory of its rows in a file.
package struct PortableChanges: RandomAccessCollection, Sendable {
  private let log: Log
  private let insertedText: InsertedText

  fileprivate init(log: Log, insertedText: InsertedText) {
    self.log = log
    self.insertedText = insertedText
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { log.changeCount }

  /// A change.
  ///
  /// O(log n + edits).
  package subscript(position: Int) -> Change {
    precondition(indices.contains(position), "a change outside the log")
    return log.change(Int32(position), insertedText: insertedText)
  }
}
