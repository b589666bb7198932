import Peernote

extension Law {
  /// What merges say they decided.
  static let reportLaws: [Law] = [
    Law("whoever merges two copies is told the same") { lawCase in
      for (one, other) in lawCase.pairs {
        var (ours, theirs) = (one.document, other.document)
        let (report, reverse) = (try ours.merge(theirs), try theirs.merge(one.document))
        try expectEqual(
          report.conflicts.map(\.statement).sorted(), reverse.conflicts.map(\.statement).sorted(),
          "conflicts reported by either side")
      }
    },
    Law("a merge reports every conflict that neither copy had, and none that is not there") {
      lawCase in
      for (one, other) in lawCase.pairs {
        var document = one.document
        let report = try document.merge(other.document)
        let reported = try report.conflicts.inOracleTerms()
        let oracle = lawCase.oracle
        let version = one.version.union(other.version)
        let merged = oracle.view(at: version)
        let known = [one, other].map { oracle.view(at: $0.version).conflictPlaces }
        let new = merged.conflictPlaces.filter { place in
          !known.contains { $0.keys.contains(place.key) }
        }
        let told = report.conflicts.toldByMoves(new, of: oracle, at: version)
        try expect(
          reported.union(told).isSuperset(of: new.values),
          "\(Set(new.values).subtracting(reported)) is reported, not only \(reported)")
        try expect(
          merged.conflicts.union(merged.equalElements).isSuperset(of: reported),
          "\(reported.subtracting(merged.conflicts)) is open after the merge")
        let hadNone = [one, other].allSatisfy {
          oracle.view(at: $0.version).equalElements.isEmpty
        }
        if hadNone {
          try expect(
            reported.isSuperset(of: merged.equalElements),
            "\(merged.equalElements.subtracting(reported)) is reported")
        }
      }
    },
    Law("lines that adjoin stand where they are said to, and are found again later") { lawCase in
      for (one, other) in lawCase.pairs {
        var document = one.document
        let report = try document.merge(other.document)
        for conflict in report.adjoining {
          guard case .text(let text)? = document.node(at: conflict.path),
            case .text(let lines)? = conflict.kept.node, let scalars = conflict.scalars
          else { throw Fault("lines that adjoin lie in a text: \(conflict)") }
          let before = text.unicodeScalars.prefix(scalars.lowerBound)
          let found = text.unicodeScalars.dropFirst(scalars.lowerBound).prefix(scalars.count)
          try expect(found.elementsEqual(lines.unicodeScalars), "the lines stand in the text")
          try expectEqual(conflict.line, 1 + before.count { $0 == "\n" }, "their line")
          try expectEqual(conflict.others.count, 2, "two sides")
        }
        let versions = [one.document.heads, other.document.heads]
        try expectEqual(
          try document.adjoiningLines(ofMerging: versions).map(\.id),
          report.adjoining.map(\.id), "lines found right after")
      }
    },
  ]
}

extension Conflict {
  /// All that the conflict says, but for whose side is whose.
  fileprivate var statement: String {
    let sides = others.map { "\($0)" }.sorted()
    return "\(path) \(line ?? 0) \(kind) \(id) kept \(kept), others \(sides)"
  }
}
