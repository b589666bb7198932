extension Log {
  /// Builds a log from changes in any order.
  ///
  /// O(n log n). A change that stands twice, word for word, counts once.
  ///
  /// - Parameters:
  ///   - changes: closed under parents.
  ///   - limits: how much the log may hold.
  /// - Returns: the log, and all inserted text in the order of the insertion events.
  /// - Throws: ``HistoryError`` if a parent is missing, names contradict each other, or a change
  ///   names something that it cannot have seen.
  package static func make(
    from changes: [Change], limits: Limits = Limits()
  ) throws(HistoryError) -> (log: Log, insertedText: TextBuffer) {
    var assembler = ChangeAssembler(limits: limits)
    for change in try CanonicalOrder.sorted(changes) { try assembler.append(change) }
    return try assembler.finished()
  }

  /// All changes in canonical order, in portable form.
  ///
  /// O(n log n).
  ///
  /// - Parameter insertedText: all inserted text; see ``InsertedText``.
  /// - Returns: the changes, with the operations as runs of their own.
  package func changes(insertedText: InsertedText) -> [Change] {
    var result: [Change] = []
    result.reserveCapacity(changeCount)
    var operation = 0
    for change in 0..<graph.changeCount {
      let events =
        eventCounts.firstEvent(ofChange: change)..<eventCounts.firstEvent(ofChange: change + 1)
      var edits: [Edit] = []
      // An edit takes some thirty times the memory of its row.
      if events.count > 16 {
        let end = operationIndex(endingAfter: events.upperBound - 1)
        edits.reserveCapacity(min(end + 1, operations.count) - operation)
      }
      while operation < operations.count, operations[operation].first < events.upperBound {
        let whole = operations[operation]
        let part = whole.slice(whole.events.intersection(events))
        edits.append(edit(part, insertedText: insertedText))
        if whole.end > events.upperBound { break }
        operation += 1
      }
      let metadata = metadata(ofChange: change)
      result.append(
        Change(
          id: changeID(ofChange: change), parents: parentIDs(ofChange: change),
          time: metadata.time, author: authors[Int(metadata.author)],
          message: metadata.message < 0 ? nil : messages[Int(metadata.message)], edits: edits))
    }
    return result
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
