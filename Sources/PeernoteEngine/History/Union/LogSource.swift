/// A log that is being read chain by chain into an assembler, with the translation of its numbers.
struct LogSource {
  private let log: Log
  private var events: EventMap
  /// For each container of this log its number in the assembler's, once it is created.
  private(set) var containers: [ContainerIndex?]
  private var agents: [AgentIndex?]
  private var authors: [AuthorIndex?]
  private var messages: [MessageIndex?]
  private var keys: [KeyIndex?]
  private var chainIndex = ChainIndex.first
  private var operationIndex = 0
  private var nextContainer = 1
  /// How many scalars the chains that were read delete.
  private(set) var deletedScalarCount: Int32 = 0

  /// A source that goes on after chains that the assembler has already, in the same form.
  init(_ log: Log, after prefix: LogPrefix) {
    self.log = log
    events = EventMap(from: log.graph, sharing: prefix.chains)
    chainIndex = ChainIndex(prefix.chains)
    operationIndex = prefix.operations
    nextContainer = prefix.containers
    deletedScalarCount = prefix.deletedScalars
    func numbers<Index: LogIndex>(_ count: Int, known: Int) -> [Index?] {
      (0..<count).map { $0 < known ? Index($0) : nil }
    }
    containers = numbers(log.containers.count, known: prefix.containers)
    agents = numbers(log.agents.count, known: prefix.agents)
    authors = numbers(log.authors.count, known: prefix.authors)
    messages = numbers(log.messages.count, known: prefix.messages)
    keys = numbers(log.keys.count, known: prefix.keys)
  }

  /// For each container of this log its number in the assembler's, once all chains have been copied.
  var allContainers: [ContainerIndex] {
    containers.map { number in
      guard let number else { preconditionFailure("every container is created by a chain") }
      return number
    }
  }

  var hasChain: Bool { chainIndex < log.graph.chains.endIndex }
  var chain: Chain { log.graph.chains[chainIndex] }

  /// Whether the next chain comes before the one of another source in canonical order.
  func comes(before other: LogSource) -> Bool {
    hasChain && (!other.hasChain || sortKey < other.sortKey)
  }

  private var sortKey: (Int32, AgentID, Int32) {
    (chain.lamport, log.agents[chain.agent], chain.firstSequence)
  }

  /// Copies the next chain.
  mutating func copyChain(to assembler: inout LogAssembler) throws(LogUnion.Failure) {
    try begin(in: &assembler)
    let end = chain.end
    while true {
      let deleted = assembler.log.deletedScalarCount
      operationIndex = assembler.appendTextEdits(
        of: log.operations, from: operationIndex, until: end, containers: containers)
      deletedScalarCount += assembler.log.deletedScalarCount - deleted
      guard log.operations.first(of: operationIndex) < end else { break }
      let operation = log.operations[operationIndex]
      operationIndex += 1
      if operation.kind.deletesText { deletedScalarCount += operation.length }
      assembler.append(try translate(operation, to: &assembler))
    }
    copyChanges(chain.changes, to: &assembler)
    assembler.end()
    chainIndex += 1
  }

  /// Copies the next chain, of which another source has the same changes or the first of them, and
  /// gives the end of what both have.
  mutating func copyChain(
    to assembler: inout LogAssembler, comparing other: inout LogSource
  ) throws(LogUnion.Failure) -> LocalVersion {
    let firstEvent = assembler.nextEvent
    let firstOperation = assembler.log.operations.count
    let firstContainer = ContainerIndex(assembler.log.containers.count)
    let name = changeID(chain.firstChange)
    let ours = log.graph.parents(ofChain: chainIndex).map { events[$0] }
    let theirs = other.log.graph.parents(ofChain: other.chainIndex).map { other.events[$0] }
    guard ours == theirs else { throw .forked(name, .parents) }
    try compareChanges(with: other)
    try copyChain(to: &assembler)
    other.events.append(firstEvent)
    other.numberContainers(from: firstContainer)
    return try other.follow(assembler, from: firstEvent, firstOperation: firstOperation)
  }

  // MARK: Copying

