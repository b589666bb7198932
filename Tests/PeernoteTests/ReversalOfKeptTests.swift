import Peernote
import PeernoteTestSupport
import Testing

/// Taking back edits inside containers that someone else removed, told in small stories.
@Suite struct ReversalOfKeptTests {
  private let list = JSONPointer(["list"])
  private let map = JSONPointer(["map"])
  private let text = JSONPointer(["map", "text"])

  /// A list that holds a map with a title, and a map that holds a text.
  private func document() throws -> Document {
    var document = Document(id: UniqueID(high: 4, low: 6))
    try document.change(by: .person(1)) { (editor: inout Editor) throws(EditError) in
      let item = DocumentNode.map([.init(key: "title", node: .value(.string("one")))])
      try editor.put(node: .list([item]), at: list)
      try editor.put(node: .map([.init(key: "text", node: .text("abc"))]), at: map)
    }
    return document
  }

  /// What one side removed and the other went on editing, merged; with the name of that edit.
  private func merged(
    _ removed: JSONPointer, _ edit: (inout Editor) throws(EditError) -> Void
  ) throws -> (Document, edit: ChangeID) {
    var document = try document()
    var other = document
    try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
      try editor.remove(at: removed)
    }
    let change = try #require(try other.change(by: .person(3), edit))
    _ = try document.merge(other)
    return (document, change)
  }

  @Test("a removed map goes again when the edits that kept it are taken back")
  func keptMap() throws {
    var (document, edit) = try merged(map) { (editor: inout Editor) throws(EditError) in
      try editor.put(.integer(1), at: map.appending("n"))
    }
    #expect(document.node(at: map) != nil)
    try document.revert([edit], by: .person(3))
    #expect(document.node(at: map) == nil)
    #expect(document.conflicts.isEmpty)
  }

  @Test("a removed map goes again when edits deep inside that kept it are taken back")
  func keptDeep() throws {
    var (document, edit) = try merged(map) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 3..<3, with: "d")
    }
    #expect(document.node(at: text) == .text("abcd"))
    try document.revert([edit], by: .person(3))
    #expect(document.node(at: map) == nil)
  }

  @Test("a removed list element goes again when the edits that kept it are taken back")
  func keptElement() throws {
    let item = list.appending("0")
    var (document, edit) = try merged(item) { (editor: inout Editor) throws(EditError) in
      try editor.put(.string("two"), at: item.appending("title"))
    }
    #expect(document.node(at: item) != nil)
    try document.revert([edit], by: .person(3))
    #expect(document.node(at: list) == .list([]))
  }

  @Test("a removed map stays while the edits of someone else keep it")
  func keptByOthers() throws {
    var base = try document()
    var (first, second) = (base, base)
    try base.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
      try editor.remove(at: map)
    }
    let edit = try #require(
      try first.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
        try editor.spliceText(at: text, scalars: 3..<3, with: "d")
      })
    try second.change(by: .person(4)) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 0..<0, with: "-")
    }
    _ = try base.merge(first)
    _ = try base.merge(second)
    try base.revert([edit], by: .person(3))
    #expect(base.node(at: text) == .text("-abc"))
    #expect(base.conflicts.count == 1)
  }

  @Test("what a removal hid is shown again, though edits keep the map that stood there before")
  func replaced() throws {
    var document = try document()
    var other = document
    try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
      try editor.put(.integer(1), at: map)
    }
    let removal = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.remove(at: map)
      })
    try other.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 3..<3, with: "d")
    }
    _ = try document.merge(other)
    #expect(document.node(at: text) == .text("abcd"))
    try document.revert([removal], by: .person(2))
    #expect(document.node(at: map) == .value(.integer(1)))
  }

  @Test("a map that others edited stands though its creator takes back all own changes")
  func creatorLeaves() throws {
    var document = Document(id: UniqueID(high: 4, low: 7))
    var own: [ChangeID] = []
    func change(
      _ agent: UInt64, _ body: (inout Editor) throws(EditError) -> Void
    ) throws {
      let id = try #require(try document.change(by: .person(agent), body))
      if agent == 1 { own.append(id) }
    }
    try change(1) { (editor: inout Editor) throws(EditError) in
      try editor.put(node: .map([.init(key: "text", node: .text("abc"))]), at: map)
    }
    try change(2) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 3..<3, with: "d")
    }
    try change(1) { (editor: inout Editor) throws(EditError) in try editor.remove(at: map) }
    try document.revert(own, by: .person(1))
    #expect(document.node(at: text) == .text("d"))
  }

  @Test("edits to a map that was removed and brought back meanwhile are there, as a conflict")
  func editedMeanwhile() throws {
    var document = try document()
    var other = document
    let removal = try #require(
      try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
        try editor.remove(at: map)
      })
    try document.revert([removal], by: .person(2))
    try other.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.spliceText(at: text, scalars: 3..<3, with: "d")
    }
    _ = try document.merge(other)
    #expect(document.node(at: text) == .text("abc"))
    let conflict = try #require(document.conflicts.first)
    #expect(conflict.kind == .deleteEdit)
    #expect(
      conflict.others.map(\.node) == [.map([.init(key: "text", node: .text("abcd"))])])
  }
}
