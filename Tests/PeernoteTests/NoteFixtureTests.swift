import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// The two copies of a note that the README's first command merges.
///
/// `PEERNOTE_REGENERATE=1` writes them instead of comparing them.
@Suite("Diverged copies of a note") struct NoteFixtureTests {
  @Test("The copies among the fixtures are what two people made of one note")
  func files() throws {
    let copies = try Self.copies()
    for (name, document) in [("desk", copies.desk), ("phone", copies.phone)] {
      let file = Repository.path("Fixtures/notes/\(name).peernote")
      if ProcessInfo.processInfo.environment["PEERNOTE_REGENERATE"] == "1" {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(document.bytes()).write(to: file)
      }
      #expect(try Array(Data(contentsOf: file)) == document.bytes(), "\(name)")
    }
  }

  @Test("Merging the copies keeps every edit and reports what needs a look")
  func merge() throws {
    let copies = try Self.copies()
    var (desk, phone) = (copies.desk, copies.phone)
    let report = try desk.merge(copies.phone)
    _ = try phone.merge(copies.desk)
    #expect(desk.bytes() == phone.bytes())
    let note = try #require(Note(root: desk.root))
    #expect(note.title == "Spring meetup 2027")
    #expect(note.tags.sorted() == ["food", "meetup", "venue"])
    #expect(note.priority == .high)
    #expect(
      note.body == """
        We need a room for about 40 people on the evening of 14 May.

        The hall at the old river is free that day and costs 280 euros.

        Food: ask the bakery on Mill Street for bread and soup.

        To do:
        - send the invitations by the end of March
        - book the projector
        - print name badges

        """)
    #expect(report.conflicts.map { "\($0.path) \($0.kind.rawValue)" }.contains("/title register"))
    #expect(report.adjoining.contains { "\($0.path)" == "/body" })
  }

  /// 2026-11-20T13:00:00Z, in milliseconds.
  private static let start: Int64 = 1_795_179_600_000

  private static func session(_ agent: UInt64, _ author: String, minutes: Int64) -> DocumentSession
  {
    DocumentSession.person(agent, author, at: start + minutes * 60_000)
  }

  private static func copies() throws -> (desk: Document, phone: Document) {
    var desk = Document(
      id: UniqueID(high: 0x6F9C_1DE2_0B5F_4F27, low: 0x8E2C_6D1A_0F3B_9C55))
    let note = Note(
      title: "Spring meetup",
      body: """
        We need a room for about 40 people on 14 May.

        The hall at the harbour is free that day and costs 300 euros.

        Catering: ask the bakery on Mill Street.

        To do:
        - send the invitations
        - book the projector

        """,
      tags: ["meetup", "draft"], created: Timestamp(milliseconds: start))
    try desk.change(by: session(0x5F0C_21AB_9D3E_4477, "desk", minutes: 0)) { try $0.create(note) }
    var phone = desk
    let title = JSONPointer(["title"])
    let tags = JSONPointer(["tags"])

    try desk.change(by: session(0x5F0C_21AB_9D3E_4477, "desk", minutes: 58)) { editor in
      try editor.put(.string("Spring meetup: where?"), at: title)
      try editor.add(.string("venue"), toSetAt: tags)
      try editor.discard(.string("draft"), fromSetAt: tags)
      try replace("", before: "14 May", with: "the evening of ", in: &editor)
      try replace("", before: "harbour", with: "old ", in: &editor)
    }
    try desk.change(
      by: session(0x5F0C_21AB_9D3E_4477, "desk", minutes: 60), message: "after the call"
    ) { editor in
      try replace("", before: nil, with: "- print name badges\n", in: &editor)
    }
    try phone.change(by: session(0xA1B2_C3D4_E5F6_0718, "phone", minutes: 62)) { editor in
      try editor.put(.string("Spring meetup 2027"), at: title)
      try editor.put(.string("high"), at: ["priority"])
      try editor.add(.string("food"), toSetAt: tags)
      try replace("harbour", before: " is free", with: "river", in: &editor)
      try replace("300", before: " euros", with: "280", in: &editor)
      try replace("Catering", before: ": ask", with: "Food", in: &editor)
      try replace("", before: ".\n\nTo do", with: " for bread and soup", in: &editor)
    }
    try phone.change(by: session(0xA1B2_C3D4_E5F6_0718, "phone", minutes: 65)) { editor in
      try replace(
        "", before: "\n- book the projector", with: " by the end of March", in: &editor)
    }
    return (desk, phone)
  }

  /// Replaces a passage of the body that stands before another one, or before the end.
  ///
  /// Says where it edits, so that the files don't change when differences are found in another way.
  private static func replace(
    _ old: String, before next: String?, with new: String, in editor: inout Editor
  ) throws {
    let path = JSONPointer(["body"])
    guard case .text(let body) = editor.node(at: path) else { throw MissingBody() }
    let context = old + (next ?? "")
    let range = try #require(
      next == nil ? body.endIndex..<body.endIndex : body.range(of: context), "\(context)")
    let scalars = body.unicodeScalars
    let start = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
    try editor.spliceText(
      at: path, scalars: start..<start + old.unicodeScalars.count, with: new)
  }

  private struct MissingBody: Error {}
}