  private mutating func begin(in assembler: inout LogAssembler) throws(LogUnion.Failure) {
    let agent = agents[chain.agent] ?? assembler.number(of: log.agents[chain.agent])
    agents[chain.agent] = agent
    let expected = assembler.changeCounts[agent] + 1
    guard chain.firstSequence == expected else {
      let name = changeID(chain.firstChange)
      if chain.firstSequence < expected { throw .forked(name, .parents) }
      throw .refused(.sequenceGap, name)
    }
    let parents = log.graph.parents(ofChain: chainIndex).map { events[$0] }
    let known = nextContainer
    numberContainers(from: ContainerIndex(assembler.log.containers.count))
    let broken = assembler.log.limitBroken(
      byEvents: chain.events.count, changes: chain.changes.count, parents: parents.count,
      containers: nextContainer - known)
    if let broken { throw .refused(broken, changeID(chain.firstChange)) }
    events.append(assembler.nextEvent)
    assembler.begin(agent: agent, parents: parents)
  }

  /// Gives the containers that the next chain creates their numbers, from one on.
  private mutating func numberContainers(from first: ContainerIndex) {
    var number = first
    while nextContainer < log.containers.count, log.containers[nextContainer].created < chain.end {
      containers[nextContainer] = number
      number += 1
      nextContainer += 1
    }
  }

  /// Copies event counts and metadata of a range of changes.
  private mutating func copyChanges(
    _ changes: Range<ChangeIndex>, to assembler: inout LogAssembler
  ) {
    log.eventCounts.forEachRun(in: changes) { count, each in
      assembler.appendChanges(count, eventsEach: each)
    }
    var change = changes.lowerBound
    while change < changes.upperBound {
      let (run, end) = log.metadataRun(at: change)
      let author = authors[run.author] ?? assembler.number(ofAuthor: log.authors[run.author])
      authors[run.author] = author
      var newMessage: MessageIndex?
      if let message = run.message {
        newMessage = messages[message] ?? assembler.number(ofMessage: log.messages[message])
        messages[message] = newMessage
      }
      let last = min(end, changes.upperBound)
      assembler.appendMetadata(last - change, time: run.time, author: author, message: newMessage)
      change = last
    }
  }

  /// An operation with the assembler's numbers; its contents are appended there.
  private mutating func translate(
    _ operation: Operation, to assembler: inout LogAssembler
  ) throws(LogUnion.Failure) -> Operation {
    var result = try renumber(operation)
    if operation.kind.operands.contains(.key) {
      let key = operation.key
      result.key = keys[key] ?? assembler.number(ofKey: log.keys[key])
      keys[key] = result.key
    }
    if operation.kind.operands.contains(.contents) {
      result.content = ContentIndex(assembler.log.contents.count)
      for number in operation.contents { assembler.append(content: log.contents[number]) }
    }
    return result
  }

  /// An operation with the assembler's container and events; keys and contents are still ours.
  private func renumber(_ operation: Operation) throws(LogUnion.Failure) -> Operation {
    var result = operation
    guard let container = containers[operation.container] else {
      throw .refused(.containerNotSeen, log.changeID(of: operation.first))
    }
    result.container = container
    if operation.kind.operands.contains(.element) {
      result.element = try place(operation.element, of: operation)
    }
    if operation.kind.operands.contains(.slots) {
      result.left = try place(operation.left, of: operation)
      result.right = try place(operation.right, of: operation)
    }
    return result
  }

  private func place(
    _ event: LocalVersion, of operation: Operation
  ) throws(LogUnion.Failure) -> LocalVersion {
    guard event < operation.first else {
      throw .refused(.unknownElement, log.changeID(of: operation.first))
    }
    return events[event]
  }

  private func place(
    _ neighbour: Neighbour, of operation: Operation
  ) throws(LogUnion.Failure) -> Neighbour {
    guard let event = neighbour.event else { return .edge }
    return Neighbour(try place(event, of: operation))
  }

  private func changeID(_ change: ChangeIndex) -> ChangeID { log.changeID(ofChange: change) }

  // MARK: Comparing

