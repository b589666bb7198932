import Peernote

extension Law {
  /// The first law of merging.
  package static let merging = Law(
    "merging two copies gives the document of all their changes, whichever comes first"
  ) { lawCase in
    for (one, other) in lawCase.pairs {
      let wanted = try lawCase.document(of: one.version.union(other.version)).bytes()
      let both = try merged(one.document, other.document).bytes()
      try expectSameBytes(both, wanted, "a merge and the document of all changes")
      let reverse = try merged(other.document, one.document).bytes()
      try expectSameBytes(reverse, wanted, "the reverse merge and the document of all changes")
    }
  }

  /// What merging does.
  package static let mergeLaws: [Law] = [
    merging,
    Law("merging is associative") { lawCase in
      let documents = lawCase.replicas.map(\.document)
      let fromLeft = try documents.dropFirst().reduce(documents[0], merged)
      let fromRight = try documents.dropLast().reversed().reduce(documents[documents.count - 1]) {
        try merged($1, $0)
      }
      try expectSameBytes(fromLeft.bytes(), fromRight.bytes(), "merges in two groupings")
    },
    Law("merging what is known already changes nothing") { lawCase in
      for replica in lawCase.replicas {
        var document = replica.document
        let same = try document.merge(replica.document)
        try expectEqual(same.result, .identical, "merging a copy of itself")
        try expect(same.newChanges.isEmpty, "a copy of itself brings no changes")
        let whole = try merged(lawCase.whole, replica.document)
        try expectSameBytes(whole.bytes(), lawCase.whole.bytes(), "merging a part")
        try expectSameBytes(document.bytes(), replica.document.bytes(), "merging itself")
      }
    },
    Law("a merged document goes on like one that was never saved") { lawCase in
      // Every replica's story with real documents: its own changes come in one by one, the
      // others' by merging what they had saved, and files are written and read in between.
      let first = lawCase.history.saves[0]
      var documents = try lawCase.replicas.map { _ in try lawCase.document(of: first) }
      var versions = lawCase.replicas.map { _ in first }
      // So that everything is copied from the file before that can be.
      var copying = Limits()
      copying.copiedContainerSize = 1
      for happening in lawCase.history.happenings {
        switch happening {
        case .made(let replica, let change):
          versions[replica].insert(change)
          _ = try documents[replica].merge(lawCase.document(of: versions[replica]))
        case .merged(let replica, let version):
          versions[replica].formUnion(version)
          _ = try documents[replica].merge(lawCase.document(of: version))
        case .saved(let replica):
          documents[replica] = try Document(bytes: documents[replica].bytes(), limits: copying)
        }
      }
      for (document, replica) in zip(documents, lawCase.replicas) {
        try expectSameBytes(document.bytes(), replica.document.bytes(), "a replica's file")
        try expectEqual(OracleNode(document.root), OracleNode(replica.document.root), "content")
      }
    },
    Law("merging from any common version is like starting from nothing") { lawCase in
      var random = lawCase.random(3)
      let wanted = lawCase.whole.bytes()
      for version in lawCase.versions(3, &random) {
        let start = try lawCase.document(of: version)
        try expectSameBytes(merged(start, lawCase.whole).bytes(), wanted, "from \(start.heads)")
      }
    },
    Law("changes that come one by one, in any order, make the same document") { lawCase in
      var random = lawCase.random(4)
      var known = lawCase.history.saves[0]
      var document = try lawCase.document(of: known)
      let oracle = lawCase.oracle
      var ready = oracle.changes.indices.filter { !known.contains($0) }
      while !ready.isEmpty {
        let change = random.pick(
          ready.filter { change in
            oracle.changes[change].parents.allSatisfy { known.contains(oracle.number(of: $0)) }
          })
        ready.removeAll { $0 == change }
        known.insert(change)
        _ = try document.merge(lawCase.document(of: oracle.pasts[change]))
      }
      try expectSameBytes(document.bytes(), lawCase.whole.bytes(), "the file of all changes")
      try expectEqual(OracleNode(document.root), OracleNode(lawCase.whole.root), "content")
    },
    Law("a merge reports what it did") { lawCase in
      for (one, other) in lawCase.pairs {
        var document = one.document
        let report = try document.merge(other.document)
        document.checkInvariants()
        let (ours, theirs) = differences(one.version, other.version)
        let new = Set(theirs.map { lawCase.oracle.changes[$0].id })
        try expectEqual(Set(report.newChanges.map(\.id)), new, "new changes")
        try expectEqual(report.newChanges.count, new.count, "number of new changes")
        let wanted: MergeReport.Result =
          theirs.isEmpty
          ? (ours.isEmpty ? .identical : .behind)
          : ours.isEmpty ? .fastForward : .merged
        try expectEqual(report.result, wanted, "result")
        if theirs.isEmpty { try expect(report.conflicts.isEmpty, "nothing new, no conflict") }
      }
    },
    Law("how two copies relate is told without merging") { lawCase in
      for (one, other) in lawCase.pairs {
        let (ours, theirs) = differences(one.version, other.version)
        let wanted: Relation =
          switch (ours.count, theirs.count) {
          case (0, 0): .same
          case (0, let count): .behind(count)
          case (let count, 0): .ahead(count)
          case (let ours, let theirs): .diverged(ours: ours, theirs: theirs)
          }
        let found = try one.document.relation(to: other.document)
        try expectEqual("\(found)", "\(wanted)", "relation")
      }
    },
  ]

  /// The changes that only one has, and those that only the other has.
  private static func differences(
    _ one: OracleVersion, _ other: OracleVersion
  ) -> (ours: [Int], theirs: [Int]) {
    (
      one.changes.filter { !other.contains($0) },
      other.changes.filter { !one.contains($0) }
    )
  }
}
