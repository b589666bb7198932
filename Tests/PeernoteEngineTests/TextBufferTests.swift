import Peernote
import PeernoteTestSupport
import Testing

/// Text by scalar, against Swift's own strings.
@Suite struct TextBufferTests {
  private static let alphabet: [Unicode.Scalar] = ["a", "é", "漢", "🧑", "\u{301}", "\u{0}"]

  /// All strings of up to four of the scalars, and long ones.
  private static var strings: [String] {
    var strings = [""]
    var longest = [""]
    for _ in 0..<4 {
      longest = longest.flatMap { start in alphabet.map { start + String($0) } }
      strings += longest
    }
    var random = SplitMix64(seed: 3)
    for length in [7, 8, 9, 15, 16, 17, 63, 64, 65, 300] {
      for _ in 0..<4 {
        let size = random.within(1...alphabet.count)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(random.pick(alphabet.prefix(size))) }
        strings.append(String(text))
      }
    }
    return strings
  }

  @Test("line feeds are counted between any two places")
  func lineFeeds() {
    var random = SplitMix64(seed: 5)
    // The UTF-8 of some differs from a line feed in a single bit.
    let alphabet: [Unicode.Scalar] = ["\n", "\n", "\u{B}", "\u{8}", "*", "J", "\u{8A}", "\u{10A}"]
    for length in [0, 1, 7, 8, 9, 40] {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<length { scalars.append(random.pick(alphabet)) }
      let all = Array(scalars)
      let text = TextBuffer(String(scalars))
      for start in 0...length {
        for end in start...length {
          let from = text.place(ofScalar: start)
          #expect(
            text.lineFeeds(from: from, to: text.place(ofScalar: end, from: from))
              == all[start..<end].count { $0 == "\n" })
        }
      }
    }
  }

  @Test("a place is reached from any other place, in either direction")
  func places() {
    for string in Self.strings {
      let text = TextBuffer(string)
      var places = [TextPlace()]
      for scalar in string.unicodeScalars {
        let last = places[places.count - 1]
        places.append(
          TextPlace(scalar: last.scalar + 1, byte: last.byte + UTF8.width(scalar)))
      }
      #expect(text.scalarCount == places.count - 1)
      #expect(text.end == places.last)
      let origins =
        places.count < 20
        ? places
        : places.enumerated()
          .filter { $0.offset % 7 == 0 || $0.offset == places.count - 1 }.map(\.element)
      for from in origins {
        let wrong = places.first { text.place(ofScalar: $0.scalar, from: from) != $0 }
        #expect(wrong == nil, "from \(from) in \(string.unicodeScalars.map { $0 })")
      }
    }
  }

  @Test("replacing and appending do what they do to arrays of scalars")
  func editing() {
    var random = SplitMix64(seed: 5)
    for string in Self.strings.suffix(40) {
      var text = TextBuffer(string)
      var scalars = Array(string.unicodeScalars)
      for _ in 0..<20 {
        let start = random.within(0...scalars.count)
        let end = random.within(start...min(scalars.count, start + 9))
        let new = random.pick(Self.strings)
        let from = text.place(ofScalar: start)
        let to = text.place(ofScalar: end, from: from)
        #expect(
          Array(text.string(from: from, to: to).unicodeScalars) == Array(scalars[start..<end]))
        text.replace(from: from, to: to, with: TextBuffer(new))
        scalars.replaceSubrange(start..<end, with: new.unicodeScalars)
        text.append(TextBuffer(new))
        scalars += new.unicodeScalars
        #expect(Array(text.string.unicodeScalars) == scalars)
        #expect(text.scalarCount == scalars.count)
        #expect(text.isASCII == scalars.allSatisfy(\.isASCII))
      }
    }
  }
}
