/// Makes one new change at the heads of a document, edit by edit.
///
/// Each edit is appended to the log and applied at once, so that the next one sees it. The new
/// change follows everything there is; so it stands last in canonical order, and nothing has to be
/// walked.
package struct ChangeEditor {
  /// The log with the edits so far, and what it says.
  package private(set) var objects: Objects
  /// The texts with the edits so far, by container number.
  package private(set) var texts: [TextBuffer]
  private let agent: AgentID
  private var keys: StringTable
  private let firstEvent: LocalVersion
  /// The first operation of the chain that the change belongs to.
  private var firstOperation: Int

  /// Begins a change.
  ///
  /// Precondition: no other process goes on with this agent's changes.
  package init(objects: Objects, texts: [TextBuffer], agent: AgentID) {
    self.objects = objects
    self.texts = texts
    self.agent = agent
    keys = StringTable(objects.log.keys)
    firstEvent = objects.log.graph.eventCount
    firstOperation = objects.log.operations.count
  }

  /// Whether no event has been made yet.
  package var isEmpty: Bool { objects.log.graph.eventCount == firstEvent }

  /// Ends the change.
  ///
  /// Precondition: it is not empty.
  package consuming func finish(
    time: Timestamp, author: String, message: String?
  ) -> (objects: Objects, texts: [TextBuffer]) {
    precondition(!isEmpty, "a change holds events")
    objects.log.eventCounts.append(
      changes: 1, eventsEach: objects.log.graph.eventCount - firstEvent)
    objects.log.appendMetadata(time: time, author: author, message: message)
    objects.log.keys = keys.strings
    objects.critical = nil
    objects.findCriticalVersions()
    return (objects, texts)
  }

  // MARK: Maps

  /// Writes a key.
  ///
  /// - Returns: the number of the container that the content creates; `nil` for a value.
  @discardableResult
  package mutating func put(
    map: Int32, key: String, content: Content
  ) throws(HistoryError) -> Int32? {
    try checkLimits(contents: [content], in: map)
    let number = number(ofKey: key)
    let content = append(content)
    try perform(.put, on: map, a: number, b: content)
    return createdContainer
  }

  /// Removes a key.
  package mutating func remove(map: Int32, key: String) throws(HistoryError) {
    try checkLimits(in: map)
    try perform(.remove, on: map, a: number(ofKey: key))
  }

  /// What a key shows.
  package func child(_ key: String, ofMap map: Int32) -> Objects.Child? {
    keys.knownNumber(of: key).flatMap { objects.child($0, ofMap: map) }
  }

  private mutating func number(ofKey key: String) -> Int32 {
    let number = keys.number(of: key)
    if Int(number) == objects.log.keys.count { objects.log.keys.append(key) }
    return number
  }

  // MARK: Lists

  /// Inserts elements before the one at an index.
  ///
  /// O(slots + elements inserted).
  ///
  /// - Returns: the numbers of the containers created, in order.
  @discardableResult
  package mutating func insertElements(
    list: Int32, at index: Int, contents: [Content]
  ) throws(HistoryError) -> [Int32] {
    if contents.isEmpty { return [] }
    try checkLimits(events: contents.count, contents: contents, in: list)
    let (left, right) = neighbours(of: index, in: list)
    let first = Int32(objects.log.contents.count)
    let containersBefore = Int32(objects.log.containers.count)
    for content in contents { _ = append(content) }
    try perform(
      .insertElements, on: list, length: Int32(contents.count), a: left, b: right, c: first)
    return Array(containersBefore..<Int32(objects.log.containers.count))
  }

  /// Writes an element, named by its insertion.
  @discardableResult
  package mutating func putElement(
    list: Int32, element: LocalVersion, content: Content
  ) throws(HistoryError) -> Int32? {
    try checkLimits(contents: [content], in: list)
    try perform(.putElement, on: list, a: element, b: append(content))
    return createdContainer
  }

  /// Moves an element so that it stands at an index of the list without it.
  ///
  /// O(slots).
  package mutating func moveElement(
    list: Int32, element: LocalVersion, to index: Int
  ) throws(HistoryError) {
    let shown = objects.slots(ofList: list).compactMap(\.shows)
    let own = shown.firstIndex(of: element) ?? shown.count
    let (left, right) = neighbours(of: index < own ? index : index + 1, in: list)
    try perform(.moveElement, on: list, a: element, b: left, c: right)
  }

  /// Removes an element.
  package mutating func removeElement(
    list: Int32, element: LocalVersion
  ) throws(HistoryError) {
    try perform(.removeElement, on: list, a: element)
  }

  /// The slots on both sides of an index: that of the element shown before it, and the one that
  /// follows that slot, shown or not.
  private func neighbours(
    of index: Int, in list: Int32
  ) -> (left: LocalVersion, right: LocalVersion) {
    let slots = objects.slots(ofList: list)
    var left = -1
    var shown = 0
    for (place, slot) in slots.enumerated() where slot.shows != nil {
      if shown == index { break }
      shown += 1
      left = place
    }
    precondition(shown == index, "an index lies in the list")
    return (
      left < 0 ? .none : slots[left].slot, left + 1 < slots.count ? slots[left + 1].slot : .none
    )
  }

  // MARK: Sets and counters

  /// Adds a value to a set.
  package mutating func add(_ value: Value, toSet set: Int32) throws(HistoryError) {
    try checkLimits(in: set)
    try perform(.add, on: set, a: append(.value(value)))
  }

  /// Discards a value from a set.
  package mutating func discard(_ value: Value, fromSet set: Int32) throws(HistoryError) {
    try checkLimits(in: set)
    try perform(.discard, on: set, a: append(.value(value)))
  }

  /// Adds to a counter.
  package mutating func increment(_ counter: Int32, by amount: Int64) throws(HistoryError) {
    try checkLimits(in: counter)
    try perform(.increment, on: counter, a: append(.value(.integer(amount))))
  }

  // MARK: Texts

  /// Inserts into a text before the scalar at a position.
  ///
  /// O(bytes of the text).
  ///
  /// Precondition: the position lies in the text.
  package mutating func insertText(
    _ new: TextBuffer, into container: Int32, at position: Int
  ) throws(HistoryError) {
    if new.scalarCount == 0 { return }
    let place = texts[Int(container)].place(ofScalar: position)
    try perform(
      .insertText, on: container, length: Int32(new.scalarCount), a: Int32(position))
    texts[Int(container)].replace(from: place, to: place, with: new)
  }

  /// Deletes scalars of a text.
  ///
  /// O(bytes of the text).
  ///
  /// Precondition: the range lies in the text.
  package mutating func deleteText(
    _ range: Range<Int>, from container: Int32
  ) throws(HistoryError) {
    if range.isEmpty { return }
    let number = Int(container)
    let from = texts[number].place(ofScalar: range.lowerBound)
    let to = texts[number].place(ofScalar: range.upperBound, from: from)
    try perform(
      .deleteForward, on: container, length: Int32(range.count), a: Int32(range.lowerBound))
    objects.log.deletedText.append(texts[number], from: from, to: to)
    texts[number].replace(from: from, to: to, with: TextBuffer())
  }

  // MARK: Events

  private mutating func append(_ content: Content) -> Int32 {
    objects.log.contents.append(content)
    return Int32(objects.log.contents.count - 1)
  }

  /// The container that the last event created.
  private var createdContainer: Int32? {
    objects.log.container(createdBy: objects.log.graph.eventCount - 1)
  }

  /// Refuses an operation that would break a limit before any of it is noted, so that whoever
  /// catches the error can go on with the change.
  private func checkLimits(
    events: Int = 1, contents: [Content] = [], in container: Int32
  ) throws(HistoryError) {
    guard Int(objects.log.graph.eventCount) + events <= LocalVersion.maximumEventCount else {
      throw HistoryError(.tooManyEvents)
    }
    let createsContainer = contents.contains { content in
      if case .container = content { true } else { false }
    }
    guard !createsContainer || objects.log.depth(of: container) < Objects.depthLimit else {
      throw HistoryError(.tooDeep)
    }
  }

  private mutating func perform(
    _ kind: Operation.Kind, on container: Int32, length: Int32 = 1, a: Int32 = 0, b: Int32 = 0,
    c: Int32 = 0
  ) throws(HistoryError) {
    precondition(
      objects.log.containers[Int(container)].kind == kind.containerKind,
      "an operation fits the kind of its container")
    let first = objects.log.graph.eventCount
    guard Int(first) + Int(length) <= LocalVersion.maximumEventCount else {
      throw HistoryError(.tooManyEvents)
    }
    extendGraph(by: length)
    let operation = Operation(
      first: first, length: length, kind: kind, container: container, a: a, b: b, c: c)
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
    let graph = objects.log.graph
    let number = objects.log.number(of: agent)
    if let last = graph.chains.last, last.agent == number, graph.heads == [last.end - 1] {
      firstOperation = objects.log.operationIndex(endingAfter: last.start)
      objects.log.graph.extendLastChain(changes: 1, events: events)
      return
    }
    let sequence = graph.chains.reduce(0) { $1.agent == number ? $0 + $1.changeCount : $0 }
    objects.log.graph.append(
      agent: number, firstSequence: sequence + 1, changeCount: 1, eventCount: events,
      parents: graph.heads)
  }
}

