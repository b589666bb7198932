import Peernote

extension Law {
  /// What people are told about two copies before they merge them.
  static let divergenceLaws: [Law] = [
    Law("what two copies have in common is what both hold") { lawCase in
      for (one, other) in lawCase.pairs {
        let both = one.version.intersection(other.version)
        let common = lawCase.oracle.heads(of: both)
        try expectEqual(one.document.commonVersion(with: other.document), common, "common version")
        try expectEqual(other.document.commonVersion(with: one.document), common, "reversed")
      }
    },
    Law("what a copy did is what leads from the common version to it, each place by itself") {
      lawCase in
      for (one, other) in lawCase.pairs {
        let divergence = try one.document.divergence(from: other.document)
        let reversed = try other.document.divergence(from: one.document)
        try expectEqual(divergence.ours, reversed.theirs, "what the first did")
        try expectEqual(divergence.theirs, reversed.ours, "what the second did")
        let common = try lawCase.document(of: one.version.intersection(other.version))
        try check(divergence.ours, from: common, to: one.document)
        try check(divergence.theirs, from: common, to: other.document)
      }
    },
    Law("two copies meet in the same places, whichever asks") { lawCase in
      for (one, other) in lawCase.pairs {
        let divergence = try one.document.divergence(from: other.document)
        let reversed = try other.document.divergence(from: one.document)
        try expectEqual(
          Set(divergence.meetings.map { [$0.ours, $0.theirs] }),
          Set(reversed.meetings.map { [$0.theirs, $0.ours] }), "meetings")
        try expectEqual(
          Set(divergence.meetings.map { [$0.ours, $0.theirs] }).count, divergence.meetings.count,
          "each once")
      }
    },
  ]

  private static func check(
    _ changes: PlaceChanges, from old: Document, to new: Document
  ) throws {
    try expectEqual(changes.count, changes.places.count, "all are kept")
    let (before, after) = (old.root, new.root)
    // What patches tell by the same identities, found by other code.
    var patched: Set<JSONPointer> = []
    for patch in new.patches(from: old) {
      switch patch.action {
      case .put, .splice, .add, .discard, .increment: patched.insert(patch.path)
      case .remove, .insert, .move: break
      }
    }
    var told: Set<JSONPointer> = []
    for change in changes.places {
      try expect(!change.authors.isEmpty && change.time != nil, "somebody did \(change)")
      try expectEqual(
        change.steps.count, change.path.tokens.count, "the way to \(change.path)")
      try expectEqual(change.name.parts.count, change.steps.count, "the name of \(change.path)")
      switch change.kind {
      case .added: try expectEqual(after[change.path], change.new, "\(change)")
      case .removed: try expectEqual(before[change.path], change.old, "\(change)")
      case .moved: try expect(after[change.path] != nil, "\(change)")
      case .replaced, .text, .counted:
        try expectEqual(after[change.path], change.new, "\(change)")
        if let texts = change.texts { try check(texts.old, texts.new) }
        told.insert(change.path)
      case .memberAdded, .memberRemoved:
        guard case .set = after[change.path] else { throw Fault("a set at \(change)") }
        told.insert(change.path)
      }
    }
    try expect(told.isSubset(of: patched), "\(told) are patched: \(patched)")
    try expectEqual(
      changes.places.isEmpty, OracleNode(before) == OracleNode(after), "nothing, if nothing differs"
    )
  }

  /// Changed lines lead from one text to the other.
  private static func check(_ old: String, _ new: String) throws {
    var result: [UInt8] = []
    var place = 0
    let text = Array(old.utf8)
    let starts = [0] + text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
    func byte(_ line: Int) -> Int { line < starts.count ? starts[line] : text.count }
    for change in ChangedLines.find(from: old, to: new) {
      result += text[place..<byte(change.oldLines.lowerBound)]
      result += change.new.utf8
      place = byte(change.oldLines.upperBound)
      try expectEqual(
        String(decoding: text[byte(change.oldLines.lowerBound)..<place], as: UTF8.self), change.old,
        "the lines \(change.oldLines)")
    }
    result += text[place...]
    try expectEqual(String(decoding: result, as: UTF8.self), new, "the lines of \(old)")
  }
}
