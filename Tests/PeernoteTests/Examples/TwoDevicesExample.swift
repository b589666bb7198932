import Foundation
import Peernote
import PeernoteFiles
import PeernoteFoundation
import Testing

/// What was said in a meeting.
struct Minutes: Codable, Equatable {
  var title: String
  var items: [Item] = []

  struct Item: Codable, Equatable, Identifiable {
    var id = UUID()
    var title: String
    @MergeableText var text = ""
  }
}

/// An app on one device: a document that is observed, in a file, and who works there.
struct Device {
  let live: ObservedDocument
  let file: URL
  let session: DocumentSession

  /// Makes the document of a model.
  init(new minutes: Minutes, in file: URL, by session: DocumentSession) async throws {
    (self.file, self.session) = (file, session)
    live = ObservedDocument(Document())
    var draft = Draft(new: minutes)
    try await live.commit(&draft, by: session)
    try await live.save(to: file)
  }

  /// Opens a copy.
  init(opening file: URL, by session: DocumentSession) throws {
    (self.file, self.session) = (file, session)
    live = ObservedDocument(try Document(contentsOf: file))
  }

  /// What the document says.
  var minutes: Minutes {
    get async throws { try await live.document.decode(Minutes.self) }
  }

  /// Has a draft edited, and commits and saves it.
  @discardableResult
  func edit(_ edit: (inout Minutes) -> Void) async throws -> CommitReport {
    var draft = try await live.document.draft(Minutes.self)
    edit(&draft.model)
    let report = try await live.commit(&draft, by: session)
    try await live.save(to: file)
    return report
  }

  /// Brings in the copy of another device.
  func merge(_ other: URL) async throws -> [Conflict] {
    try await live.merge(Document(contentsOf: other)).conflicts
  }
}

/// Two devices without a network: copies of a file, drafts, undo and a decision.
@Suite struct TwoDevicesExample {
  @Test("two devices edit apart, come together, undo their own, and settle what is contested")
  func meeting() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (here, there) = (folder.appending(path: "here"), folder.appending(path: "there"))

    let desk = try await Device(
      new: Minutes(title: "Weekly"), in: here, by: session("desk", at: 2))
    try FileManager.default.copyItem(at: here, to: there)
    let phone = try Device(opening: there, by: session("phone", at: 1))

    try await desk.edit { $0.items.append(Minutes.Item(title: "Budget", text: "Too small.")) }
    try await desk.edit { $0.title = "Weekly, May" }
    try await phone.edit { $0.title = "Weekly, 14 May" }
    try await phone.edit { $0.items.append(Minutes.Item(title: "Venue")) }

    let conflicts = try await desk.merge(there)
    #expect(conflicts.map(\.path) == [["title"]])
    #expect(Set(try await desk.minutes.items.map(\.title)) == ["Budget", "Venue"])

    // The title is undone, and says so: it was contested, and what the phone wrote is left.
    let report = try await desk.live.undo(by: desk.session)
    #expect(report?.settled.map(\.path) == [["title"]])
    #expect(try await desk.minutes.title == "Weekly, 14 May")
    try await desk.live.undo(by: desk.session)
    #expect(try await desk.minutes.items.map(\.title) == ["Venue"])
    try await desk.live.redo(by: desk.session)

    // Both bring in what the other saved, and say the same.
    try await desk.live.save(to: here)
    #expect(try await phone.merge(here).isEmpty)
    try await phone.live.save(to: there)
    #expect(try Document(contentsOf: here) == Document(contentsOf: there))
    #expect(await phone.live.document.conflicts.isEmpty)
  }
}
