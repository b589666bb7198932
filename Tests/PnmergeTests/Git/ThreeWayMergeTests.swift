import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("git: the merge of three versions")
struct ThreeWayMergeTests {
  /// Versions of one note that random people made, each from the union of up to two earlier ones.
  private func versions(_ generator: inout SplitMix64) throws -> [Document] {
    var start = Document(id: UniqueID(high: 1, low: 1))
    try start.change(by: session(&generator, 0)) {
      try $0.create(Note(title: "T", body: "one two three"))
    }
    var versions = [start]
    for time in 1...7 {
      var next = generator.pick(versions)
      if generator.chance(40) { _ = try next.merge(generator.pick(versions)) }
      var words = (Note(root: next.root)?.body ?? "").split(separator: " ").map { String($0) }
      for _ in 0...generator.below(2) {
        let place = generator.below(words.count + 1)
        if place < words.count, generator.chance(40) {
          words.remove(at: place)
        } else {
          words.insert("w\(time)\(generator.below(100))", at: place)
        }
      }
      let (body, title) = (words.joined(separator: " "), generator.chance(30))
      try next.change(by: session(&generator, time)) { editor in
        try editor.replaceText(at: JSONPointer(["body"]), with: body)
        if title { try editor.put(.string("T\(time)"), at: JSONPointer(["title"])) }
      }
      versions.append(next)
    }
    return versions
  }

  private func session(_ generator: inout SplitMix64, _ time: Int) -> DocumentSession {
    DocumentSession.person(generator.next(), "a", at: Int64(time) * 1000)
  }

  private func merge(
    _ base: Document, _ ours: Document, _ theirs: Document, isMerge: Bool = true
  ) throws -> ThreeWayMerge {
    try ThreeWayMerge(
      ancestor: base.bytes(), current: ours.bytes(), incoming: theirs.bytes(),
      isMerge: { isMerge })
  }

  /// Some versions of one document, any three of them together.
  private func triples(
    _ seed: UInt64
  ) throws -> [(base: Document, ours: Document, theirs: Document)] {
    var generator = SplitMix64(seed: seed)
    let versions = try versions(&generator)
    return (0..<5).map { _ in
      (generator.pick(versions), generator.pick(versions), generator.pick(versions))
    }
  }

  private func changes(_ document: Document) -> Set<ChangeID> {
    Set(document.changes.map(\.id))
  }

  @Test("whoever merges gets the same bytes, also where changes are taken back", arguments: 0..<60)
  func commutes(seed: UInt64) throws {
    for (base, ours, theirs) in try triples(seed) {
      let one = try merge(base, ours, theirs)
      let other = try merge(base, theirs, ours)
      #expect(one.document.bytes() == other.document.bytes())
      #expect(Document.validate(bytes: one.document.bytes()).isEmpty)
      // And again with what came of it.
      let again = try merge(ours, one.document, ours)
      #expect(again.document.bytes() == one.document.bytes())
    }
  }

  @Test("what one of the versions has redacted stays redacted", arguments: 0..<60)
  func redactions(seed: UInt64) throws {
    for (base, ours, theirs) in try triples(seed) {
      var redacted = theirs
      try redacted.redactDeletedText()
      for isMerge in [true, false] {
        var union = ours
        _ = try union.merge(redacted)
        let unredacted = try merge(base, ours, theirs, isMerge: isMerge)
        // Text that was redacted cannot come back; then the versions stay as they are.
        guard let outcome = try? merge(base, ours, redacted, isMerge: isMerge) else { continue }
        // Only a reading of which a part was redacted shows less.
        if redacted.root != theirs.root
          || unredacted.document.conflicts.contains(where: { $0.kind == .passage })
        {
          #expect(!"\(outcome.document.root)".contains("\u{FFFD}"))
        } else {
          #expect(outcome.document.root == unredacted.document.root)
        }
        // Changes that are not to come along may have redacted what they deleted themselves.
        guard changes(union).isSubset(of: changes(outcome.document)) else { continue }
        var again = outcome.document
        #expect(try again.merge(union).result != .merged)
        #expect(again.bytes() == outcome.document.bytes())
      }
    }
  }