  /// Compares the changes that both this chain and the same one of another source have, but for
  /// their operations.
  private func compareChanges(with other: LogSource) throws(LogUnion.Failure) {
    let count = min(chain.changeCount, other.chain.changeCount)
    var done: Int32 = 0
    while done < count {
      let change = chain.firstChange + done
      let (ours, end) = log.metadataRun(at: change)
      let (theirs, otherEnd) = other.log.metadataRun(at: other.chain.firstChange + done)
      let name = changeID(change)
      guard ours.time == theirs.time else { throw .forked(name, .time) }
      guard
        ExactString(log.authors[ours.author]) == ExactString(other.log.authors[theirs.author])
      else { throw .forked(name, .author) }
      let message = ours.message.map { ExactString(log.messages[$0]) }
      let otherMessage = theirs.message.map { ExactString(other.log.messages[$0]) }
      guard message == otherMessage else { throw .forked(name, .message) }
      let (each, countsEnd) = log.eventCounts.run(at: change)
      let (otherEach, otherCountsEnd) = other.log.eventCounts.run(
        at: other.chain.firstChange + done)
      guard each == otherEach else { throw .forked(name, .operations) }
      done = min(
        min(end, countsEnd) - chain.firstChange,
        min(otherEnd, otherCountsEnd) - other.chain.firstChange)
    }
  }

  /// Goes over the next chain, whose changes another source has just copied, checks that the
  /// operations are the same, and gives the chain's end in the assembler.
  private mutating func follow(
    _ assembler: LogAssembler, from firstEvent: LocalVersion, firstOperation: Int
  ) throws(LogUnion.Failure) -> LocalVersion {
    let shift = firstEvent - chain.start
    var copied = firstOperation
    var event = chain.start
    while event < chain.end {
      let own = log.operations[operationIndex]
      let other = assembler.log.operations[copied]
      let end = min(own.end, other.end - shift)
      let part = own.slice(event..<end)
      let expected = other.slice(event + shift..<end + shift)
      guard isSame(try renumber(part), as: expected, in: assembler) else {
        throw .forked(log.changeID(of: event), .operations)
      }
      if part.kind.deletesText { deletedScalarCount += part.length }
      if end == own.end { operationIndex += 1 }
      if end == other.end - shift { copied += 1 }
      event = end
    }
    chainIndex += 1
    return event + shift
  }

  private func isSame(
    _ left: Operation, as right: Operation, in other: LogAssembler
  ) -> Bool {
    guard left.kind == right.kind, left.length == right.length,
      left.container == right.container
    else { return false }
    let operands = left.kind.operands
    return (!operands.contains(.scalars) || left.position == right.position)
      && (!operands.contains(.key)
        || ExactString(log.keys[left.key]) == ExactString(other.log.keys[right.key]))
      && (!operands.contains(.element) || left.element == right.element)
      && (!operands.contains(.slots) || (left.left, left.right) == (right.left, right.right))
      && zip(left.contents, right.contents).allSatisfy {
        log.contents[$0] == other.log.contents[$1]
      }
  }
}

/// Where the events of one log stand in another one that holds them all, in the same order.
package struct EventMap: Sendable {
  private let graph: Graph
  /// How many of the first chains stand where they stood, and where they end.
  private let shared: (chains: Int, end: LocalVersion)
  /// For each further chain of the first log the local version of its first event in the other one.
  private var starts: [LocalVersion] = []

  /// A map in which the first chains stand where they stood.
  init(from graph: Graph, sharing count: Int) {
    self.graph = graph
    shared = (count, count > 0 ? graph.chains[ChainIndex(count - 1)].end : .first)
    starts.reserveCapacity(graph.chains.count - count)
  }

  /// Gives the next chain its place.
  mutating func append(_ start: LocalVersion) {
    starts.append(start)
  }

  /// The local version in the other log of an event whose chain has a place, in O(log chains).
  package subscript(event: LocalVersion) -> LocalVersion {
    if event < shared.end { return event }
    let index = graph.chainIndex(of: event)
    return starts[index.number - shared.chains] + (event - graph.chains[index].start)
  }
}
