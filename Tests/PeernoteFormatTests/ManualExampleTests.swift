import Peernote
import PeernoteTestSupport
import Testing

/// The worked example of the manual page.
@Suite("Example in the manual page") struct ManualExampleTests {
  @Test("The bytes explained in the manual page are those that the library writes")
  func bytes() throws {
    var explained: [UInt8] = []
    for line in try ManualPage.lines("Example") where !line.isEmpty {
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
    let written = try Self.document().encoded()
    #expect(explained == written, "\(Self.dump(written))")
  }

  private static func document() throws -> DocumentFile {
    let (desk, phone) = (
      AgentID(rawValue: 0x5F0C_21AB_9D3E_4477), AgentID(rawValue: 0xA1B2_C3D4_E5F6_0718)
    )
    let first = ChangeID(agent: desk, sequence: 1)
    let body = first.container(1)
    func change(
      _ agent: AgentID, _ sequence: Int, after parents: [ChangeID], seconds: Int64,
      by author: String, message: String? = nil, _ edits: [Edit]
    ) -> Change {
      Change(
        id: ChangeID(agent: agent, sequence: sequence), parents: parents,
        time: Timestamp(milliseconds: goldenTime + 1000 * seconds), author: author,
        message: message, edits: edits)
    }
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

  private static func dump(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined(separator: " ")
  }
}
