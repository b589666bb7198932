import Peernote
import Testing

/// A note as simple apps keep it: one document each, named by its UUID, so that two notes may have
/// one title.
struct PlainNote: Codable, Equatable {
  var title: String
  @MergeableText var content: String
  var modified: Timestamp
}

/// A folder of plain notes, as in an app that keeps the last write.
@Suite struct PlainNoteExample {
  private func note(_ number: UInt64, _ note: PlainNote) throws -> Document {
    var document = Document(id: exampleID(number))
    try document.encode(note, session: session("desk"))
    return document
  }

  @Test("a title set on one device and a content edited on the other are both kept")
  func independentFields() throws {
    let base = try note(
      300, PlainNote(title: "Plans", content: "Rest.\n", modified: Timestamp(milliseconds: 1)))
    var desk = try base.edited(PlainNote.self, by: "desk", at: 1) {
      $0.title = "Summer plans"
      $0.modified = Timestamp(milliseconds: 2)
    }
    let phone = try base.edited(PlainNote.self, by: "phone", at: 2) {
      $0.content += "Swim.\n"
      $0.modified = Timestamp(milliseconds: 3)
    }
    _ = try desk.merge(phone)
    let wanted = PlainNote(
      title: "Summer plans", content: "Rest.\nSwim.\n", modified: Timestamp(milliseconds: 3))
    #expect(try desk.decode(PlainNote.self) == wanted)
  }

  @Test("where an app that keeps the last write loses one side's edit, both are there")
  func bothEdits() throws {
    let base = try note(
      301, PlainNote(title: "", content: "one\ntwo\n", modified: Timestamp(milliseconds: 1)))
    var desk = try base.edited(PlainNote.self, by: "desk") { $0.content = "zero\none\ntwo\n" }
    let phone = try base.edited(PlainNote.self, by: "phone") { $0.content = "one\ntwo\nthree\n" }
    let report = try desk.merge(phone)
    #expect(try desk.decode(PlainNote.self).content == "zero\none\ntwo\nthree\n")
    #expect(report.conflicts.isEmpty)
  }

  @Test("two notes of one name are two notes, and are never taken for copies of each other")
  func duplicateNames() throws {
    let plain = PlainNote(title: "Plans", content: "", modified: Timestamp(milliseconds: 1))
    var one = try note(302, plain)
    let other = try note(303, plain)
    #expect(throws: MergeError.self) { try one.merge(other) }
    #expect(try one.relation(to: other) == .differentDocument)
  }

  @Test("title and text are read without decoding the history")
  func reading() throws {
    let document = try note(
      304, PlainNote(title: "Plans", content: "Rest.\n", modified: Timestamp(milliseconds: 1)))
    let bytes = document.encoded()

    let reader = try DocumentReader(bytes: bytes)
    let title = reader.root["title"]
    let content = reader.root["content"]

    #expect(title == .value(.string("Plans")))
    #expect(content == .text("Rest.\n"))
    #expect(try PeernoteDecoder().decode(PlainNote.self, from: reader.root).title == "Plans")
  }
}
