import Foundation
import Peernote
import PeernoteFiles
import PeernoteFoundation
import Testing

/// The code of the guides and of the documentation's comments, which a test compares with it.
@Suite struct GuideExamples {
  private let id = exampleID(600)
  private let session = DocumentSession(
    agent: AgentID(rawValue: 6), author: "Ada", time: Timestamp(milliseconds: 1_795_000_000_000))

  private func note() throws -> Document {
    var document = Document(id: id)
    try document.change(by: session) { editor in
      try editor.put("Plans", at: ["title"])
      try editor.put(node: .text("Rest.\nSwim.\n"), at: ["body"])
    }
    return document
  }

  @Test("documents are made, saved, opened and compared")
  func documents() throws {
    let session = DocumentSession(author: "Ada")
    var document = Document()
    try document.change(by: session, message: "begin") { editor in
      try editor.put("Plans", at: ["title"])
      try editor.put(node: .text("Rest.\n"), at: ["body"])
    }
    let bytes = document.bytes()

    var opened = try Document(bytes: bytes)
    #expect(opened.root == document.root)

    let fork = opened
    try opened.change(by: session) { editor in
      try editor.put("Summer plans", at: ["title"])
    }
    #expect(try fork.relation(to: opened) == .behind(1))

    let news = opened.changes(since: fork.heads)
    #expect(news.map(\.author) == ["Ada"])

    let past = try opened.at(version: fork.heads)
    #expect(past.root["title"] == .value(.string("Plans")))
  }

  @Test("documents are kept in files")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = FileName(folder.appending(path: "plans.peernote").path(percentEncoded: false))
    var first = try note()
    try first.save(to: file)

    var document = try Document(contentsOf: file)
    try document.change(by: session) { editor in
      try editor.put("Trip", at: ["title"])
    }
    try document.save(to: file)

