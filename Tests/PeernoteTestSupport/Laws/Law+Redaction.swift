import Peernote
import PeernoteEngine

extension Law {
  /// What becomes of documents from which deleted text was taken out.
  static let redactionLaws: [Law] = [
    Law("a document without some deleted text shows the same, and is sound") { lawCase in
      let redacted = try redactedDocument(of: lawCase, 6)
      try expectEqual(
        OracleNode(redacted.root), lawCase.oracle.view.root, "content of the redacted document")
      let bytes = redacted.encoded()
      let again = try Document(bytes: bytes)
      try expectSameBytes(again.encoded(), bytes, "the redacted file written again")
      let findings = Document.validate(bytes: bytes)
      try expect(findings.isEmpty, "findings in the redacted file: \(findings)")
    },
    Law("deleted text that one copy has taken out is out of the merged one") { lawCase in
      let redacted = try redactedDocument(of: lawCase, 7)
      let bytes = redacted.encoded()
      try expectSameBytes(
        merged(redacted, lawCase.whole).encoded(), bytes, "a merge into the redacted copy")
      try expectSameBytes(
        merged(lawCase.whole, redacted).encoded(), bytes, "a merge of the redacted copy")
      for replica in lawCase.replicas {
        try expectSameBytes(
          merged(redacted, replica.document).encoded(), bytes, "a part merged into it")
        try expectSameBytes(
          merged(replica.document, redacted).encoded(), bytes, "it merged into a part")
      }
    },
  ]

  /// The document of all changes, with the text of some deletions missing.
  private static func redactedDocument(of lawCase: LawCase, _ law: UInt64) throws -> Document {
    var random = lawCase.random(law)
    let changes = lawCase.oracle.changes.map { change in
      var change = change
      change.edits = change.edits.map { edit in
        guard case .deleteText(let text, let position, let count, let backward, _) = edit,
          random.chance(40)
        else { return edit }
        return .deleteText(
          from: text, at: position, count: count, backward: backward, text: nil)
      }
      return change
    }
    return try Document(id: lawCase.history.id, changes: changes)
  }
}
