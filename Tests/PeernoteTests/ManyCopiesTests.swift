import Peernote
import PeernoteTestSupport
import Testing

/// Merging many copies at once does what merging them one after the other does, and costs in
/// proportion to their number.
@Suite("Merging many copies") struct ManyCopiesTests {
  private static let body = JSONPointer(["body"])
  private static let title = JSONPointer(["title"])

  private static func session(_ agent: UInt64, _ time: UInt64) -> DocumentSession {
    DocumentSession.person(agent, at: Int64(time))
  }

  private static func base(_ text: String) throws -> Document {
    var document = Document(id: UniqueID(high: 5, low: 6))
    try document.change(by: session(1, 1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.spliceText(at: body, scalars: 0..<0, with: text)
      try editor.put(.string("Plan"), at: title)
    }
    return document
  }

  /// Copies that partly know each other, and in which deleted text is redacted here and there.
  private static func copies(seed: UInt64) throws -> [Document] {
    var random = SplitMix64(seed: seed)
    let words = ["one", "two", "drei", "vier", "пять", "six"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words[random.below(words.count)] + (random.below(4) == 0 ? "\n" : " ")
      }
      .joined()
    }
    var copies = [try base(text(12))]
    for agent in 2..<UInt64(4 + random.below(9)) {
      var copy = copies[random.below(copies.count)]
      if random.below(3) == 0 { _ = try copy.merge(copies[random.below(copies.count)]) }
      for time in 0..<UInt64(1 + random.below(3)) {
        guard case .text(let old)? = copy.node(at: body) else { continue }
        try copy.change(by: session(agent, 10 * agent + time)) { editor in
          let start = random.below(old.unicodeScalars.count + 1)
          let end = min(old.unicodeScalars.count, start + random.below(9))
          try editor.spliceText(
            at: body, scalars: start..<end, with: random.below(3) == 0 ? "" : text(2))
          if random.below(2) == 0 { try editor.put(.string(text(1)), at: title) }
        }
      }
      if random.below(3) == 0 { _ = try copy.redactDeletedText() }
      copies.append(copy)
    }
    return copies
  }

  @Test("the result and the reports are those of merging in turn", arguments: UInt64(1)...60)
  func sameAsInTurn(seed: UInt64) throws {
    for copies in [try Self.copies(seed: seed), try Self.copies(seed: seed).reversed()] {
      var inTurn = copies[0]
      var expected: [MergeReport] = []
      for copy in copies.dropFirst() {
        let earlier = expected.last.map { $0.conflicts + $0.adjoining } ?? []
        expected.append(try inTurn.merge(copy, after: earlier))
      }
      var atOnce = copies[0]
      let reports = try atOnce.merge(Array(copies.dropFirst()))
      #expect(atOnce.bytes() == inTurn.bytes())
      #expect(reports.map(\.result) == expected.map(\.result))
      for (report, other) in zip(reports, expected) {
        #expect(report.newChanges.map(\.id).sorted() == other.newChanges.map(\.id).sorted())
        #expect(report.takenOut.map(\.scalars) == other.takenOut.map(\.scalars))
        #expect(report.takenOut.map(\.authors) == other.takenOut.map(\.authors))
      }
      #expect(try #require(reports.last).conflicts == expected.last?.conflicts)
      // Lines that adjoin stand where they are said to.
      guard case .text(let text)? = atOnce.node(at: Self.body) else { continue }
      let scalars = Array(text.unicodeScalars)
      for conflict in reports.last?.adjoining ?? [] {
        var words = String.UnicodeScalarView()
        words.append(contentsOf: scalars[try #require(conflict.scalars)])
        #expect(conflict.kept.node == .text(String(words)))
      }
    }
  }

  @Test("twice as many copies take little more than twice the steps")
  func linear() throws {
    let base = try Self.base("one\n")
    func steps(_ count: Int) throws -> Int {
      var merge = MergeByHalves(base)
      for agent in 0..<UInt64(count) {
        var copy = base
        for time in 0..<UInt64(8) {
          try copy.change(by: Self.session(100 + agent, time)) { editor in
            try editor.put(.integer(Int64(time)), at: JSONPointer(["key \(agent)"]))
          }
        }
        try merge.add(copy)
      }
      let steps = merge.mergedChangeCount
      #expect(try merge.finish().document.changeCount == 1 + 8 * count)
      return steps
    }
    let (few, many) = (try steps(64), try steps(128))
    #expect(many < few * 5 / 2, "\(few) and \(many)")
  }

  @Test("copies of which one cannot be merged leave the document as it was")
  func failing() throws {
    let base = try Self.base("one\n")
    var document = base
    var copies: [Document] = []
    for agent in [UInt64(2), 3, 3] {
      var copy = base
      try copy.change(by: Self.session(agent, UInt64(copies.count))) { editor in
        try editor.put(.integer(Int64(copies.count)), at: Self.title)
      }
      copies.append(copy)
    }
    #expect(throws: MergeError.self) { try document.merge(copies) }
    #expect(document.bytes() == base.bytes())
    #expect(try document.merge(Array(copies.prefix(2))).map(\.result) == [.fastForward, .merged])
    #expect(try document.merge([]).isEmpty)
  }

  @Test(
    "what one side deleted does not come back unsaid, though it adds nothing to a third side's text",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]], [(UInt64(4), UInt64(5)), (5, 4)])
  func deletedBesideThird(order: [Int], agents: (UInt64, UInt64)) throws {
    func saved(_ base: Document, _ agent: UInt64, _ text: String) throws -> Document {
      var copy = base
      try copy.change(by: Self.session(agent, agent)) { editor in
        try editor.replaceText(at: Self.body, with: text)
      }
      return copy
    }
    let base = try Self.base("a\nb\nc\n")
    let longer = try saved(base, 2, "a\nb\nc\nthree\n")
    let copies = [
      try saved(base, 3, "a\nb\n"), try saved(longer, agents.0, "a\nb\n"),
      try saved(longer, agents.1, "a\nc\nfive\nthree\n"),
    ]
    var merged = copies[order[0]]
    for number in order.dropFirst() { _ = try merged.merge(copies[number]) }
    let shown = merged.node(at: Self.body)
    let conflict = try #require(merged.conflicts.first)
    // The later one decides whether the line that it deleted, or wrote beside, is there.
    if agents.1 > agents.0 {
      #expect(shown == .text("a\nc\nfive\nthree\n"))
      #expect(
        conflict.others.contains { side in
          if case .text(let text)? = side.node { !text.contains("c\n") } else { false }
        })
    } else {
      #expect(shown == .text("a\nfive\nthree\n"))
    }
  }
}
