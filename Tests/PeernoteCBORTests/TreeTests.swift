import PeernoteCBOR
import Testing

/// Whole items: what is written is read back, and skipping agrees with reading.
@Suite struct TreeTests {
  @Test("decode(encode(x)) = x and encode(decode(b)) = b for random items", arguments: seeds)
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<1500 {
      let tree = ItemTree.random(depth: 5, using: &generator)
      let encoding = tree.encoded
      var reader = CBORReader(encoding)
      let decoded = try ItemTree(from: &reader)
      #expect(decoded == tree)
      #expect(reader.isAtEnd)
      #expect(decoded.encoded == encoding)
    }
  }

  @Test(
    "skipping a random item reads as far as reading it, and not a byte further", arguments: seeds)
  func skipping(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let encodings = (0..<3).map { _ in ItemTree.random(depth: 4, using: &generator).encoded }
      let sequence = Array(encodings.joined())
      var reader = CBORReader(sequence)
      var start = 0
      for encoding in encodings {
        let range = try reader.skipItem(depthLimit: 5)
        #expect(range == start..<start + encoding.count)
        start = range.upperBound
      }
      #expect(reader.isAtEnd)
    }
  }

  @Test("every prefix of a random item is refused", arguments: seeds)
  func prefixes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let encoding = ItemTree.random(depth: 3, using: &generator).encoded
      for count in stride(from: 0, to: encoding.count, by: max(1, encoding.count / 200)) {
        var reader = CBORReader(encoding, range: 0..<count)
        #expect(throws: CBORError.self) { try reader.skipItem(depthLimit: 16) }
      }
    }
  }

  @Test("strings from arrays, slices and spans are written alike, at every width of a length")
  func stringSources() throws {
    for count in [0, 1, 23, 24, 255, 256, 65_535, 65_536, 200_000] {
      let content = [UInt8](repeating: 0x61, count: count)
      let slice = ([0x62] + content + [0x62])[1..<count + 1]
      let text = String(repeating: "a", count: count)
      #expect(slice.count == count)

      let encodedBytes = written { $0.bytes(content) }
      #expect(written { $0.bytes(slice.span) } == encodedBytes)
      #expect(written { $0.bytes(content.span) } == encodedBytes)
      let encodedText = written { $0.text(text) }
      #expect(written { $0.text(utf8: slice.span) } == encodedText)
      #expect(written { $0.text(utf8: content.span) } == encodedText)

      var reader = CBORReader(encodedBytes + encodedText)
      #expect(Array(reader.bytes[try reader.readBytes()]) == content)
      #expect(try reader.readString() == text)
      #expect(reader.isAtEnd)
    }
  }

  @Test("a writer appends to what it was given, and copies encoded items as they are")
  func appending() {
    var writer = CBORWriter(appendingTo: [1, 2])
    writer.reserve(100)
    writer.null()
    let items = composite
    writer.encoded(items.span)
    writer.encoded(items.span)
    #expect(writer.bytes == [1, 2, 0xf6] + composite + composite)
  }
}
