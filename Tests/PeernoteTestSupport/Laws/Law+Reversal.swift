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
        let again = try document.revert([reversal], by: session(&random))
        try expectEqual(OracleNode(document.root), before, "content after reverting a reversal")
        try expectSound(document, "the reversal of a reversal")
        guard let again else { continue }
        try document.revert([again], by: session(&random))
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
        var again = try Document(bytes: one.document.encoded())
        // Another session under the same name.
        var twin = session
        twin.agent = session.agent
        try again.revert(ids.reversed(), by: twin)
        try expectSameBytes(document.encoded(), again.encoded(), "the same reversal")
        let both = try merged(document, other.document)
        try expectSameBytes(
          both.encoded(), merged(other.document, document).encoded(), "both merges")
        let rebuilt = try Document(id: both.id, changes: both.exportedChanges)
        try expectSameBytes(both.encoded(), rebuilt.encoded(), "the merge of a reversal")
        let view = try Oracle(changes: both.exportedChanges).view
        try expectEqual(OracleNode(both.rawRoot), view.root, "content of the merge")
      }
    },
  ]

  /// Whether just the last change is reverted, before which texts had passages: what was shown then
  /// comes back, as ordinary text, and that is another law's.
  private static func isOneThatMetPassages(
    _ reverted: Set<ChangeID>, in document: Document
  ) throws -> Bool {
    guard document.heads == Array(reverted),
      let last = document.changes.first(where: { $0.id == document.heads[0] })
    else { return false }
    let before = try document.at(version: last.parents)
    return before.root != before.rawRoot
  }

  private static func expectSound(_ document: Document, _ what: String) throws {
    let findings = Document.validate(bytes: document.encoded())
    try expect(findings.isEmpty, "\(what) is sound: \(findings)")
  }

  private static func some(_ ids: [ChangeID], _ random: inout SplitMix64) -> [ChangeID] {
    let share = random.pick([10, 50, 100])
    return ids.filter { _ in random.chance(share) }
  }

  private static func session(_ random: inout SplitMix64) -> Session {
    Session(
      agent: AgentID(rawValue: random.next()), author: "who reverts",
      time: Timestamp(milliseconds: Int64(random.below(5))))
  }
}
