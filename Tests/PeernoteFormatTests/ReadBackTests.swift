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

  @Test("a large document that was changed in one place, or merged, is what was written of it")
  func same() throws {
    var made = try Self.document(records: 800)
    var (ours, theirs) = (try Document(bytes: made.bytes()), try Document(bytes: made.bytes()))
    try Self.edit(&theirs, records: 800)
    let bytes = theirs.bytes()
    #expect(theirs.readsBack(bytes))
    // A document that was never read writes everything anew.
    try Self.edit(&made, records: 800)
    #expect(made.bytes() == bytes)
    #expect(!made.readsBack(bytes))
    #expect(Document.validate(bytes: bytes).isEmpty)
    try ours.change(by: Self.session(3)) { editor in
      try editor.put(.string("Somebody"), at: ["records", "1", "name"])
    }
    ours = try Document(bytes: ours.bytes())
    _ = try ours.merge(theirs)
    #expect(ours.readsBack(ours.bytes()))
  }

  @Test("bytes that say anything else are not taken for the document's")
  func others() throws {
    var document = try Document(bytes: try Self.document(records: 20).bytes())
    let before = document.bytes()
    try Self.edit(&document, records: 20)
    let bytes = document.bytes()
    #expect(document.readsBack(bytes))
    #expect(!document.readsBack(before))
    // With a checksum that fits, so that only what the bytes say can tell.
    for place in stride(from: 12, to: bytes.count - 34, by: 3) {
      var altered = Array(bytes[..<(bytes.count - 34)])
      altered[place] ^= place.isMultiple(of: 2) ? 1 : 0x20
      #expect(!document.readsBack(sealed(altered)), "byte \(place)")
    }
  }
}
