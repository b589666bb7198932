package import Peernote

/// A version of a history in the engine, for trying laws below the level of documents.
package struct EngineCase {
  /// What it means.
  package let oracle: Oracle
  /// What it holds.
  package let version: OracleVersion
  /// The log.
  package let log: EngineLog

  /// Puts the log together.
  package init(_ oracle: Oracle, at version: OracleVersion) throws {
    self.oracle = oracle
    self.version = version
    log = try EngineLog(oracle, at: version)
  }

  /// The visible texts that the oracle finds, by container number; empty for other containers.
  package var texts: [TextBuffer] {
    log.containers.map { container in
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
    let texts = log.log.containers.indices.filter { log.log.containers[$0].kind == .text }
    var walker = Walker(
      log: log.log, after: .start,
      texts: texts.map { (container: ContainerIndex($0), placeholder: 0) }, scanLimit: scanLimit)
    try walker.walk(sides: .allBoth)
    walker.tracker.checkInvariants()
    for (number, sequence) in walker.tracker.sequences {
      let container = log.containers[number]
      var order: [Int] = []
      var visible: [Int] = []
      walker.tracker.forEachItem(of: sequence) { item in
        for event in item.first..<item.first + item.length {
          order.append(log.events[event.number])
          if item.deletedBy.isEmpty { visible.append(log.events[event.number]) }
        }
      }
      try expectEqual(names(order), names(oracle.sequence(of: container, in: version)), "order")
      try expectEqual(
        names(visible), names(oracle.visibleScalars(of: container, in: version)), "visible")
    }
  }

  /// A replay, which drops its state at critical versions, finds the same visible scalars as the
  /// oracle, and for every deletion the scalar that a walk without critical versions finds.
  package func checkReplay() throws {
    let replay = try Replay(log.log)
    var walker = Walker(
      log: log.log, after: .start,
      texts: log.log.containers.indices.filter { log.log.containers[$0].kind == .text }
        .map { (container: ContainerIndex($0), placeholder: 0) })
    try walker.walk(sides: .allBoth)
    for number in walker.tracker.sequences.keys.sorted() {
      var visible: [Int] = []
      replay.forEachRun(of: number) { first, length in
        for event in first..<first + length { visible.append(log.events[event.number]) }
      }
      try expectEqual(
        names(visible),
        names(oracle.visibleScalars(of: log.containers[number], in: version)), "visible")
    }
    var walked: [[LocalVersion]] = []
    walker.tracker.forEachDeletion { event, target, length, backward in
      for offset in 0..<length {
        walked.append([event + offset, backward ? target - offset : target + offset])
      }
    }
    let replayed = replay.deletions.flatMap { deletion in
      (0..<deletion.length).map { offset in
        [
          deletion.event + offset,
          deletion.backward ? deletion.target - offset : deletion.target + offset,
        ]
      }
    }
    try expectEqual(replayed, walked, "deletions")
  }

  private func names(_ events: [Int]) -> [EventID] { events.map { oracle.events[$0].id } }

  /// The inserted text is recovered from what is visible and what was deleted.
  package func checkInsertedText() throws {
    let inserted = try InsertedText(of: log.log, texts: texts).text
    let wanted = log.events.indices.compactMap { log.scalar(LocalVersion($0)) }
    try expectEqual(Array(inserted.string.unicodeScalars), wanted, "inserted text")
  }

  /// A log is sound after each change that is appended, and so is what goes on with one.
  package func checkAssembly() throws {
    let changes = version.changes.map { oracle.changes[$0] }
    let assembled = try Log.make(from: changes, checkingEach: true).log
    assembled.checkInvariants()
    LogAssembler(continuing: assembled).checkInvariants()
  }

  /// Replaying everything but texts finds what the oracle finds.
  package func checkObjects() throws {
    let objects = try Objects(of: log.log)
    log.log.checkInvariants()
    objects.checkInvariants()
    var conflicts: Set<OracleConflict> = []
    let root = try node(.root, at: [], objects, &conflicts)
    let view = oracle.view(at: version)
    try expectEqual(root, view.root, "content")
    try expectEqual(
      conflicts.map(\.description).sorted(), view.conflicts.map(\.description).sorted(),
      "conflicts")
  }

  private func node(
    _ container: ContainerIndex, at path: [ExactString], _ objects: Objects,
    _ conflicts: inout Set<OracleConflict>
  ) throws(Fault) -> OracleNode {
    let id = log.containers[container]
    switch log.log.containers[container].kind {
    case .map:
      var entries: [ExactString: OracleNode] = [:]
      for child in objects.children(ofMap: container) {
        let key = ExactString(log.log.keys[child.key])
        try expect(entries[key] == nil, "a key comes once")
        entries[key] = try node(child, at: path + [key], objects, &conflicts)
      }
      return .map(entries)
    case .list:
      var elements: [OracleNode] = []
      for child in objects.children(ofList: container) {
        let place = path + [ExactString("\(elements.count)")]
        elements.append(try node(child, at: place, objects, &conflicts))
      }
      return .list(elements)
    case .text: return .text(oracle.text(id, in: version))
    case .set: return .set(Set(objects.members(ofSet: container)))
    case .counter: return .counter(objects.value(ofCounter: container))
    }
  }

  private func node(
    _ child: Objects.Child, at path: [ExactString], _ objects: Objects,
    _ conflicts: inout Set<OracleConflict>
  ) throws(Fault) -> OracleNode {
    guard let shown = child.resolved.shown else { throw Fault("a child shows something") }
    var isContested = false
    for other in objects.differing(child.resolved.others, from: shown) {
      if try content(other, objects) != content(shown, objects) { isContested = true }
    }
    if child.overriddenRemoval != nil || child.resolved.hasKeptEntry {
      conflicts.insert(OracleConflict(path: path, kind: .deleteEdit))
    } else if isContested {
      conflicts.insert(OracleConflict(path: path, kind: .register))
    } else if !child.resolved.removals.isEmpty {
      conflicts.insert(OracleConflict(path: path, kind: .deleteEdit))
    }
    return try node(shown, at: path, objects, &conflicts)
  }

  /// What a write put down, as it is now.
  private func content(_ entry: Objects.Entry, _ objects: Objects) throws(Fault) -> OracleNode {
    var conflicts: Set<OracleConflict> = []
    return try node(entry, at: [], objects, &conflicts)
  }

  private func node(
    _ shown: Objects.Entry, at path: [ExactString], _ objects: Objects,
    _ conflicts: inout Set<OracleConflict>
  ) throws(Fault) -> OracleNode {
    switch log.log.contents[shown.content] {
    case .value(let value):
      return .value(value)
    case .container:
      guard let created = objects.container(createdBy: shown.event) else {
        throw Fault("a container was created")
      }
      return try node(created, at: path, objects, &conflicts)
    }
  }

  /// The union of the logs of two versions is the log of their union, with the same texts.
  package static func checkUnion(
    _ oracle: Oracle, _ one: OracleVersion, _ other: OracleVersion
  ) throws {
    let (ours, theirs) = (try EngineCase(oracle, at: one), try EngineCase(oracle, at: other))
    let both = try EngineCase(oracle, at: one.union(other))
    let union = try LogUnion(ours.log.log, theirs.log.log)
    let (found, wanted) = (union.log, both.log.log)
    try expectEqual(found.graph, wanted.graph, "graph")
    try expectEqual(found.metadata, wanted.metadata, "metadata")
    try expectEqual(found.objectOperations, wanted.objectOperations, "operations on objects")
    try expectEqual(found.operations, wanted.operations, "operations")
    try expectEqual(found.agents, wanted.agents, "agents")
    try expectEqual(found.containers, wanted.containers, "containers")
    try expectEqual(Array(found.contents), Array(wanted.contents), "contents")
    try expectEqual(found.keys.map { ExactString($0) }, wanted.keys.map { ExactString($0) }, "keys")
    try expectEqual(found.deletedText.text.string, wanted.deletedText.text.string, "deleted")
    try expectEqual(found.eventCounts, wanted.eventCounts, "event counts")
    try expectEqual(found.insertedScalarCount, wanted.insertedScalarCount, "inserted scalars")
    let critical = CriticalVersions(of: found.graph)
    let merged = try union.mergeTexts(ours.texts, theirs.texts, critical: critical)
    for (number, text) in both.texts.enumerated() {
      try expectEqual(
        Array(merged.texts[number].string.unicodeScalars), Array(text.string.unicodeScalars),
        "text \(both.log.containers[number])")
    }
  }
}
