import Peernote
import PeernoteTestSupport
import Testing

/// What a merge says of redacted text that comes back by the other copy.
@Suite struct LeftoverTextTests {
  private static let body = JSONPointer(["body"])

  private static func splice(
    _ document: inout Document, by agent: UInt64, _ range: Range<Int>, with text: String
  ) throws {
    try document.change(by: .person(agent, at: 1000)) {
      try $0.spliceText(at: body, scalars: range, with: text)
    }
  }

  /// A document with "one secret two" and its copy in which the secret was redacted.
  private static func copies() throws -> (plain: Document, redacted: Document) {
    let plain = try Document(ofText: "one secret two\nother line\n")
    var redacted = plain
    try splice(&redacted, by: 2, 4..<11, with: "")
    #expect(try redacted.redactDeletedText().removedScalars == 7)
    return (plain, redacted)
  }

  private static func left(_ one: Document, merging other: Document) throws -> [LeftoverText] {
    var one = one
    return try one.merge(other).leftover
  }

  @Test("words written anew beside a redaction are told, whoever merges")
  func writtenAnew() throws {
    let (old, redacted) = try Self.copies()
    var plain = old
    #expect(try Self.left(plain, merging: redacted) == [])
    #expect(try Self.left(redacted, merging: plain) == [])
    try Self.splice(&plain, by: 3, 26..<26, with: "the secret again\n")
    let told = [LeftoverText.shown(path: Self.body, line: 3)]
    #expect(try Self.left(plain, merging: redacted) == told)
    #expect(try Self.left(redacted, merging: plain) == told)
    // Said once, with the redaction.
    let merged = try PeernoteTestSupport.merged(plain, redacted)
    #expect(try Self.left(merged, merging: redacted) == [])
    var several = redacted
    #expect(try several.merge([old, plain]).last?.leftover == told)
  }

  @Test("a deletion by somebody else that keeps the text is told, with its author")
  func deletedTwice() throws {
    var (plain, redacted) = try Self.copies()
    try Self.splice(&plain, by: 3, 4..<8, with: "")
    for (one, other) in [(plain, redacted), (redacted, plain)] {
      let told = try Self.left(one, merging: other)
      #expect(told.count == 1)
      guard case .deleted(let text)? = told.first else {
        Issue.record("\(told)")
        return
      }
      #expect(text.path == Self.body)
      #expect(text.scalars == 4)
      #expect(text.authors == ["author 3"])
    }
    var merged = try PeernoteTestSupport.merged(plain, redacted)
    #expect(try merged.redactDeletedText().removedScalars == 4)
  }

  @Test("what both copies show elsewhere is not told")
  func shownElsewhere() throws {
    var plain = try Document(ofText: "one secret two\nno secret here\n")
    var redacted = plain
    try Self.splice(&redacted, by: 2, 4..<11, with: "")
    try redacted.redactDeletedText()
    try Self.splice(&plain, by: 3, 0..<0, with: "and ")
    #expect(try Self.left(plain, merging: redacted) == [])
    #expect(try Self.left(redacted, merging: plain) == [])
  }
}
