import Peernote
import PeernoteTestSupport
import Testing

/// What apps write and read as JSON.
@Suite("Content as JSON text")
struct JSONTextTests {
  @Test(
    "a document that is written as plain JSON is read with its types",
    arguments: Array(1...50) as [UInt64])
  func plainly(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let root = RandomNodes.map(depth: 3, &generator)
    // Of two members that plain JSON writes alike one is left.
    if hasTwins(root) { return }
    var document = Document(id: UniqueID(high: 1, low: seed))
    let session = DocumentSession.person(1, "ann", at: 1000)
    try document.change(by: session) { try $0.replaceContent(at: [], with: root) }
    let text = document.json(as: .plain)
    let read = try document.node(fromJSON: text, as: .plain)
    #expect(read.json(as: .plain) == document.root.json(as: .plain), "seed \(seed)")
  }

  /// Whether a set holds two members that plain JSON writes alike.
  private func hasTwins(_ node: DocumentNode) -> Bool {
    switch node {
    case .set(let members):
      Set(members.map { DocumentNode.value($0).json(as: .plain) }).count < members.count
    case .map(let entries): entries.contains { hasTwins($0.node) }
    case .list(let elements): elements.contains { hasTwins($0) }
    case .value, .text, .counter: false
    }
  }

  @Test("plain JSON by itself tells maps, lists and values apart, no more")
  func plainAlone() throws {
    let text = #"{"a":[1,2.5,"x",null,true],"t":{"$text":"x"}}"#
    let plain = try DocumentNode(json: text, as: .plain)
    #expect(plain["t"] == .map([.init(key: "$text", node: .value(.string("x")))]))
    #expect(try DocumentNode(json: text, as: .exact)["t"] == .text("x"))
    #expect(plain.json(as: .plain) == text)
    #expect(plain.json(as: .exact).contains("$$text"))
    #expect(try DocumentNode(json: plain.json(as: .exact), as: .exact) == plain)
  }

