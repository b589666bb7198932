/// How much one log may hold; see peernote(5).
///
/// All numbers of a log fit into 32 bits because of them. A log carries its limits along, so that
/// tests can lower them.
package struct Limits: Hashable, Sendable {
  /// The most events, however long the file; see ``events(inFileOf:)``.
  package var events = LocalVersion.maximumEventCount
  /// The most changes, however long the file; see ``changes(inFileOf:)``.
  package var changes = 1 << 24
  /// The most containers, the root included.
  package var containers = 1 << 28
  /// The most parents of all chains of changes together.
  package var parents = 1 << 30

  /// The most events, besides ``eventsEachByte``: 64 million characters that were typed, deleted and
  /// redacted.
  package var freeEvents = 1 << 27
  /// How many more events there may be for each byte of the file.
  package var eventsEachByte = 16
  /// The most changes, besides one for every four bytes of the file.
  package var freeChanges = 1 << 16
  /// The most contents, besides one for every two bytes that they weigh.
  package var freeContents = 1 << 18
  /// The most containers, besides one for every four bytes that the contents weigh.
  package var freeContainers = 1 << 18
  /// The most bytes in a file; offsets in it fit into 32 bits.
  package var fileSize = Int(Int32.max)
  /// The most bytes that the contents of all optional sections take together.
  package var optionalSections = 1 << 20

  /// The most steps that replaying a history may take, besides ``stepsEachRow``.
  package var freeSteps = 1 << 26
  /// How many more steps it may take for each row of the operations.
  package var stepsEachRow = 64
  /// The most pieces that deletions of text may fall into, besides ``deletedPiecesEachRow``.
  package var freeDeletedPieces = 1 << 17
  /// How many more pieces these may be for each row of the operations.
  package var deletedPiecesEachRow = 4

  /// How many bytes of memory checking a file may take for each of its bytes, and half of what
  /// merging two may take for each of theirs.
  package var memoryEachByte = 16
  /// How many it may take besides, by what is counted; what is not, and the program, make them 32 MiB.
  package var freeMemory = 12 << 20
  /// How many bytes bringing concurrent edits in order may take, however large all else is.
  package var leastMemory = 1 << 20

  /// How many bytes a container takes at least of which it is known where it stands in a file.
  ///
  /// It then need not be written anew; see ``ViewLayout``. No limit of the format.
  package var copiedContainerSize = 64

  /// Those of the format.
  package init() {}

  /// How many bytes are left for putting concurrent edits in order, beside `held`.
  ///
  /// For a merge `fileSize` is twice the bytes of both files, since that makes a third history of
  /// two.
  package func memoryLeft(for fileSize: Int, beside held: Int) -> Int {
    max(leastMemory, memoryEachByte * fileSize + freeMemory - held)
  }

  /// The most events in a file of so many bytes; peernote(5) says why, under LIMITS.
  ///
  /// Copies which do without ``freeEvents`` can be merged whatever others hold.
  package func events(inFileOf size: Int) -> Int {
    min(events, freeEvents + eventsEachByte * size)
  }

  /// The most changes in a file of so many bytes; only those that a program makes in one moment, and
  /// many, need ``freeChanges``.
  package func changes(inFileOf size: Int) -> Int { min(changes, freeChanges + size / 4) }

  /// The most contents of so much weight (``ContentTable/weight``).
  ///
  /// What is in memory of a list element or a small value is many times as large as the byte or two
  /// that it takes in a file. No document that people make consists of these alone. An edit only
  /// ever adds weight, so what is below the limit stays there, whatever is removed.
  package func contents(weighing weight: Int) -> Int { freeContents + weight / 2 }

  /// The most containers among contents of so much weight.
  package func containers(weighing weight: Int) -> Int {
    min(containers, freeContainers + weight / 4)
  }
}

extension Log {
  /// Which limit is broken by so many more events, changes, parents of chains, and containers, if
  /// one is, whatever the contents weigh in the end.
  func limitBroken(
    byEvents events: Int, changes: Int, parents: Int = 0, containers new: Int = 0
  ) -> HistoryError.Reason? {
    if Int(graph.eventCount) + events > limits.events { return .tooManyEvents }
    if Int(graph.changeCount) + changes > limits.changes { return .tooManyChanges }
    if graph.parentPool.count + parents > limits.parents { return .tooManyParents }
    if containers.count + new > limits.containers { return .tooManyContainers }
    return nil
  }

