/// Makes one new change at the heads of a document, edit by edit.
///
/// Each edit is appended to the log and applied at once, so that the next one sees it. The new
/// change follows everything there is; so it stands last in canonical order, and nothing has to be
/// walked.
///
/// It owns the state that it edits, in place: an edit costs what it touches, however large the
/// document is. What was there before comes back with ``giveUp()``.
package struct ChangeEditor {
  /// The log with the edits so far, and what it says.
  package internal(set) var objects: Objects
  /// The texts with the edits so far, by container number.
  package internal(set) var texts: [TextBuffer]
  let agent: AgentID
  /// Where the log ended before the change.
  let logEnd: LogEnd
  /// The first operation of the chain that the change belongs to.
  private(set) var firstOperation: Int
  /// Whether what is edited has been checked together with all that belongs to it.
  var isChecked = false
  /// How many bytes author and message take.
  let namesSize: Int

  /// Begins a change of an agent that no other process goes on with; O(1) but for the first change
  /// to a document that was read or merged, for which names are looked up: O(keys).
  package init(
    objects: consuming Objects, texts: consuming [TextBuffer], agent: AgentID, namesSize: Int = 0
  ) {
    self.namesSize = namesSize
    logEnd = LogEnd(of: objects.log)
    firstOperation = objects.log.operations.count
    self.objects = objects
    self.texts = texts
    self.agent = agent
    self.objects.nameKeys()
  }

  /// Whether no event has been made yet.
  package var isEmpty: Bool { objects.log.graph.end == logEnd.events }

  /// Ends a change that is not empty; ``objects`` and ``texts`` are then those of the document;
  /// O(authors + messages).
  package mutating func finish(time: Timestamp, author: String, message: String?) {
    precondition(!isEmpty, "a change holds events")
    let end = objects.log.graph.end
    objects.log.eventCounts.append(changes: 1, eventsEach: end - logEnd.events)
    objects.log.appendMetadata(time: time, author: author, message: message)
    objects.critical.extend(to: end)
  }

  // MARK: Maps

  /// Writes a key, and gives the number of the container that this creates; `nil` for a value.
  @discardableResult
  package mutating func put(
    map: ContainerIndex, key: String, content: Content
  ) throws(HistoryError) -> ContainerIndex? {
    try checkLimits(contents: [content], key: key, in: map)
    let number = number(ofKey: key)
    let content = append(content)
    try perform(.put, on: map) { ($0.key, $0.content) = (number, content) }
    return createdContainer
  }

  /// Removes a key.
  package mutating func remove(map: ContainerIndex, key: String) throws(HistoryError) {
    try checkLimits(key: key, in: map)
    let number = number(ofKey: key)
    try perform(.remove, on: map) { $0.key = number }
  }

  private mutating func number(ofKey key: String) -> KeyIndex {
    if let known = objects.number(ofKey: key) { return known }
    objects.log.keys.append(key)
    objects.nameKeys()
    return KeyIndex(objects.log.keys.count - 1)
  }

  // MARK: Sets and counters

  /// Adds a value to a set.
  package mutating func add(_ value: Value, toSet set: ContainerIndex) throws(HistoryError) {
    try checkLimits(contents: [.value(value)], in: set)
    let content = append(.value(value))
    try perform(.add, on: set) { $0.content = content }
  }

  /// Discards a value from a set.
  package mutating func discard(_ value: Value, fromSet set: ContainerIndex) throws(HistoryError) {
    try checkLimits(contents: [.value(value)], in: set)
    let content = append(.value(value))
    try perform(.discard, on: set) { $0.content = content }
  }

  /// Adds to a counter.
  package mutating func increment(
    _ counter: ContainerIndex, by amount: Int64
  ) throws(HistoryError) {
    try checkLimits(contents: [.value(.integer(amount))], in: counter)
    let content = append(.value(.integer(amount)))
    try perform(.increment, on: counter) { $0.content = content }
  }

  // MARK: Texts

  /// Deletes a range of scalars that lies in a text and inserts others in their place, which may be
  /// none: both, or neither if that would break a limit; O(bytes of the text).
  package mutating func spliceText(
    _ range: Range<Int>, of container: ContainerIndex, with new: TextBuffer
  ) throws(HistoryError) {
    let count = new.scalarCount
    if range.isEmpty, count == 0 { return }
    try checkLimits(of: [TextEdit(deleted: range, inserted: new)], in: container)
    let from = texts[container].place(ofScalar: range.lowerBound)
    let to = texts[container].place(ofScalar: range.upperBound, from: from)
    if !range.isEmpty {
      try perform(
        .deleteForward, on: container, length: Int32(range.count)
      ) { $0.position = Int32(range.lowerBound) }
      objects.log.deletedText.append(texts[container], from: from, to: to)
    }
    if count > 0 {
      try perform(
        .insertText, on: container, length: Int32(count)
      ) { $0.position = Int32(range.lowerBound) }
    }
    texts[container].replace(from: from, to: to, with: new)
  }

  /// Makes edits of a text that ascend and do not overlap.
  ///
  /// They are made from the last to the first, so that the places of those before stay; what is
  /// inserted goes in before the rest goes out. O(bytes of both texts).
  package mutating func editText(
    _ container: ContainerIndex, by edits: [TextEdit]
  ) throws(HistoryError) {
    if edits.isEmpty { return }
    try checkLimits(of: edits, in: container)
    let old = texts[container]
    var start = old.end
    for edit in edits.reversed() {
      let deleted = edit.deleted
      let count = edit.inserted.scalarCount
      if count > 0 {
        try perform(
          .insertText, on: container, length: Int32(count)
        ) { $0.position = Int32(edit.position) }
      }
      if !deleted.isEmpty {
        let before = edit.insertsBefore ? count : 0
        try perform(
          .deleteForward, on: container, length: Int32(deleted.count)
        ) { $0.position = Int32(deleted.lowerBound + before) }
        let end = old.place(ofScalar: deleted.upperBound, from: start)
        start = old.place(ofScalar: deleted.lowerBound, from: end)
        objects.log.deletedText.append(old, from: start, to: end)
      }
    }
    texts[container] = old.applying(edits)
  }

  // MARK: Events

  /// Notes what an operation writes.
  mutating func append(_ content: Content) -> ContentIndex {
    objects.log.contents.append(content)
    return ContentIndex(objects.log.contents.count - 1)
  }

  /// The container that the last event created.
  var createdContainer: ContainerIndex? {
    let last = ContainerIndex(objects.log.containers.count - 1)
    return objects.log.containers[last].created == objects.log.graph.end - 1
      ? last : nil
  }

  /// Makes an operation of the next events, and applies it; throws if it names what is not there.
  mutating func perform(
    _ kind: Operation.Kind, on container: ContainerIndex, length: Int32 = 1,
    _ setOperands: (inout Operation) -> Void
  ) throws(HistoryError) {
    precondition(
      objects.log.containers[container].kind == kind.containerKind,
      "an operation fits the kind of its container")
    let first = objects.log.graph.end
    extendGraph(by: length)
    var operation = Operation(first: first, length: length, kind: kind, container: container)
    setOperands(&operation)
    objects.log.append(operation, joiningFrom: firstOperation)
    while texts.count < objects.log.containers.count { texts.append(TextBuffer()) }
    objects.edits?.append(operation, of: objects.log)
    if kind.editsText { return }
    try objects.apply(operation)
    if objects.edits == nil, objects.mayHideContainer(operation) {
      objects.edits = EditedRanges(of: objects.log)
    }
  }

  /// Gives new events their place in the graph; the first of them begin the change.
  private mutating func extendGraph(by events: Int32) {
    if !isEmpty {
      objects.log.graph.extendLastChain(changes: 0, events: events)
      return
    }
    let number: AgentIndex = objects.log.agents.number(of: agent, by: ==)
    let heads = objects.log.graph.heads
    if let last = objects.log.graph.chains.last, last.agent == number, heads == [last.end - 1] {
      firstOperation = objects.log.operationIndex(endingAfter: last.start)
      objects.log.graph.extendLastChain(changes: 1, events: events)
      return
    }
    let previous = objects.log.graph.chains.last { $0.agent == number }
    objects.log.graph.append(
      agent: number, firstSequence: previous.map { $0.firstSequence + $0.changeCount } ?? 1,
      changeCount: 1, eventCount: events, parents: heads)
  }
}

