import Peernote
import PeernoteTestSupport
import Testing

@Suite("Containers created on both sides")
struct SharedCreationTests {
  /// What an app's first version knows.
  private struct First: Codable, Equatable {
    struct Item: Codable, Equatable {
      var id: Int
      var name: String
    }
    var title = "T"
    var items = [Item(id: 1, name: "one")]
  }

  /// What its second version knows.
  private struct Second: Codable, Equatable {
    struct Item: Codable, Equatable {
      var id: Int
      var name: String
      var marks: Set<String>?
    }
    struct Extra: Codable, Equatable {
      var labels: Set<String>
      @MergeableCounter var count: Int
    }
    var title = "T"
    var items: [Item]
    var tags: Set<String>
    @MergeableText var body: String
    @MergeableCounter var count: Int
    var extra: Extra
    var log: [String]
  }

  private func first() throws -> Document {
    var document = Document(id: UniqueID(randomBits: 3, 4))
    try document.encode(First(), session: .person(1))
    return document
  }

  private func second(_ name: String, _ count: Int) -> Second {
    Second(
      items: [.init(id: 1, name: "one", marks: [name])], tags: [name],
      body: "\(name)\n", count: count, extra: .init(labels: [name], count: count), log: [name])
  }

  @Test("what both copies write to new properties merges")
  func upgrade() throws {
    let start = try first()
    var (ours, theirs) = (start, start)
    // One of the two has gone on meanwhile, and not the other.
    try ours.change(by: .person(2)) { try $0.put(.string("U"), at: ["title"]) }
    try ours.encode(second("a", 3), session: .person(3))
    try theirs.encode(second("b", 4), session: .person(4))
    var reverse = theirs
    let report = try ours.merge(theirs)
    _ = try reverse.merge(ours)
    #expect(ours.bytes() == reverse.bytes())
    #expect(report.conflicts.allSatisfy { $0.path.tokens == ["title"] })
    let merged = try ours.decode(Second.self)
    #expect(merged.tags == ["a", "b"])
    #expect(merged.extra.labels == ["a", "b"])
    #expect(merged.count == 7)
    #expect(merged.extra.count == 7)
    #expect(Set(merged.log) == ["a", "b"])
    #expect(merged.items.count == 1)
    #expect(merged.items.first?.marks == ["a", "b"])
    #expect(["a\nb\n", "b\na\n"].contains(merged.body))
    #expect(Document.validate(bytes: ours.bytes()).isEmpty)
  }

  @Test("migrating creates what is missing, once, and the same in every copy")
  func migrate() throws {
    let start = try first()
    var (ours, theirs) = (start, start)
    let created = try ours.migrate(to: second("a", 0))
    #expect(created.contains(JSONPointer(["extra", "labels"])))
    #expect(created.contains(JSONPointer(["items", "0", "marks"])))
    #expect(ours.node(at: ["tags"]) == .set([]))
    #expect(ours.node(at: ["title"]) == .value(.string("T")))
    try theirs.migrate(to: second("b", 5))
    #expect(ours.bytes() == theirs.bytes())
    let once = ours.bytes()
    #expect(try ours.migrate(to: second("c", 0)).isEmpty)
    #expect(ours.bytes() == once)
    #expect(ours.conflicts.isEmpty)
  }

  @Test("a key that was written, and a new document, are left as they are")
  func written() throws {
    var document = try first()
    try document.change(by: .person(2)) { try $0.put(.string("mine"), at: ["tags"]) }
    try document.change(by: .person(3)) { try $0.remove(at: ["tags"]) }
    #expect(try !document.migrate(to: second("a", 0)).contains(JSONPointer(["tags"])))
    var empty = Document(id: UniqueID(randomBits: 5, 6))
    #expect(try empty.migrate(to: second("a", 0)).isEmpty)
    #expect(empty.changeCount == 0)
  }

  @Test("an encoding that fails leaves the document as it was")
  func failure() throws {
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Set(["x"]), forKey: .tags)
        try container.encode(UInt64.max, forKey: .number)
      }
      enum Key: CodingKey { case tags, number }
    }
    var document = try first()
    let before = document.bytes()
    #expect(throws: ModelError.self) { try document.encode(Failing(), session: .person(2)) }
    #expect(document.bytes() == before)
  }
}
