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

  // MARK: Two people

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

  @Test("equal titles written apart are no more than they seem")
  func equalTitles() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob") { $0.title = "Same" }
    let other = try Self.edited(base, 3, "cleo") { $0.title = "Same" }
    #expect(try Self.merge(one, other).note.title == "Same")
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

  @Test("edits of different paragraphs are kept, and nothing is reported")
  func differentParagraphs() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob") {
      $0.body = $0.body.replacing("First", with: "Very first")
    }
    let other = try Self.edited(base, 3, "cleo") {
      $0.body = $0.body.replacing("some", with: "many")
    }
    let (note, report) = try Self.merge(one, other)
    #expect(
      note.body == "Very first line.\nSecond line.\n\nA last paragraph of many words.\n")
    #expect(report.conflicts.isEmpty)
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

  @Test("a tag that one side discards and the other adds again stays")
  func tagAgain() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob") { $0.tags = ["home"] }
    var other = try Self.edited(base, 3, "cleo") { $0.tags = ["home"] }
    other = try Self.edited(other, 3, "cleo") { $0.tags = ["home", "todo"] }
    #expect(Set(try Self.merge(one, other).note.tags) == ["home", "todo"])
    #expect(Set(try Self.merge(one, base).note.tags) == ["home"])
  }

  @Test("a conflict ends when someone who has seen it writes again")
  func settled() throws {
    let base = try Self.makeBase()
    var one = try Self.edited(base, 2, "bob") { $0.title = "B" }
    let other = try Self.edited(base, 3, "cleo") { $0.title = "C" }
    _ = try one.merge(other)
    #expect(one.conflicts.map(\.kind) == [.register])
    let settled = try Self.edited(one, 2, "bob") { $0.title = "D" }
    #expect(settled.conflicts.isEmpty)
    // Someone who has only one of the two learns of nothing but the outcome.
    let (note, report) = try Self.merge(other, settled)
    #expect(note.title == "D")
    #expect(report.result == .fastForward)
    #expect(report.conflicts.isEmpty)
  }

  // MARK: More copies

  @Test("five copies lead to the same bytes in whatever order they are merged")
  func anyOrder() throws {
    let base = try Self.makeBase()
    var copies: [Document] = []
    for (index, name) in ["bob", "cleo", "dan", "eve", "finn"].enumerated() {
      copies.append(
        try Self.edited(base, UInt64(2 + index), name, at: 2000 + Int64(index % 3)) {
          $0.title = "Plan of \(name)"
          $0.tags.append(name)
          $0.body = $0.body.replacing("Second", with: "Second, says \(name),")
          if index % 2 == 0 { $0.body += "\(name)\n" }
          $0.priority = index == 1 ? .high : nil
        })
    }
    let wanted = try merged(copies, in: [0, 1, 2, 3, 4])
    let note = try #require(Note(root: wanted.root))
    for name in ["bob", "cleo", "dan", "eve", "finn"] {
      #expect(note.tags.contains(name))
      let readings = wanted.conflicts.flatMap(\.sides).compactMap(\.node?.string)
      #expect((readings + [note.body]).contains { $0.contains("says \(name),") }, "\(name)")
    }
    #expect(note.priority == .high)
    var orders: [[Int]] = []
    forEachOrder(of: 5) { orders.append($0) }
    #expect(orders.count == 120)
    for order in orders {
      let document = try merged(copies, in: order)
      #expect(document.bytes() == wanted.bytes(), "\(order)")
    }
    // In pairs, then the pairs.
    var left = try merged(copies, in: [4, 1])
    _ = try left.merge(try merged(copies, in: [0, 3, 2]))
    #expect(left.bytes() == wanted.bytes())
  }

  private func merged(_ copies: [Document], in order: [Int]) throws -> Document {
    var document = copies[order[0]]
    for index in order.dropFirst() { _ = try document.merge(copies[index]) }
    return document
  }

  private func forEachOrder(of count: Int, _ body: ([Int]) -> Void) {
    func extend(_ order: [Int]) {
      if order.count == count { body(order) }
      for next in 0..<count where !order.contains(next) { extend(order + [next]) }
    }
    extend([])
  }

  @Test("merging again changes and reports nothing")
  func again() throws {
    let base = try Self.makeBase()
    var one = try Self.edited(base, 2, "bob") { $0.title = "B" }
    let other = try Self.edited(base, 3, "cleo") { $0.title = "C" }
    _ = try one.merge(other)
    let bytes = one.bytes()
    for (copy, result) in [(other, MergeReport.Result.behind), (base, .behind), (one, .identical)] {
      let report = try one.merge(copy)
      #expect(report.result == result)
      #expect(report.newChanges.isEmpty && report.conflicts.isEmpty)
      #expect(one.bytes() == bytes)
    }
    var behind = base
    let report = try behind.merge(one)
    #expect(report.result == .fastForward)
    #expect(report.newChanges.count == 2)
    #expect(behind.bytes() == bytes)
  }

  // MARK: Refusals

  @Test("notes of another identity or without a common change are refused")
  func strangers() throws {
    let base = try Self.makeBase()
    var stranger = Document(id: UniqueID(high: 7, low: 9))
    try stranger.change(by: .person(1, "ann", at: 1000)) { try $0.create(Self.note) }
    var unrelated = Document(id: Self.id)
    try unrelated.change(by: .person(9, "ann", at: 1000)) { try $0.create(Self.note) }
    var document = base
    #expect { try document.merge(stranger) } throws: { error in
      if case MergeError.differentDocument = error { true } else { false }
    }
    #expect { try document.merge(unrelated) } throws: { error in
      if case MergeError.noSharedHistory = error { true } else { false }
    }
    #expect(document.bytes() == base.bytes())
    // A document without any change takes everything.
    var empty = Document(id: Self.id)
    #expect(try empty.merge(base).result == .fastForward)
    #expect(empty.bytes() == base.bytes())
  }

  @Test("one change with two contents is refused, whatever differs")
  func forks() throws {
    let base = try Self.makeBase()
    let one = try Self.edited(base, 2, "bob") { $0.title = "B" }
    let next = try Self.edited(base, 5, "eve") { $0.priority = .low }
    var remarked = base
    try remarked.change(by: .person(2, "bob", at: 2000), message: "a remark") {
      try $0.put(.string("B"), at: JSONPointer(["title"]))
    }
    let forks = [
      ("operations", try Self.edited(base, 2, "bob") { $0.title = "X" }),
      ("operations", try Self.edited(base, 2, "bob") { $0.tags = [] }),
      ("time", try Self.edited(base, 2, "bob", at: 2001) { $0.title = "B" }),
      ("author", try Self.edited(base, 2, "rob") { $0.title = "B" }),
      ("message", remarked),
      ("parents", try Self.edited(next, 2, "bob") { $0.title = "B" }),
    ]
    let name = try #require(one.heads.first)
    for (reason, fork) in forks {
      for (ours, theirs) in [(one, fork), (fork, one)] {
        var document = ours
        #expect {
          try document.merge(theirs)
        } throws: { error in
          if case MergeError.forked(name, reason) = error { true } else { false }
        }
        #expect(document.bytes() == ours.bytes())
      }
    }
  }

  @Test("a copy whose deleted text is redacted makes that of others redacted, for good")
  func redaction() throws {
    let base = try Self.makeBase()
    let full = try Self.edited(base, 2, "bob") { $0.body = "First line.\n" }
    let changes = try full.exportedChanges.map { change in
      var change = change
      change.edits = EditList(
        change.edits.map { edit in
          guard case .deleteText(let text, let position, let count, let backward, _) = edit else {
            return edit
          }
          return .deleteText(from: text, at: position, count: count, backward: backward, text: nil)
        })
      return change
    }
    let redacted = try Document(id: Self.id, changes: changes)
    #expect(redacted.bytes() != full.bytes())
    #expect(redacted.root == full.root)
    let later = try Self.edited(full, 3, "cleo") { $0.body += "Later.\n" }
    for copy in [full, later, base] {
      for (ours, theirs) in [(copy, redacted), (redacted, copy)] {
        var document = ours
        _ = try document.merge(theirs)
        let bytes = document.bytes()
        #expect(!bytes.contains(Array("paragraph".utf8)))
        #expect(Document.validate(bytes: bytes) == [])
        _ = try document.merge(full)
        #expect(document.bytes() == bytes)
      }
    }
  }
}
