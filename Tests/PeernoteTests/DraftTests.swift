import Foundation
import Peernote
import PeernoteFiles
import PeernoteFoundation
import PeernoteTestSupport
import Testing

@Suite("Drafts") struct DraftTests {
  private struct Task: Codable, Equatable {
    var title = ""
    var done = false
    @MergeableText var notes = ""
    var due: Date?
  }

  private struct Plan: Codable, Equatable {
    var name: String
    var colour: String
    var tasks: [Task] = []
    var tags: Set<String> = []

    init(name: String, colour: String = "blue", tasks: [Task] = []) {
      (self.name, self.colour, self.tasks) = (name, colour, tasks)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      colour = try container.decodeIfPresent(String.self, forKey: .colour) ?? "blue"
      tasks = try container.decodeIfPresent([Task].self, forKey: .tasks) ?? []
      tags = try container.decodeIfPresent(Set<String>.self, forKey: .tags) ?? []
    }
  }

  private func session(_ number: UInt64, at time: Int64 = 1) -> DocumentSession {
    DocumentSession.person(number, "\(number)", at: time)
  }

  private func document() throws -> Document {
    var document = Document(id: UniqueID(randomBits: 1, 1))
    try document.encode(
      Plan(name: "Trip", tasks: [Task(title: "Pack"), Task(title: "Drive")]), session: session(1))
    return document
  }

  @Test("a session's changes are made at the time of the clock, not of its beginning")
  func clock() throws {
    let session = DocumentSession(author: "Ada")
    #expect(session.agent != DocumentSession(author: "Ada").agent)
    let first = session.time
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    #expect(abs(first.milliseconds - now.milliseconds) < 60_000)
    while session.time == first {}
    #expect(session.time > first)
    var fixed = self.session(1, at: 7)
    #expect(fixed.time.milliseconds == 7)
    fixed.time = Timestamp(milliseconds: 8)
    #expect(fixed.time.milliseconds == 8)
  }

  @Test("a draft that was not edited is not saved, and one of the present version needs no merge")
  func present() throws {
    var document = try document()
    var draft = try document.draft(Plan.self)
    #expect(try !draft.isEdited)
    let nothing = try document.commit(&draft, by: session(2))
    #expect(nothing.changes.isEmpty && nothing.merge == nil)
    draft.tasks[1].done = true
    #expect(try draft.isEdited)
    let report = try document.commit(&draft, by: session(2))
    #expect(report.merge?.result == .fastForward && report.merge?.newChanges.count == 1)
    #expect(report.changes == document.heads)
    #expect(try !draft.isEdited)
    #expect(draft.version == document.heads)
    #expect(try document.decode(Plan.self) == draft.model)
  }

  @Test("a draft that is saved late keeps what came in, and shows it")
  func late() throws {
    var document = try document()
    var draft = try document.draft(Plan.self)
    try document.change(by: session(3)) { editor in
      try editor.put(.string("Journey"), at: JSONPointer(["name"]))
      try editor.insert(
        node: .map([
          .init(key: "done", node: .value(.bool(false))),
          .init(key: "title", node: .value(.string("Book"))),
        ]),
        at: JSONPointer(["tasks", "0"]))
    }
    draft.tasks[1].notes = "Slowly."
    draft.tasks.append(Task(title: "Rest"))
    try document.commit(&draft, by: session(3))
    #expect(draft.name == "Journey")
    #expect(draft.tasks.map(\.title) == ["Book", "Pack", "Drive", "Rest"])
    #expect(draft.tasks[2].notes == "Slowly.")
    #expect(try document.decode(Plan.self) == draft.model)
    #expect(Document.validate(bytes: document.bytes()).isEmpty)
  }

  @Test("an agent that has edited meanwhile makes no second change of one name by a late draft")
  func agents() throws {
    var document = try document()
    var drafts = [try document.draft(Plan.self), try document.draft(Plan.self)]
    let mine = session(2)
    try document.change(by: mine) { try $0.put(.string("A"), at: JSONPointer(["a"])) }
    drafts[0].name = "B"
    try document.commit(&drafts[0], by: mine)
    drafts[1].colour = "red"
    try document.commit(&drafts[1], by: mine)
    #expect(Set(document.changes.map(\.id)).count == document.changeCount)
    #expect(try document.decode(Plan.self).name == "B")
    #expect(drafts[1].name == "B" && drafts[1].colour == "red")
    #expect(Document.validate(bytes: document.bytes()).isEmpty)
  }