extension Log {
  /// Says when, by whom and with which message the last change was made.
  fileprivate mutating func appendMetadata(time: Timestamp, author: String, message: String?) {
    let run = MetadataRun(
      firstChange: graph.changes.upperBound - 1, time: time,
      author: authors.number(of: author) { $0.utf8.elementsEqual($1.utf8) },
      message: message.map { messages.number(of: $0) { $0.utf8.elementsEqual($1.utf8) } })
    if let last = metadata.last, last.time == run.time, last.author == run.author,
      last.message == run.message
    {
      return
    }
    metadata.append(run)
  }
}

extension Array {
  /// The place of an element, which is added if there is none like it; O(n).
  fileprivate mutating func number<Index: LogIndex>(
    of element: Element, by isSame: (Element, Element) -> Bool
  ) -> Index {
    if let known = firstIndex(where: { isSame($0, element) }) { return Index(known) }
    append(element)
    return Index(count - 1)
  }
}

extension ChangeEditor {
  /// What was done to texts since an event of the change.
  func textEdits(since event: LocalVersion) -> [Operation] {
    var edits: [Operation] = []
    objects.log.forEachOperation(in: event..<objects.log.graph.end) { operation in
      if operation.kind.editsText { edits.append(operation) }
    }
    return edits
  }

