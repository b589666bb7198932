import Peernote
import PeernoteTestSupport
import Testing

@Suite("Changes at an earlier version")
struct ChangeAtVersionTests {
  private let document: Document
  private let shown: [ChangeID]

  init() throws {
    var document = Document(id: UniqueID(randomBits: 1, 2))
    try document.change(by: .person(1)) { try $0.create(Note(title: "T", body: "one\ntwo\n")) }
    shown = document.heads
    try document.change(by: .person(2)) { try $0.replaceText(at: ["body"], with: "one\n1½\ntwo\n") }
    self.document = document
  }

  @Test("an edit of what was shown keeps what came in since")
  func keeps() throws {
    var edited = document
    let report = try edited.change(at: shown, by: .person(3)) { editor in
      #expect(editor.node(at: ["body"]) == .text("one\ntwo\n"))
      try editor.replaceText(at: ["body"], with: "one\ntwo\nthree\n")
    }
    #expect(edited.node(at: ["body"]) == .text("one\n1½\ntwo\nthree\n"))
    #expect(report.changes == [ChangeID(agent: AgentID(rawValue: 3), sequence: 1)])
    #expect(report.merge?.newChanges.map(\.id) == report.changes)
    #expect(edited.changes.last?.parents == shown)
    // The same as if somebody else had made it on an old copy.
    var old = try document.at(version: shown)
    try old.change(by: .person(3)) { try $0.replaceText(at: ["body"], with: "one\ntwo\nthree\n") }
    let merged = try PeernoteTestSupport.merged(document, old)
    #expect(merged.bytes() == edited.bytes())
  }

  @Test("on the present version it is an ordinary change")
  func present() throws {
    var (left, right) = (document, document)
    let report = try left.change(at: document.heads, by: .person(3), message: "m") { editor in
      try editor.put(.string("U"), at: ["title"])
    }
    try right.change(by: .person(3), message: "m") { try $0.put(.string("U"), at: ["title"]) }
    #expect(left.bytes() == right.bytes())
    #expect(report.merge?.newChanges.count == 1 && report.changes == left.heads)
    #expect(report.merge?.result == .fastForward)
  }

  @Test("without an edit, or with one that fails, the document stays as it was")
  func nothing() throws {
    var edited = document
    let report = try edited.change(at: shown, by: .person(3)) { _ in }
    #expect(report.changes.isEmpty && report.merge == nil)
    #expect(throws: EditError.self) {
      try edited.change(at: shown, by: .person(3)) { editor in
        try editor.put(.string("U"), at: ["title"])
        try editor.remove(at: ["none"])
      }
    }
    let unknown = ChangeID(agent: AgentID(rawValue: 9), sequence: 1)
    for version in [[], [unknown]] {
      #expect(throws: DocumentError.self) {
        try edited.change(at: version, by: .person(3)) { try $0.put(.string("U"), at: ["title"]) }
      }
    }
    #expect(edited.bytes() == document.bytes())
  }

  @Test("what the edit and later changes decided is reported")
  func decided() throws {
    var edited = document
    try edited.change(by: .person(4, "phone")) { try $0.put(.string("V"), at: ["title"]) }
    let report = try edited.change(at: shown, by: .person(5)) { editor in
      try editor.put(.string("U"), at: ["title"])
    }
    let conflict = try #require(report.merge?.conflicts.first)
    #expect(conflict.path == ["title"])
    #expect(conflict.kept.node == .value(.string("U")))
    #expect(conflict.others.map(\.author) == ["phone"])
  }
}