  @Test("what a model only has by default is not written, and what it doesn't know stays")
  func defaults() throws {
    var document = Document(id: UniqueID(randomBits: 1, 2))
    try document.change(by: session(1)) { editor in
      try editor.put(.string("Trip"), at: JSONPointer(["name"]))
      try editor.put(.integer(3), at: JSONPointer(["stars"]))
    }
    var draft = try document.draft(Plan.self)
    // Somebody chooses a colour while the draft shows the default.
    try document.change(by: session(2, at: 2)) { editor in
      try editor.put(.string("green"), at: JSONPointer(["colour"]))
    }
    draft.name = "Tour"
    try document.commit(&draft, by: session(3, at: 3))
    #expect(draft.colour == "green")
    #expect(document.root["tasks"] == nil && document.root["tags"] == nil)
    #expect(document.root["stars"] == .value(.integer(3)))
    #expect(document.conflicts.isEmpty)
  }

  @Test("containers of a draft are those that every copy creates")
  func containers() throws {
    var desk = Document(id: UniqueID(randomBits: 1, 3))
    try desk.change(by: session(1)) { try $0.put(.string("Trip"), at: JSONPointer(["name"])) }
    var phone = desk
    var onDesk = try desk.draft(Plan.self)
    var onPhone = try phone.draft(Plan.self)
    onDesk.tags = ["sun"]
    onPhone.tags = ["sea"]
    onPhone.tasks = [Task(title: "Swim")]
    try desk.commit(&onDesk, by: session(2))
    try phone.commit(&onPhone, by: session(3))
    _ = try desk.merge(phone)
    #expect(try desk.decode(Plan.self).tags == ["sea", "sun"])
    #expect(desk.conflicts.isEmpty)
    // Late, on the same copy.
    var late = try phone.draft(Plan.self)
    late.tasks[0].done = true
    _ = try phone.merge(desk)
    try phone.commit(&late, by: session(3))
    #expect(late.tags == ["sea", "sun"] && late.tasks[0].done)
  }

  @Test("two drafts of one version that add the same property write into one container")
  func twoDrafts() throws {
    var document = Document(id: UniqueID(randomBits: 1, 5))
    try document.change(by: session(1)) { try $0.put(.string("Trip"), at: JSONPointer(["name"])) }
    var drafts = [try document.draft(Plan.self), try document.draft(Plan.self)]
    drafts[0].tags = ["sun"]
    drafts[1].tags = ["sea"]
    for index in drafts.indices { try document.commit(&drafts[index], by: session(2)) }
    #expect(drafts[1].tags == ["sea", "sun"])
    #expect(document.conflicts.isEmpty)
  }

  @Test("a refreshed draft says what it would if it were saved, and is still to be saved")
  func refreshing() throws {
    var document = try document()
    var draft = try document.draft(Plan.self)
    draft.tasks[0].title = "Pack light"
    try document.change(by: session(2)) { try $0.remove(at: JSONPointer(["tasks", "1"])) }
    let before = document.bytes()
    try document.refresh(&draft)
    #expect(document.bytes() == before)
    #expect(draft.tasks.map(\.title) == ["Pack light"])
    #expect(try draft.isEdited)
    try document.commit(&draft, by: session(3))
    #expect(try document.decode(Plan.self).tasks.map(\.title) == ["Pack light"])
  }

