/// Appends changes in portable form to a log, in canonical order.
struct ChangeAssembler {
  private var assembler: LogAssembler
  private var insertedText = TextBuffer()
  private var deletedText = DeletedText()
  private let order: CanonicalOrder
  /// The first event of each change, by its number; -1 as long as it is not there.
  private var firstEvents: [LocalVersion]
  /// At most so many bytes do the changes take in a file.
  private var fileSize = 0

  init(_ order: CanonicalOrder, limits: Limits) {
    self.order = order
    assembler = LogAssembler(limits: limits)
    firstEvents = Array(repeating: -1, count: order.names.count)
  }

  /// The log, and the text that its changes insert.
  ///
  /// - Throws: ``HistoryError`` if there are more contents than the limit.
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
      events += edit.eventCount
      containers += edit.containerCount
      fileSize += edit.fileSize
    }
    let broken =
      assembler.log.limitBroken(byEvents: events, changes: 1, parents: change.parents.count)
      ?? assembler.log.limitBroken(byContainers: containers)
    if let broken { throw HistoryError(broken) }
    let agent = assembler.number(of: change.id.agent)
    guard change.id.sequence == Int(assembler.changeCounts[Int(agent)]) + 1 else {
      throw HistoryError(.agentForksItself)
    }
    var parents: Version = []
    for parent in change.parents {
      guard let number = order.names[parent], firstEvents[number] >= 0 else {
        throw HistoryError(.unknownParent)
      }
      parents.append(firstEvents[number] + order.eventCount(of: number) - 1)
    }
    let first = assembler.nextEvent
    firstEvents[number] = first
    assembler.begin(agent: agent, parents: parents.sorted())
    for edit in change.edits where edit.eventCount > 0 {
      assembler.append(try operation(edit, of: change.id))
    }
    assembler.appendChanges(1, eventsEach: assembler.nextEvent - first)
    assembler.appendMetadata(
      1, time: change.time, author: assembler.number(ofAuthor: change.author),
      message: change.message.map { assembler.number(ofMessage: $0) } ?? -1)
    assembler.end()
  }

  /// The operation of an edit; its text and contents are filed.
  private mutating func operation(
    _ edit: Edit, of change: ChangeID
  ) throws(HistoryError) -> Operation {
    var result = Operation(first: 0, length: Int32(edit.eventCount), kind: .put, container: 0)
    switch edit {
    case .insertText(let container, let position, let text):
      result.kind = .insertText
      result.container = try number(of: container)
      result.a = try offset(position)
      insertedText.append(TextBuffer(text))
    case .deleteText(let container, let position, let count, let backward, let text):
      result.kind = backward && count > 1 ? .deleteBackward : .deleteForward
      result.container = try number(of: container)
      result.a = try offset(position)
      try file(text, count: count, backward: backward)
    case .put(let map, let key, let content):
      result.container = try number(of: map)
      result.a = assembler.number(ofKey: key)
      result.b = assembler.append(content: content)
    case .remove(let map, let key):
      result.kind = .remove
      result.container = try number(of: map)
      result.a = assembler.number(ofKey: key)
    case .insertElements(let list, let place, let contents):
      result.kind = .insertElements
      result.container = try number(of: list)
      result.a = try place.left.map { event throws(HistoryError) in try number(of: event) } ?? .none
      result.b =
        try place.right.map { event throws(HistoryError) in try number(of: event) } ?? .none
      result.c = Int32(assembler.log.contents.count)
      for content in contents { _ = assembler.append(content: content) }
    case .putElement(let list, let element, let content):
      result.kind = .putElement
      result.container = try number(of: list)
      result.a = try number(of: element)
      result.b = assembler.append(content: content)
    case .moveElement(let list, let element, let place):
      result.kind = .moveElement
      result.container = try number(of: list)
      result.a = try number(of: element)
      result.b = try place.left.map { event throws(HistoryError) in try number(of: event) } ?? .none
      result.c =
        try place.right.map { event throws(HistoryError) in try number(of: event) } ?? .none
    case .removeElement(let list, let element):
      result.kind = .removeElement
      result.container = try number(of: list)
      result.a = try number(of: element)
    case .add(let set, let value):
      result.kind = .add
      result.container = try number(of: set)
      result.a = assembler.append(content: .value(value))
    case .discard(let set, let value):
      result.kind = .discard
      result.container = try number(of: set)
      result.a = assembler.append(content: .value(value))
    case .increment(let counter, let amount):
      result.kind = .increment
      result.container = try number(of: counter)
      result.a = assembler.append(content: .value(.integer(amount)))
    }
    guard assembler.log.containers[Int(result.container)].kind == result.kind.containerKind else {
      throw HistoryError(.wrongContainerKind, event: assembler.nextEvent)
    }
    return result
  }

  private mutating func file(
    _ text: String?, count: Int, backward: Bool
  ) throws(HistoryError) {
    guard let text else {
      deletedText.appendRedacted(Int32(count))
      return
    }
    guard text.unicodeScalars.count == count else {
      throw HistoryError(.deletedTextLength, event: assembler.nextEvent)
    }
    var scalars = String.UnicodeScalarView()
    if backward {
      scalars.append(contentsOf: text.unicodeScalars.reversed())
    } else {
      scalars = text.unicodeScalars
    }
    let buffer = TextBuffer(String(scalars))
    deletedText.append(
      buffer, from: TextPlace(),
      to: TextPlace(scalar: buffer.scalarCount, byte: buffer.utf8.count))
  }

  private func offset(_ position: Int) throws(HistoryError) -> Int32 {
    guard (0...LocalVersion.maximumEventCount).contains(position) else {
      throw HistoryError(.positionOutOfRange, event: assembler.nextEvent)
    }
    return Int32(position)
  }

  private func number(of container: ContainerID) throws(HistoryError) -> Int32 {
    switch container {
    case .root:
      return 0
    case .created(let event):
      let version = try number(of: event)
      guard let number = assembler.log.container(createdBy: version) else {
        throw HistoryError(.unknownContainer, event: assembler.nextEvent)
      }
      return number
    }
  }

  private func number(of event: EventID) throws(HistoryError) -> LocalVersion {
    guard let number = order.names[event.change], firstEvents[number] >= 0, event.index >= 0,
      Int(firstEvents[number]) + event.index < Int(assembler.nextEvent)
    else { throw HistoryError(.unknownElement, event: assembler.nextEvent) }
    return firstEvents[number] + Int32(event.index)
  }
}
