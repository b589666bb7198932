import Peernote
import PeernoteTestSupport
import Testing

/// Taking changes back, told in small stories; what holds of every reversal is tried on random
/// histories, by the laws of reversals.
@Suite struct ReversalTests {
  private let text: JSONPointer = ["text"]

  @Test("edits to a map that was removed and brought back meanwhile are there, as a conflict")
  func editedMeanwhile() throws {
    let text: JSONPointer = ["map", "text"]
    var document = try Document(holding: #"{"map":{"text":{"$text":"abc"}}}"#)
    var other = document
    let removal = try document.change(by: .person(2)) { try $0.remove(at: ["map"]) }
    try document.revert([#require(removal)], by: .person(2))
    try other.change(by: .person(3)) { try $0.spliceText(at: text, scalars: 3..<3, with: "d") }
    _ = try document.merge(other)
    #expect(document.node(at: text) == .text("abc"))
    let conflict = try #require(document.conflicts.first)
    #expect(conflict.kind == .deleteEdit)
    #expect(conflict.others.map(\.node) == [.map([.init(key: "text", node: .text("abcd"))])])
  }

  @Test("undo and redo go back and forth over a session's own steps and leave those of others")
  func undoHistory() throws {
    var document = try Document(holding: #"{"text":{"$text":""}}"#)
    var history = UndoHistory()
    #expect(!history.canUndo)
    for (index, word) in ["a", "b", "c"].enumerated() {
      let change = try document.change(by: .person(2)) {
        try $0.spliceText(at: text, scalars: index..<index, with: word)
      }
      history.note(change, continuesStep: word == "b")
    }
    try document.change(by: .person(3)) { try $0.spliceText(at: text, scalars: 1..<1, with: "-") }
    func shown() -> DocumentNode? { document.node(at: text) }
    #expect(shown() == .text("a-bc"))
    try history.undo(in: &document, by: .person(2))
    #expect(shown() == .text("a-b"))
    try history.undo(in: &document, by: .person(2))
    #expect(shown() == .text("-"))
    #expect(!history.canUndo && history.canRedo)
    #expect(try history.undo(in: &document, by: .person(2)) == nil)
    try history.redo(in: &document, by: .person(2))
    #expect(shown() == .text("a-b"))
    try history.redo(in: &document, by: .person(2))
    #expect(shown() == .text("a-bc"))
    #expect(try history.redo(in: &document, by: .person(2)) == nil)
    history.note(nil)
    #expect(history.canRedo == false && history.canUndo)
    history.checkInvariants()
    document.checkInvariants()
    try history.undo(in: &document, by: .person(2))
    #expect(shown() == .text("a-b"))
  }

  @Test("what others did to something that was removed and brought back stays at the next undo")
  func restoredAndEdited() throws {
    var document = try Document(
      holding: #"{"map":{"a":1,"text":{"$text":"abc"}},"text":{"$text":"one two three"}}"#)
    var history = UndoHistory()
    func step(_ edit: (inout Editor) throws -> Void) throws {
      history.note(try document.change(by: .person(2), edit))
    }
    try step { editor in
      try editor.put(2, at: ["map", "a"])
      try editor.spliceText(at: text, scalars: 13..<13, with: "!")
    }
    try step { editor in
      try editor.remove(at: ["map"])
      try editor.spliceText(at: text, scalars: 0..<8, with: "")
    }
    try history.undo(in: &document, by: .person(2))
    try document.change(by: .person(3)) { editor in
      try editor.put(3, at: ["map", "b"])
      try editor.spliceText(at: text, scalars: 0..<4, with: "")
    }
    #expect(document.node(at: text) == .text("two three!"))
    try document.redactDeletedText()
    try history.undo(in: &document, by: .person(2))
    #expect(document.node(at: text) == .text("two three"))
    #expect(document.node(at: ["map", "text"]) == .text("abc"))
    #expect(document.node(at: ["map", "b"]) == .value(3))
    #expect(!history.canUndo)
    history.checkInvariants()
    document.checkInvariants()
  }

  @Test("a change that is not there, and text that was redacted, are named")
  func refusals() throws {
    var document = try Document(holding: #"{"text":{"$text":"secret"}}"#)
    let unknown = ChangeID(agent: AgentID(rawValue: 1), sequence: 2)
    #expect(throws: RevertError.noSuchChange(unknown)) {
      try document.revert([unknown], by: .person(2))
    }
    let deletion = try #require(
      try document.change(by: .person(2)) { try $0.replaceText(at: text, with: "") })
    var redacted = document
    try redacted.redactDeletedText()
    let before = redacted.bytes()
    #expect(throws: RevertError.redacted(text)) {
      try redacted.revert([deletion], by: .person(3))
    }
    #expect(redacted.bytes() == before)
    try document.revert([deletion], by: .person(3))
    #expect(document.node(at: text) == .text("secret"))
  }
}
