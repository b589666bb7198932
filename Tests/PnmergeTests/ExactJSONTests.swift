import Peernote
import PeernoteJSON
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Documents as JSON")
struct ExactJSONTests {
  private func json(_ text: String) throws -> JSON {
    try JSONReader.value(in: Array(text.utf8))
  }

  private func text(_ json: JSON) -> String { String(decoding: json.bytes(), as: UTF8.self) }

  @Test("what is counted of JSON before it is read is never more than a document makes of it")
  func extent() throws {
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let node = RandomNodes.map(depth: 4, using: &random)
      var document = Document(id: UniqueID(high: 0x4000, low: 0x8000 << 48))
      try document.change(by: .person(1, "", at: 0)) { editor in
        try editor.replaceContent(at: JSONPointer(), with: node)
      }
      let contents = try DocumentFile(document.bytes()).log.contents
      let extent = JSONReader.extent(of: node.exactJSON.bytes(), stringsMayBeTexts: false)
      // So that what the limits allow by weight is never refused for the values.
      #expect(
        extent.weight - contents.weight >= 2 * (extent.values - 1 - contents.count),
        "seed \(seed): \(extent)")
      #expect(
        extent.weight - contents.weight >= 4 * (extent.containers - 1 - contents.count),
        "seed \(seed): \(extent)")
    }
  }

  @Test(
    "every type has its form",
    arguments: [
      (DocumentNode.text("a\nb"), #"{"$text":"a\nb"}"#),
      (.set(members: [.integer(1), .string("x")]), #"{"$set":[1,"x"]}"#),
      (.counter(-3), #"{"$counter":-3}"#),
      (.value(.bytes([1, 2, 255])), #"{"$bytes":"AQL/"}"#),
      (
        .value(.timestamp(Timestamp(milliseconds: 1_795_183_331_250))),
        #"{"$timestamp":"2026-11-20T14:02:11.250Z"}"#
      ),
      (
        .value(.uuid(UniqueID(high: 1, low: 2))),
        #"{"$uuid":"00000000-0000-0001-0000-000000000002"}"#
      ),
      (.value(.double(.nan)), #"{"$double":"NaN"}"#),
      (.value(.double(-.infinity)), #"{"$double":"-Infinity"}"#),
      (.value(.string("x")), #""x""#), (.value(.null), "null"), (.value(.double(1)), "1.0"),
      (.list([.text(""), .map([])]), #"[{"$text":""},{}]"#),
      (.map([.init(key: "$text", node: .value(.string("x")))]), #"{"$$text":"x"}"#),
      (.map([.init(key: "$$set", node: .list([]))]), #"{"$$$set":[]}"#),
      (.map([.init(key: "$ref", node: .value(.null))]), #"{"$ref":null}"#),
      (
        .map([.init(key: "a", node: .value(.null)), .init(key: "$text", node: .value(.null))]),
        #"{"a":null,"$text":null}"#
      ),
    ])
  func forms(node: DocumentNode, expected: String) throws {
    #expect(text(node.exactJSON) == expected)
    #expect(try DocumentNode(json(expected), as: .exact) == node)
  }

  @Test("every content is read back as it was", arguments: Array(1...200) as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let node = RandomNodes.node(depth: 4, using: &generator)
    let indented = generator.chance(50)
    let read = try JSONReader.value(in: node.exactJSON.bytes(indented: indented))
    #expect(try DocumentNode(read, as: .exact) == node)
  }

  @Test(
    "plain JSON is a document and JSON again without a change",
    arguments: Array(1...100) as [UInt64])
  func plain(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let written = text(RandomNodes.node(depth: 4, using: &generator).json)
    let original = try json(written)
    #expect(text(try DocumentNode(original, as: .plain).json) == written)
    #expect(
      text(try DocumentNode(DocumentNode(original, as: .plain).exactJSON, as: .exact).json)
        == written
    )
  }

  @Test(
    "a tag before what it cannot mark is refused with its place",
    arguments: [
      (#"{"$text":5}"#, #""$text" must be followed by a string"#),
      (#"[{"$set":{}}]"#, #"at /0: "$set" must be followed by an array"#),
      (#"{"a":{"$set":[[]]}}"#, "at /a: a set holds values only, no arrays or objects"),
      (#"{"$counter":1.5}"#, #""$counter" must be followed by an integer of 64 bits"#),
      (
        #"{"$uuid":"x"}"#,
        #""$uuid" must be followed by a UUID such as "6f9c1de2-0b5f-4f27-8e2c-6d1a0f3b9c55""#
      ),
      (
        #"{"$timestamp":"today"}"#,
        #""$timestamp" must be followed by a time such as "2026-11-20T14:02:11Z""#
      ),
      (#"{"$bytes":"*"}"#, #""$bytes" must be followed by a string in base 64"#),
      (#"{"$double":"1"}"#, #""$double" must be followed by "NaN", "Infinity" or "-Infinity""#),
    ])
  func faults(text: String, expected: String) throws {
    let json = try json(text)
    let fault = #expect(throws: JSONError.self) { try DocumentNode(json, as: .exact) }
    #expect(fault?.description == expected)
    #expect(try DocumentNode(json, as: .plain).json == json)
  }

  @Test("what is put into a document stands in it", arguments: Array(1...60) as [UInt64])
  func documents(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let node = RandomNodes.node(depth: 3, using: &generator)
    let session = DocumentSession.person(seed, "", at: 0)
    var document = Document(id: UniqueID(high: 1, low: 1))
    try document.change(by: session) { editor in
      try editor.put(node: node, at: JSONPointer(["x"]))
      try editor.putContainer(.list, at: JSONPointer(["l"]))
      try editor.insert(node: .value(.null), at: JSONPointer(["l", "-"]))
      try editor.insert(node: node, at: JSONPointer(["l", "0"]))
    }
    let found = try Document(bytes: document.bytes())
    #expect(found.node(at: JSONPointer(["x"])) == node)
    #expect(found.node(at: JSONPointer(["l"])) == .list([node, .value(.null)]))
    #expect(Document.validate(bytes: found.bytes()).isEmpty)
  }
}
