/// Builds a log in canonical order, from parts of other logs or from new changes.
///
/// For each chain, or part of one that goes on: ``begin(agent:parents:)``, its operations, how many
/// events its changes hold, their metadata, ``end()``. Numbers in the tables are given by first
/// use and operations are joined into their longest runs, so what comes out is canonical if the
/// chains come in canonical order.
package struct LogAssembler {
  private(set) var log = Log()
  private var agentNumbers: [AgentID: AgentIndex] = [:]
  private var authors = StringNumbers<AuthorIndex>()
  private var messages = StringNumbers<MessageIndex>()
  private var keys = StringNumbers<KeyIndex>()
  /// How many changes each agent has so far.
  private(set) var changeCounts: [Int32] = []
  private var metadataEnd = ChangeIndex.first
  /// The agent and parents of what is being built.
  private var agent = AgentIndex(0)
  private var parents: Version = []
  private var extendsLastChain = false
  /// The first operation of the chain being built; nothing is joined over it.
  private var firstOperation = 0
  /// The local version of the next event.
  var nextEvent: LocalVersion { log.operations.end }

  init(limits: Limits) {
    log.limits = limits
  }

  /// Goes on from the first chains of a log.
  package init(continuing log: Log) {
    self.log = log
    for (number, agent) in log.agents.enumerated() { agentNumbers[agent] = AgentIndex(number) }
    authors = StringNumbers(log.authors)
    messages = StringNumbers(log.messages)
    keys = StringNumbers(log.keys)
    changeCounts = Array(repeating: 0, count: log.agents.count)
    log.graph.chains.forEach(ofFirst: log.graph.chains.count) { chain in
      changeCounts[chain.agent] += chain.changeCount
    }
    metadataEnd = log.graph.changes.upperBound
  }

  /// The log with the text of its deletions.
  consuming func finished(deletedText: DeletedText) -> Log {
    log.deletedText = deletedText
    return log
  }

  // MARK: Tables

  mutating func number(of agent: AgentID) -> AgentIndex {
    if let known = agentNumbers[agent] { return known }
    let number = AgentIndex(log.agents.count)
    log.agents.append(agent)
    agentNumbers[agent] = number
    changeCounts.append(0)
    return number
  }

  mutating func number(ofAuthor name: String) -> AuthorIndex {
    authors.number(of: name, in: &log.authors)
  }

  mutating func number(ofMessage text: String) -> MessageIndex {
    messages.number(of: text, in: &log.messages)
  }

  mutating func number(ofKey key: String) -> KeyIndex { keys.number(of: key, in: &log.keys) }

  mutating func append(content: Content) { log.contents.append(content) }

  // MARK: Changes

  /// Begins changes of an agent whose first has these parents (ascending).
  mutating func begin(agent: AgentIndex, parents: Version) {
    self.agent = agent
    self.parents = parents
    if let last = log.graph.chains.last, last.agent == agent, parents == [last.end - 1] {
      extendsLastChain = true
    } else {
      extendsLastChain = false
      firstOperation = log.operations.count
    }
  }

  /// Appends an operation whose numbers are this log's; its events are numbered here.
  mutating func append(_ operation: Operation) {
    var operation = operation
    operation.first = nextEvent
    log.append(operation, joiningFrom: firstOperation)
  }

  /// Appends the text edits of a chain of another log, as long as it holds nothing else.
  ///
  /// O(edits). What could not be joined in that chain cannot be joined in this one, so it is copied
  /// as it is, but for its numbers. The chain ends there before `end`. For each container of the
  /// other log `containers` holds its number here, if it has one. The index of the first operation
  /// that was not copied is returned.
  mutating func appendTextEdits(
    of operations: OperationList, from index: Int, until end: LocalVersion,
    containers: [ContainerIndex?]
  ) -> Int {
    if extendsLastChain { return index }
    var counts = (inserted: log.insertedScalarCount, deleted: log.deletedScalarCount)
    let next = log.operations.appendTextEdits(
      of: operations, from: index, until: end, containers: containers, &counts)
    (log.insertedScalarCount, log.deletedScalarCount) = counts
    return next
  }

  /// Says how many events the next changes hold.
  mutating func appendChanges(_ count: Int32, eventsEach: Int32) {
    log.eventCounts.append(changes: count, eventsEach: eventsEach)
  }

  /// Says when, by whom and with which message the next changes were made.
  mutating func appendMetadata(
    _ count: Int32, time: Timestamp, author: AuthorIndex, message: MessageIndex?
  ) {
    let run = Log.MetadataRun(
      firstChange: metadataEnd, time: time, author: author, message: message)
    metadataEnd += count
    if let last = log.metadata.last, last.time == time, last.author == author,
      last.message == message
    {
      return
    }
    log.metadata.append(run)
  }

  /// Ends what ``begin(agent:parents:)`` began.
  mutating func end() {
    // The graph comes last.
    let changes = log.eventCounts.changeCount - log.graph.changeCount
    let events = nextEvent - log.graph.end
    precondition(changes > 0, "a chain holds changes")
    precondition(
      log.eventCounts.end == nextEvent && metadataEnd == log.eventCounts.changes.upperBound,
      "the counts and the metadata cover the operations")
    if extendsLastChain {
      log.graph.extendLastChain(changes: changes, events: events)
    } else {
      log.graph.append(
        agent: agent, firstSequence: changeCounts[agent] + 1, changeCount: changes,
        eventCount: events, parents: parents)
    }
    changeCounts[agent] += changes
  }
}

