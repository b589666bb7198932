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
        let report = try inTurn.merge(copy, after: earlier)
        #expect(Set(report.conflicts).isSubset(of: inTurn.conflicts))
        expected.append(report)
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

  /// Merges copies into the first, and checks that what is reported is open.
  private static func merge(_ copies: [Document]) throws -> [Conflict] {
    var merged = copies[0]
    var conflicts: [Conflict] = []
    for copy in copies.dropFirst() {
      conflicts = try merged.merge(copy, after: conflicts).conflicts
      #expect(Set(conflicts).isSubset(of: merged.conflicts))
    }
    return conflicts
  }

  /// The document as somebody saved it.
  private static func saved(
    _ document: Document, _ agent: UInt64, _ text: String, title: Value? = nil
  ) throws -> Document {
    var copy = document
    try copy.change(by: session(agent, agent)) { editor in
      try editor.replaceText(at: body, with: text)
      if let title { try editor.put(title, at: Self.title) }
    }
    return copy
  }

  @Test("what someone settled who had seen it is told of no more")
  func settled() throws {
    let base = try Self.base("in the big venue\n")
    let copies = [
      try Self.saved(base, 2, "in the old hall\n", title: "Plan A"),
      try Self.saved(base, 3, "in the small barn\n", title: "Plan B"),
    ]
    let seen = try PeernoteTestSupport.merged(copies[0], copies[1])
    let last = try Self.saved(seen, 4, "in the new house\n", title: "Plan C")
    #expect(try Self.merge(copies).count == 2)
    #expect(try Self.merge(copies + [last]) == [])
    #expect(try Self.merge(copies + [last, base]) == [])
  }

  @Test("three who change the same words are told of in one place")
  func three() throws {
    let base = try Self.base("in the big venue\n")
    let copies = try [
      (2, "in the old venue\n"), (3, "in the large venue\n"), (4, "in the small venue\n"),
    ]
    .map { try Self.saved(base, $0.0, $0.1) }
    let conflicts = try Self.merge(copies)
    #expect(conflicts.map(\.kind) == [.passage])
    #expect(conflicts[0].others.count == 2)
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
            try editor.put(.integer(Int64(time)), at: ["key \(agent)"])
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
    let base = try Self.base("a\nb\nc\n")
    let longer = try Self.saved(base, 2, "a\nb\nc\nthree\n")
    let copies = [
      try Self.saved(base, 3, "a\nb\n"), try Self.saved(longer, agents.0, "a\nb\n"),
      try Self.saved(longer, agents.1, "a\nc\nfive\nthree\n"),
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
