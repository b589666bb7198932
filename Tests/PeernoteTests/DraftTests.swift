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

  @Test("what a model only has by default is not written, and what it doesn't know stays")
  func defaults() throws {
    var document = Document(id: UniqueID(randomBits: 1, 2))
    try document.change(by: session(1)) { editor in
      try editor.put(.string("Trip"), at: ["name"])
      try editor.put(.integer(3), at: ["stars"])
    }
    var draft = try document.draft(Plan.self)
    // Somebody chooses a colour while the draft shows the default.
    try document.change(by: session(2, at: 2)) { try $0.put(.string("green"), at: ["colour"]) }
    draft.name = "Tour"
    try document.commit(&draft, by: session(3, at: 3))
    #expect(draft.colour == "green")
    #expect(document.root["tasks"] == nil && document.root["tags"] == nil)
    #expect(document.root["stars"] == .value(.integer(3)))
    #expect(document.conflicts.isEmpty)
  }

  @Test("what cannot be saved leaves document and draft as they were")
  func failures() throws {
    var document = try document()
    var draft = try document.draft(Plan.self)
    draft.name = "Tour"
    try document.change(by: session(2)) { try $0.put(.integer(5), at: ["name"]) }
    // Somebody made a number of the name: the model cannot be read again.
    try document.change(by: session(2)) { try $0.put(.integer(5), at: ["colour"]) }
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
    try document.change(by: session(2)) { try $0.put(.string("green"), at: ["colour"]) }
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
    // All timestamps are dates; what was written before dates were timestamps is read.
    for milliseconds in [Int64.min, .max, .max - 1] {
      let date = Date(Timestamp(milliseconds: milliseconds))
      #expect(date.documentValue.flatMap { Date(documentValue: $0) } == date)
    }
    let old = DocumentNode.map([.init(key: "date", node: .value(.double(5)))])
    #expect(
      try PeernoteDecoder().decode([String: Date].self, from: old)["date"]
        == Date(timeIntervalSinceReferenceDate: 5))
  }

  @Test("a decimal number is read if it is kept to the last digit, and nothing else is")
  func decimals() throws {
    func read(_ value: Value) throws -> Decimal? {
      try PeernoteDecoder().decode([Decimal].self, from: .list([.value(value)])).first
    }
    let largest = Decimal.greatestFiniteMagnitude
    for number in [largest, -largest, .leastNonzeroMagnitude, 0, -5, 1_200_000] as [Decimal] {
      #expect(try read(try #require(number.documentValue)) == number)
    }
    for (text, number) in [("12.50", 12.5), ("-7.00", -7), ("0.0", 0)] as [(String, Double)] {
      #expect(try read(.string(text)) == Decimal(number))
    }
    for double in [0.1, 3.133, 1e16, -2.5e-7, 1e100] {
      #expect(try read(.double(double)).flatMap { Double("\($0)") } == double)
    }
    let digits = String(repeating: "1234567890", count: 5)
    let texts = [
      "", "-", "e", "1.2.3", "2026-11-30", "1e5", "+5", ".5", "5.", "05", " 5", "NaN", digits,
    ]
    let doubles = [Double.nan, .infinity, 1e300, Double.leastNonzeroMagnitude]
    for value in texts.map({ Value.string($0) }) + doubles.map({ .double($0) }) {
      let error = #expect(throws: ModelError.self) { try read(value) }
      #expect(error?.description.hasPrefix("/0: a ") == true, "\(value)")
      #expect(error?.description.hasSuffix(" that stands for no Decimal") == true, "\(value)")
    }
  }

  @Test("what no value stands for is not written")
  func unwritable() {
    func fault(_ model: some Encodable) -> String? {
      #expect(throws: ModelError.self) { try PeernoteEncoder().node(for: model) }?.description
    }
    let dates = [Double.nan, .infinity, 1e20].map { Date(timeIntervalSince1970: $0) }
    for date in dates {
      #expect(fault(["a": date]) == "/a: there is no value for such a Date")
    }
    #expect(fault([Decimal.nan]) == "/0: there is no value for such a Decimal")
    #expect(fault(Set(dates)) == "there is no value for such a Date")
  }

  @Test("errors say in localizedDescription what they are")
  func errors() throws {
    let damage = try #require(throws: DocumentError.self) { try Document(bytes: [1]) }
    let change = ChangeID(agent: AgentID(rawValue: 77), sequence: 1)
    let path = JSONPointer(["a"])
    let errors: [any Error] = [
      EditError.noSuchPlace(path), CursorError.noText(path), ModelError.noContent(path),
      JSONError.noContent(path, reason: "x"), RevertError.noSuchChange(change),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
    #expect(damage.localizedDescription == "The document is damaged.")
    #expect(damage.failureReason == "\(damage)")
    var document = Document()
    try document.change(by: session(1)) { try $0.put(1, at: ["a"]) }
    let (known, other) = (document, document.heads + [change])
    let unknown = "there is no change \(change) here; merge the copy that has it"
    for use in [
      { _ = try known.at(version: other) }, { _ = try known.patches(from: other) },
      { try document.change(at: [change], by: session(1)) { try $0.put(1, at: ["b"]) } },
    ] as [() throws -> Void] {
      let error = try #require(throws: DocumentError.self) { try use() }
      #expect(error.kind == .noSuchVersion && error.failureReason == unknown)
      #expect(error.localizedDescription == "This copy of the document has no such version.")
    }
    #expect(MergeError.damaged(damage).localizedDescription == damage.localizedDescription)
    let missing = DeltaError.missingChanges([change])
    #expect(missing.localizedDescription == "Earlier changes have not arrived yet.")
    #expect(missing.failureReason == "\(missing)")
    let file = FileError(.damaged, "a.peernote", "view: cut short at byte 7")
    #expect(file.localizedDescription == "a.peernote is damaged.")
    #expect(file.failureReason == "\(file)")
  }
}