extension LogAssembler {
  /// Traps unless the parts of the log so far, its tables and what is counted agree with each
  /// other, in O(n log n); for tests.
  ///
  /// Precondition: what was begun was ended.
  package func checkInvariants() {
    log.checkInvariants()
    precondition(
      log.graph.end == nextEvent && metadataEnd == log.graph.changes.upperBound,
      "what comes next comes after all")
    precondition(
      agentNumbers.count == log.agents.count
        && log.agents.enumerated().allSatisfy { agentNumbers[$1] == AgentIndex($0) },
      "agents are found by name")
    var counts = [Int32](repeating: 0, count: log.agents.count)
    for chain in log.graph.chains { counts[chain.agent] += chain.changeCount }
    precondition(counts == changeCounts, "the changes of each agent are counted")
    for strings in [log.authors, log.messages, log.keys] {
      precondition(
        Set(strings.map { ExactString($0) }).count == strings.count, "a string has one number")
    }
  }
}

extension Log {
  /// Appends an operation at the end: joins it to the last ones where it can, numbers its scalars
  /// and the containers that it creates.
  ///
  /// It names its container, keys, events and contents, which are in the table already, by this
  /// log's numbers. Nothing before `firstOperation`, the first of the chain, is joined to.
  mutating func append(_ operation: Operation, joiningFrom firstOperation: Int) {
    var rest = operation
    if operation.kind == .insertText {
      rest.firstScalar = insertedScalarCount
      insertedScalarCount += operation.length
    } else if operation.kind.deletesText {
      rest.firstScalar = deletedScalarCount
      deletedScalarCount += operation.length
      if rest.length == 1 { rest.kind = .deleteForward }
    } else {
      recordContainers(of: operation)
    }
    while operations.count > firstOperation {
      let taken = operations.joinToLast(rest)
      if taken == rest.length { return }
      if taken == 0 { break }
      rest = rest.slice(rest.first + taken..<rest.end)
    }
    append(apart: rest)
  }

  /// Appends an operation that does not join the one before it, and whose scalars and containers
  /// have been numbered.
  mutating func append(apart operation: Operation) {
    if !operation.kind.editsText { objectOperations.append(Int32(operations.count)) }
    operations.append(operation)
  }

  private mutating func recordContainers(of operation: Operation) {
    for (event, number) in zip(operation.events, operation.contents) {
      guard let kind = contents.containerKind(ofContent: number) else { continue }
      containers.append(Container(kind: kind, created: event, parent: operation.container))
    }
  }
}

/// Where a log ends, so that what is appended afterwards can be taken off again.
///
/// Authors, messages, times and event counts don't belong to it: they are appended last, when a
/// change is certain.
struct LogEnd: Sendable {
  /// How much there is in each table.
  private let counts: LogPrefix
  /// The last chain, which may yet be lengthened.
  private let lastChain: Chain?
  private let heads: Heads
  /// The last operation, which may yet be joined to.
  private let lastOperation: Operation?
  private let deletedText: TextPlace
  private let fileSize: Int

  /// O(heads).
  init(of log: borrowing Log) {
    counts = LogPrefix(all: log)
    lastChain = log.graph.chains.last
    heads = log.graph.openHeads
    lastOperation = log.operations.last
    deletedText = log.deletedText.text.end
    fileSize = log.fileSize
  }

  /// One past the last event.
  var events: LocalVersion { counts.events }

  /// Takes off what was appended to a log since it ended here, in O(n).
  func cut(_ log: inout Log) {
    var deleted = log.deletedText
    log.deletedText = DeletedText()
    deleted.removeLast(after: deletedText, count: counts.deletedScalars)
    log = log.prefix(counts)
    log.deletedText = deleted
    log.fileSize = fileSize
    if let lastOperation { log.operations.replaceLast(by: lastOperation) }
    if let lastChain { log.graph.chains.changeLast { $0 = lastChain } }
    log.graph.openHeads = heads
  }
}
