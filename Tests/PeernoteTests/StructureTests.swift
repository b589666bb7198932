import Peernote
import PeernoteTestSupport
import Testing

/// Content that is replaced by the difference.
@Suite struct StructureTests {
  private let list = JSONPointer(["list"])

  @Test("content that is replaced reads as what was wanted, and replacing it again is no edit")
  func random() throws {
    for seed in LawBudget(histories: 250).seeds {
      var random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 5, low: seed))
      var wanted = RandomNodes.map(depth: 3, &random)
      for round in 1...4 {
        try document.change(by: .person(UInt64(round))) {
          (editor: inout Editor) throws(EditError) in
          try editor.replaceContent(at: JSONPointer(), with: wanted)
        }
        #expect(try OracleNode(document.root) == OracleNode(wanted), "seed \(seed)")
        let again = try document.change(by: .person(9)) {
          (editor: inout Editor) throws(EditError) in
          try editor.replaceContent(at: JSONPointer(), with: wanted)
        }
        #expect(again == nil, "seed \(seed)")
        let changed = RandomNodes.changed(wanted, &random)
        if case .map = changed { wanted = changed }
      }
    }
  }

  /// An agenda: maps with an id and a title.
  private func agenda(_ items: KeyValuePairs<Int64, String>) -> DocumentNode {
    .list(
      items.map { id, title in
        .map([
          .init(key: "id", node: .value(.integer(id))),
          .init(key: "title", node: .value(.string(title))),
        ])
      })
  }

  private func document(_ node: DocumentNode) throws -> Document {
    var document = Document(id: UniqueID(high: 5, low: 0))
    try document.change(by: .person(1)) { (editor: inout Editor) throws(EditError) in
      try editor.put(node: node, at: list)
    }
    return document
  }

  @Test("elements with an id keep their identity: what others do to them is merged")
  func identity() throws {
    var ours = try document(agenda([1: "one", 2: "two", 3: "three"]))
    var theirs = ours
    try ours.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
      try editor.replaceContent(at: list, with: agenda([3: "three", 4: "four", 1: "ONE"]))
    }
    try theirs.change(by: .person(3)) { (editor: inout Editor) throws(EditError) in
      try editor.put(.string("III"), at: JSONPointer(["list", "2", "title"]))
      try editor.put(.string("loud"), at: JSONPointer(["list", "0", "note"]))
    }
    _ = try ours.merge(theirs)
    guard case .list(let items) = ours.node(at: list) else {
      Issue.record("a list")
      return
    }
    #expect(
      items.map { $0["title"] }.compactMap { $0 } == [
        .value(.string("III")), .value(.string("four")), .value(.string("ONE")),
      ])
    #expect(items.last?["note"] == .value(.string("loud")))
    #expect(ours.conflicts.isEmpty)
  }

  @Test("an element that went elsewhere is moved, and nothing else is touched")
  func oneMove() throws {
    var document = try document(agenda([1: "a", 2: "b", 3: "c", 4: "d"]))
    let before = document.eventCount
    try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
      try editor.replaceContent(at: list, with: agenda([2: "b", 3: "c", 4: "d", 1: "a"]))
    }
    #expect(document.eventCount == before + 1)
  }

  @Test("strings, arrays and integers stand for texts, sets and counters where these are")
  func kinds() throws {
    var document = try document(
      .map([
        .init(key: "n", node: .counter(4)),
        .init(key: "s", node: .set(members: [.string("a"), .string("b")])),
        .init(key: "t", node: .text("hello world")),
      ]))
    try document.change(by: .person(2)) { (editor: inout Editor) throws(EditError) in
      try editor.replaceContent(
        at: list,
        with: .map([
          .init(key: "n", node: .value(.integer(7))),
          .init(key: "s", node: .list([.value(.string("b")), .value(.string("c"))])),
          .init(key: "t", node: .value(.string("hello, world"))),
        ]), matching: .keepingKinds)
    }
    #expect(
      document.node(at: list)
        == .map([
          .init(key: "n", node: .counter(7)),
          .init(key: "s", node: .set(members: [.string("b"), .string("c")])),
          .init(key: "t", node: .text("hello, world")),
        ]))
  }

  @Test("content that can't stand where it should is refused")
  func refusals() throws {
    var document = try document(agenda([1: "a"]))
    document.change(by: .person(2)) { (editor: inout Editor) in
      #expect(throws: EditError.wrongKind(JSONPointer(), expected: .map)) {
        try editor.replaceContent(at: JSONPointer(), with: .list([]))
      }
      #expect(throws: EditError.noSuchPlace(JSONPointer(["list", "3"]))) {
        try editor.replaceContent(at: JSONPointer(["list", "3"]), with: .value(.null))
      }
    }
  }
}
