import Peernote

extension Law {
  /// What documents show.
  package static let contentLaws: [Law] = [
    Law("content is the oracle's") { lawCase in
      try check(lawCase.whole, shows: lawCase.oracle.everything, of: lawCase)
      for replica in lawCase.replicas {
        try check(replica.document, shows: replica.version, of: lawCase)
      }
    },
    Law("open conflicts are the oracle's") { lawCase in
      try check(lawCase.whole, isUndecidedLike: lawCase.oracle.everything, of: lawCase)
      for replica in lawCase.replicas {
        try check(replica.document, isUndecidedLike: replica.version, of: lawCase)
      }
    },
    Law("a document at a version is the document of that version's changes") { lawCase in
      var random = lawCase.random(1)
      for version in lawCase.versions(4, &random) {
        let heads = lawCase.oracle.heads(of: version)
        let past = try lawCase.whole.at(version: heads)
        try check(past, shows: version, of: lawCase)
        try expectSameBytes(
          past.bytes(), lawCase.document(of: version).bytes(), "the past at \(heads)")
      }
    },
    Law("changes are listed whole and in the canonical order") { lawCase in
      let wanted = lawCase.oracle.canonicalOrder(of: lawCase.oracle.everything)
      let document = lawCase.whole
      try expectEqual(
        document.exportedChanges.flatMap(\.statement), wanted.flatMap(\.statement),
        "exported changes")
      try expectEqual(document.changes.map(\.id), wanted.map(\.id), "listed changes")
      try expectEqual(
        document.heads, lawCase.oracle.heads(of: lawCase.oracle.everything), "heads")
      try expectEqual(document.changeCount, wanted.count, "number of changes")
      try expectEqual(document.eventCount, lawCase.oracle.events.count, "number of events")
      let counts = document.changes.map(\.eventCount)
      try expectEqual(counts.reduce(0, +), lawCase.oracle.events.count, "events of all changes")
    },
  ]

  private static func check(
    _ document: Document, shows version: OracleVersion, of lawCase: LawCase
  ) throws {
    try expectEqual(
      OracleNode(document.rawRoot), lawCase.oracle.view(at: version).root,
      "content at \(document.heads)")
  }

  private static func check(
    _ document: Document, isUndecidedLike version: OracleVersion, of lawCase: LawCase
  ) throws {
    let conflicts = document.conflicts
    for conflict in conflicts where conflict.kind != .passage {
      if conflict.kind == .moved {
        try check(conflict, isMovedIn: document)
      } else {
        try expectEqual(
          conflict.kept.node, document.node(at: conflict.path), "what is kept at \(conflict.path)")
      }
      try expect(!conflict.others.isEmpty, "the conflict at \(conflict.path) has another side")
    }
    let (oracle, view) = (lawCase.oracle, lawCase.oracle.view(at: version))
    let told = conflicts.toldByMoves(view.conflictPlaces, of: oracle, at: version)
    let found = try conflicts.inOracleTerms()
    let wanted = view.conflicts.union(view.equalElements).subtracting(told.subtracting(found))
    try expectEqual(
      found.map(\.description).sorted(), wanted.map(\.description).sorted(),
      "conflicts at \(document.heads)")
  }

  /// What was moved stands where its sides say, and somebody moved it.
  private static func check(_ conflict: Conflict, isMovedIn document: Document) throws {
    let sides = [conflict.kept] + conflict.others
    try expect(sides.contains(where: \.isMoved), "somebody moved \(conflict)")
    for side in sides where !side.isAbsent {
      if let path = side.path {
        try expectEqual(side.node, document.node(at: path), "what stands at \(path)")
      } else if let line = side.line, case .text(let text)? = document.node(at: conflict.path) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try expectEqual(side.node, .text(String(lines[line - 1])), "line \(line)")
      } else {
        throw Fault("\(side) stands nowhere")
      }
    }
  }
}
