import Peernote
import PeernoteTestSupport
import Testing

/// Copies that say the same of every change they share and show other text for it.
@Suite("Copies that show other text")
struct OtherTextTests {
  private static let body = JSONPointer(["body"])
  private static let note = JSONPointer(["note"])

  /// Two texts, one of which says what is to be paid.
  private static func start() throws -> Document {
    var document = Document(
      id: UniqueID(high: 0x0102_0304_0506_4708, low: 0x890A_0B0C_0D0E_0F10))
    try document.change(by: .person(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.spliceText(at: body, scalars: 0..<0, with: "pay 100 to ann")
      try editor.putContainer(.text, at: note)
      try editor.spliceText(at: note, scalars: 0..<0, with: "soon")
    }
    return document
  }

  private static func edited(
    _ document: Document, _ agent: UInt64, _ edit: (inout Editor) throws -> Void
  ) throws -> Document {
    var document = document
    try document.change(by: .person(agent)) { try edit(&$0) }
    return document
  }

  /// The copy with another sum.
  private static func forged(_ document: Document) throws -> Document {
    try #require(
      try document.retelling(body) { text in
        var scalars = Array(text.unicodeScalars)
        let place = scalars.firstIndex(of: "1") ?? 0
        scalars[place] = "9"
        return String(String.UnicodeScalarView(scalars))
      })
  }