    try Document.update(file) { document in
      try document.change(by: session) { editor in
        try editor.put("Summer", at: ["title"])
      }
    }
    #expect(try Document(contentsOf: file).root["title"] == .value(.string("Summer")))
  }

  @Test("changes are sent by themselves")
  func deltas() throws {
    var document = try note()
    var copy = document
    let sent = document.heads
    try document.change(by: session) { editor in
      try editor.spliceText(at: ["body"], scalars: 0..<0, with: "A")
    }

    let delta = try document.delta(since: sent)
    let report = try copy.apply(delta)

    #expect(report.newChanges.count == 1)
    #expect(copy.bytes() == document.bytes())
    #expect(delta.count <= 100)
  }

  @Test("a row keeps its name wherever it goes")
  func handles() throws {
    var document = try note()
    let agenda = JSONPointer(["agenda"])
    let rows = ["Lunch", "Walk"].map { title in
      DocumentNode.map([
        .init(key: "notes", node: .text("")), .init(key: "title", node: .text(title)),
      ])
    }
    try document.change(by: session) { try $0.put(node: .list(rows), at: agenda) }
    var other = document
    try other.change(by: DocumentSession(author: "Bob")) { editor in
      try editor.insert(node: .text("Tea"), at: agenda.appending("0"))
    }

    let row = document.handle(at: ["agenda", "1"])
    _ = try document.merge(other)
    let path = row.flatMap { document.path(to: $0) }  // where it is now

    #expect(path == JSONPointer(["agenda", "2"]))
    try document.change(by: session) { editor in
      if let row, let path = editor.path(to: row) {
        try editor.replaceText(at: path.appending("notes"), with: "Bring cups.")
      }
    }
    #expect(document.node(at: ["agenda", "2", "notes"]) == .text("Bring cups."))
  }

  @Test("documents are edited by path")
  func editing() throws {
    var document = try note()
    try document.change(by: session) { editor in
      try editor.put("high", at: ["priority"])
      try editor.spliceText(at: ["body"], scalars: 0..<4, with: "Sleep")
      try editor.putContainer(.list, at: ["agenda"])
      try editor.insert(node: .value(.string("Lunch")), at: ["agenda", "-"])
      try editor.insert(node: .value(.string("Walk")), at: ["agenda", "0"])
      try editor.move(from: ["agenda", "1"], to: ["agenda", "0"])
      try editor.putContainer(.set, at: ["tags"])
      try editor.add(.string("holiday"), toSetAt: ["tags"])
      try editor.putContainer(.counter, at: ["days"])
      try editor.increment(by: 14, at: ["days"])
    }
    #expect(document.node(at: ["body"]) == .text("Sleep.\nSwim.\n"))
    #expect(
      document.node(at: ["agenda"])
        == .list([.value(.string("Lunch")), .value(.string("Walk"))]))
    #expect(document.node(at: ["days"]) == .counter(14))

    try document.change(by: session) { editor in
      try editor.replaceText(at: ["body"], with: "Sleep.\nSwim twice.\n")
      try editor.replaceContent(
        at: ["agenda"],
        with: .list([.value(.string("Walk")), .value(.string("Lunch")), .value(.string("Tea"))]))
    }
    #expect(document.node(at: ["body"]) == .text("Sleep.\nSwim twice.\n"))
    #expect(document.node(at: ["agenda", "2"]) == .value(.string("Tea")))
  }

  @Test("a model that was read a while ago is written back")
  func staleModel() throws {
    struct Note: Codable {
      var title: String
      @MergeableText var body: String
    }
    var document = try note()
    let other = DocumentSession(author: "Bob")
    var draft = try document.draft(Note.self)
    draft.body += "Sleep.\n"
    // Meanwhile somebody else's change comes in.
    try document.change(by: other) { editor in
      try editor.put("Summer", at: ["title"])
    }
    try document.commit(&draft, by: session)
    #expect(draft.title == "Summer")
    #expect(document.node(at: ["body"]) == .text("Rest.\nSwim.\nSleep.\n"))

    draft.body += "Read.\n"
    try document.change(by: other) { editor in
      try editor.put("Winter", at: ["title"])
    }
    try document.refresh(&draft, by: session)
    #expect(draft.title == "Winter" && draft.body == "Rest.\nSwim.\nSleep.\nRead.\n")

    let version = document.heads
    var note = try document.decode(Note.self)
    note.title = "Holidays"
    try document.change(by: other) { editor in
      try editor.spliceText(at: ["body"], scalars: 0..<0, with: "Pack.\n")
    }
    try document.encode(note, since: version, session: session)
    #expect(document.node(at: ["title"]) == .value(.string("Holidays")))
    #expect(document.node(at: ["body"]) == .text("Pack.\nRest.\nSwim.\nSleep.\n"))
  }

  @Test("a draft is saved, as its own documentation shows")
  func drafts() throws {
    struct Note: Codable {
      var title: String
    }
    var document = try self.note()
    var note = try document.draft(Note.self)
    note.title = "Summer"
    try document.commit(&note, by: session)
    #expect(document.node(at: ["title"]) == .value(.string("Summer")))
  }

  @Test("a new version of an app adds and drops properties")
  func evolution() throws {
    struct OldNote: Codable {
      var title: String
      var subtitle: String?
    }
    struct NewNote: Codable {
      var title: String
      var summary: String?
      var stars: Int
      @MergeableText var body: String

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        summary = try container.decodeIfPresent(String.self, forKey: .summary)
        stars = try container.decodeIfPresent(Int.self, forKey: .stars) ?? 0
        _body = try container.decode(MergeableText.self, forKey: .body)
      }
    }
    var document = Document(id: id)
    try document.encode(OldNote(title: "Plans", subtitle: "for summer"), session: session)
    var other = document

    var draft = try document.draft(NewNote.self)
    draft.body = "Rest."
    try document.commit(&draft, by: session)
    #expect(document.root["stars"] == nil)

    var outdated = try other.draft(OldNote.self)
    outdated.title = "Summer"
    try other.commit(&outdated, by: DocumentSession(author: "Bob"))
    _ = try document.merge(other)
    try document.refresh(&draft)
    #expect(draft.title == "Summer" && draft.body == "Rest.")
    #expect(document.root["subtitle"] == .value(.string("for summer")))
  }

  @Test("what was read a while ago comes back edited")
  func editingWhatWasShown() throws {
    var document = try note()
    let other = DocumentSession(agent: AgentID(rawValue: 7), author: "Ada", time: session.time)
    try document.change(by: session) { editor in
      try editor.replaceText(at: ["body"], with: "Sleep.\nSwim twice.\n")
    }
    let shown = document.heads
    // Meanwhile somebody else's change comes in.
    try document.change(by: session) { editor in
      try editor.replaceText(at: ["body"], with: "Sleep.\nRead.\nSwim twice.\n")
    }
    try document.change(at: shown, by: other) { editor in
      try editor.replaceText(at: ["body"], with: "Sleep long.\nSwim twice.\n")
    }
    #expect(document.node(at: ["body"]) == .text("Sleep long.\nRead.\nSwim twice.\n"))
  }

  @Test("copies are merged, and what was decided is told")
  func merging() throws {
    let document = try note()
    let title = JSONPointer(["title"])
    var desk = document
    var phone = document
    try desk.change(
      by: DocumentSession(agent: AgentID(rawValue: 1), author: "desk", time: session.time)
    ) {
      editor in
      try editor.put("Summer", at: title)
      try editor.spliceText(at: ["body"], scalars: 6..<6, with: "Read.\n")
    }
    try phone.change(
      by: DocumentSession(agent: AgentID(rawValue: 2), author: "phone", time: session.time)
    ) { editor in
      try editor.put("Winter", at: title)
    }
    let report = try desk.merge(phone)
    #expect(report.newChanges.map(\.author) == ["phone"])
    for conflict in report.conflicts {
      print(conflict.path, "kept", conflict.kept, "also had", conflict.others)
    }
    #expect(desk.node(at: ["body"]) == .text("Rest.\nRead.\nSwim.\n"))

    #expect(desk.conflicts.map(\.path) == [title])
    try desk.change(by: session) { editor in
      try editor.put("Summer and winter", at: title)
    }
    #expect(desk.conflicts.isEmpty)
  }

  @Test("a change is taken back, and a session's steps are undone and redone")
  func undoing() throws {
    var document = try note()
    let path = JSONPointer(["priority"])
    let change = try document.change(by: session) { try $0.put("low", at: path) }
    if let change {
      try document.revert([change], by: session, message: "not so low")
    }
    #expect(document.node(at: path) == nil)

    var history = UndoHistory()
    history.note(try document.change(by: session) { try $0.put(.null, at: path) })
    try history.undo(in: &document, by: session)
    try history.redo(in: &document, by: session)
    #expect(document.node(at: path) == .value(.null))
  }

  @Test("a view is told what changes, and a caret keeps its place")
  func views() async throws {
    var document = try note()
    let body = JSONPointer(["body"])
    let old = document
    try document.change(by: session) { editor in
      try editor.spliceText(at: body, characters: 0..<0, with: "Read.\n")
    }
    let other = document
    var shown = old.root
    for patch in document.patches(from: old) {
      shown.apply(patch)
    }
    #expect(shown == document.root)

    document = old
    let caret = try document.cursor(inTextAt: body, scalar: 12)
    _ = try document.merge(other)
    let place = try document.place(of: caret)  // where to put the caret now
    #expect(place.character == 18)

    document = old
    let screen = Screen(root: document.root)
    let live = ObservedDocument(document)
    let updates = await live.updates()
    Task {
      for await update in updates.values {
        for patch in update.patches { await screen.show(patch) }
        // No more than 20 times a second; what comes in between is one update.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    try await live.merge(other)
    await screen.waitForPatch()
    #expect(await screen.root == (await live.document.root))
  }

  private actor Screen {
    var root: DocumentNode
    private var waiting: CheckedContinuation<Void, Never>?
    private var isPatched = false

    init(root: DocumentNode) {
      self.root = root
    }

    func show(_ patch: Patch) {
      root.apply(patch)
      isPatched = true
      waiting?.resume()
      waiting = nil
    }

    func waitForPatch() async {
      if isPatched { return }
      await withCheckedContinuation { waiting = $0 }
    }
  }

  @Test("models mark what is merged letter by letter; an app's own types have a representation")
  func models() throws {
    struct Note: Codable {
      var title: String
      @MergeableText var body: String
    }
    var document = try note()
    var note = try document.decode(Note.self)
    note.body += "Read.\n"
    try document.encode(note, session: session)
    #expect(document.node(at: ["body"]) == .text("Rest.\nSwim.\nRead.\n"))

    let day = ["day": Date(timeIntervalSince1970: 86_400)]
    let node = try PeernoteEncoder().node(for: day)
    #expect(node["day"] == .value(.timestamp(Timestamp(milliseconds: 86_400_000))))
    #expect(try PeernoteDecoder().decode([String: Date].self, from: node) == day)

    let painted = try PeernoteEncoder().node(for: ["colour": Colour(code: 7)])
    #expect(painted["colour"] == .value(.integer(7)))
    #expect(try PeernoteDecoder().decode([String: Colour].self, from: painted)["colour"]?.code == 7)

    let days = ValueRepresentation(of: DateComponents.self) { day in
      day.day.map { .integer(Int64($0)) }
    } decode: { value in
      guard case .integer(let day) = value else { return nil }
      return DateComponents(day: Int(day))
    }
    let third = ["day": DateComponents(day: 3)]
    let counted = try PeernoteEncoder(representations: [days]).node(for: third)
    #expect(counted["day"] == .value(.integer(3)))
    let decoded = try PeernoteDecoder(representations: [days]).decode(
      [String: DateComponents].self, from: counted)
    #expect(decoded == third)
  }

  @Test("the example of the readme edits a document, merges a copy and encodes the result")
  func readme() throws {
    let base = try note()
    let bytes = base.bytes()
    var other = base
    try other.change(
      by: DocumentSession(agent: AgentID(rawValue: 7), author: "Bob", time: session.time)
    ) {
      editor in
      try editor.put("Trip", at: ["title"])
    }
    let otherBytes = other.bytes()

    var document = try Document(bytes: bytes)
    try document.change(by: session) { editor in
      try editor.replaceText(at: ["body"], with: "Bring the tent.")
    }
    let report = try document.merge(Document(bytes: otherBytes, beside: document))
    for conflict in report.conflicts { print(conflict.path, conflict.kind) }
    let merged = document.bytes()

    let result = try Document(bytes: merged)
    #expect(result.node(at: ["title"]) == .value(.string("Trip")))
    #expect(result.node(at: ["body"]) == .text("Bring the tent."))
  }

  @Test("title and text are read without the history")
  func reading() throws {
    let bytes = try note().bytes()
    let reader = try DocumentReader(bytes: bytes)
    #expect(reader.root["title"] == .value(.string("Plans")))
    #expect(reader.root["body"] == .text("Rest.\nSwim.\n"))
  }
}

struct Colour: Codable, ValueRepresentable {
  var code: Int64
  var documentValue: Value? { .integer(code) }
}

extension Colour {
  init?(documentValue: Value) {
    guard case .integer(let code) = documentValue else { return nil }
    self.init(code: code)
  }
}
