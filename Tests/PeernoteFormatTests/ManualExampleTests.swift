import Peernote
import PeernoteTestSupport
import Testing

/// The worked examples of the manual page.
@Suite("Examples in the manual page") struct ManualExampleTests {
  @Test("The bytes of the first example are those that the library writes")
  func first() throws { try compare(with: Self.note(), "Example") }

  @Test("The bytes of the second example are those that the library writes")
  func second() throws { try compare(with: Self.plan(), "Second example") }

  @Test("The second example holds what the manual page says of it")
  func content() throws {
    let document = try Document(bytes: Self.plan().bytes())
    #expect(
      document.root
        == .map([
          .init(key: "body", node: .text("[a;]")),
          .init(key: "tags", node: .set([.string("x")])),
          .init(key: "count", node: .counter(1)),
          .init(
            key: "draft", node: .map([.init(key: "by", node: .value(.string("bob")))])),
          .init(key: "items", node: .list([.value(.string("jam")), .value(.string("tea"))])),
        ]))
    #expect(document.conflicts.map(\.path.description) == ["/body", "/draft"])
  }

  private func compare(with document: DocumentFile, _ name: String) throws {
    var explained: [UInt8] = []
    for line in try ManualPage.lines(name) where !line.isEmpty {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      let hexadecimal = words.dropFirst(2).prefix { !$0.isEmpty }
      if words[0].count == 4 {
        #expect(Int(words[0], radix: 16) == explained.count, "offset in: \(line)")
      } else {
        #expect(line.hasPrefix(" "), "a line begins with an offset: \(line)")
        continue
      }
      explained += try hexadecimal.map { try #require(UInt8($0, radix: 16), "byte in: \(line)") }
    }
    let written = document.bytes()
    #expect(explained == written, "\(Self.dump(written))")
  }

  private static func note() throws -> DocumentFile {
    let (desk, phone) = (
      AgentID(rawValue: 0x5F0C_21AB_9D3E_4477), AgentID(rawValue: 0xA1B2_C3D4_E5F6_0718)
    )
    let first = ChangeID(agent: desk, sequence: 1)
    let body = first.container(1)
    let changes = [
      change(
        desk, 1, after: [], seconds: 0, by: "desk",
        [
          .put("title", .string("Plan")), .put("body", new: .text),
          .insertText(into: body, at: 0, text: "Call her"),
        ]),
      change(
        desk, 2, after: [first], seconds: 5, by: "desk",
        [
          .deleteText(from: body, at: 5, count: 3, backward: false, text: "her"),
          .insertText(into: body, at: 5, text: "Ann"),
        ]),
      change(
        phone, 1, after: [first], seconds: 3, by: "phone", message: "urgent",
        [.put("title", .string("Plans")), .insertText(into: body, at: 8, text: "!")]),
    ]
    return try GoldenDocument.file(of: "example", changes)
  }

  private static func plan() throws -> DocumentFile {
    let (ann, bob) = (
      AgentID(rawValue: 0x3C59_DC04_8E88_5024), AgentID(rawValue: 0x8F14_E45F_CEEA_167A)
    )
    let first = ChangeID(agent: ann, sequence: 1)
    let (items, tags, count) = (first.container(0), first.container(1), first.container(2))
    let (body, draft) = (first.container(3), first.container(4))
    let changes = [
      change(
        ann, 1, after: [], seconds: 0, by: "ann",
        [
          .put("items", new: .list), .put("tags", new: .set), .put("count", new: .counter),
          .put("body", new: .text), .put("draft", new: .map),
          .insertElements(
            list: items, at: ListPlace(left: nil, right: nil),
            contents: [.value(.string("tea")), .value(.string("jam"))]),
          .add(set: tags, value: .string("x")), .increment(counter: count, by: 2),
          .insertText(into: body, at: 0, text: "[] 42"),
        ]),
      change(
        ann, 2, after: [first], seconds: 9, by: "ann",
        [
          .deleteText(from: body, at: 3, count: 2, backward: true, text: nil),
          .deleteText(from: body, at: 2, count: 1, backward: false, text: " "),
          .insertText(into: body, at: 1, text: "a;"),
          .moveElement(
            list: items, element: first.event(6), to: ListPlace(left: nil, right: first.event(5))),
          .remove(map: .root, key: "draft"), .add(set: tags, value: .string("x")),
        ]),
      change(
        bob, 1, after: [first], seconds: 5, by: "bob",
        [
          .insertText(into: body, at: 1, text: "b;"),
          .put(map: draft, key: "by", content: .value(.string("bob"))),
          .discard(set: tags, value: .string("x")), .increment(counter: count, by: -1),
        ]),
    ]
    return try GoldenDocument.file(of: "second example", changes)
  }

  private static func change(
    _ agent: AgentID, _ sequence: Int, after parents: [ChangeID], seconds: Int64,
    by author: String, message: String? = nil, _ edits: [Edit]
  ) -> Change {
    Change(
      id: ChangeID(agent: agent, sequence: sequence), parents: parents,
      time: Timestamp(milliseconds: goldenTime + 1000 * seconds), author: author,
      message: message, edits: edits)
  }

  private static func dump(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined(separator: " ")
  }
}