  /// What somebody does after the start.
  struct Doing: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var edit: @Sendable (inout Editor) throws -> Void
  }

  static let doings = [
    Doing(testDescription: "nothing") { _ in },
    Doing(testDescription: "writes after it") {
      try $0.spliceText(at: body, scalars: 14..<14, with: "!")
    },
    Doing(testDescription: "writes before and inside") {
      try $0.spliceText(at: body, scalars: 5..<5, with: "0")
      try $0.spliceText(at: body, scalars: 0..<0, with: "please ")
    },
    Doing(testDescription: "writes another text") {
      try $0.spliceText(at: note, scalars: 4..<4, with: "er")
    },
    Doing(testDescription: "sets a value") { try $0.put(.integer(1), at: ["n"]) },
    Doing(testDescription: "deletes what is around it") {
      try $0.spliceText(at: body, scalars: 5..<14, with: "")
      try $0.spliceText(at: body, scalars: 0..<4, with: "")
    },
    Doing(testDescription: "removes the text") { try $0.remove(at: note) },
  ]

  @Test(
    "are refused in either order, whatever either side did since",
    arguments: OtherTextTests.doings)
  func refusal(ours: Doing) throws {
    let start = try Self.start()
    for theirs in Self.doings {
      let good = try Self.edited(start, 2, ours.edit)
      let forged = try Self.forged(Self.edited(start, 3, theirs.edit))
      #expect(Document.validate(bytes: forged.bytes()) == [])
      try expectRefusal(good, forged, "\(ours.testDescription), \(theirs.testDescription)")
    }
  }

  @Test("are refused where one shows what the other deleted, or deletes it, too")
  func deleted() throws {
    let start = try Self.start()
    for range in [4..<7, 0..<14, 4..<5] {
      let deleting = try Self.edited(start, 2) {
        try $0.spliceText(at: Self.body, scalars: range, with: "")
      }
      let forged = try Self.forged(start)
      try expectRefusal(deleting, forged, "deleted \(range)")
      let both = try Self.edited(forged, 3) {
        try $0.spliceText(at: Self.body, scalars: range, with: "")
      }
      #expect(Document.validate(bytes: both.bytes()) == [])
      try expectRefusal(deleting, both, "both deleted \(range)")
      for doing in Self.doings {
        let forged = try Self.forged(Self.edited(start, 3, doing.edit))
        try expectRefusal(deleting, forged, "deleted \(range), \(doing.testDescription)")
      }
    }
  }

  @Test("are refused if it is the text of a container that was removed")
  func removed() throws {
    let start = try Self.start()
    let removed = try Self.edited(start, 2) { try $0.remove(at: Self.body) }
    try expectRefusal(removed, try Self.forged(start), "removed")
    let forged = try Self.forged(
      Self.edited(start, 3) { try $0.spliceText(at: Self.body, scalars: 0..<0, with: "?") })
    try expectRefusal(removed, forged, "removed here and edited there")
  }

  @Test("of three, two of which agree, are never merged, in whatever order")
  func three() throws {
    let start = try Self.start()
    let copies = [
      try Self.edited(start, 2) { try $0.put(.integer(1), at: ["n"]) },
      try Self.forged(
        Self.edited(start, 3) { try $0.spliceText(at: Self.body, scalars: 14..<14, with: "!") }),
      try Self.edited(start, 4) { try $0.spliceText(at: Self.body, scalars: 4..<7, with: "") },
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var union = copies[order[0]]
      #expect(throws: MergeError.self, "\(order)") {
        for next in order.dropFirst() { _ = try union.merge(copies[next]) }
      }
    }
    let repair = Document.repair(copies: copies.map { $0.bytes() })
    #expect(repair.document == nil && !repair.isComplete)
    #expect(!repair.contradictions.isEmpty)
    for contradiction in repair.contradictions {
      #expect(contradiction.copy == 1 || contradiction.others == [1], "\(contradiction)")
    }
  }

  @Test(
    "are refused exactly if what differs is in both, after random edits on all sides",
    arguments: 0..<40 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: 0xF0_96ED + seed)
    /// Some random edits; what an agent inserts tells who it was.
    func edit(_ document: Document, _ agent: UInt64, _ letters: [String]) throws -> Document {
      var document = document
      for _ in 0..<random.within(1...3) {
        guard case .text(let text)? = document.node(at: Self.body) else { return document }
        let count = text.unicodeScalars.count
        let first = random.below(count + 1)
        let end = min(count, first + random.below(5))
        let inserted = random.below(3) == 0 ? "" : letters[random.below(letters.count)]
        try document.change(by: .person(agent)) { editor in
          try editor.spliceText(at: Self.body, scalars: first..<end, with: inserted)
        }
      }
      return document
    }
    var base = try Self.start()
    // A third of the pairs have a history that parts and joins before.
    if seed % 3 == 0 {
      let other = try edit(base, 8, ["ñ", "☕🧑"])
      base = try edit(base, 9, ["a", "bc"])
      _ = try base.merge(other)
      // Whoever edits a passage writes all of it again.
      if base.root != base.rawRoot { return }
    }
    let good = try edit(base, 2, ["g", "GG"])
    let theirs = try edit(base, 3, ["T", "TTT"])
    guard case .text(let text)? = theirs.rawRoot[Self.body] else { return }
    for place in text.unicodeScalars.indices {
      let isTheirs = text.unicodeScalars[place] == "T"
      let forged = try #require(
        try theirs.retelling(Self.body) { text in
          var scalars = text.unicodeScalars
          scalars.replaceSubrange(place...place, with: ["X"])
          return String(scalars)
        })
      for (one, other) in [(good, forged), (forged, good), (base, forged), (forged, base)] {
        var union = one
        let merged = try? union.merge(other)
        #expect((merged != nil) == isTheirs, "seed \(seed), \(text[place...])")
      }
    }
  }

  private func expectRefusal(_ one: Document, _ other: Document, _ what: String) throws {
    for (ours, theirs) in [(one, other), (other, one)] {
      var document = ours
      let error = #expect(throws: MergeError.self, "\(what)") { _ = try document.merge(theirs) }
      guard case .damaged(let fault)? = error else { continue }
      #expect(fault.kind == .damaged, "\(what): \(fault)")
      #expect(document.bytes() == ours.bytes(), "\(what)")
    }
    let files = [one.bytes(), other.bytes()]
    for files in [files, files.reversed()] {
      let repair = Document.repair(copies: files)
      #expect(repair.document == nil && repair.contradictions.count == 1, "\(what)")
    }
  }
}
