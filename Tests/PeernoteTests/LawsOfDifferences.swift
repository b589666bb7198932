import Peernote
import PeernoteTestSupport
import Testing

/// A difference between two versions of a document, applied to a third one.
///
/// `PEERNOTE_ROUNDS` sets how many histories are tried, `PEERNOTE_SEED` the first one's seed.
@Suite("Laws of differences") struct LawsOfDifferences {
  /// Histories in which both put the same lines in where both changed those around them.
  private static let known = [300_023, 300_591, 300_898, 300_943]

  private static var seeds: [Int] {
    known + TestSetting.seeds(60).map { Int($0) }
  }

  @Test("applied to what it starts from it leads to where it leads, and back to where that was")
  func whole() throws {
    for seed in Self.seeds {
      let history = try RandomTrees(seed: seed)
      for (base, theirs) in history.pairs where base.conflicts + theirs.conflicts == [] {
        let there = try base.applying(differenceFrom: base, to: theirs)
        #expect(there.met.isEmpty && there.crowded.isEmpty, "seed \(seed)")
        #expect(there.document.root == theirs.root, "seed \(seed)")
        let back = try there.document.applying(differenceFrom: theirs, to: base)
        #expect(
          back.document.root == base.root && back.met.isEmpty,
          "seed \(seed)")
        let same = try theirs.applying(differenceFrom: base, to: base)
        #expect(same.document.bytes() == theirs.bytes(), "seed \(seed)")
      }
    }
  }

  @Test(
    "what is there already is not applied again, or met, and whoever does it makes the same bytes")
  func once() throws {
    var applied = 0
    for seed in Self.seeds {
      let history = try RandomTrees(seed: seed)
      for (base, theirs) in history.pairs where base.conflicts + theirs.conflicts == [] {
        for ours in history.versions where ours.conflicts.isEmpty {
          let one = try ours.applying(differenceFrom: base, to: theirs)
          let other = try Document(bytes: ours.bytes()).applying(
            differenceFrom: Document(bytes: base.bytes()), to: Document(bytes: theirs.bytes()))
          #expect(one.document.bytes() == other.document.bytes(), "seed \(seed)")
          #expect(Document.validate(bytes: one.document.bytes()).isEmpty, "seed \(seed)")
          #expect(one.unlistedTexts.isEmpty, "seed \(seed): \(one.unlistedTexts)")
          guard one.met.isEmpty, one.crowded.isEmpty else { continue }
          applied += 1
          let again = try one.document.applying(differenceFrom: base, to: theirs)
          #expect(
            again.document.root.uncounted == one.document.root.uncounted || !again.met.isEmpty
              || !again.crowded.isEmpty,
            "seed \(seed)")
        }
      }
    }
    #expect(applied > Self.seeds.count)
  }

  @Test("merged in either order two versions make one document")
  func merged() throws {
    for seed in Self.seeds {
      let versions = try RandomTrees(seed: seed).versions
      for (ours, theirs) in zip(versions, versions.dropFirst()) {
        let union = try PeernoteTestSupport.merged(ours, theirs)
        let mirrored = try PeernoteTestSupport.merged(theirs, ours)
        let one = try Document.applying(to: union, ours, theirs, since: versions[0])
        let other = try Document.applying(to: mirrored, theirs, ours, since: versions[0])
        #expect(one.document.bytes() == other.document.bytes(), "seed \(seed)")
        #expect(one.met.isEmpty == other.met.isEmpty, "seed \(seed)")
        #expect(one.unlistedTexts.isEmpty, "seed \(seed): \(one.unlistedTexts)")
        // What the union lists, and shows as it is wanted, stays with those who wrote it.
        for conflict in union.conflicts where conflict.kind == .register {
          guard one.document.node(at: conflict.path) == conflict.kept.node,
            conflict.kept.node == union.node(at: conflict.path)
          else { continue }
          #expect(one.document.conflicts.contains { $0.id == conflict.id }, "seed \(seed)")
        }
        #expect(Document.validate(bytes: one.document.bytes()).isEmpty, "seed \(seed)")
      }
    }
  }
}