  @Test("where nothing is taken back it is the union", arguments: 0..<30)
  func union(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let versions = try versions(&generator)
    let (ours, theirs) = (generator.pick(versions), generator.pick(versions))
    var expected = ours
    _ = try expected.merge(theirs)
    for isMerge in [true, false] {
      let shared = try shared(ours, theirs)
      let outcome = try merge(shared, ours, theirs, isMerge: isMerge)
      #expect(outcome.document.bytes() == expected.bytes())
      #expect(!outcome.isDifference && !outcome.isLeft)
    }
  }

  /// What two versions have in common, which is what git compares them with.
  private func shared(_ one: Document, _ other: Document) throws -> Document {
    try one.at(version: one.changes.map(\.id).filter { other.contains($0) })
  }

  @Test("a picked commit brings its edits alone, as its author made them", arguments: 0..<60)
  func pick(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let versions = try versions(&generator)
    let (ours, base) = (generator.pick(versions), generator.pick(versions))
    if changes(base).isSubset(of: changes(ours)) { return }
    var theirs = base
    for (author, word) in [("a", "A1"), ("b", "B1")] {
      try theirs.change(by: .person(generator.next(), author, at: 9000), message: word) { editor in
        try editor.spliceText(at: JSONPointer(["body"]), scalars: 0..<0, with: "\(word)\n")
      }
    }
    let outcome = try merge(base, ours, theirs, isMerge: false)
    #expect(Document.validate(bytes: outcome.document.bytes()).isEmpty)
    let again = try merge(base, ours, theirs, isMerge: false)
    #expect(again.document.bytes() == outcome.document.bytes())
    if outcome.isLeft || !outcome.met.isEmpty { return }
    #expect(
      Note(root: outcome.document.root)?.body == "B1\nA1\n" + (Note(root: ours.root)?.body ?? ""))
    let made = outcome.document.changes.filter { !ours.contains($0.id) }
    #expect(made.map(\.author) == ["b"] && made.map(\.message) == ["B1"])
    #expect(made.allSatisfy { $0.time == Timestamp(milliseconds: 9000) })
    // Who has it already gets nothing more.
    let twice = try merge(base, outcome.document, theirs, isMerge: false)
    #expect(twice.document.bytes() == outcome.document.bytes())
    // When the originals come by a merge, they are there once.
    let both = try merge(shared(outcome.document, theirs), outcome.document, theirs).document
    let words = (Note(root: both.root)?.body ?? "").split { $0 == " " || $0 == "\n" }
    for word in ["A1", "B1"] { #expect(words.count { $0 == word } == 1, "\(words)") }
  }

  @Test("a picked value is there, or a person is asked", arguments: 0..<30)
  func pickedValue(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let versions = try versions(&generator)
    let ours = generator.pick(versions)
    let base = generator.pick(versions)
    var theirs = base
    try theirs.change(by: session(&generator, 9)) {
      try $0.put(.string("picked"), at: JSONPointer(["title"]))
    }
    let outcome = try merge(base, ours, theirs, isMerge: false)
    let title = JSONPointer(["title"])
    if !outcome.isDifference { return }
    let isChanged = ours.node(at: title) != base.node(at: title)
    #expect(outcome.isLeft == isChanged && outcome.met.isEmpty == !isChanged)
    #expect(isChanged || outcome.document.node(at: title) == .value(.string("picked")))
    #expect(
      outcome.document.node(at: JSONPointer(["body"])) == ours.node(at: JSONPointer(["body"])))
  }

  @Test("a reverted commit leaves what it would without its changes", arguments: 0..<30)
  func revert(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let before = try #require(try versions(&generator).last)
    var after = before
    let body = JSONPointer(["body"])
    try after.change(by: session(&generator, 8)) { editor in
      try editor.spliceText(at: body, scalars: 0..<2, with: "start ")
      try editor.put(.string("U"), at: JSONPointer(["title"]))
    }
    var ours = after
    try ours.change(by: session(&generator, 9)) { editor in
      guard case .text(let text) = editor.node(at: body) else { return }
      let end = text.unicodeScalars.count
      try editor.spliceText(at: body, scalars: end..<end, with: " end")
    }
    let outcome = try merge(after, ours, before, isMerge: false)
    #expect(outcome.isDifference && outcome.met.isEmpty)
    let (note, old) = (Note(root: outcome.document.root), Note(root: before.root))
    #expect(note?.body == (old?.body ?? "") + " end")
    #expect(note?.title == old?.title)
    // The reverted commit again, as a revert of the revert.
    let again = try merge(outcome.document, outcome.document, ours, isMerge: false)
    #expect(again.document.root == ours.root)
  }
}
