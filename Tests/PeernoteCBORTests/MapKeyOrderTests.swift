import PeernoteCBOR
import Testing

/// Map keys stand in the order of their encodings, each once.
@Suite struct MapKeyOrderTests {
  /// RFC 8949, section 4.2.1: the example of sorted keys.
  static let sorted = ["0a", "1864", "20", "617a", "626161", "811864", "8120", "f4"]

  private static func check(_ keys: [String]) throws(CBORError) {
    let all = keys.map(bytes)
    let joined = Array(all.joined())
    var order = MapKeyOrder()
    var start = 0
    for key in all {
      try order.follow(start..<start + key.count, in: joined)
      start += key.count
    }
  }

  @Test("the keys of the standard's example are in order, and in no other")
  func example() throws {
    try Self.check(Self.sorted)
    for first in Self.sorted.indices {
      for second in Self.sorted.indices where second > first {
        var keys = Self.sorted
        keys.swapAt(first, second)
        let error = #expect(throws: CBORError.self) { try Self.check(keys) }
        #expect(error?.reason == .unsortedKey)
      }
    }
  }

  @Test("a key that stands twice is refused where it stands the second time")
  func duplicates() {
    for key in Self.sorted {
      let expected = CBORError(.duplicateKey, at: key.utf8.count / 2)
      #expect(throws: expected) { try Self.check([key, key]) }
    }
  }

  @Test("texts sort as keys the way their encodings sort", arguments: seeds)
  func texts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let letters: [Character] = ["a", "b", "ß", "字", "é"]
    let texts = (0..<60).map { _ in
      String(
        (0..<Int.random(in: 0...30, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        })
    }
    for left in texts {
      for right in texts {
        let encoded = (written { $0.text(left) }, written { $0.text(right) })
        #expect(
          MapKeyOrder.precedes(left, right) == encoded.0.lexicographicallyPrecedes(encoded.1))
      }
    }
  }
}
