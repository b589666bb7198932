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

  /// The log, and the text that its changes insert, as far as they say; throws if there are more
  /// contents than the limit.
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
      events += edit.count
      containers += edit.containerCount
      fileSize += edit.fileSize
    }
    let broken = assembler.log.limitBroken(
      byEvents: events, changes: 1, parents: change.parents.count, containers: containers)
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
      parents.append(firstEvents[number] + order.eventCounts[number] - 1)
    }
    let first = assembler.nextEvent
    firstEvents[number] = first
    assembler.begin(agent: agent, parents: parents.sorted())
    for edit in change.edits where edit.count > 0 { assembler.append(try operation(edit)) }
    assembler.appendChanges(1, eventsEach: assembler.nextEvent - first)
    assembler.appendMetadata(
      1, time: change.time, author: assembler.number(ofAuthor: change.author),
      message: change.message.map { assembler.number(ofMessage: $0) })
    assembler.end()
  }

  /// The operation of an edit; its text and contents are filed.
  private mutating func operation(_ edit: Edit) throws(HistoryError) -> Operation {
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
      for content in edit.contents { assembler.append(content: content) }
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
  private mutating func file(_ edit: Edit) throws(HistoryError) {
    guard let text = edit.text?.string else {
      if edit.kind.deletesText { deletedText.appendRedacted(Int32(edit.count)) }
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

  /// Traps unless the log so far is sound, its texts are as long as it says, and each change is
  /// known by its first event, in O(n log n); for tests.
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

/// The canonical order of changes in portable form: chains sorted by the Lamport timestamp of their
/// first event, then agent, then sequence number; see ``Graph``.
///
/// A number stands for each change, which ascends with its name. Names take 12 bytes for a change, and
/// some for an agent: a dictionary would take six times that.
struct CanonicalOrder {
  /// A change's name, and where it stands in what was given.
  private struct Name {
    var agent: Int32
    var sequence: Int32
    var place: Int32

    /// Whether the change comes right after another one of the same agent.
    func follows(_ other: Name) -> Bool {
      agent == other.agent && sequence - 1 == other.sequence
    }
  }

  private var agents: [AgentID: Int32] = [:]
  private var names: [Name] = []
  /// The first name of each agent, and the end.
  private var starts: [Int32] = []
  /// How many events each change has.
  private(set) var eventCounts: [Int32] = []
  /// The numbers of the parents, and where those of each change begin.
  private var parents: [Int32] = []
  private var parentStarts: [Int32] = [0]

  /// One that stands twice, word for word, counts once, in O(n log n); throws if a parent is
  /// missing, one name stands for two changes, no history can have one, or there are more events
  /// than fit.
  init<Changes: RandomAccessCollection<Change>>(of changes: Changes) throws(HistoryError) {
    try recordNames(of: changes)
    eventCounts.reserveCapacity(names.count)
    parentStarts.reserveCapacity(names.count + 1)
    var events = 0
    for name in names {
      let change = changes[name.place]
      let eventCount = change.eventCount
      guard eventCount > 0 else { throw HistoryError(.changeWithoutEvents) }
      events += eventCount
      guard events <= LocalVersion.maximumEventCount else { throw HistoryError(.tooManyEvents) }
      eventCounts.append(Int32(eventCount))
      for parent in change.parents {
        guard let parent = self[parent] else { throw HistoryError(.unknownParent) }
        parents.append(Int32(parent))
      }
      parentStarts.append(Int32(parents.count))
    }
  }

  private mutating func recordNames<Changes: RandomAccessCollection<Change>>(
    of changes: Changes
  ) throws(HistoryError) {
    for change in changes { agents[change.id.agent] = 0 }
    for (number, agent) in agents.keys.sorted().enumerated() { agents[agent] = Int32(number) }
    var all: [Name] = []
    all.reserveCapacity(changes.count)
    for (place, change) in changes.enumerated() {
      guard let agent = agents[change.id.agent], let sequence = Int32(exactly: change.id.sequence),
        sequence > 0
      else { throw HistoryError(.sequenceGap) }
      all.append(Name(agent: agent, sequence: sequence, place: Int32(place)))
    }
    all.sort { left, right in
      (left.agent, left.sequence, left.place) < (right.agent, right.sequence, right.place)
    }
    names.reserveCapacity(all.count)
    for name in all {
      if let last = names.last, last.agent == name.agent, last.sequence == name.sequence {
        guard changes[last.place] == changes[name.place] else {
          throw HistoryError(.duplicateChange)
        }
        continue
      }
      if starts.count == name.agent { starts.append(Int32(names.count)) }
      names.append(name)
    }
    starts.append(Int32(names.count))
  }

  /// How many changes there are.
  var count: Int { names.count }

  /// The number of a change; `nil` if it is not there; O(log n).
  package subscript(id: ChangeID) -> Int? {
    guard let agent = agents[id.agent] else { return nil }
    let numbers = Int(starts[Int(agent)])..<Int(starts[Int(agent) + 1])
    let number = numbers.partitionPoint { Int(names[$0].sequence) >= id.sequence }
    return number < numbers.upperBound && Int(names[number].sequence) == id.sequence ? number : nil
  }

  /// A change with a number, out of what was given.
  func change<Changes: RandomAccessCollection<Change>>(
    _ number: Int, of changes: Changes
  ) -> Change {
    changes[names[number].place]
  }

  /// The numbers of the changes in canonical order.
  ///
  /// O(n log n). Throws if changes are their own ancestors or a sequence number is missing.
  func numbers() throws(HistoryError) -> [Int32] {
    let lamports = try lamports()
    let chainStarts = try chainStarts()
    return (0..<Int32(names.count)).sorted { left, right in
      let (first, second) = (chainStarts[Int(left)], chainStarts[Int(right)])
      return (lamports[Int(first)], first, left) < (lamports[Int(second)], second, right)
    }
  }

  private func parents(of number: Int32) -> ArraySlice<Int32> {
    parents[Int(parentStarts[Int(number)])..<Int(parentStarts[Int(number) + 1])]
  }

  /// The Lamport timestamp of each change's first event, by a depth-first search through parents.
  private func lamports() throws(HistoryError) -> [Int32] {
    let (unknown, onTheWay): (Int32, Int32) = (0, -1)
    var result = [Int32](repeating: unknown, count: names.count)
    var waiting: [Int32] = []
    for number in 0..<Int32(names.count) {
      waiting.append(number)
      while let last = waiting.last {
        if result[Int(last)] > 0 {
          waiting.removeLast()
          continue
        }
        result[Int(last)] = onTheWay
        var lamport: Int32 = 1
        let depth = waiting.count
        for parent in parents(of: last) {
          let known = result[Int(parent)]
          if known == onTheWay { throw HistoryError(.cyclicParents) }
          if known == unknown { waiting.append(parent) }
          lamport = max(lamport, known + eventCounts[Int(parent)])
        }
        if waiting.count == depth { result[Int(last)] = lamport }
      }
    }
    return result
  }

  /// For each change the first one of its chain.
  private func chainStarts() throws(HistoryError) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(names.count)
    for number in 0..<names.count {
      let isFirst = names[number].sequence == 1
      guard isFirst || number > 0 && names[number].follows(names[number - 1]) else {
        throw HistoryError(.sequenceGap)
      }
      let goesOn = !isFirst && parents(of: Int32(number)).elementsEqual([Int32(number) - 1])
      result.append(goesOn ? result[number - 1] : Int32(number))
    }
    return result
  }
}

extension Change {
  /// How many events the change holds.
  package var eventCount: Int { edits.reduce(0) { $0 + $1.count } }

  /// At most so many bytes does the change take in a file besides its edits; see
  /// ``Log/fileSize``.
  var fileSizeWithoutEdits: Int {
    256 + author.utf8.count + (message?.utf8.count ?? 0) + 32 * parents.count
  }
}

extension RandomAccessCollection {
  fileprivate subscript(place: Int32) -> Element {
    self[index(startIndex, offsetBy: Int(place))]
  }
}
