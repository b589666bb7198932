import Peernote

extension Law {
  /// What is refused, and then leaves everything as it was.
  static let refusalLaws: [Law] = [
    Law("a copy with another change of the same name is refused and changes nothing") { lawCase in
      var random = lawCase.random(5)
      let oracle = lawCase.oracle
      let number = random.below(oracle.changes.count)
      for forged in forgeries(of: oracle.changes[number], lawCase) {
        var changes = lawCase.history.changes(of: oracle.pasts[number])
        changes.removeAll { $0.id == forged.id }
        let other = try Document(id: lawCase.history.id, changes: changes + [forged])
        try check(lawCase.whole, refuses: other, becauseOf: forged.id)
        try check(other, refuses: lawCase.whole, becauseOf: forged.id)
      }
    },
    Law("a copy of another document is refused and changes nothing") { lawCase in
      let id = UniqueID(high: lawCase.history.id.high ^ 1 << 40, low: lawCase.history.id.low)
      let other = try Document(id: id, changes: lawCase.oracle.changes)
      try expectEqual(
        "\(lawCase.whole.relation(to: other))", "\(Relation.differentDocument)", "relation")
      var document = lawCase.whole
      do {
        _ = try document.merge(other)
        throw Fault("another document is refused")
      } catch MergeError.differentDocument(let ours, let theirs) {
        try expectEqual([ours, theirs], [lawCase.history.id, id], "identifiers")
      }
      try expectSameBytes(document.bytes(), lawCase.whole.bytes(), "the refusing document")
    },
    Law("a copy that shares no change is refused and changes nothing") { lawCase in
      let change = Change(3, 1, [.put(map: .root, key: "k", content: .value(.null))])
      let other = try Document(id: lawCase.history.id, changes: [change])
      try expectEqual(
        "\(lawCase.whole.relation(to: other))", "\(Relation.unrelated)", "relation")
      var document = lawCase.whole
      do {
        _ = try document.merge(other)
        throw Fault("a copy that shares no change is refused")
      } catch MergeError.noSharedHistory {
        try expectSameBytes(document.bytes(), lawCase.whole.bytes(), "the refusing document")
      }
    },
  ]

  private static func check(
    _ document: Document, refuses other: Document, becauseOf id: ChangeID
  ) throws {
    let bytes = document.bytes()
    var receiver = document
    do {
      _ = try receiver.merge(other)
      throw Fault("a forged change \(id) is refused")
    } catch MergeError.forked(let named, _) {
      try expectEqual(named, id, "the forked change")
    }
    try expectSameBytes(receiver.bytes(), bytes, "the refusing document")
    try expectEqual(OracleNode(receiver.root), OracleNode(document.root), "its content")
  }

  /// Valid changes of the same name that differ in one thing.
  private static func forgeries(of change: Change, _ lawCase: LawCase) -> [Change] {
    var later = change
    later.time = Timestamp(milliseconds: change.time.milliseconds + 1)
    var other = change
    other.author = change.author + "x"
    var remark = change
    remark.message = change.message == nil ? "" : nil
    var longer = change
    longer.edits.append(.put(map: .root, key: "forged", content: .value(.null)))
    var forgeries = [later, other, remark, longer]
    for (index, edit) in change.edits.enumerated() {
      guard let forged = forgery(of: edit) else { continue }
      var rewritten = change
      rewritten.edits[index] = forged
      forgeries.append(rewritten)
      break
    }
    return forgeries
  }

  /// An edit that fits where this one did, leaves things alike for those after it, and differs.
  ///
  /// Inserted text is no part of the log: copies that differ in nothing else are not told apart.
  private static func forgery(of edit: Edit) -> Edit? {
    var forged = edit
    switch (edit.kind, edit.contents.first) {
    case (.put, .value(let value)?), (.putElement, .value(let value)?):
      forged.contents = [.value(.string(describe(value) + "'"))]
    case (.increment, _):
      forged.contents = [.value(.integer(edit.amount &+ 1))]
    case (.add, .value(.integer(let number))?):
      forged.contents = [.value(.integer(number ^ 1))]
    case (_, _): return nil
    }
    return forged
  }
}