  /// Which limit is broken by events and changes besides those that are there, if one is, in a file
  /// of so many bytes.
  package func limitBroken(
    inFileOf size: Int, byEvents events: Int = 0, changes: Int = 0
  ) -> HistoryError.Reason? {
    if Int(graph.eventCount) + events > limits.events(inFileOf: size) { return .tooManyEvents }
    if Int(graph.changeCount) + changes > limits.changes(inFileOf: size) { return .tooManyChanges }
    return nil
  }

  /// At least so many bytes does a file take that holds the log, and the texts.
  ///
  /// O(1). Rows take a byte, chains three and runs of metadata four at least, and visible are at
  /// least as many scalars as were inserted and not deleted.
  package var leastFileSize: Int {
    let visible = max(0, Int(insertedScalarCount) - Int(deletedScalarCount))
    return visible + deletedText.text.utf8.count + operations.count + 3 * graph.chains.count
      + 4 * metadata.count + contents.weight
  }

  /// How many steps replaying the history may take for what was done concurrently: moves of runs of
  /// events in and out of the version at hand, events gone through to find these, and concurrent
  /// items looked at to find a place.
  ///
  /// A graph can be built so that these grow with the square of its size. No history that people
  /// made comes near the limit, which is the same on every machine.
  package var workLimit: Int { limits.freeSteps + limits.stepsEachRow * operations.count }

  /// How many pieces all deletions of text may fall into while concurrent history is replayed.
  ///
  /// Text that is deleted once is in no more than two pieces for each operation. If many delete the
  /// same text at once, it counts for each of them, and memory would grow with the square of the
  /// file's size.
  package var deletedPieceLimit: Int {
    limits.freeDeletedPieces + limits.deletedPiecesEachRow * operations.count
  }

  /// How many redacted scalars may be spelled out, as U+FFFD, where past versions are asked for.
  ///
  /// Redacted text takes no room in a file, so that a small one could speak of gigabytes.
  package var redactedTextLimit: Int { 1 << 20 + 64 * operations.count }

  /// Which limit is broken by more contents, if one is; by those that are there, if none are added.
  ///
  /// Of the new contents so many are containers, and together they weigh so much.
  package func limitBroken(
    byContents count: Int = 0, containers new: Int = 0, weight: Int = 0
  ) -> HistoryError.Reason? {
    let weight = contents.weight + weight
    if contents.count + count > limits.contents(weighing: weight) { return .tooManyContents }
    if containers.count + new > limits.containers(weighing: weight) { return .tooManyContainers }
    return nil
  }
}

/// How much of what a limit counts one agent made.
package struct AgentShare: Hashable, Sendable {
  /// Its last change.
  package var lastChange: ChangeID
  /// How many events, changes or parents.
  package var count: Int

  /// The agent that made more of what a limit counts than all others together.
  ///
  /// O(chains). What stands in several logs counts in the one where there is most. `nil` if there
  /// is no such agent, or the limit is not on events, changes or parents.
  package static func filling(_ limit: HistoryError.Reason, of logs: [Log]) -> AgentShare? {
    logs.compactMap { filling(limit, of: $0) }.max { $0.count < $1.count }
  }

  private static func filling(_ limit: HistoryError.Reason, of log: Log) -> AgentShare? {
    let count: (Chain) -> Int
    switch limit {
    case .tooManyEvents: count = { $0.events.count }
    case .tooManyChanges: count = { $0.changes.count }
    case .tooManyParents: count = { Int($0.parentCount) }
    case _: return nil
    }
    var shares = [(count: Int, changes: Int)](repeating: (0, 0), count: log.agents.count)
    for chain in log.graph.chains {
      shares[chain.agent].count += count(chain)
      shares[chain.agent].changes += chain.changes.count
    }
    let all = shares.reduce(0) { $0 + $1.count }
    guard let most = shares.indices.max(by: { shares[$0].count < shares[$1].count }),
      shares[most].count > all / 2
    else { return nil }
    return AgentShare(
      lastChange: ChangeID(agent: log.agents[most], sequence: shares[most].changes),
      count: shares[most].count)
  }
}
