import Peernote

extension Law {
  /// What taking changes back does.
  static let reversalLaws: [Law] = [
    Law("reverting the last change leads to the content before it") { lawCase in
      var random = lawCase.random(20)
      for _ in 0..<3 {
        let last = random.below(lawCase.oracle.changes.count)
        let past = lawCase.oracle.pasts[last]
        var document = try lawCase.document(of: past)
        try document.revert([lawCase.oracle.changes[last].id], by: session(&random))
        var before = OracleVersion()
        for change in past.changes where change != last { before.insert(change) }
        let shown = try lawCase.document(of: before)
        if shown.root == shown.rawRoot {
          try expectEqual(
            OracleNode(document.rawRoot), lawCase.oracle.view(at: before).root,
            "content after reverting \(lawCase.oracle.changes[last].id)")
        } else {
          try expectEqual(
            OracleNode(document.root), OracleNode(shown.root),
            "what is shown after reverting \(lawCase.oracle.changes[last].id)")
        }
      }
    },
    Law("reverting a reversal leads to the content before it, and again back") { lawCase in
      var random = lawCase.random(21)
      for replica in lawCase.replicas.prefix(2) {
        var document = replica.document
        let before = try OracleNode(document.root)
        let ids = some(document.changes.map(\.id), &random)
        guard let reversal = try document.revert(ids, by: session(&random)) else { continue }
        let after = try OracleNode(document.root)
        try expectSound(document, "the reversal")
        let again = try document.revert([reversal.change], by: session(&random))
        try expectEqual(OracleNode(document.root), before, "content after reverting a reversal")
        try expectSound(document, "the reversal of a reversal")
        guard let again else { continue }
        try document.revert([again.change], by: session(&random))
        try expectEqual(OracleNode(document.root), after, "content after reverting that")
      }
    },
    Law("a reversal takes back all that is left of changes, and nothing that others did") {
      lawCase in
      var random = lawCase.random(22)
      for replica in lawCase.replicas.prefix(2) {
        var document = replica.document
        let reverted = Set(some(document.changes.map(\.id), &random))
        if try isOneThatMetPassages(reverted, in: document) { continue }
        try document.revert(reverted, by: session(&random))
        let oracle = try Oracle(changes: document.exportedChanges)
        try expectEqual(OracleNode(document.rawRoot), oracle.view.root, "content of the reversal")
        let shown = Set(oracle.view.containers.map(\.id))
        let before = Remainder(lawCase.oracle, in: replica.version, without: reverted)
        for container in lawCase.oracle.view(at: replica.version).containers {
          let stays = before.isShown(container.id)
          try expect(
            shown.contains(container.id) == stays, "\(container.id) \(stays ? "stays" : "goes")")
          if stays { try before.check(container, in: oracle) }
        }
      }
    },
    Law("reversals are the same for the same changes, and merge like any change") { lawCase in
      var random = lawCase.random(23)
      for (one, other) in lawCase.pairs.prefix(2) {
        let ids = some(one.document.changes.map(\.id), &random)
        let session = session(&random)
        var document = one.document
        try document.revert(ids, by: session)
        var again = try Document(bytes: one.document.bytes())
        // Another session under the same name.
        var twin = session
        twin.agent = session.agent
        try again.revert(ids.reversed(), by: twin)
        try expectSameBytes(document.bytes(), again.bytes(), "the same reversal")
        let both = try merged(document, other.document)
        try expectSameBytes(
          both.bytes(), merged(other.document, document).bytes(), "both merges")
        let rebuilt = try Document(id: both.id, changes: both.exportedChanges)
        try expectSameBytes(both.bytes(), rebuilt.bytes(), "the merge of a reversal")
        let view = try Oracle(changes: both.exportedChanges).view
        try expectEqual(OracleNode(both.rawRoot), view.root, "content of the merge")
      }
    },
    Law("a reversal removes nothing that others wrote, unless it says so") { lawCase in
      var random = lawCase.random(24)
      for replica in lawCase.replicas.prefix(3) {
        var document = replica.document
        let agent = random.pick(document.changes.map(\.id)).agent
        let own = Set(document.changes.map(\.id).filter { $0.agent == agent })
        let before = document
        let report = try document.revert(own, by: session(&random))
        for place in places(ofOthersThan: own, in: before) {
          guard let handle = before.handle(at: place) else { continue }
          if document.path(to: handle) != nil { continue }
          // They had brought it back knowing that it was removed.
          if try wasRemoved(handle, before: own, in: before) { continue }
          let isTold = report?.settled.contains { conflict in
            place.tokens.starts(with: conflict.path.tokens) && !conflict.others.isEmpty
          }
          try expect(
            isTold == true,
            "\(place), made by \(handle.event as Any), is gone with what \(agent) did: "
              + "\(report?.settled.map(\.path) ?? [])")
        }
      }
    },
    Law("a reversal tells of each conflict that it ends, and that its change had ended") {
      lawCase in
      var random = lawCase.random(25)
      for _ in 0..<3 {
        let last = random.below(lawCase.oracle.changes.count)
        let past = lawCase.oracle.pasts[last]
        var earlier = OracleVersion()
        for change in past.changes where change != last { earlier.insert(change) }
        let before = try lawCase.document(of: past)
        var document = before
        guard
          let report = try document.revert(
            [lawCase.oracle.changes[last].id], by: session(&random))
        else { continue }
        let open = document.conflicts
        let told = Set(report.settled.map(meaning) + open.map(meaning))
        for conflict in before.conflicts {
          try expect(told.contains(meaning(conflict)), "the end of \(conflict) is told")
        }
        let start = try lawCase.document(of: earlier)
        for conflict in start.conflicts
        where conflict.scalars == nil && !before.conflicts.contains(where: { $0.id == conflict.id })
          && !conflict.path.tokens.contains(where: { Int($0) != nil })
        {
          // It was ended by another value, which the reversal replaces.
          guard case .value? = start.node(at: conflict.path),
            start.node(at: conflict.path) != before.node(at: conflict.path)
          else { continue }
          try expect(told.contains(meaning(conflict)), "that \(conflict) ends again is told")
        }
        for conflict in report.settled {
          try expect(!open.map(meaning).contains(meaning(conflict)), "\(conflict) has ended")
        }
      }
    },
  ]

