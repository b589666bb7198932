/// The first chains of a log, and how much of each table belongs to them.
///
/// Copies of a document mostly share a long history, which stands at the beginning of both logs in
/// the same form. What is shared is taken over as it is; only the rest is read, translated and
/// compared change by change.
package struct LogPrefix: Hashable, Sendable {
  package private(set) var chains = 0
  package private(set) var changesEnd = ChangeIndex.first
  package private(set) var events = LocalVersion.first
  package private(set) var operations = 0
  package private(set) var objectOperations = 0
  package private(set) var contents = 0
  package private(set) var containers = 1
  package private(set) var parents = 0
  package private(set) var agents = 0
  package private(set) var authors = 0
  package private(set) var messages = 0
  package private(set) var keys = 0
  package private(set) var insertedScalars: Int32 = 0
  package private(set) var deletedScalars: Int32 = 0

  package init() {}

  /// All of a log, in O(1).
  package init(all log: borrowing Log) {
    guard let last = log.graph.chains.last else { return }
    chains = log.graph.chains.count
    changesEnd = last.changes.upperBound
    events = last.end
    operations = log.operations.count
    objectOperations = log.objectOperations.count
    contents = log.contents.count
    containers = log.containers.count
    parents = log.graph.parentPool.count
    agents = log.agents.count
    authors = log.authors.count
    messages = log.messages.count
    keys = log.keys.count
    insertedScalars = log.insertedScalarCount
    deletedScalars = log.deletedScalarCount
  }

  /// Measures the first chains of a log, in O(n) for the metadata runs and operations on other
  /// things than texts in them, and for the chains that come after them.
  package init(of log: Log, chains: Int) {
    if chains == 0 { return }
    self.chains = chains
    let end = ChainIndex(chains)
    changesEnd = log.graph.chains[end - 1].changes.upperBound
    events = log.graph.chains[end - 1].end
    parents =
      end < log.graph.chains.endIndex
      ? Int(log.graph.chains[end].parentStart) : log.graph.parentPool.count
    // The others have their first chain after these.
    agents = log.agents.count
    for chain in log.graph.chains[end...] where chain.firstSequence == 1 { agents -= 1 }
    for run in log.metadata {
      if run.firstChange >= changesEnd { break }
      if authors == log.authors.count, messages == log.messages.count { break }
      authors = max(authors, run.author.number + 1)
      if let message = run.message { messages = max(messages, message.number + 1) }
    }
    operations = log.operationIndex(endingAfter: events)
    for index in log.objectOperations {
      if Int(index) >= operations { break }
      objectOperations += 1
      let operation = log.operations[Int(index)]
      contents += operation.contents.count
      if operation.kind.operands.contains(.key) {
        keys = max(keys, Int(operation.key.rawValue) + 1)
      }
    }
    let edits = log.operations[..<operations]
    insertedScalars = edits.last { $0.kind == .insertText }?.scalars.upperBound ?? 0
    deletedScalars = edits.last { $0.kind.deletesText }?.scalars.upperBound ?? 0
    containers = log.containers.partitionPoint { $0.created >= events }
  }

  /// The longest prefix of whole chains that two logs hold in the same form, in O(n) for its
  /// length, but for chains and operations that both keep in the same memory.
  package static func shared(_ ours: Log, _ theirs: Log) -> LogPrefix {
    let limit = min(ours.graph.chains.endIndex, theirs.graph.chains.endIndex)
    let parents = ours.graph.parentPool.sharedCount(with: theirs.graph.parentPool)
    let agents = ours.agents.sharedCount(with: theirs.agents)
    var end = ChainIndex(ours.graph.chains.storedOnce(with: theirs.graph.chains))
    while end < limit {
      let chain = ours.graph.chains[end]
      guard chain.isLike(theirs.graph.chains[end]), chain.agent.number < agents,
        Int(chain.parentStart + chain.parentCount) <= parents
      else { break }
      end += 1
    }
    // An event before which the two logs are the same, but for their tables.
    var event = end < ours.graph.chains.endIndex ? ours.graph.chains[end].start : ours.graph.end
    let operations = ours.operations.commonPrefixLength(with: theirs.operations)
    event = min(event, ours.operations.first(of: operations))
    let counts = ours.eventCounts.firstDifference(from: theirs.eventCounts)
    event = min(event, ours.eventCounts.firstEvent(ofChange: counts))
    let runs = ours.metadata.sharedCount(with: theirs.metadata)
    // A run is as long on the other side only if the next one begins alike.
    for metadata in [ours.metadata, theirs.metadata] where runs < metadata.count {
      event = min(event, ours.eventCounts.firstEvent(ofChange: metadata[runs].firstChange))
    }
    let prefix = LogPrefix(
      of: ours, chains: ours.graph.firstChain(endingAfter: event - 1).number)
    let tablesAgree =
      agree(ours.authors, theirs.authors, prefix.authors)
      && agree(ours.messages, theirs.messages, prefix.messages)
      && agree(ours.keys, theirs.keys, prefix.keys)
      && ours.contents.agrees(with: theirs.contents, in: 0..<prefix.contents)
    // Tables that differ are too rare to look for the place.
    return tablesAgree ? prefix : LogPrefix()
  }

  private static func agree(_ ours: [String], _ theirs: [String], _ count: Int) -> Bool {
    theirs.count >= count
      && zip(ours[..<count], theirs).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}

extension EventCounts {
  /// Whether the changes before one hold the same numbers of events in other counts.
  package func agrees(with other: EventCounts, before end: ChangeIndex) -> Bool {
    end <= firstDifference(from: other)
  }

  /// The first change that may hold another number of events than in other counts.
  fileprivate func firstDifference(from other: EventCounts) -> ChangeIndex {
    let index = runs.sharedCount(with: other.runs)
    return min(
      index < runs.count ? runs[index].firstChange : changes.upperBound,
      index < other.runs.count ? other.runs[index].firstChange : other.changes.upperBound)
  }

  /// The counts of the changes before one.
  func prefix(before end: ChangeIndex) -> EventCounts {
    var result = EventCounts()
    forEachRun(in: .first..<end) { count, each in result.append(changes: count, eventsEach: each) }
    return result
  }
}

extension Log {
  /// The first chains, without the text of their deletions; with room for the union with another log
  /// that begins alike, if one is given.
  package func prefix(_ prefix: LogPrefix, unitedWith other: Log? = nil) -> Log {
    /// How many there may be in a table of which these are the first.
    func room(_ table: (Log) -> Int, after known: Int) -> Int {
      // A run of metadata at the border may go on in both.
      other.map { table(self) + table($0) + 1 - known } ?? known
    }
    let runs = metadata.partitionPoint { $0.firstChange >= prefix.changesEnd }
    var result = Log()
    result.agents = Array(agents[..<prefix.agents])
    result.authors = Array(authors[..<prefix.authors])
    result.messages = Array(messages[..<prefix.messages])
    result.keys = Array(keys[..<prefix.keys])
    result.graph = graph.prefix(
      chains: prefix.chains, parents: prefix.parents,
      growingTo: (
        room(\.graph.chains.count, after: prefix.chains),
        room(\.graph.parentPool.count, after: prefix.parents)
      ))
    result.eventCounts = eventCounts.prefix(before: prefix.changesEnd)
    result.metadata = metadata.prefix(runs, growingTo: room(\.metadata.count, after: runs))
    result.containers = containers.prefix(
      prefix.containers, growingTo: room(\.containers.count, after: prefix.containers))
    result.operations = operations.prefix(prefix.operations)
    result.operations.reserve(room(\.operations.count, after: prefix.operations))
    result.objectOperations = objectOperations.prefix(
      prefix.objectOperations,
      growingTo: room(\.objectOperations.count, after: prefix.objectOperations))
    result.contents = contents.table(
      ofFirst: prefix.contents, growingTo: room(\.contents.count, after: prefix.contents))
    result.limits = limits
    result.insertedScalarCount = prefix.insertedScalars
    result.deletedScalarCount = prefix.deletedScalars
    return result
  }
}

extension Array {
  /// The first elements, with room for as many as there will be.
  func prefix(_ count: Int, growingTo size: Int) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(Swift.max(count, size))
    result += self[..<count]
    return result
  }
}

extension Array where Element: Equatable {
  /// How many of the first elements are the same in another array.
  fileprivate func sharedCount(with other: [Element]) -> Int {
    var count = 0
    while count < Swift.min(self.count, other.count), self[count] == other[count] { count += 1 }
    return count
  }
}