/// Versions of a tree that people edited, each from the union of some earlier ones.
private struct RandomTrees {
  private(set) var versions: [Document] = []
  private var random: SplitMix64

  /// Versions, each with one that it was made from.
  var pairs: [(Document, Document)] {
    versions.indices.flatMap { index in
      versions[..<index].compactMap { earlier in
        earlier.heads.allSatisfy(versions[index].contains) ? (earlier, versions[index]) : nil
      }
    }
  }

  init(seed: Int) throws {
    random = SplitMix64(seed: UInt64(seed))
    var start = Document(id: UniqueID(high: 3, low: 4))
    try start.change(by: session(0)) { editor in
      try editor.put(.string("T"), at: ["title"])
      try editor.put(node: .text("one\ntwo\nthree\nfour\nfive\n"), at: ["body"])
      try editor.put(node: .set([.string("a"), .string("b")]), at: ["set"])
      try editor.put(node: .counter(3), at: ["count"])
      let rows = (0..<4).map { number -> DocumentNode in
        .map([.init(key: "text", node: .text("row \(number)\n"))])
      }
      try editor.put(node: .list(rows), at: ["rows"])
    }
    versions = [start]
    for step in 1...5 {
      var next = random.pick(versions)
      if random.chance(30) { _ = try next.merge(random.pick(versions)) }
      let session = session(step)
      _ = try next.change(by: session) { editor in
        for number in 0..<random.within(1...3) { try edit(&editor, "\(step)\(number)") }
      }
      versions.append(next)
    }
  }

  private mutating func session(_ time: Int) -> DocumentSession {
    DocumentSession.person(random.next(), "a", at: Int64(time) * 1000)
  }

  private mutating func edit(_ editor: inout Editor, _ name: String) throws(EditError) {
    let rows = JSONPointer(["rows"])
    var count = 0
    if case .list(let nodes)? = editor.node(at: rows) { count = nodes.count }
    switch random.below(8) {
    case 0: try editor.put(.string(name), at: ["title"])
    case 1:
      guard case .text(let text)? = editor.node(at: ["body"]) else { return }
      var lines = text.split(separator: "\n").map { String($0) }
      let place = random.below(lines.count + 1)
      if place < lines.count, random.chance(50) {
        lines[place] = random.chance(50) ? "line \(name)" : lines[place] + " \(name)"
      } else {
        lines.insert("new \(name)", at: place)
      }
      try editor.replaceText(
        at: ["body"], with: lines.map { $0 + "\n" }.joined())
    case 2: try editor.add(.string(name), toSetAt: ["set"])
    case 3: try editor.increment(by: Int64(random.within(1...5)), at: ["count"])
    case 4 where count > 1: try editor.remove(at: rows.appending("\(random.below(count))"))
    case 5:
      try editor.insert(
        node: .map([.init(key: "text", node: .text("row \(name)\n"))]),
        at: rows.appending("\(random.below(count + 1))"))
    case 6 where count > 1:
      try editor.move(
        from: rows.appending("\(random.below(count))"),
        to: rows.appending("\(random.below(count))"))
    default:
      if count == 0 { return }
      try editor.put(.string(name), at: rows.appending("\(random.below(count))").appending("note"))
    }
  }
}

extension DocumentNode {
  /// Without what is counted, which adds up, and without the order of elements, which both may move.
  fileprivate var uncounted: DocumentNode {
    guard case .map(let entries) = self else { return self }
    return .map(
      entries.filter { $0.key != "count" }.map { entry in
        guard case .list(let rows) = entry.node else { return entry }
        return .init(key: entry.key, node: .list(rows.sorted { "\($0)" < "\($1)" }))
      })
  }
}

extension Document.AppliedDifference {
  /// The texts in which it met something that the document does not list, so that nobody can settle it.
  fileprivate var unlistedTexts: [Conflict] {
    let listed = Set(document.conflicts.map(\.id))
    return met.filter { $0.kind == .passage && !listed.contains($0.id) }
  }
}
