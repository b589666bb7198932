import Peernote

extension Law {
  /// What apps that show a document are told.
  static let viewLaws: [Law] = [
    Law("patches lead from one content to another, and there are none between like contents") {
      lawCase in
      for (one, other) in lawCase.pairs {
        let both = try merged(one.document, other.document)
        try check(both.patches(from: one.document), from: one.document, to: both)
        try check(one.document.patches(from: both), from: both, to: one.document)
        try check(
          other.document.patches(from: one.document), from: one.document, to: other.document)
        try expect(both.patches(from: both).isEmpty, "nothing leads from a content to itself")
      }
    },
    Law("patches between versions lead from one to the other") { lawCase in
      var random = lawCase.random(30)
      let versions = lawCase.versions(2, &random).map { lawCase.oracle.heads(of: $0) }
      let patches = try lawCase.whole.patches(from: versions[0], to: versions[1])
      try check(
        patches, from: lawCase.whole.at(version: versions[0]),
        to: lawCase.whole.at(version: versions[1]))
    },
    Law("the changes since a version are those that it does not hold") { lawCase in
      var random = lawCase.random(31)
      for version in lawCase.versions(3, &random) {
        for replica in lawCase.replicas {
          let since = replica.document.changes(since: lawCase.oracle.heads(of: version)).map(\.id)
          let wanted = replica.document.changes.map(\.id).filter { id in
            let number = lawCase.oracle.number(of: id)
            // Of heads that the replica has not, nothing is known.
            return !lawCase.oracle.heads(of: version).contains { head in
              let head = lawCase.oracle.number(of: head)
              return replica.version.contains(head)
                && lawCase.oracle.pasts[head].contains(number)
            }
          }
          try expectEqual(since, wanted, "changes since a version")
        }
      }
    },
    // In a passage there is no scalar to stay at.
    Law("a caret that goes along with the patches stands where its cursor does") { lawCase in
      var random = lawCase.random(33)
      for (one, other) in lawCase.pairs {
        let both = try merged(one.document, other.document)
        guard try DocumentFile(one.document.bytes()).passages.isEmpty,
          try DocumentFile(both.bytes()).passages.isEmpty
        else { continue }
        let patches = both.patches(from: one.document)
        for container in lawCase.oracle.view(at: one.version).containers
        where container.kind == .text {
          for affinity in [TextCursor.Affinity.backward, .forward] {
            let count = lawCase.oracle.visibleScalars(of: container.id, in: one.version).count
            let end = TextCursor(text: container.id, anchor: nil, affinity: affinity)
            guard let path = try one.document.place(of: end).path,
              try both.place(of: end).path == path,
              patches.allSatisfy({ $0.action.isOfText || !$0.path.isAbove(path) })
            else { continue }
            let offset = random.within(0...count)
            let cursor = try one.document.cursor(
              inTextAt: path, scalar: offset, affinity: affinity)
            var caret = offset
            for patch in patches where patch.path == path {
              guard case .splice(let replacement) = patch.action else { continue }
              caret = replacement.scalarOffset(caret, followsInsertions: affinity == .forward)
            }
            try expectEqual(
              both.place(of: cursor).scalar, caret, "\(affinity) \(offset) in \(patches)")
          }
        }
      }
    },
    Law("a cursor stays at its scalar, visible or deleted, through any merge") { lawCase in
      var random = lawCase.random(32)
      for (one, other) in lawCase.pairs.prefix(3) {
        let both = try merged(one.document, other.document)
        // Nor in one of a text that was removed.
        guard try DocumentFile(one.document.bytes()).passages.isEmpty,
          try DocumentFile(both.bytes()).passages.isEmpty
        else { continue }
        let version = one.version.union(other.version)
        for container in lawCase.oracle.view(at: one.version).containers
        where container.kind == .text {
          try check(container.id, of: one, in: both, at: version, lawCase.oracle, &random)
        }
      }
    },
  ]

  private static func check(_ patches: [Patch], from old: Document, to new: Document) throws {
    var node = old.root
    for patch in patches {
      try expect(node.apply(patch), "\(patch) fits \(node)")
    }
    try expectEqual(OracleNode(node), OracleNode(new.root), "content after \(patches)")
  }

  private static func check(
    _ text: ContainerID, of replica: LawCase.Replica, in both: Document,
    at version: OracleVersion, _ oracle: Oracle, _ random: inout SplitMix64
  ) throws {
    let visible = oracle.visibleScalars(of: text, in: replica.version)
    let offset = random.within(0...visible.count)
    let affinity: TextCursor.Affinity = random.chance(50) ? .backward : .forward
    let neighbour = affinity == .backward ? offset - 1 : offset
    let anchor = visible.indices.contains(neighbour) ? visible[neighbour] : nil
    let cursor = TextCursor(
      text: text, anchor: anchor.map { oracle.events[$0].id }, affinity: affinity)
    if let path = try replica.document.place(of: cursor).path {
      try expectEqual(
        replica.document.cursor(inTextAt: path, scalar: offset, affinity: affinity), cursor,
        "cursor at \(path), \(offset)")
    } else {
      throw Fault("the text of \(text) is shown")
    }
    try expectEqual(replica.document.place(of: cursor).scalar, offset, "place of a new cursor")
    let now = oracle.visibleScalars(of: text, in: version)
    var wanted = affinity == .backward ? 0 : now.count
    if let anchor {
      let before = oracle.sequence(of: text, in: version).prefix { $0 != anchor }
      wanted = before.filter { now.contains($0) }.count
      if affinity == .backward, now.contains(anchor) { wanted += 1 }
    }
    try expectEqual(both.place(of: cursor).scalar, wanted, "place of \(cursor) after a merge")
  }
}

extension Patch.Action {
  /// Whether it changes nothing but a text.
  fileprivate var isOfText: Bool { if case .splice = self { true } else { false } }
}

extension JSONPointer {
  /// Whether what it leads to may hold what another path leads to, or stand before it in a list.
  fileprivate func isAbove(_ other: JSONPointer) -> Bool {
    other.tokens.starts(with: tokens.dropLast())
  }
}
