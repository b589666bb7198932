import Peernote
import PeernoteTestSupport
import Testing

/// Two and more people edit copies of one note.
@Suite struct NoteMergeTests {
  private static let id = UniqueID(high: 7, low: 8)
  private static let note = Note(
    title: "Plan", body: "First line.\nSecond line.\n\nA last paragraph of some words.\n",
    tags: ["home", "todo"], priority: .normal, created: Timestamp(milliseconds: 5))

  private static func makeBase() throws -> Document {
    var document = Document(id: id)
    try document.change(by: .person(1, "ann", at: 1000)) { try $0.create(note) }
    return document
  }

  /// The document with the note changed by someone.
  private static func edited(
    _ document: Document, _ agent: UInt64, _ author: String, _ edit: (inout Note) -> Void
  ) throws -> Document {
    var copy = document
    var note = try #require(Note(root: copy.root))
    edit(&note)
    try copy.change(by: .person(agent, author, at: 2000)) { try $0.apply(note) }
    return copy
  }

  /// Merges both ways, checks that it makes no difference, and returns the note and the report.
  private static func merge(
    _ one: Document, _ other: Document
  ) throws -> (note: Note, report: MergeReport) {
    let merged = try TwoCopies(one, other).merged()
    var ours = one
    let report = try ours.merge(other)
    return (try #require(Note(root: merged.root)), report)
  }

  @Test("edits of different fields are all kept, and nothing is reported")
  func differentFields() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob") {
      $0.title = "Plan B"
      $0.tags = ["home", "todo", "bob"]
    }
    let other = try Self.edited(base, 3, "cleo") {
      $0.priority = .high
      $0.tags = ["todo", "cleo"]
      $0.body += "More.\n"
      $0.fields["pages"] = .value(.integer(3))
    }
    let (note, report) = try Self.merge(one, other)
    #expect(report.result == .merged)
    #expect(report.conflicts.isEmpty)
    #expect(report.newChanges.map(\.author) == ["cleo"])
    #expect(note.title == "Plan B")
    #expect(Set(note.tags) == ["todo", "bob", "cleo"])
    #expect(note.priority == .high)
    #expect(note.body == Self.note.body + "More.\n")
    #expect(note.created == Self.note.created)
    #expect(note.fields == ["pages": .value(.integer(3))])
  }

  @Test(
    "white space that one side inserts stays, or is listed, beside what the other one inserts",
    arguments: [
      ("a:\nb: 1\nc: 2\n", "a:\nnew: 0\nb: 1\nc: 2\n", "a:\n  b: 1\n  c: 2\n", "  "),
      ("one\ntwo\n", "one\ntwo more\n", "one\ntwo  \n", "  "),
      ("one\ntwo\n", "one\nnow two\n", "one\n\ttwo\n", "\t"),
      ("one\ntwo\n", "one\ntwo\nthree\n", "one\ntwo\n\n\n", "\n\n\n"),
      ("one two three\n", "one  two three\n", "one six three\n", "  "),
    ])
  func whiteSpace(start: String, ours: String, theirs: String, space: String) throws {
    var base = Document(id: Self.id)
    try base.change(by: .person(1, "ann", at: 1000)) {
      try $0.create(Note(body: start))
    }
    let (note, report) = try Self.merge(
      Self.edited(base, 2, "bob") { $0.body = ours },
      Self.edited(base, 3, "cleo") { $0.body = theirs })
    #expect(note.body.contains(space) || !report.conflicts.isEmpty, "\(note.body)")
  }
}
