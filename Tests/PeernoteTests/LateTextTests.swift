import Peernote
import PeernoteTestSupport
import Testing

/// Text that was redacted after content left the document does not come back with that content.
@Suite struct LateTextTests {
  private static let body = JSONPointer(["body"])

  /// A document with a text, of which something was deleted and redacted, and the version before.
  private static func document(
    _ text: String, then now: String, redacting pattern: String
  ) throws -> (document: Document, base: [ChangeID]) {
    var document = try Document(ofText: text)
    let base = document.heads
    try document.change(by: .person(2)) { try $0.replaceText(at: body, with: now) }
    let passage = try #require(TextPattern(pattern))
    try document.redactDeletedText(matching: passage)
    return (document, base)
  }

  private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    bytes.contains(Array(text.utf8))
  }

  /// What a text is after another one came back to a version of it; `nil` if it was refused.
  private static func result(
    _ before: String, then now: String, redacting pattern: String, late: String
  ) throws -> String? {
    var (document, base) = try document(before, then: now, redacting: pattern)
    let bytes = document.bytes()
    do {
      try document.change(at: base, by: .person(9)) { try $0.replaceText(at: body, with: late) }
    } catch EditError.redacted {
      #expect(document.bytes() == bytes, "a refusal leaves the document as it is")
      return nil
    }
    let written = document.bytes()
    #expect(Document.validate(bytes: written).isEmpty)
    #expect(!holds(written, "\u{FFFD}") && !holds(written, "\u{10FFFF}"), "no marker is written")
    guard case .text(let text)? = document.node(at: body) else { return nil }
    return text
  }

  @Test(
    "what was redacted stays out, and edits beside it come in",
    arguments: [
      // As it was exported.
      ("a\npw hunter2\nb\n", "a\nb\n", "pw hunter2", "a\npw hunter2\nb\n", "a\nb\n"),
      // Edited elsewhere, and on the same line.
      ("a\npw hunter2\nb\n", "a\nb\n", "pw hunter2", "a\npw hunter2\nb\nc\n", "a\nb\nc\n"),
      ("a\npw hunter2\nb\n", "a\npw\nb\n", "hunter2", "a\nmy pw hunter2\nb\n", "a\nmy pw\nb\n"),
      ("a\npw hunter2\nb\n", "a\nb\n", "pw hunter2", "x\na\npw hunter2\nb\ny\n", "x\na\nb\ny\n"),
      // Deleted there as well.
      ("a\npw hunter2\nb\n", "a\nb\n", "pw hunter2", "a\nb\nc\n", "a\nb\nc\n"),
      // Two of them, one at each end.
      ("one111\nx\nz\ntwo111\n", "x\nz\n", "???111", "one111\nx\ny\nz\ntwo111\n", "x\ny\nz\n"),
    ])
  func staysOut(before: String, now: String, pattern: String, late: String, after: String) throws {
    #expect(try Self.result(before, then: now, redacting: pattern, late: late) == after)
  }

  @Test(
    "what may hold redacted text is refused",
    arguments: [
      // Edited itself, or beside it.
      "a\npw hunter2\nB\n",
      "a\npw hunter23\nb\n", "a\npw hunter\nb\n", "a\nnew line x\npw hunter2\nb\n",
      "a\npw hunter2 and more\nb\n", "a\nsee the vault\nb\n",
      "x\na\npw hunter2\ny\nb\n", "a\nyy\npw hunter2\nb\n",
      // Moved, also without its line, and copied.
      "a\nb\nsee: pw hunter2 there\n",
      "a\nb\npw hunter2\n", "a\npw hunter2\nb\nagain: pw hunter2\n",
      "a\npw hunter2\nb\nhunter2\n", "hunter\na\nb\n",
    ])
  func refused(late: String) throws {
    #expect(
      try Self.result("a\npw hunter2\nb\n", then: "a\nb\n", redacting: "pw hunter2", late: late)
        == nil)
  }

  @Test("elements of lists and entries of maps are told by what is left of them")
  func structures() throws {
    func element(_ text: String, _ done: Bool) -> DocumentNode {
      .map([
        .init(key: "text", node: .text(text)), .init(key: "done", node: .value(.bool(done))),
      ])
    }
    let list = JSONPointer(["list"])
    var document = Document(id: UniqueID(high: 5, low: 6))
    try document.change(by: .person(1)) { editor in
      try editor.put(
        node: .list([
          element("buy milk today", false), element("hunter2", false), element("feed cat", true),
        ]), at: list)
    }
    let base = document.heads
    try document.change(by: .person(2)) { try $0.replaceText(at: ["list", "1", "text"], with: "") }
    try document.redactDeletedText()
    let late: [DocumentNode] = [
      element("new", false), element("buy milk and eggs today", false),
      element("hunter2", false), element("feed cat", false),
    ]
    try document.change(at: base, by: .person(3)) { editor in
      try editor.replaceContent(at: list, with: .list(late))
    }
    #expect(
      document.node(at: list)?.sorted
        == DocumentNode.list([
          element("new", false), element("buy milk and eggs today", false), element("", false),
          element("feed cat", false),
        ]).sorted)
    #expect(!String(decoding: document.bytes(), as: UTF8.self).contains("hunter2"))
    // Strings of JSON stand for texts.
    try document.change(at: base, by: .person(4)) { editor in
      try editor.replaceContent(
        at: ["list", "1", "text"], with: .value(.string("hunter2")),
        matching: .keepingKinds)
      #expect(editor.leftRedacted.map(\.scalars) == [7])
    }
    #expect(!String(decoding: document.bytes(), as: UTF8.self).contains("hunter2"))
  }

  private struct Model: Codable {
    @MergeableText var text = ""
    var title = ""
  }

  @Test(
    "a draft that was read before is saved without what was redacted, or refused",
    arguments: [
      ("a\npw hunter2\nb\n", "a\n\nb\n"), ("a\npw hunter2\nb\nc\n", "a\n\nb\nc\n"),
      ("A\npw hunter2\nb\nc\n", nil), ("a\npw hunter2 and more\nb\nc\n", nil),
      ("a\nmy pw hunter23\nb\n", nil), ("b\npw hunter2\n", nil),
      ("a\nb\nagain pw hunter2\n", nil), ("a\nx\nb\n", nil),
    ] as [(String, String?)])
  func draft(edited: String, saved: String?) throws {
    var document = Document(id: UniqueID(high: 5, low: 7))
    try document.change(by: .person(1)) { editor in
      try editor.put(node: .text("a\npw hunter2\nb\n"), at: ["text"])
      try editor.put(.string(""), at: ["title"])
    }
    var draft = try document.draft(Model.self)
    try document.change(by: .person(2)) { try $0.replaceText(at: ["text"], with: "a\n\nb\n") }
    let passage = try #require(TextPattern("pw hunter2"))
    try document.redactDeletedText(matching: passage)
    draft.text = edited
    draft.title = "new"
    let before = document.bytes()
    do {
      try document.commit(&draft, by: .person(3))
    } catch {
      #expect(saved == nil && document.bytes() == before)
      return
    }
    #expect(draft.text == saved && draft.title == "new")
    let bytes = document.bytes()
    #expect(!Self.holds(bytes, "hunter2") && !Self.holds(bytes, "\u{10FFFF}"))
    #expect(Document.validate(bytes: bytes).isEmpty)
  }
}
