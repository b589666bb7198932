package import Peernote

/// The engine's log of a version of a history, for trying laws below the level of documents.
package struct EngineCase {
  /// What it means.
  package let oracle: Oracle
  /// What it holds.
  package let version: OracleVersion
  /// The log of the version's changes.
  package let log: Log
  /// The oracle's numbers of the events, by local version.
  package let events: [Int]
  /// The containers, by number.
  package let containers: [ContainerID]

  /// Puts the log together.
  package init(_ oracle: Oracle, at version: OracleVersion) throws {
    self.oracle = oracle
    self.version = version
    let log = try Log.make(from: version.changes.map { oracle.changes[$0] }).log
    self.log = log
    events = log.graph.events.map { oracle.number(of: log.eventID(of: $0)) }
    containers = log.containers.indices.map { log.containerID(ContainerIndex($0)) }
  }

  /// The visible texts that the oracle finds, by container number; empty for other containers.
  package var texts: [TextBuffer] {
    containers.map { container in
      TextBuffer(String(String.UnicodeScalarView(oracle.text(container, in: version))))
    }
  }
}

extension EngineCase {
  /// A walk over the whole history finds the oracle's order of all scalars, and which of them are
  /// deleted, whether it scans what was inserted concurrently at one place or searches it.
  package func checkWalk() throws {
    try checkWalk(scanLimit: Tracker.scanLimit)
    try checkWalk(scanLimit: 0)
  }

  private func checkWalk(scanLimit: Int) throws {
    let walker = try walked(scanLimit: scanLimit)
    walker.tracker.checkInvariants()
    for (number, sequence) in walker.tracker.sequences {
      let container = containers[number]
      var order: [Int] = []
      var visible: [Int] = []
      walker.tracker.forEachItem(of: sequence) { item in
        for event in item.first..<item.first + item.length {
          order.append(events[event.number])
          if item.deletedBy.isEmpty { visible.append(events[event.number]) }
        }
      }
      try expectEqual(names(order), names(oracle.sequence(of: container, in: version)), "order")
      try expectEqual(
        names(visible), names(oracle.visibleScalars(of: container, in: version)), "visible")
    }
  }

  /// A walk over the whole history of all texts.
  private func walked(scanLimit: Int) throws -> Walker {
    var walker = Walker(
      log: log, after: .start,
      texts: log.containers.indices.filter { log.containers[$0].kind == .text }
        .map { (container: ContainerIndex($0), placeholder: 0) }, scanLimit: scanLimit)
    try walker.walk(sides: .allBoth)
    return walker
  }

  /// A replay, which drops its state at critical versions, finds the same visible scalars as the
  /// oracle, and for every deletion the scalar that a walk without critical versions finds.
  package func checkReplay() throws {
    let replay = try Replay(log)
    let walker = try walked(scanLimit: Tracker.scanLimit)
    for number in walker.tracker.sequences.keys.sorted() {
      var visible: [Int] = []
      replay.forEachRun(of: number) { first, length in
        for event in first..<first + length { visible.append(events[event.number]) }
      }
      try expectEqual(
        names(visible),
        names(oracle.visibleScalars(of: containers[number], in: version)), "visible")
    }
    try expectEqual(
      Self.scalars(replay.deletions), Self.scalars(walker.tracker.deletionsInOrder), "deletions")
  }

  /// The event and the scalar of each deletion.
  private static func scalars(_ deletions: [VersionIndex.Entry]) -> [[LocalVersion]] {
    deletions.flatMap { entry in
      entry.deleted.map { [entry.event(of: $0), $0] }.sorted { $0[0] < $1[0] }
    }
  }

  private func names(_ events: [Int]) -> [EventID] { events.map { oracle.events[$0].id } }

  /// The inserted text is recovered from what is visible and what was deleted.
  package func checkInsertedText() throws {
    let inserted = try InsertedText(of: log, texts: texts).text
    let wanted = events.compactMap { event in
      if case .insertScalar(let scalar) = oracle.events[event].action { scalar } else { nil }
    }
    try expectEqual(Array(inserted.string.unicodeScalars), wanted, "inserted text")
  }

  /// A log is sound after each change that is appended, and so is what goes on with one.
  package func checkAssembly() throws {
    let changes = version.changes.map { oracle.changes[$0] }
    let assembled = try Log.make(from: changes, checkingEach: true).log
    assembled.checkInvariants()
    LogAssembler(continuing: assembled).checkInvariants()
    try expectEqual(
      LogPrefix(all: log), LogPrefix(of: log, chains: log.graph.chains.count), "all of the log")
  }
}
