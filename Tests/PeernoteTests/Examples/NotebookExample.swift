import Peernote
import Testing

/// A notebook of notes, in an order that people set by hand.
struct Notebook: Codable, Equatable {
  var notes: [NotebookNote] = []
}

/// A note: title and priority are replaced whole, the text is merged letter by letter.
struct NotebookNote: Codable, Equatable, Identifiable {
  let id: UniqueID
  let created: Timestamp
  var title: String
  var priority: Int
  @MergeableText var text: String
  var tags: Set<String> = []

  init(id: UniqueID, created: Timestamp, title: String, priority: Int = 0, text: String = "") {
    self.id = id
    self.created = created
    self.title = title
    self.priority = priority
    self.text = text
  }
}

/// The notebook of the app Decent Notes, whose documents showed a note twice after it was moved on
/// two devices.
@Suite struct NotebookExample {
  private func notebook() throws -> Document {
    var notebook = Notebook()
    for (number, title) in ["Shopping", "Ideas", "Recipe"].enumerated() {
      notebook.notes.append(
        NotebookNote(
          id: exampleID(UInt64(number)), created: Timestamp(milliseconds: 1_795_000_000_000),
          title: title, text: "Teh first line.\nThe secnod line.\n"))
    }
    var document = Document(id: exampleID(100))
    try document.encode(notebook, session: session("desk"))
    return document
  }

  @Test("two spelling corrections on two devices both survive")
  func corrections() throws {
    let base = try notebook()
    var desk = try base.edited(Notebook.self, by: "desk") {
      $0.notes[0].text = "The first line.\nThe secnod line.\n"
    }
    let phone = try base.edited(Notebook.self, by: "phone") {
      $0.notes[0].text = "Teh first line.\nThe second line.\n"
    }
    let report = try desk.merge(phone)
    let merged = try desk.decode(Notebook.self)
    #expect(merged.notes[0].text == "The first line.\nThe second line.\n")
    #expect(report.conflicts.isEmpty)
  }

  @Test("the same move on two devices gives one note in one place")
  func moves() throws {
    let base = try notebook()
    let move = { (notebook: inout Notebook) in
      notebook.notes.insert(notebook.notes.remove(at: 2), at: 0)
    }
    var desk = try base.edited(Notebook.self, by: "desk", move)
    _ = try desk.merge(try base.edited(Notebook.self, by: "phone", move))
    #expect(try desk.decode(Notebook.self).notes.map(\.title) == ["Recipe", "Shopping", "Ideas"])
  }

  @Test("different moves of one note on two devices leave it in one of the two places")
  func otherMoves() throws {
    let base = try notebook()
    var desk = try base.edited(Notebook.self, by: "desk") {
      $0.notes.insert($0.notes.remove(at: 2), at: 0)
    }
    _ = try desk.merge(
      try base.edited(Notebook.self, by: "phone") { $0.notes.insert($0.notes.remove(at: 2), at: 1) }
    )
    let titles = try desk.decode(Notebook.self).notes.map(\.title)
    #expect(titles.sorted() == ["Ideas", "Recipe", "Shopping"])
    #expect(titles.firstIndex(of: "Recipe") != 2)
  }

  @Test("a note that is deleted on one device and edited on the other stays and is reported")
  func deletion() throws {
    let base = try notebook()
    var desk = try base.edited(Notebook.self, by: "desk") { $0.notes.remove(at: 1) }
    let report = try desk.merge(
      try base.edited(Notebook.self, by: "phone") { $0.notes[1].text += "A new idea.\n" })
    #expect(report.conflicts.map(\.kind) == [.deleteEdit])
    #expect(report.conflicts.map(\.path.description) == ["/notes/1"])
    let note = try desk.decode(Notebook.self).notes[1]
    #expect(note.text == "Teh first line.\nThe secnod line.\nA new idea.\n")
  }

  @Test("tags that were added on both sides are all there, and one that was removed is gone")
  func tags() throws {
    let base = try notebook().edited(Notebook.self, by: "desk") { $0.notes[0].tags = ["old"] }
    var desk = try base.edited(Notebook.self, by: "desk 2") { $0.notes[0].tags = ["home", "old"] }
    _ = try desk.merge(try base.edited(Notebook.self, by: "phone") { $0.notes[0].tags = ["money"] })
    #expect(try desk.decode(Notebook.self).notes[0].tags == ["home", "money"])
  }

  @Test("identity and creation date stay what they are, and of two priorities the later is shown")
  func constants() throws {
    let base = try notebook()
    var desk = try base.edited(Notebook.self, by: "desk") { $0.notes[0].priority = 1 }
    let report = try desk.merge(
      try base.edited(Notebook.self, by: "phone", at: 5) { $0.notes[0].priority = 2 })
    let merged = try desk.decode(Notebook.self).notes[0]
    #expect(merged.priority == 2)
    #expect(merged.id == exampleID(0) && merged.created.milliseconds == 1_795_000_000_000)
    #expect(report.conflicts.map(\.path.description) == ["/notes/0/priority"])
  }
}
