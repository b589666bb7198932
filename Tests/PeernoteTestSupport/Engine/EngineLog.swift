package import PeernoteEngine

/// The engine's log of a version of an oracle, put together plainly.
package struct EngineLog {
  /// The log.
  package private(set) var log = Log()
  /// The oracle's numbers of the events, by local version.
  package private(set) var events: [Int] = []
  /// The containers, by number.
  package private(set) var containers: [ContainerID] = [.root]
  /// The oracle's number of the next event to be added.
  private var nextEvent = 0
  /// The first operation of the chain being added.
  private var chainStart = 0
  private var changeEnds: [ChangeID: LocalVersion] = [:]
  private let oracle: Oracle

  /// Puts the log together, change by change in canonical order.
  package init(_ oracle: Oracle, at version: OracleVersion) {
    self.oracle = oracle
    for change in oracle.canonicalOrder(of: version) { add(change) }
  }

  /// What an event inserted.
  package func scalar(_ event: LocalVersion) -> Unicode.Scalar? {
    if case .insertScalar(let scalar) = oracle.events[events[Int(event)]].action {
      scalar
    } else {
      nil
    }
  }

  /// The number of a container in the log.
  package func number(of container: ContainerID) -> Int32 {
    Int32(containers.firstIndex(of: container) ?? -1)
  }

  private mutating func add(_ change: Change) {
    let first = LocalVersion(events.count)
    let parents = change.parents.compactMap { changeEnds[$0] }.sorted()
    let previous = ChangeID(agent: change.id.agent, sequence: change.id.sequence - 1)
    let continues = change.parents == [previous]
    if !continues { chainStart = log.operations.count }
    nextEvent = oracle.number(of: EventID(change: change.id, index: 0))
    for edit in change.edits { add(edit) }
    let count = LocalVersion(events.count) - first
    if continues {
      log.graph.extendLastChain(changes: 1, events: count)
    } else {
      if !log.agents.contains(change.id.agent) { log.agents.append(change.id.agent) }
      log.graph.append(
        agent: Int32(log.agents.firstIndex(of: change.id.agent) ?? -1),
        firstSequence: Int32(change.id.sequence), changeCount: 1, eventCount: count,
        parents: parents)
    }
    log.metadata.append(
      Log.MetadataRun(
        firstChange: log.eventCounts.changeCount, time: change.time,
        author: Self.number(of: change.author, in: &log.authors),
        message: change.message.map { Self.number(of: $0, in: &log.messages) } ?? -1))
    log.eventCounts.append(changes: 1, eventsEach: count)
    changeEnds[change.id] = first + count - 1
  }

  private static func number(of string: String, in table: inout [String]) -> Int32 {
    let known = table.firstIndex { ExactString($0) == ExactString(string) }
    if known == nil { table.append(string) }
    return Int32(known ?? table.count - 1)
  }

  private mutating func add(_ edit: Edit) {
    switch edit {
    case .insertText(let text, let position, let inserted):
      let count = Int32(inserted.unicodeScalars.count)
      add(.insertText, on: text, count: count, a: Int32(position), b: log.insertedScalarCount)
      log.insertedScalarCount += count
    case .deleteText(let text, let position, let count, let backward, let deleted):
      let scalars = (deleted ?? "").unicodeScalars
      let words = backward ? Array(scalars.reversed()) : Array(scalars)
      let buffer = TextBuffer(String(String.UnicodeScalarView(words)))
      add(
        backward && count > 1 ? .deleteBackward : .deleteForward, on: text, count: Int32(count),
        a: Int32(position), b: log.deletedText.count)
      log.deletedText.append(
        buffer, from: TextPlace(), to: buffer.place(ofScalar: buffer.scalarCount))
    case .put(let map, let key, let content):
      let key = Self.number(of: key, in: &log.keys)
      add(.put, on: map, a: key, b: add(content))
    case .remove(let map, let key):
      add(.remove, on: map, a: Self.number(of: key, in: &log.keys))
    case .insertElements(let list, let place, let contents):
      let firstContent = Int32(log.contents.count)
      for content in contents { _ = add(content) }
      add(
        .insertElements, on: list, count: Int32(contents.count), a: local(place.left),
        b: local(place.right), c: firstContent)
    case .putElement(let list, let element, let content):
      add(.putElement, on: list, a: local(element), b: add(content))
    case .moveElement(let list, let element, let place):
      add(.moveElement, on: list, a: local(element), b: local(place.left), c: local(place.right))
    case .removeElement(let list, let element):
      add(.removeElement, on: list, a: local(element))
    case .add(let set, let value):
      add(.add, on: set, a: add(.value(value)))
    case .discard(let set, let value):
      add(.discard, on: set, a: add(.value(value)))
    case .increment(let counter, let amount):
      add(.increment, on: counter, a: add(.value(.integer(amount))))
    }
  }

  private mutating func add(_ content: Content) -> Int32 {
    log.contents.append(content)
    return Int32(log.contents.count - 1)
  }

  /// The local version of an event that may be of the change being added.
  private func local(_ event: EventID?) -> LocalVersion {
    guard let event else { return .none }
    let number = oracle.number(of: event)
    guard let local = events.lastIndex(of: number) else { fatalError("\(event) was added") }
    return LocalVersion(local)
  }

  private mutating func add(
    _ kind: Operation.Kind, on container: ContainerID, count: Int32 = 1, a: Int32, b: Int32 = 0,
    c: Int32 = 0
  ) {
    let operation = Operation(
      first: LocalVersion(events.count), length: count, kind: kind,
      container: number(of: container),
      a: a, b: b, c: c)
    for _ in 0..<count {
      events.append(nextEvent)
      if let created = oracle.events[nextEvent].created {
        containers.append(created.id)
        log.containers.append(
          Log.Container(
            kind: created.kind, created: LocalVersion(events.count - 1),
            parent: operation.container))
      }
      nextEvent += 1
    }
    join(operation)
  }

  /// Lengthens the last operation of the chain by as much as can be, and appends the rest.
  private mutating func join(_ operation: Operation) {
    var rest = operation
    while log.operations.count > chainStart {
      let taken = log.operations[log.operations.count - 1].take(from: rest)
      if taken == rest.length { return }
      if taken == 0 { break }
      rest = rest.slice(rest.first + taken..<rest.end)
    }
    log.operations.append(rest)
  }
}
