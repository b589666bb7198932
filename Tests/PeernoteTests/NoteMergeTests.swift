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
    _ document: Document, _ agent: UInt64, _ author: String, at time: Int64 = 2000,
    _ edit: (inout Note) -> Void
  ) throws -> Document {
    var copy = document
    var note = try #require(Note(root: copy.root))
    edit(&note)
    try copy.change(by: .person(agent, author, at: time)) { try $0.apply(note) }
    return copy
  }

  /// Merges both ways, checks that it makes no difference, and returns the note and the report.
  private static func merge(
    _ one: Document, _ other: Document
  ) throws -> (note: Note, report: MergeReport) {
    var ours = one
    let report = try ours.merge(other)
    var theirs = other
    let back = try theirs.merge(one)
    #expect(ours.bytes() == theirs.bytes())
    #expect(report.conflicts.map(\.path) == back.conflicts.map(\.path))
    #expect(report.conflicts.map(\.kind) == back.conflicts.map(\.kind))
    #expect(report.conflicts.map(\.id) == back.conflicts.map(\.id))
    #expect(report.conflicts.map(\.kept) == back.conflicts.map(\.kept))
    #expect(Document.validate(bytes: ours.bytes()) == [])
    return (try #require(Note(root: ours.root)), report)
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

  @Test("of two titles the later one is kept, and both are reported with author and time")
  func titles() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob", at: 3000) { $0.title = "Late" }
    let other = try Self.edited(base, 3, "cleo", at: 2000) { $0.title = "Early" }
    let (note, report) = try Self.merge(one, other)
    #expect(note.title == "Late")
    let conflict = try #require(report.conflicts.first)
    #expect(report.conflicts.count == 1)
    #expect(conflict.kind == .register)
    #expect(conflict.path.description == "/title")
    #expect(conflict.kept.node == .value(.string("Late")))
    #expect(conflict.kept.author == "bob")
    #expect(conflict.kept.time == Timestamp(milliseconds: 3000))
    #expect(conflict.others.map(\.node) == [.value(.string("Early"))])
    #expect(conflict.others.map(\.author) == ["cleo"])
    #expect(conflict.others.map(\.change) == other.heads)
  }

  @Test("a title removed on one side and written on the other stays, and is reported")
  func removedTitle() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob", at: 9000) { $0.title = nil }
    let other = try Self.edited(base, 3, "cleo") { $0.title = "Kept" }
    let (note, report) = try Self.merge(one, other)
    #expect(note.title == "Kept")
    #expect(report.conflicts.map(\.kind) == [.deleteEdit])
    #expect(report.conflicts.first?.others.map(\.author) == ["bob"])
    #expect(report.conflicts.first?.others.map(\.node) == [nil])
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

  @Test("edits of the same words are kept, and reported once, with their line")
  func sameParagraph() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob", at: 2500) {
      $0.body = $0.body.replacing("some words", with: "few words")
    }
    let other = try Self.edited(base, 3, "cleo") {
      $0.body = $0.body.replacing("some words", with: "many words")
    }
    let (note, report) = try Self.merge(one, other)
    #expect(note.body.hasSuffix("A last paragraph of few words.\n"))
    let conflict = try #require(report.conflicts.first)
    #expect(report.conflicts.count == 1)
    #expect(conflict.kind == .passage)
    #expect(conflict.path.description == "/body")
    #expect(conflict.line == 4)
    #expect(conflict.kept.node == .text("few"))
    #expect(conflict.kept.author == "bob")
    #expect(conflict.kept.time.milliseconds == 2500)
    #expect(conflict.others.map(\.node) == [.text("many")])
    #expect(conflict.others.map(\.author) == ["cleo"])
    #expect(conflict.others.map(\.time.milliseconds) == [2000])
  }
}
