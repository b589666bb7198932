import Peernote
import PeernoteTestSupport
import Testing

/// Taking changes back, told in small stories.
@Suite struct ReversalTests {
  private let text = JSONPointer(["text"])
  private let list = JSONPointer(["list"])

  private func document(_ body: (inout Editor) throws(EditError) -> Void) throws -> Document {
    var document = Document(id: UniqueID(high: 4, low: 4))
    try document.change(by: .person(1), body)
    return document
  }

  @Test("a deleted passage comes back between what others typed around it")
  func deletedText() throws {
    var document = try document { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .text("one two three"), at: text)
    }
    let deletion = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.spliceText(at: text, scalars: 4..<8, with: "")
      })
    try document.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 0..<3, with: "1")
      try editor.spliceText(at: text, scalars: 7..<7, with: "!")
    }
    try document.revert([deletion], by: .person(2))
    #expect(document.node(at: text) == .text("1 two three!"))
  }

  @Test("a list element that comes back is the one that others still edit")
  func removedElement() throws {
    var ours = try document { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .list([.value(.integer(1)), .value(.integer(2))]), at: list)
    }
    var theirs = ours
    let removal = try #require(
      try ours.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.remove(at: list.appending("0"))
      })
    try ours.revert([removal], by: .person(2))
    #expect(ours.node(at: list) == .list([.value(.integer(1)), .value(.integer(2))]))
    #expect(ours.conflicts.isEmpty)
    try theirs.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.move(from: list.appending("0"), to: list.appending("1"))
    }
    _ = try ours.merge(theirs)
    #expect(ours.node(at: list) == .list([.value(.integer(2)), .value(.integer(1))]))
  }

  @Test("what others wrote over a change stays when the change is reverted")
  func writtenSince() throws {
    var document = try document { (editor: inout Editor) throws(EditError) in
      try editor.put(.integer(1), at: JSONPointer(["a"]))
      try editor.put(.integer(1), at: JSONPointer(["b"]))
    }
    let change = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.put(.integer(2), at: JSONPointer(["a"]))
        try editor.put(.integer(2), at: JSONPointer(["b"]))
        try editor.put(.integer(2), at: JSONPointer(["c"]))
      })
    try document.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.put(.integer(3), at: JSONPointer(["a"]))
    }
    try document.revert([change], by: .person(2))
    #expect(document.node(at: JSONPointer(["a"])) == .value(.integer(3)))
    #expect(document.node(at: JSONPointer(["b"])) == .value(.integer(1)))
    #expect(document.node(at: JSONPointer(["c"])) == nil)
  }

  @Test("a container that others edited inside stays, without what the change put into it")
  func editedInside() throws {
    var document = Document(id: UniqueID(high: 4, low: 5))
    let creation = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.put(node: .text("mine"), at: text)
        try editor.put(node: .text("mine"), at: JSONPointer(["other"]))
      })
    try document.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 4..<4, with: " and theirs")
    }
    try document.revert([creation], by: .person(2))
    #expect(document.root == .map([.init(key: "text", node: .text(" and theirs"))]))
  }

  @Test("an element that others edited inside stays whole, with what stands in it")
  func editedElement() throws {
    var document = Document(id: UniqueID(high: 4, low: 5))
    let list = JSONPointer(["list"])
    try document.change(by: .person(1)) { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .list([]), at: list)
    }
    let element = DocumentNode.map([
      .init(key: "id", node: .value(.integer(2))),
      .init(key: "owner", node: .value(.string("Bob"))),
      .init(key: "tags", node: .list([.value(.string("x"))])),
    ])
    let addition = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.insert(node: element, at: list.appending("0"))
        try editor.put(.integer(1), at: JSONPointer(["count"]))
      })
    let owner = list.appending("0").appending("owner")
    try document.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.put(.string("Cy"), at: owner)
    }
    let edited = try #require(document.node(at: list))
    try document.revert([addition], by: .person(2))
    #expect(document.node(at: list) == edited)
    #expect(document.node(at: JSONPointer(["count"])) == nil)
  }

  @Test("undo and redo go back and forth over a session's own steps and leave those of others")
  func undoHistory() throws {
    var document = try document { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .text(""), at: text)
    }
    var history = UndoHistory()
    #expect(!history.canUndo)
    for (index, word) in ["a", "b", "c"].enumerated() {
      let change = try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.spliceText(at: text, scalars: index..<index, with: word)
      }
      history.note(change, continuesStep: word == "b")
    }
    try document.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 1..<1, with: "-")
    }
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

  @Test("a change that is not there, and text that was redacted, are named")
  func refusals() throws {
    var document = try document { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .text("secret"), at: text)
    }
    let unknown = ChangeID(agent: AgentID(rawValue: 1), sequence: 2)
    #expect(throws: RevertError.noSuchChange(unknown)) {
      try document.revert([unknown], by: .person(2))
    }
    let deletion = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.replaceText(at: text, with: "")
      })
    let changes = try document.exportedChanges.map { change in
      var change = change
      change.edits = EditList(
        change.edits.map { edit in
          if case .deleteText(let text, let place, let count, let backward, _) = edit {
            .deleteText(from: text, at: place, count: count, backward: backward, text: nil)
          } else {
            edit
          }
        })
      return change
    }
    var redacted = try Document(id: document.id, changes: changes)
    let before = redacted.bytes()
    #expect(throws: RevertError.redacted(text)) {
      try redacted.revert([deletion], by: .person(3))
    }
    #expect(redacted.bytes() == before)
    try document.revert([deletion], by: .person(3))
    #expect(document.node(at: text) == .text("secret"))
  }
}
