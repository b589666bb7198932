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
        var reported: Set<OracleConflict> = []
        for conflict in report.conflicts
        where conflict.kind != .overlap && conflict.kind != .passage {
          reported.insert(try OracleConflict(conflict))
        }
        let oracle = lawCase.oracle
        let merged = oracle.view(at: one.version.union(other.version))
        let known = [one, other].map { oracle.view(at: $0.version).conflictPlaces }
        let new = merged.conflictPlaces.filter { place in
          !known.contains { $0.keys.contains(place.key) }
        }
        try expect(
          reported.isSuperset(of: new.values),
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
    Law("an overlap names a passage of a text that both changed") { lawCase in
      for (one, other) in lawCase.pairs {
        var document = one.document
        for conflict in try document.merge(other.document).conflicts where conflict.kind == .overlap
        {
          guard case .text(let text)? = document.node(at: conflict.path),
            case .text(let passage)? = conflict.kept.node
          else { throw Fault("an overlap lies in a text: \(conflict)") }
          let lines = text.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          try expect(
            (1...lines.count).contains(conflict.line ?? 0), "the line is one of the text's")
          try expect(
            Array(text.utf8).contains(Array(passage.utf8)), "the passage stands in the text")
          try expectEqual(conflict.others.count, 2, "two sides")
        }
      }
    },
    Law("the overlaps of a merge are found again later, where nobody touched them") { lawCase in
      for (one, other) in lawCase.pairs {
        var document = one.document
        var reported: [Conflict] = []
        for conflict in try document.merge(other.document).conflicts
        where conflict.kind == .overlap
          && !reported.contains(where: { $0.sharesText(with: conflict) })
        {
          reported.append(conflict)
        }
        let versions = [one.document.heads, other.document.heads]
        try expectEqual(
          try document.overlaps(ofMerging: versions), reported, "overlaps found right after")
        let present = try lawCase.whole.overlaps(ofMerging: versions)
        var followed: [Conflict] = []
        let left = try reported.compactMap { try $0.followed(in: lawCase.whole, of: document) }
        for conflict in left
        where !followed.contains(where: { $0.sharesText(with: conflict) }) {
          followed.append(conflict)
        }
        try expectEqual(present, followed, "overlaps where cursors stand")
        for conflict in present {
          guard case .text(let text)? = lawCase.whole.node(at: conflict.path),
            case .text(let passage)? = conflict.kept.node, let scalars = conflict.scalars
          else { throw Fault("an overlap lies in a text: \(conflict)") }
          let found = text.unicodeScalars.dropFirst(scalars.lowerBound).prefix(scalars.count)
          try expect(
            found.elementsEqual(passage.unicodeScalars),
            "\(passage) stands at \(scalars) of \(conflict.path)")
        }
      }
    },
  ]
}

extension Conflict {
  /// An overlap where it stands in a later state of a document, as two cursors tell it; `nil` if it
  /// has changed.
  fileprivate func followed(in later: Document, of earlier: Document) throws -> Conflict? {
    guard let scalars, case .text(let old) = kept.node else {
      throw Fault("not of a text: \(self)")
    }
    let start = try later.place(
      of: earlier.cursor(
        inTextAt: path, scalar: scalars.lowerBound,
        affinity: scalars.isEmpty ? .backward : .forward))
    let end = try later.place(
      of: earlier.cursor(
        inTextAt: path, scalar: scalars.upperBound,
        affinity: scalars.isEmpty ? .forward : .backward))
    guard let path = start.path, start.scalar <= end.scalar,
      case .text(let text) = later.node(at: path)
    else { return nil }
    let before = text.unicodeScalars.prefix(start.scalar)
    let now = text.unicodeScalars.dropFirst(start.scalar).prefix(end.scalar - start.scalar)
    guard now.elementsEqual(old.unicodeScalars) else { return nil }
    var result = self
    result.path = path
    result.line = 1 + before.count { $0 == "\n" }
    result.scalars = start.scalar..<end.scalar
    return result
  }

  /// All that the conflict says, but for whose side is whose.
  fileprivate var statement: String {
    let sides = others.map { "\($0)" }.sorted()
    return "\(path) \(line ?? 0) \(kind) \(id) kept \(kept), others \(sides)"
  }
}
