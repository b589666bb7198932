import Foundation
import Peernote
import PeernoteFoundation
import Testing

/// The notes of a meeting: a title and the items of the agenda.
struct MeetingNotes: Codable, Equatable {
  var title = ""
  var agenda: [AgendaItem] = []
}

/// An item of the agenda, whose discussion several people write down.
struct AgendaItem: Codable, Equatable, Identifiable {
  let id: UUID
  var title: String
  @MergeableText var discussion: String
}

/// Meeting notes as in Automerge's example app of that name.
@Suite struct MeetingNotesExample {
  private func id(_ number: Int) throws -> UUID {
    try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)"))
  }

  private func meeting() throws -> Document {
    var meeting = MeetingNotes(title: "Weekly")
    for (number, title) in ["Budget", "Venue", "Minutes"].enumerated() {
      meeting.agenda.append(
        AgendaItem(id: try id(number), title: title, discussion: "We talked about \(title)."))
    }
    var document = Document(id: exampleID(200))
    try document.encode(meeting, session: session("desk"))
    return document
  }

  @Test("items that are added on both sides are all on the agenda")
  func additions() throws {
    let base = try meeting()
    var desk = try base.edited(MeetingNotes.self, by: "desk") {
      $0.agenda.append(AgendaItem(id: try id(3), title: "Party", discussion: ""))
    }
    _ = try desk.merge(
      try base.edited(MeetingNotes.self, by: "phone") {
        $0.agenda.insert(AgendaItem(id: try id(4), title: "Welcome", discussion: "Hello"), at: 0)
      })
    let titles = try desk.decode(MeetingNotes.self).agenda.map(\.title)
    #expect(titles == ["Welcome", "Budget", "Venue", "Minutes", "Party"])
    #expect(desk.conflicts.isEmpty)
  }

  @Test("of titles that are set on both sides one is shown and the other is in the conflicts")
  func titles() throws {
    let base = try meeting()
    var desk = try base.edited(MeetingNotes.self, by: "desk") { $0.agenda[0].title = "Budget 2026" }
    _ = try desk.merge(
      try base.edited(MeetingNotes.self, by: "phone", at: 2) { $0.agenda[0].title = "Budget 2027" })
    #expect(try desk.decode(MeetingNotes.self).agenda[0].title == "Budget 2027")
    let conflict = try #require(desk.conflicts.first)
    #expect(conflict.path.description == "/agenda/0/title")
    #expect(conflict.others.map(\.node) == [.value(.string("Budget 2026"))])
  }

  @Test("edits of different words on both sides are merged, and the line is reported")
  func discussions() throws {
    let base = try meeting()
    let old = base.root[JSONPointer(["agenda", "1", "discussion"])]?.string ?? ""
    var desk = try base.edited(MeetingNotes.self, by: "desk") {
      $0.agenda[1].discussion = "Today: " + old
    }
    let report = try desk.merge(
      try base.edited(MeetingNotes.self, by: "phone") {
        $0.agenda[1].discussion = old + " Soon."
      })
    let text = try desk.decode(MeetingNotes.self).agenda[1].discussion
    #expect(text == "Today: " + old + " Soon.")
    #expect(report.conflicts.isEmpty)
    #expect(report.adjoining.map(\.path.description) == ["/agenda/1/discussion"])
  }

  @Test("deleting an item never shifts the text of another")
  func deletion() throws {
    let base = try meeting()
    var desk = try base.edited(MeetingNotes.self, by: "desk") { $0.agenda.remove(at: 0) }
    let report = try desk.merge(
      try base.edited(MeetingNotes.self, by: "phone") {
        $0.agenda[1].discussion += " It is too small."
        $0.agenda[2].discussion += " They are late."
      })
    let agenda = try desk.decode(MeetingNotes.self).agenda
    #expect(agenda.map(\.title) == ["Venue", "Minutes"])
    #expect(
      agenda.map(\.discussion) == [
        "We talked about Venue. It is too small.", "We talked about Minutes. They are late.",
      ])
    #expect(report.conflicts.isEmpty)
  }

  @Test("an item that is deleted while someone writes in it stays and is reported")
  func deletedWhileEdited() throws {
    let base = try meeting()
    var desk = try base.edited(MeetingNotes.self, by: "desk") { $0.agenda.remove(at: 0) }
    let report = try desk.merge(
      try base.edited(MeetingNotes.self, by: "phone") { $0.agenda[0].discussion += " It grows." })
    let agenda = try desk.decode(MeetingNotes.self).agenda
    #expect(agenda.map(\.title) == ["Budget", "Venue", "Minutes"])
    #expect(agenda[0].discussion == "We talked about Budget. It grows.")
    #expect(report.conflicts.map(\.kind) == [.deleteEdit])
  }

  @Test("identifiers stand in the document as UUIDs, not as strings")
  func identifiers() throws {
    let node = try meeting().node(at: ["agenda", "0", "id"])
    #expect(node == .value(.uuid(try #require(UniqueID("00000000-0000-4000-8000-000000000000")))))
  }
}
