/// Appends changes in portable form to a log, in canonical order.
struct ChangeAssembler {
  private var assembler: LogAssembler
  private var insertedText = TextBuffer()
  private var deletedText = DeletedText()
  private let order: CanonicalOrder
  /// The first event of each change, by its number; ``LocalVersion/beforeAll`` as long as it is
  /// not there.
  private var firstEvents: [LocalVersion]
  /// At most so many bytes do the changes take in a file.
  private var fileSize = 0

  init(_ order: CanonicalOrder, limits: Limits) {
    self.order = order
    assembler = LogAssembler(limits: limits)
    firstEvents = Array(repeating: .beforeAll, count: order.count)
  }

  /// The log, and the text that its changes insert; throws if there are more contents than the
  /// limit.
  func finished() throws(HistoryError) -> (log: Log, insertedText: TextBuffer) {
    var log = assembler.finished(deletedText: deletedText)
    if let broken = log.limitBroken() { throw HistoryError(broken) }
    log.fileSize += fileSize
    return (log, insertedText)
  }

  /// Appends the change with a number.
  mutating func append(_ change: Change, _ number: Int) throws(HistoryError) {
    var (events, containers) = (0, 0)
    fileSize += change.fileSizeWithoutEdits
    for edit in change.edits {
      let parts = edit.parts
      events += parts.count
      containers += parts.containerCount
      fileSize += parts.fileSize
    }
    let broken =
      assembler.log.limitBroken(byEvents: events, changes: 1, parents: change.parents.count)
      ?? assembler.log.limitBroken(byContainers: containers)
    if let broken { throw HistoryError(broken) }
    let agent = assembler.number(of: change.id.agent)
    guard change.id.sequence == Int(assembler.changeCounts[agent]) + 1 else {
      throw HistoryError(.agentForksItself)
    }
    var parents: Version = []
    for parent in change.parents {
      guard let number = order[parent], firstEvents[number].isEvent else {
        throw HistoryError(.unknownParent)
      }
      parents.append(firstEvents[number] + order.eventCount(of: number) - 1)
    }
    let first = assembler.nextEvent
    firstEvents[number] = first
    assembler.begin(agent: agent, parents: parents.sorted())
    for edit in change.edits {
      let parts = edit.parts
      if parts.count > 0 { assembler.append(try operation(parts)) }
    }
    assembler.appendChanges(1, eventsEach: assembler.nextEvent - first)
    assembler.appendMetadata(
      1, time: change.time, author: assembler.number(ofAuthor: change.author),
      message: change.message.map { assembler.number(ofMessage: $0) })
    assembler.end()
  }

  /// The operation of an edit; its text and contents are filed.
  private mutating func operation(_ edit: EditParts) throws(HistoryError) -> Operation {
    let operands = edit.kind.operands
    var result = Operation(
      first: .first, length: Int32(edit.count), kind: edit.kind,
      container: try number(of: edit.container))
    if operands.contains(.scalars) {
      result.position = try offset(edit.position)
      try file(edit)
    }
    if operands.contains(.key) { result.key = assembler.number(ofKey: edit.key.string) }
    if operands.contains(.element), let element = edit.element {
      result.element = try number(of: element)
    }
    if operands.contains(.slots) {
      result.left = try neighbour(edit.place.left)
      result.right = try neighbour(edit.place.right)
    }
    if operands.contains(.contents) {
      result.content = ContentIndex(assembler.log.contents.count)
      for content in edit.contents { _ = assembler.append(content: content) }
    }
    guard assembler.log.containers[result.container].kind == result.kind.containerKind else {
      throw HistoryError(.wrongContainerKind, event: assembler.nextEvent)
    }
    return result
  }

  private func neighbour(_ event: EventID?) throws(HistoryError) -> Neighbour {
    guard let event else { return .edge }
    return Neighbour(try number(of: event))
  }

  /// Files what an edit inserts into a text or deletes from it.
  private mutating func file(_ edit: EditParts) throws(HistoryError) {
    guard let text = edit.text?.string else {
      deletedText.appendRedacted(Int32(edit.count))
      return
    }
    if edit.kind == .insertText {
      insertedText.append(TextBuffer(text))
      return
    }
    guard text.unicodeScalars.count == edit.count else {
      throw HistoryError(.deletedTextLength, event: assembler.nextEvent)
    }
    let deleted = TextBuffer(text)
    deletedText.append(edit.kind == .deleteBackward ? deleted.reversed() : deleted)
  }

  private func offset(_ position: Int) throws(HistoryError) -> Int32 {
    guard (0...LocalVersion.maximumEventCount).contains(position) else {
      throw HistoryError(.positionOutOfRange, event: assembler.nextEvent)
    }
    return Int32(position)
  }

  private func number(of container: ContainerID) throws(HistoryError) -> ContainerIndex {
    switch container {
    case .root:
      return .root
    case .created(let event):
      let version = try number(of: event)
      guard let number = assembler.log.container(createdBy: version) else {
        throw HistoryError(.unknownContainer, event: assembler.nextEvent)
      }
      return number
    }
  }

  private func number(of event: EventID) throws(HistoryError) -> LocalVersion {
    guard let number = order[event.change], firstEvents[number].isEvent, event.index >= 0,
      firstEvents[number].number + event.index < assembler.nextEvent.number
    else { throw HistoryError(.unknownElement, event: assembler.nextEvent) }
    return firstEvents[number] + Int32(event.index)
  }

  /// Traps unless the log so far is sound, its texts are as long as it says, and each change is known
  /// by its first event.
  ///
  /// O(n log n); for tests.
  func checkInvariants() {
    assembler.checkInvariants()
    let log = assembler.log
    insertedText.checkInvariants()
    precondition(
      insertedText.scalarCount == Int(log.insertedScalarCount)
        && deletedText.count == log.deletedScalarCount, "the text of every event is there")
    precondition(
      firstEvents.filter(\.isEvent).sorted()
        == log.graph.changes.map { log.eventCounts.firstEvent(ofChange: $0) },
      "the first events are those of the changes")
  }
}