  @Test("maps are read in their order, whatever that of the text")
  func order() throws {
    let node = try DocumentNode(json: #"{"bb":1,"a":{"d":1,"c":2}}"#, as: .plain)
    #expect(node == (try DocumentNode(json: #"{"a":{"c":2,"d":1},"bb":1}"#, as: .exact)))
  }

  @Test("a document writes its keys in the order in which they were first written")
  func written() throws {
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: .person(1, "ann", at: 1000)) { editor in
      try editor.put(.integer(1), at: ["title"])
      try editor.put(.integer(2), at: ["a"])
    }
    #expect(document.json(as: .plain) == #"{"title":1,"a":2}"#)
    #expect(document.root.json(as: .plain) == #"{"a":2,"title":1}"#)
    #expect(
      document.json(as: .exact, indented: true) == "{\n  \"title\": 1,\n  \"a\": 2\n}")
  }

  @Test("what is there gives its type to what is read for its place")
  func types() throws {
    var document = Document(id: UniqueID(high: 1, low: 3))
    let session = DocumentSession.person(1, "ann", at: 1000)
    let time = Timestamp(milliseconds: 1_795_000_000_000)
    let old = DocumentNode.map([
      .init(key: "c", node: .counter(1)), .init(key: "s", node: .set([.integer(1)])),
      .init(key: "t", node: .text("x")), .init(key: "u", node: .list([.text("y")])),
      .init(key: "w", node: .value(.timestamp(time))),
    ])
    try document.change(by: session) { try $0.replaceContent(at: [], with: old) }
    #expect(try document.node(fromJSON: document.json(as: .plain), as: .plain) == old)
    #expect(try document.node(fromJSON: "2", as: .plain, at: ["c"]) == .counter(2))
    #expect(
      try document.node(fromJSON: "[3,2]", as: .plain, at: ["s"])
        == .set([.integer(2), .integer(3)]))
    #expect(
      try document.node(fromJSON: #""z""#, as: .plain, at: ["u", "-"]) == .text("z"))
    // No time: a string takes its place.
    #expect(
      try document.node(fromJSON: #""soon""#, as: .plain, at: ["w"])
        == .value(.string("soon")))
    #expect(try DocumentNode(json: #""z""#, as: .plain) == .value(.string("z")))
  }

  @Test(
    "elements of a list keep their types beside others",
    arguments: [
      (#"[{"id":1,"v":{"$text":"hello"}},{"id":2,"v":"x"},{"id":3}]"#),
      (#"[{"v":{"$counter":5}},{"v":2}]"#), (#"[{"v":{"$set":["a"]}},{"v":7}]"#),
      (#"[{"v":{"$set":[]}},{"v":{"$counter":1}}]"#), (#"[{"$double":"NaN"},{"$text":"NaN x"}]"#),
      (#"[[{"$text":"a"}],["b"],[{"$timestamp":"2026-11-20T14:02:11Z"}]]"#),
    ])
  func elementTypes(text: String) throws {
    let list = try DocumentNode(json: text, as: .exact)
    guard case .list(let elements) = list else { return }
    let document = try Document(holding: "{\"l\":\(text)}")
    func read(_ node: DocumentNode) throws -> DocumentNode {
      try document.node(fromJSON: node.json(as: .plain), as: .plain, at: ["l"])
    }
    #expect(try read(list) == list)
    let first = try DocumentNode(json: #"{"id":9,"w":true}"#, as: .plain)
    #expect(try read(.list([first] + elements)) == .list([first] + elements))
    let fewer = DocumentNode.list(Array(elements.dropLast()))
    #expect(try read(fewer) == fewer)
  }

  @Test("what an element lacked has the type that all elements have there")
  func typesInCommon() throws {
    let document = try Document(
      holding: #"{"l":[{"id":1,"t":{"$text":"a"},"v":{"$text":"b"}},{"id":2,"v":5}]}"#)
    let text = #"{"l":[{"id":2,"t":"c","v":"d"},{"id":3,"t":"e","v":"f"},{"id":1,"v":"g"}]}"#
    let new =
      #"{"l":[{"id":2,"t":{"$text":"c"},"v":"d"},{"id":3,"t":{"$text":"e"},"v":"f"},"#
      + #"{"id":1,"v":{"$text":"g"}}]}"#
    #expect(
      try document.node(fromJSON: text, as: .plain) == DocumentNode(json: new, as: .exact))
  }

  @Test(
    "what cannot be read is refused, with its place",
    arguments: [
      ("{", JSONError.malformed(line: 1, column: 2, reason: ""), "line 1, column 2: "),
      (#"{"a":1,"a":2}"#, .malformed(line: 1, column: 8, reason: ""), "line 1, column 8: "),
      (
        #"{"a": 0.1234567890123456789}"#,
        .inexact(line: 1, column: 7, number: "0.1234567890123456789", nearest: 0),
        "line 1, column 7: the number 0.1234567890123456789 has more digits than are kept"
      ),
      (
        #"{"a":[{"$uuid":"x"}]}"#, .noContent(JSONPointer(["a", "0"]), reason: ""),
        "at /a/0: \"$uuid\" must be followed by a UUID"
      ),
    ])
  func faults(text: String, like: JSONError, message: String) throws {
    let error = try #require(throws: JSONError.self) { try DocumentNode(json: text, as: .exact) }
    #expect(error.description.hasPrefix(message), "\(error)")
    switch (error, like) {
    case (.malformed, .malformed), (.inexact, .inexact): break
    case (.noContent(let path, _), .noContent(let expected, _)): #expect(path == expected)
    case (.malformed, _), (.inexact, _), (.noContent, _): Issue.record("\(error)")
    }
  }

  @Test("numbers with too many digits are rounded if that is asked for")
  func rounding() throws {
    let text = "0.1234567890123456789"
    #expect(throws: JSONError.self) { try DocumentNode(json: text, as: .plain) }
    #expect(
      try DocumentNode(json: text, as: .plain, roundingNumbers: true)
        == .value(.double(0.1234567890123456789)))
    // Digits that a double has again are no loss.
    #expect(try DocumentNode(json: "0.1", as: .plain) == .value(.double(0.1)))
  }

  @Test("a document is an object")
  func root() throws {
    let document = Document(id: UniqueID(high: 1, low: 4))
    let error = try #require(throws: JSONError.self) {
      try document.node(fromJSON: "[]", as: .plain)
    }
    #expect(error.description == "a document is an object, as in {\"title\": …}")
    #expect(try document.node(fromJSON: "[]", as: .plain, at: ["l"]) == .list([]))
  }
}
