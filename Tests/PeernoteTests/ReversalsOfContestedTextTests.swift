import Peernote
import PeernoteTestSupport
import Testing

@Suite("Reversals of text that is or was contested")
struct ReversalsOfContestedTextTests {
  private let body = JSONPointer(["body"])

  private func session(_ agent: UInt64) -> Session {
    Session(agent: AgentID(rawValue: agent), author: "ann", time: Timestamp(milliseconds: 5000))
  }

  private func text(_ document: Document) -> String? {
    guard case .text(let text)? = document.node(at: body) else { return nil }
    return text
  }

  /// Two insertions at one place, and a third that followed the raw text of both.
  private func settledByRawText() throws -> (document: Document, changes: [ChangeID]) {
    var story = Story()
    let start = story.change(
      0xb266_99fa_9705_fe73, .put(map: .root, key: "body", content: .container(.text)))
    let body = start.container(0)
    let one = story.change(
      0xb838_4f4f_2a29_effe, after: [start], .insertText(into: body, at: 0, text: "q"),
      .insertText(into: body, at: 0, text: "v"))
    let other = story.change(
      0x61b4_483b_7e39_d707, after: [start], .insertText(into: body, at: 0, text: "s"))
    let last = story.change(
      0xb266_99fa_9705_fe73, after: [one, other], .insertText(into: body, at: 3, text: "r"),
      .insertText(into: body, at: 3, text: "y"), .insertText(into: body, at: 3, text: "q"),
      .insertText(into: body, at: 3, text: "a"))
    return (
      try Document(id: UniqueID(high: 1, low: 2), changes: story.changes),
      [start, one, other, last]
    )
  }

  @Test("whatever is reverted, the document is sound, and reverting it again leads back")
  func sound() throws {
    let (document, changes) = try settledByRawText()
    for choice in 1..<1 << changes.count {
      var reverted = document
      let some = changes.indices.filter { choice >> $0 & 1 == 1 }.map { changes[$0] }
      guard let reversal = try reverted.revert(some, by: session(11)) else { continue }
      #expect(Document.validate(bytes: reverted.encoded()).isEmpty, "\(some)")
      let after = reverted.root
      let again = try #require(try reverted.revert([reversal], by: session(12)))
      #expect(reverted.root == document.root, "\(some)")
      _ = try reverted.revert([again], by: session(13))
      #expect(reverted.root == after, "\(some)")
    }
  }

  @Test("a passage that no reversal met stays contested, and stands there once")
  func besidePassage() throws {
    let start = "first line\n\nsecond line\n\nIt cost 12,000 in all.\n"
    var one = Document(id: UniqueID(high: 1, low: 2))
    try one.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.replaceText(at: body, with: start)
    }
    var other = one
    func put(_ text: String, in document: inout Document, by agent: UInt64) throws -> ChangeID {
      try #require(
        try document.change(by: session(agent)) { try $0.replaceText(at: body, with: text) })
    }
    _ = try put(start.replacing("12,000", with: "11,000"), in: &one, by: 2)
    _ = try put(start.replacing("12,000", with: "9,500"), in: &other, by: 3)
    _ = try one.merge(other)
    let contested = one.conflicts.count
    #expect(contested == 1)
    let merged = try #require(text(one))
    let change = try put(merged.replacing("first", with: "1st"), in: &one, by: 4)
    let edited = text(one)
    let reversal = try #require(try one.revert([change], by: session(5)))
    #expect(text(one) == merged)
    #expect(one.conflicts.count == contested)
    _ = try one.revert([reversal], by: session(6))
    #expect(text(one) == edited)
    #expect(one.conflicts.count == contested)
    #expect(Document.validate(bytes: one.encoded()).isEmpty)
  }

  @Test("what was settled stays settled when the change after it is reverted")
  func settled() throws {
    var one = Document(id: UniqueID(high: 1, low: 2))
    try one.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.replaceText(at: body, with: "It cost 12,000 in all.")
    }
    var other = one
    try one.change(by: session(2)) {
      try $0.replaceText(at: body, with: "It cost 11,000 in all.")
    }
    try other.change(by: session(3)) {
      try $0.replaceText(at: body, with: "It cost 9,500 in all.")
    }
    _ = try one.merge(other)
    let shown = try #require(text(one))
    let settling = try #require(
      try one.change(by: session(4)) {
        try $0.replaceText(at: body, with: "It cost 10,000 in all.")
      })
    #expect(one.conflicts.isEmpty)
    _ = try one.revert([settling], by: session(5))
    #expect(text(one) == shown)
    #expect(one.conflicts.isEmpty)
    #expect(Document.validate(bytes: one.encoded()).isEmpty)
  }

  /// One deletes a line in which the other one replaces a word.
  @Test(
    "a settled line does not come back with a hole when its deletion is taken back",
    arguments: [
      ("7:16 IC from Ulm\n", "7:16 ICE from Ulm\n"), ("7:16 IC from Ulm\n", "7:16 IC to Ulm\n"),
      ("IC from Ulm, 7:16\n", "EC from Ulm, 7:16\n"),
    ], [UInt64(10), 30])
  func settledLine(texts: (String, String), agent: UInt64) throws {
    func note(_ line: String) -> String { "6:02 bus to Bonn\n\(line)9:00 breakfast\n" }
    var base = Document(id: UniqueID(high: 1, low: 2))
    try base.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.replaceText(at: body, with: note(texts.0))
    }
    var main = base
    try main.change(by: session(20)) { try $0.replaceText(at: body, with: note(texts.1)) }
    let deletion = try #require(
      try base.change(by: session(agent)) { try $0.replaceText(at: body, with: note("")) })
    _ = try main.merge(base)
    let conflict = try #require(main.conflicts.first)
    for side in [conflict.kept] + conflict.others {
      var settled = main
      try settled.change(by: session(40)) { try $0.resolve(conflict, taking: .side(side)) }
      let shown = try #require(text(settled))
      _ = try settled.revertTogether([deletion])
      let reverted = try #require(text(settled))
      #expect([shown, note(texts.0)].contains(reverted))
      #expect(Document.validate(bytes: settled.encoded()).isEmpty)
    }
  }

  @Test("a line comes back without the word that another one deleted in it")
  func deletedTwice() throws {
    var main = Document(id: UniqueID(high: 1, low: 2))
    try main.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.replaceText(at: body, with: "one\ntwo or three words\nfour\n")
    }
    var other = main
    try other.change(by: session(3)) {
      try $0.replaceText(at: body, with: "one\ntwo or words\nfour\n")
    }
    let deletion = try #require(
      try main.change(by: session(2)) { try $0.replaceText(at: body, with: "one\nfour\n") })
    _ = try main.merge(other)
    _ = try main.revertTogether([deletion])
    #expect(text(main) == "one\ntwo or words\nfour\n")
  }
}
