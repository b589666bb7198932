import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Containers of so many entries that they are read by halves at the same time.
@Suite("Views with large containers") struct LargeViewTests {
  private static let entries = (0..<4100).map { number in
    DocumentNode.map([
      .init(key: "n", node: .value(.integer(Int64(number)))),
      .init(key: "t", node: .text("text \(number)")),
    ])
  }

  /// A list and a map, each large, after a text and before another one.
  private static let large: Document = {
    let map = entries.enumerated().map {
      DocumentNode.MapEntry(key: "key \(10_000 + $0)", node: $1)
    }
    var document = Document(id: Samples.id)
    document.change(by: .person(1, "ann", at: 1000)) { editor in
      try? editor.put(node: .text("first"), at: Samples.path("/a"))
      try? editor.put(node: .list(entries), at: Samples.path("/list"))
      try? editor.put(node: .map(map), at: Samples.path("/map"))
      try? editor.put(node: .text("last"), at: Samples.path("/z"))
    }
    return document
  }()

  @Test("are read as they were written")
  func whole() throws {
    let document = Self.large
    let bytes = document.bytes()
    let read = try Document(bytes: bytes)
    #expect(read.root == document.root)
    #expect(read.bytes() == bytes)
    // What is copied from the file after an edit is where it was found there.
    var edited = read
    edited.change(by: .person(2, "bob", at: 2000)) { editor in
      try? editor.put(.integer(7), at: Samples.path("/list/4099/n"))
    }
    let again = try Document(bytes: edited.bytes())
    #expect(again.root == edited.root)
    #expect(again.root != document.root)
  }

  @Test("are refused at the first fault, in whichever half it is")
  func faults() throws {
    let bytes = Self.large.bytes()
    let envelope = try Envelope(bytes)
    var generator = SplitMix64(seed: 18)
    for _ in 0..<60 {
      var damaged = bytes
      for _ in 0..<generator.pick([1, 1, 2]) {
        damaged[envelope.view.lowerBound + generator.below(envelope.view.count)] ^=
          UInt8(1 << generator.below(8))
      }
      damaged = resealed(damaged)
      // This one reads from the beginning to the end.
      let expected = FileCheck(damaged, quick: true).faults.first
      let found = refusal(of: damaged)
      if found == nil {
        // What the texts say follows from the history, which is not replayed here.
        #expect(expected == nil)
      } else {
        #expect(found?.offset == expected?.offset)
        #expect(found?.reason == expected?.reason)
      }
    }
  }
}