  @Test("what cannot be saved leaves document and draft as they were")
  func failures() throws {
    var document = try document()
    var draft = try document.draft(Plan.self)
    draft.name = "Tour"
    try document.change(by: session(2)) { editor in
      try editor.put(.integer(5), at: JSONPointer(["name"]))
    }
    // Somebody made a number of the name: the model cannot be read again.
    try document.change(by: session(2)) { editor in
      try editor.put(.integer(5), at: JSONPointer(["colour"]))
    }
    let before = document.bytes()
    let error = #expect(throws: ModelError.self) { try document.commit(&draft, by: session(3)) }
    #expect(error?.localizedDescription == error?.description)
    #expect(document.bytes() == before)
    #expect(draft.name == "Tour")

    var other = Document(id: UniqueID(randomBits: 1, 4))
    try other.encode(Plan(name: "Other"), session: session(7))
    let missing = #expect(throws: ModelError.self) { try other.commit(&draft, by: session(3)) }
    #expect(missing?.localizedDescription.contains("there is no change") ?? false)
  }

  @Test("a model is written as an edit of the version that it was read from")
  func since() throws {
    var document = try document()
    let version = document.heads
    var plan = try document.decode(Plan.self)
    try document.change(by: session(2)) { editor in
      try editor.put(.string("green"), at: JSONPointer(["colour"]))
    }
    plan.name = "Tour"
    let report = try document.encode(plan, since: version, session: session(2))
    #expect(report.merge?.result == .merged)
    #expect(report.changes.map(\.agent.rawValue) != [2] && report.changes.count == 1)
    let merged = try document.decode(Plan.self)
    #expect(merged.name == "Tour" && merged.colour == "green")
  }

  @Test("dates, UUIDs, URLs and data stand in the document as such, and come back")
  func foundation() throws {
    struct Model: Codable, Equatable {
      var date: Date
      var id: UUID
      var link: URL?
      var data: Data
      var days: [Date]
      var ids: Set<UUID>
    }
    let id = try #require(UUID(uuidString: "6F9C1DE2-0B5F-4F27-8E2C-6D1A0F3B9C55"))
    let model = Model(
      date: Date(timeIntervalSince1970: -1.5), id: id, link: URL(string: "https://example.org/a?b"),
      data: Data([0, 255]), days: [Date(timeIntervalSince1970: 2)], ids: [id])
    let node = try PeernoteEncoder().node(for: model)
    #expect(node["date"] == .value(.timestamp(Timestamp(milliseconds: -1500))))
    let unique = try #require(UniqueID("6f9c1de2-0b5f-4f27-8e2c-6d1a0f3b9c55"))
    #expect(node["id"] == .value(.uuid(unique)))
    #expect(UUID(unique) == id && UniqueID(id) == unique)
    #expect(node["link"] == .value(.string("https://example.org/a?b")))
    #expect(node["data"] == .value(.bytes([0, 255])))
    #expect(node["ids"] == .set([.uuid(unique)]))
    #expect(try PeernoteDecoder().decode(Model.self, from: node) == model)
    // What has no such value codes itself, as before there were any.
    let never = try PeernoteEncoder().node(for: ["date": Date(timeIntervalSince1970: .infinity)])
    #expect(node["date"] != never["date"])
    let old = DocumentNode.map([.init(key: "date", node: .value(.double(5)))])
    #expect(
      try PeernoteDecoder().decode([String: Date].self, from: old)["date"]
        == Date(timeIntervalSinceReferenceDate: 5))
  }

  @Test("errors say in localizedDescription what they are")
  func errors() throws {
    let damage = try #require(throws: DocumentError.self) { try Document(bytes: [1]) }
    let change = ChangeID(agent: AgentID(rawValue: 1), sequence: 1)
    let path = JSONPointer(["a"])
    let errors: [any Error] = [
      EditError.noSuchPlace(path), CursorError.noText(path), ModelError.noContent(path),
      JSONError.noContent(path, reason: "x"), RevertError.noSuchChange(change),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
    #expect(damage.localizedDescription == "The document is damaged.")
    #expect(damage.failureReason == "\(damage)")
    #expect(MergeError.damaged(damage).localizedDescription == damage.localizedDescription)
    let missing = DeltaError.missingChanges([change])
    #expect(missing.localizedDescription == "Earlier changes have not arrived yet.")
    #expect(missing.failureReason == "\(missing)")
    let file = FileError(.damaged, "a.peernote", "view: cut short at byte 7")
    #expect(file.localizedDescription == "a.peernote is damaged.")
    #expect(file.failureReason == "\(file)")
  }
}
