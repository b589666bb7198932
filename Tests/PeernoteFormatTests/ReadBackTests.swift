import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// A document that was changed is written by copying what stays, and what was written is proven by
/// comparing it with the file before and reading the rest.
@Suite struct ReadBackTests {
  private static func session(_ agent: UInt64) -> DocumentSession {
    DocumentSession.person(agent, "ann", at: Int64(agent))
  }

  /// A list of records, each a map with a list, a map and a text inside.
  private static func document(records: Int) throws -> Document {
    var random = SplitMix64(seed: 3)
    var document = Document(id: UniqueID(high: 7, low: 7))
    try document.change(by: session(1)) { editor in
      let nodes = (0..<records).map { number -> DocumentNode in
        func word() -> DocumentNode { .value(.string(String(random.next(), radix: 36))) }
        return .map([
          .init(key: "id", node: .value(.integer(Int64(number)))),
          .init(key: "name", node: word()),
          .init(key: "tags", node: .list([word(), word(), word()])),
          .init(key: "address", node: .map([.init(key: "city", node: word())])),
          .init(key: "text", node: .text(String(random.next(), radix: 36))),
        ])
      }
      try editor.put(node: .list(nodes), at: ["records"])
    }
    return document
  }

  /// Sets one value in the middle, and edits a text.
  private static func edit(_ document: inout Document, records: Int) throws {
    try document.change(by: session(2)) { editor in
      let record = JSONPointer(["records", "\(records / 2)"])
      try editor.put(.string("Nobody"), at: record.appending("name"))
      try editor.replaceText(at: record.appending("text"), with: "new text")
    }
  }

  @Test("of a large document that was changed in one place only that place is decoded again")
  func steps() throws {
    var (decoded, sizes): ([Int], [Int]) = ([], [])
    for records in [200, 1600] {
      var made = try Self.document(records: records)
      var document = try Document(bytes: made.bytes())
      try Self.edit(&document, records: records)
      let bytes = document.bytes()
      let found = try #require(document.readBack(bytes))
      decoded.append(found)
      sizes.append(bytes.count)
      // A document that was never read writes everything anew.
      try Self.edit(&made, records: records)
      #expect(made.bytes() == bytes)
      #expect(made.readBack(bytes) == nil)
      #expect(Document.validate(bytes: bytes).isEmpty)
    }
    #expect(sizes[1] > 7 * sizes[0])
    #expect(decoded[1] < 500 && decoded[1] < decoded[0] + 20, "\(decoded)")
  }

  @Test("a merge of one edit into a large document decodes no more than that")
  func merge() throws {
    let bytes = try Self.document(records: 800).bytes()
    var (ours, theirs) = (try Document(bytes: bytes), try Document(bytes: bytes))
    try Self.edit(&theirs, records: 800)
    try ours.change(by: Self.session(3)) { editor in
      try editor.put(.string("Somebody"), at: ["records", "1", "name"])
    }
    ours = try Document(bytes: ours.bytes())
    _ = try ours.merge(theirs)
    let found = try #require(ours.readBack(ours.bytes()))
    #expect(found < 1000)
  }

  @Test("bytes that say anything else are not taken for the document's")
  func others() throws {
    var document = try Document(bytes: try Self.document(records: 20).bytes())
    let before = document.bytes()
    try Self.edit(&document, records: 20)
    let bytes = document.bytes()
    #expect(document.readBack(bytes) != nil)
    #expect(document.readBack(before) == nil)
    // With a checksum that fits, so that only what the bytes say can tell.
    for place in stride(from: 12, to: bytes.count - 34, by: 3) {
      var altered = Array(bytes[..<(bytes.count - 34)])
      altered[place] ^= place.isMultiple(of: 2) ? 1 : 0x20
      #expect(document.readBack(sealed(altered)) == nil, "byte \(place)")
    }
  }
}
