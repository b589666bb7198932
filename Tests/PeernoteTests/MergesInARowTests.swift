import Peernote
import PeernoteTestSupport
import Testing

/// What is reported when several copies are merged one after the other.
@Suite("Merges in a row") struct MergesInARowTests {
  private static let body = JSONPointer(["body"])
  private static let title = JSONPointer(["title"])

  private static func base(_ text: String) throws -> Document {
    var document = Document(id: UniqueID(high: 3, low: 4))
    try document.change(by: .person(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.spliceText(at: body, scalars: 0..<0, with: text)
      try editor.put(.string("Plan"), at: title)
    }
    return document
  }

  private static func edited(
    _ document: Document, _ agent: UInt64, _ text: String, title: String? = nil
  ) throws -> Document {
    var copy = document
    try copy.change(by: .person(agent)) { editor in
      try editor.replaceText(at: body, with: text)
      if let title { try editor.put(.string(title), at: Self.title) }
    }
    return copy
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

  @Test("what someone settled who had seen it is told of no more")
  func settled() throws {
    let base = try Self.base("in the big venue\n")
    let copies = [
      try Self.edited(base, 2, "in the old hall\n", title: "Plan A"),
      try Self.edited(base, 3, "in the small barn\n", title: "Plan B"),
    ]
    var seen = copies[0]
    _ = try seen.merge(copies[1])
    let last = try Self.edited(seen, 4, "in the new house\n", title: "Plan C")
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
    .map { try Self.edited(base, UInt64($0.0), $0.1) }
    let conflicts = try Self.merge(copies)
    #expect(conflicts.map(\.kind) == [.passage])
    #expect(conflicts[0].others.count == 2)
  }

  @Test("whatever is merged in a row is told of as it stands", arguments: 1...20)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let words = ["one", "two", "drei", "vier", "пять", "six"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words[random.below(words.count)] + (random.below(4) == 0 ? "\n" : " ")
      }
      .joined()
    }
    let base = try Self.base(text(12))
    var copies = [base]
    for agent in 2..<UInt64(7) {
      var copy = copies[random.below(copies.count)]
      if random.below(3) == 0 { _ = try copy.merge(copies[random.below(copies.count)]) }
      guard case .text(let old)? = copy.node(at: Self.body) else { continue }
      try copy.change(by: .person(agent)) { editor in
        let start = random.below(old.unicodeScalars.count + 1)
        let end = min(old.unicodeScalars.count, start + random.below(9))
        try editor.spliceText(
          at: Self.body, scalars: start..<end, with: random.below(3) == 0 ? "" : text(2))
        if random.below(2) == 0 { try editor.put(.string(text(1)), at: Self.title) }
      }
      copies.append(copy)
    }
    _ = try Self.merge(copies)
    _ = try Self.merge(copies.reversed())
  }
}