  /// Gives up the change; ``objects`` and ``texts`` are then what they were before it; O(1) if
  /// nothing was edited, else O(n log n): what was appended to the log is taken off, and the rest
  /// is replayed.
  package mutating func giveUp() {
    if isEmpty { return }
    let deleted = objects.log.deletedText.text
    var end = deleted.end
    for edit in textEdits(since: logEnd.events).reversed() {
      let (number, count) = (edit.container, Int(edit.length))
      let from = texts[number].place(ofScalar: Int(edit.position))
      if edit.kind == .insertText {
        let to = texts[number].place(ofScalar: from.scalar + count, from: from)
        texts[number].replace(from: from, to: to, with: TextBuffer())
        continue
      }
      let start = deleted.place(ofScalar: end.scalar - count, from: end)
      var text = TextBuffer()
      text.append(deleted, from: start, to: end)
      texts[number].replace(
        from: from, to: from, with: edit.kind == .deleteBackward ? text.reversed() : text)
      end = start
    }
    var log = objects.log
    objects = .empty
    logEnd.cut(&log)
    texts.removeLast(texts.count - log.containers.count)
    do throws(HistoryError) {
      // The work was done once, so it need not be limited.
      objects = try Objects(of: log, workLimit: .max)
    } catch {
      preconditionFailure("a log that was replayed can be replayed again: \(error.reason)")
    }
  }

  /// Traps unless the log with the edits so far, what it says and the texts agree with each other;
  /// for tests, before the change is finished; O(n log n + bytes).
  package func checkInvariants() {
    let log = objects.log
    objects.checkInvariants()
    log.graph.checkInvariants(agents: log.agents.count)
    log.contents.checkInvariants()
    log.operations.checkInvariants()
    precondition(log.operations.end == log.graph.end, "operations tile the events")
    precondition(log.eventCounts.end == logEnd.events, "the counts are those before the change")
    precondition(
      log.deletedText.count == log.deletedScalarCount, "the text of every deletion is there")
    precondition(texts.count == log.containers.count, "every container has a place for a text")
    for (container, text) in zip(log.containers, texts) {
      text.checkInvariants()
      precondition(container.kind == .text || text.utf8.isEmpty, "texts stand in texts")
    }
    checkChain()
  }

  /// Traps unless the edits are in a chain of the agent, and can name every key.
  private func checkChain() {
    let log = objects.log
    if isEmpty { return }
    guard let chain = log.graph.chains.last else { preconditionFailure("events are in a chain") }
    precondition(log.agents[chain.agent] == agent, "the change is the agent's")
    precondition(
      log.operations.first(of: firstOperation) == chain.start, "its chain begins with an operation")
    precondition(chain.start <= logEnd.events, "all edits are in one chain")
    for (number, key) in log.keys.enumerated() {
      precondition(objects.number(ofKey: key) == KeyIndex(number), "keys are found by name")
    }
  }
}
