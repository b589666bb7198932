import Peernote

extension Law {
  /// What becomes of documents from which deleted text was taken out.
  static let redactionLaws: [Law] = [
    Law("a document without some deleted text shows the same, and is sound") { lawCase in
      let redacted = try redactedDocument(of: lawCase, 6)
      try expectEqual(
        OracleNode(redacted.rawRoot), lawCase.oracle.view.root, "content of the redacted document")
      let bytes = redacted.bytes()
      let again = try Document(bytes: bytes)
      try expectSameBytes(again.bytes(), bytes, "the redacted file written again")
      let findings = Document.validate(bytes: bytes)
      try expect(findings.isEmpty, "findings in the redacted file: \(findings)")
    },
    Law("deleted text that one copy has taken out is out of the merged one") { lawCase in
      let redacted = try redactedDocument(of: lawCase, 7)
      let bytes = redacted.bytes()
      try expectSameBytes(
        merged(redacted, lawCase.whole).bytes(), bytes, "a merge into the redacted copy")
      try expectSameBytes(
        merged(lawCase.whole, redacted).bytes(), bytes, "a merge of the redacted copy")
      for replica in lawCase.replicas {
        try expectSameBytes(
          merged(redacted, replica.document).bytes(), bytes, "a part merged into it")
        try expectSameBytes(
          merged(replica.document, redacted).bytes(), bytes, "it merged into a part")
      }
    },
    Law("redacting all deleted text leaves none, and no copy brings any back") { lawCase in
      for (replica, other) in lawCase.pairs {
        var redacted = replica.document
        try redacted.redactDeletedText()
        try expectEqual(
          OracleNode(redacted.rawRoot), OracleNode(replica.document.rawRoot), "content")
        try expectEqual(redacted.heads, replica.document.heads, "heads")
        let bytes = redacted.bytes()
        try expectEqual(Document.validate(bytes: bytes), [], "findings in the redacted file")
        let inspection = try Document.inspect(bytes: bytes)
        try expectEqual(inspection.deletedScalars, 0, "scalars of deleted text")
        try expectSameBytes(
          merged(redacted, replica.document).bytes(), bytes, "a merge with the old copy")
        try expectSameBytes(
          merged(replica.document, redacted).bytes(), bytes, "a merge into the old copy")
        let both = try merged(redacted, other.document)
        try expectSameBytes(
          both.bytes(), merged(other.document, redacted).bytes(), "merges in two orders")
        try expectSameBytes(
          merged(both, replica.document).bytes(), both.bytes(), "the old copy merged last")
        try expectSameBytes(
          merged(other.document, merged(replica.document, redacted)).bytes(), both.bytes(),
          "merges in two groupings")
      }
    },
    Law("no deletion holds what was redacted, and all else is as before") { lawCase in
      var random = lawCase.random(8)
      let before = try lawCase.whole.exportedChanges
      guard let text = passage(in: before, &random), let passage = TextPattern(escaped(text)) else {
        return
      }
      var redacted = lawCase.whole
      let report = try redacted.redactDeletedText(matching: passage)
      try expect(report.removedScalars > 0, "a deleted passage is found: \(quoted(text))")
      let bytes = redacted.bytes()
      try expectEqual(Document.validate(bytes: bytes), [], "findings in the redacted file")
      try expectSameBytes(
        merged(lawCase.whole, redacted).bytes(), bytes, "a merge into the old copy")
      for change in try redacted.exportedChanges {
        for edit in change.edits where edit.kind.deletesText {
          guard let held = edit.text?.string else { continue }
          // Scalar by scalar, as patterns match: canonical equivalents are other text.
          try expect(
            !held.unicodeScalars.contains(text.unicodeScalars),
            "\(change.id) still holds \(quoted(text))")
        }
      }
      var again = redacted
      let second = try again.redactDeletedText(matching: passage)
      try expectEqual(second.removedScalars, 0, "what a second redaction finds")
    },
  ]

  /// A piece of text that some deletion removed; `nil` if there is none.
  private static func passage(in changes: PortableChanges, _ random: inout SplitMix64) -> String? {
    let deleted = changes.flatMap(\.edits).filter(\.kind.deletesText)
      .compactMap { $0.text?.string }.filter { !$0.isEmpty }
    guard !deleted.isEmpty else { return nil }
    let scalars = Array(random.pick(deleted).unicodeScalars)
    let start = random.below(scalars.count)
    var piece = String.UnicodeScalarView()
    piece.append(contentsOf: scalars[start..<start + 1 + random.below(scalars.count - start)])
    return String(piece)
  }

  /// The pattern that matches a text and nothing else.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += "\\" + String($1) }
  }

  /// The document of all changes, with the text of some deletions missing.
  private static func redactedDocument(of lawCase: LawCase, _ law: UInt64) throws -> Document {
    var random = lawCase.random(law)
    let changes = lawCase.oracle.changes.map { change in
      var change = change
      for index in change.edits.indices
      where change.edits[index].kind.deletesText && random.chance(40) {
        change.edits[index].text = nil
      }
      return change
    }
    return try Document(id: lawCase.history.id, changes: changes)
  }
}