  /// What competes in a conflict, wherever it stands.
  private static func meaning(_ conflict: Conflict) -> [String] {
    if conflict.scalars == nil { return [conflict.kind.rawValue, conflict.id] }
    return [conflict.kind.rawValue] + conflict.sides.map { "\($0.change) \($0.node as Any)" }
  }

  /// Whether one of some changes was made where something was known and not shown, and not because
  /// of them.
  private static func wasRemoved(
    _ handle: DocumentHandle, before own: Set<ChangeID>, in document: Document
  ) throws -> Bool {
    guard let event = handle.event else { return false }
    return try document.changes.contains { change in
      guard own.contains(change.id), !change.parents.isEmpty else { return false }
      var past = try document.at(version: change.parents)
      let known = Set(past.changes.map(\.id))
      guard known.contains(event.change), past.path(to: handle) == nil else { return false }
      try past.revert(own.intersection(known), by: DocumentSession(author: "who reverts"))
      return past.path(to: handle) == nil
    }
  }

  /// Where the containers and elements stand that none of some changes made.
  private static func places(
    ofOthersThan own: Set<ChangeID>, in document: Document
  ) -> [JSONPointer] {
    var found: [JSONPointer] = []
    func search(_ node: DocumentNode, at path: JSONPointer) {
      let isOthers = document.handle(at: path).flatMap(\.event).map { !own.contains($0.change) }
      if isOthers == true { found.append(path) }
      switch node {
      case .map(let entries):
        for entry in entries { search(entry.node, at: path.appending(entry.key)) }
      case .list(let elements):
        for (index, element) in elements.enumerated() {
          search(element, at: path.appending(String(index)))
        }
      case .value, .text, .set, .counter: break
      }
    }
    search(document.root, at: JSONPointer())
    return found
  }

  /// Whether just the last changes are reverted, before which texts had passages: what was shown
  /// then comes back, as ordinary text, and that is another law's.
  private static func isOneThatMetPassages(
    _ reverted: Set<ChangeID>, in document: Document
  ) throws -> Bool {
    let rest = document.changes.filter { !reverted.contains($0.id) }
    let parents = Set(rest.flatMap(\.parents))
    guard reverted.isSuperset(of: document.heads), parents.isDisjoint(with: reverted) else {
      return false
    }
    let before = try document.at(version: rest.map(\.id).filter { !parents.contains($0) })
    return before.root != before.rawRoot
  }

  private static func expectSound(_ document: Document, _ what: String) throws {
    let findings = Document.validate(bytes: document.bytes())
    try expect(findings.isEmpty, "\(what) is sound: \(findings)")
  }

  private static func some(_ ids: [ChangeID], _ random: inout SplitMix64) -> [ChangeID] {
    let share = random.pick([10, 50, 100])
    return ids.filter { _ in random.chance(share) }
  }

  private static func session(_ random: inout SplitMix64) -> DocumentSession {
    DocumentSession.person(random.next(), "who reverts", at: Int64(random.below(5)))
  }
}

extension DocumentHandle {
  /// The event that created the container or inserted the element; `nil` for a key and for the root.
  fileprivate var event: EventID? {
    switch place {
    case .container(.created(let event)), .element(let event): event
    case .container(.root), .key: nil
    }
  }
}
