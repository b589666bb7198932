import Peernote
import PeernoteTestSupport
import Testing

/// Strings that look the same are not the same: everything compares by bytes.
@Suite struct LawsOfExactness {
  private static let id = UniqueID(high: 1, low: 2)
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  /// Pairs of changes that differ only in how an accent is encoded.
  private static var lookalikes: [(String, Change, Change)] {
    func change(author: String = "", message: String? = nil, _ edit: Edit) -> Change {
      Change(
        id: ChangeID(agent: AgentID(rawValue: 9), sequence: 1), parents: [start],
        time: Timestamp(milliseconds: 0), author: author, message: message, edits: [edit])
    }
    let plain = Edit.put(map: .root, key: "k", content: .value(.null))
    func pair(_ name: String, _ make: (String) -> Change) -> (String, Change, Change) {
      (name, make(composed), make(decomposed))
    }
    return [
      pair("author") { change(author: $0, plain) },
      pair("message") { change(message: $0, plain) },
      pair("key") { change(.put(map: .root, key: $0, content: .value(.null))) },
      pair("removed key") { change(.remove(map: .root, key: $0)) },
      pair("value") { change(.put(map: .root, key: "k", content: .value(.string($0)))) },
    ]
  }

  private static let start = ChangeID(agent: AgentID(rawValue: 1), sequence: 1)
  private static let first = Change(
    id: start, parents: [], time: Timestamp(milliseconds: 0),
    edits: [
      .put(map: .root, key: composed, content: .value(.null)),
      .put(map: .root, key: decomposed, content: .value(.null)),
    ])

  @Test("a change that differs only in how an accent is encoded is a fork", arguments: 0..<5)
  func forks(pair: Int) throws {
    let (name, one, other) = Self.lookalikes[pair]
    var document = try Document(id: Self.id, changes: [Self.first, one])
    let copy = try Document(id: Self.id, changes: [Self.first, other])
    #expect(throws: MergeError.self, "\(name)") { try document.merge(copy) }
    #expect(throws: DocumentError.self, "\(name)") {
      try Document(id: Self.id, changes: [Self.first, one, other])
    }
  }

  @Test("keys and values that differ only in how an accent is encoded stay apart")
  func content() throws {
    var document = Document(id: Self.id)
    let session = DocumentSession.person(1, "", at: 0)
    try document.change(by: session) { (editor: inout Editor) throws(EditError) in
      try editor.put(.integer(1), at: JSONPointer([Self.composed]))
      try editor.put(.integer(2), at: JSONPointer([Self.decomposed]))
      try editor.putContainer(.set, at: JSONPointer(["set"]))
      try editor.add(.string(Self.composed), toSetAt: JSONPointer(["set"]))
      try editor.add(.string(Self.decomposed), toSetAt: JSONPointer(["set"]))
    }
    let again = try Document(bytes: document.bytes())
    #expect(again.node(at: JSONPointer([Self.composed])) == .value(.integer(1)))
    #expect(again.node(at: JSONPointer([Self.decomposed])) == .value(.integer(2)))
    guard case .set(let values)? = again.node(at: JSONPointer(["set"])) else {
      Issue.record("a set")
      return
    }
    #expect(values.count == 2)
  }

  @Test("lists under keys that differ only in how an accent is encoded are two lists")
  func movesBetweenLookalikes() throws {
    var document = Document(id: Self.id)
    let session = DocumentSession.person(1, "", at: 0)
    try document.change(by: session) { (editor: inout Editor) throws(EditError) in
      for key in [Self.composed, Self.decomposed] {
        try editor.putContainer(.list, at: JSONPointer([key]))
        try editor.insert(.value(.string(key)), at: JSONPointer([key, "-"]))
        try editor.insert(.value(.null), at: JSONPointer([key, "-"]))
      }
    }
    #expect(throws: EditError.self) {
      try document.change(by: session) { (editor: inout Editor) throws(EditError) in
        try editor.move(
          from: JSONPointer([Self.composed, "0"]), to: JSONPointer([Self.decomposed, "1"]))
      }
    }
  }
}
