import Peernote

extension Law {
  /// What files hold.
  static let fileLaws: [Law] = [
    Law("the order in which changes are given makes no difference to the file") { lawCase in
      var random = lawCase.random(2)
      let bytes = lawCase.whole.bytes()
      for _ in 0..<2 {
        let changes = random.shuffled(lawCase.oracle.changes)
        let document = try Document(id: lawCase.history.id, changes: changes)
        try expectSameBytes(document.bytes(), bytes, "files of changes in another order")
      }
    },
    Law("how events are grouped into edits makes no difference to the file") { lawCase in
      let changes = lawCase.oracle.changes.map(\.takenApart)
      let document = try Document(id: lawCase.history.id, changes: changes)
      try expectSameBytes(
        document.bytes(), lawCase.whole.bytes(), "files of changes taken apart")
    },
    Law("a file read and written again is the same, and so is all that is in it") { lawCase in
      for document in [lawCase.whole] + lawCase.replicas.map(\.document) {
        let bytes = document.bytes()
        let again = try Document(bytes: bytes)
        again.checkInvariants()
        try expectSameBytes(again.bytes(), bytes, "the file written again")
        try expectEqual(again.id, document.id, "identifier")
        try expectEqual(again.heads, document.heads, "heads")
        try expectEqual(
          again.exportedChanges.flatMap(\.statement),
          document.exportedChanges.flatMap(\.statement), "changes")
        try expectEqual(OracleNode(again.root), OracleNode(document.root), "content")
        try expectEqual(
          again.conflicts.map(\.id), document.conflicts.map(\.id), "names of conflicts")
      }
    },
    Law("a file read beside another copy is read as alone, and both merge to the same bytes") {
      lawCase in
      for (one, other) in lawCase.pairs {
        for (ours, theirs) in [
          (one.document, other.document), (other.document, one.document),
          (one.document, one.document),
        ] {
          let bytes = theirs.bytes()
          var left = try Document(bytes: ours.bytes())
          let right = try Document(bytes: bytes, beside: left)
          try expectSameBytes(right.bytes(), bytes, "the file written again")
          try expectEqual(OracleNode(right.root), OracleNode(theirs.root), "content")
          try expectEqual(
            right.exportedChanges.flatMap(\.statement),
            theirs.exportedChanges.flatMap(\.statement), "changes")
          var plain = ours
          guard (try? plain.merge(theirs)) != nil else { continue }
          _ = try left.merge(right)
          left.checkInvariants()
          try expectSameBytes(left.bytes(), plain.bytes(), "the merged file")
          // What was merged serves as the other copy in turn.
          let again = try Document(bytes: bytes, beside: left)
          try expectSameBytes(again.bytes(), bytes, "the file read beside a merged one")
        }
      }
    },
    Law("content is read from a file without its log") { lawCase in
      for document in [lawCase.whole] + lawCase.replicas.map(\.document) {
        let reader = try DocumentReader(bytes: document.bytes())
        try expectEqual(reader.id, document.id, "identifier")
        try expectEqual(reader.heads, document.heads, "heads")
        try expectEqual(OracleNode(reader.root), OracleNode(document.root), "content")
      }
    },
    Law("validation finds nothing in any file") { lawCase in
      for document in [lawCase.whole] + lawCase.replicas.map(\.document) {
        for quick in [true, false] {
          let findings = Document.validate(bytes: document.bytes(), quick: quick)
          try expect(findings.isEmpty, "quick: \(quick): \(findings)")
        }
      }
    },
    Law("every text shown stands in the file as plain UTF-8") { lawCase in
      let bytes = lawCase.whole.bytes()
      for text in texts(in: lawCase.whole.root) where !text.isEmpty {
        try expect(bytes.contains(Array(text.utf8)), "\(quoted(text)) stands in the file")
      }
    },
  ]

  private static func texts(in node: DocumentNode) -> [String] {
    switch node {
    case .text(let text): [text]
    case .map(let entries): entries.flatMap { texts(in: $0.node) }
    case .list(let elements): elements.flatMap { texts(in: $0) }
    case .value, .set, .counter: []
    }
  }
}
