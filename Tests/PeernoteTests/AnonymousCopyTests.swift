import Peernote
import PeernoteTestSupport
import Testing

@Suite("Anonymous copies")
struct AnonymousCopyTests {
  /// A note with secrets in its title, body, tags, values, names and authors.
  private func document() throws -> Document {
    var document = Document(id: UniqueID(high: 1, low: 2))
    var note = Note(title: "Secret", body: "Secret plan, 42:\n  für Zoë 日本\n")
    note.tags = ["confidential"]
    note.priority = .high
    func change(_ edit: (inout Editor) throws -> Void) throws {
      let session = DocumentSession.person(7, "Alice Smith", at: Int64(document.changeCount))
      try document.change(by: session, message: "secret step", edit)
    }
    try change { try $0.create(note) }
    try change { try $0.spliceText(at: ["body"], scalars: 16..<29, with: "") }
    try change { try $0.put(.string("hunter2"), at: ["password"]) }
    return document
  }

  @Test("an anonymous copy is sound, as long and shaped as before, and says nothing")
  func anonymity() throws {
    let old = try document()
    let bytes = try old.anonymized().bytes()
    let new = try Document(bytes: bytes)
    #expect(Document.validate(bytes: bytes).isEmpty)
    #expect(bytes.count == old.bytes().count)
    #expect(new.id != old.id)
    #expect(new.changes.map(\.id) == old.changes.map(\.id))
    #expect(new.changes.map(\.time) == old.changes.map(\.time))
    #expect(new.changes.map(\.eventCount) == old.changes.map(\.eventCount))
    let note = try #require(Note(root: new.root))
    #expect(note.body == "xxxxxx xxxx, 00:\n" && note.priority == .high)
    let text = String(decoding: bytes, as: UTF8.self)
    for word in ["Secret", "secret", "confidential", "Alice", "hunter2", "Zoë", "日"] {
      #expect(!text.contains(word), "\(word)")
    }
    #expect(new.root["password"] != nil)
    let nameless = try old.anonymized(scrubsKeys: true)
    #expect(nameless.root["password"] == nil && Note.isNote(nameless.root))
  }

  @Test("anonymous copies of copies merge as the originals do")
  func merging() throws {
    var (ours, theirs) = (try document(), try document())
    for (number, title) in [(1, "Budget"), (2, "Costs")] {
      func change(_ document: inout Document) throws {
        let session = DocumentSession.person(UInt64(10 + number), "", at: 100)
        try document.change(by: session) { try $0.put(.string(title), at: ["title"]) }
      }
      if number == 1 { try change(&ours) } else { try change(&theirs) }
    }
    let key = AnonymizationKey()
    var anonymous = try ours.anonymized(with: key)
    #expect(try anonymous.merge(theirs.anonymized(with: key)).conflicts.count == 1)
    _ = try ours.merge(theirs)
    #expect(try ours.anonymized(with: key).bytes() == anonymous.bytes())
  }

  @Test("a name that someone guesses cannot be checked against an anonymous copy")
  func guesses() throws {
    // Not even the document itself gives the same replacements again.
    let (first, second) = (try document().anonymized(), try document().anonymized())
    #expect(first.id != second.id)
    #expect(first.changes.map(\.author) != second.changes.map(\.author))
    #expect(first.root != second.root)
  }
}
