import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Models that are written into documents and read from them.
@Suite struct ModelTests {
  private struct Everything: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    enum Shape: Codable, Equatable {
      case dot
      case circle(radius: Double)
    }
    struct Inner: Codable, Equatable { var id: Int; var name: String? }

    var truth = true
    var small: Int8 = -8
    var large = Int64.min
    var unsigned: UInt16 = 65535
    var ratio = 1.5
    var single: Float = 0.25
    var name = "e\u{301}"
    var kind = Kind.two
    var shapes = [Shape.dot, .circle(radius: 2)]
    var inner = [Inner(id: 1, name: "a"), Inner(id: 2, name: nil)]
    var table = ["x": 1, "y": 2]
    var numbers = [3: "three"]
    var tags: Set<String> = ["b", "a"]
    var bytes: [UInt8] = [0, 255]
    var optional: Int?
    var gaps: [Int?] = [1, nil, 3]
    var time = Timestamp(milliseconds: 5)
    var id = UniqueID(randomBits: 1, 2)
    var pair = ["k": [[1, 2], []]]
    @MergeableText var text = "text"
    @MergeableCounter var count = 7
  }

  private func document(_ model: some Encodable) throws -> Document {
    var document = Document(id: UniqueID(high: 7, low: 7))
    try document.encode(model, session: .person(1))
    return document
  }

  @Test("a model reads back as it was written, and writing it again is no change")
  func roundTrip() throws {
    var model = Everything()
    var document = try document(model)
    #expect(try document.decode(Everything.self) == model)
    #expect(try document.encode(model, session: .person(2)) == nil)
    model.inner.reverse()
    model.table["x"] = nil
    model.optional = 1
    model.shapes.removeFirst()
    model.tags = ["c"]
    try document.encode(model, session: .person(2))
    #expect(try document.decode(Everything.self) == model)
    let bytes = document.bytes()
    #expect(
      try PeernoteDecoder().decode(Everything.self, from: DocumentReader(bytes: bytes).root)
        == model)
    #expect(Document.validate(bytes: bytes).isEmpty)
  }

  @Test("each property stands in the document as the mapping says")
  func mapping() throws {
    let root = try document(Everything()).root
    #expect(root["large"] == .value(.integer(.min)))
    #expect(root["single"] == .value(.double(0.25)))
    #expect(root["name"] == .value(.string("e\u{301}")))
    #expect(root["kind"] == .value(.string("two")))
    #expect(root["tags"] == .set(members: [.string("a"), .string("b")]))
    #expect(root["bytes"] == .value(.bytes([0, 255])))
    #expect(root["time"] == .value(.timestamp(Timestamp(milliseconds: 5))))
    #expect(root["id"] == .value(.uuid(UniqueID(randomBits: 1, 2))))
    #expect(root["text"] == .text("text"))
    #expect(root["count"] == .counter(7))
    #expect(root["gaps"] == .list([.value(.integer(1)), .value(.null), .value(.integer(3))]))
    #expect(root["optional"] == nil)
  }

  @Test("writing a model makes only the edits that it takes")
  func smallEdits() throws {
    var model = Everything()
    var document = try document(model)
    let events = document.eventCount
    model.text = "a text"
    model.inner[1].name = "b"
    model.count += 1
    try document.encode(model, session: .person(2))
    #expect(document.eventCount == events + 2 + 1 + 1)
  }

  @Test("other coders take the marked properties as a string and a number")
  func otherCoders() throws {
    struct Marked: Codable, Equatable {
      @MergeableText var text: String
      @MergeableCounter var count: Int
    }
    let json = try JSONEncoder().encode(Marked(text: "a", count: 2))
    let fields = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(fields["text"] as? String == "a")
    #expect(fields["count"] as? Int == 2)
    #expect(try JSONDecoder().decode(Marked.self, from: json) == Marked(text: "a", count: 2))
    let empty = try PeernoteDecoder().decode(Marked.self, from: .map([]))
    #expect(empty == Marked(text: "", count: 0))
  }

  @Test(
    "what has no place in a document, and content that does not fit, are named with their place")
  func refusals() throws {
    struct Large: Codable { var list: [UInt64] }
    struct Sets: Codable { var sets: Set<[Int]> }
    struct Named: Codable { var name: String }
    #expect(
      fault { _ = try PeernoteEncoder().node(for: Large(list: [1, .max])) }
        == "/list/1: does not fit into 64 bits")
    #expect(
      fault { _ = try PeernoteEncoder().node(for: Sets(sets: [[1]])) }
        == "/sets: a set holds values only")
    #expect(
      fault { _ = try PeernoteEncoder().node(for: ["table": [1.5: 1]]) }
        == "/table: the keys of a dictionary have to be strings, integers or UUIDs")
    let large = DocumentNode.list([.value(.integer(1 << 53 + 1))])
    #expect(
      fault { _ = try PeernoteDecoder().decode([Double].self, from: large) }
        == "/0: 9007199254740993 does not fit into Double")
    let document = try document(["name": 1])
    #expect(
      fault { _ = try document.decode(Named.self) }
        == "/name: a string is wanted, not an integer")
    #expect(
      fault { _ = try document.decode([String: Named].self) }
        == "/name: a map is wanted, not an integer")
    #expect(
      fault { _ = try document.decode(Named.self, at: ["no"]) }
        == "/no: there is nothing")
    #expect(
      fault { _ = try PeernoteDecoder().decode(Named.self, from: .map([])) }
        == "/name: there is nothing under the key")
    var changed = document
    #expect(
      fault { try changed.encode([1], session: .person(2)) }
        == "the whole document: not a map")
    #expect(changed.bytes() == document.bytes())
  }
}