extension Log {
  /// How deep a container stands, the root being 1.
  ///
  /// O(depth).
  fileprivate func depth(of container: Int32) -> Int {
    var depth = 1
    var above = containers[Int(container)].parent
    while above >= 0 {
      depth += 1
      above = containers[Int(above)].parent
    }
    return depth
  }

  /// The number of an agent, who is added if new.
  ///
  /// O(agents).
  fileprivate mutating func number(of agent: AgentID) -> Int32 {
    if let known = agents.firstIndex(of: agent) { return Int32(known) }
    agents.append(agent)
    return Int32(agents.count - 1)
  }

  /// Says when, by whom and with which message the last change was made.
  fileprivate mutating func appendMetadata(time: Timestamp, author: String, message: String?) {
    let run = MetadataRun(
      firstChange: graph.changeCount - 1, time: time,
      author: Self.number(of: author, in: &authors),
      message: message.map { Self.number(of: $0, in: &messages) } ?? -1)
    if let last = metadata.last, last.time == run.time, last.author == run.author,
      last.message == run.message
    {
      return
    }
    metadata.append(run)
  }

  private static func number(of name: String, in table: inout [String]) -> Int32 {
    if let known = table.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
      return Int32(known)
    }
    table.append(name)
    return Int32(table.count - 1)
  }
}
