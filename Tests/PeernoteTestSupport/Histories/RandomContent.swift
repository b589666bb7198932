package import Peernote

/// Pools from which random content is drawn: small, so that people meet, and full of edge cases.
package enum RandomContent {
  /// Grapheme clusters, and scalars that do not stand alone.
  package static let graphemes = [
    "a", " ", "\n", "\r\n", "é", "e\u{301}", "\u{301}", "ß", "日", "本", "שלום", "\u{200D}",
    "\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}\u{1F1EA}", "\u{1F3FD}", "\u{FEFF}", "\u{FFFD}",
    "\u{FFFE}", "\u{10FFFF}", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}", "각", "\u{1100}\u{1161}",
  ]

  /// Keys of maps.
  ///
  /// Some differ in bytes only, some need escapes in a path.
  package static let keys = [
    "title", "body", "a", "b", "", "0", "-", "~1", "/", "é", "e\u{301}", "\u{0}", "\u{1F4DD}",
  ]

  private static let strings = ["", "x", "low", "high", "é", "e\u{301}", "a\u{0}b", "\u{1F4DD}"]

  /// A value of any type.
  package static func value(_ random: inout SplitMix64) -> Value {
    switch random.below(10) {
    case 0: return .null
    case 1: return .bool(random.chance(50))
    case 2: return .integer(random.pick([0, 1, -1, 23, 24, -24, -25, 255, 256, .max, .min]))
    case 3:
      return .double(
        random.pick([0, -0.0, 1, 1.5, .nan, .infinity, 1e300, .leastNonzeroMagnitude, 65504]))
    case 4, 5: return .string(random.pick(strings))
    case 6: return .bytes(Array(repeating: 7, count: random.pick([0, 1, 23, 24, 300])))
    case 7: return .timestamp(Timestamp(milliseconds: random.pick([0, -1, 1 << 41, .min, .max])))
    case 8:
      return .uuid(UniqueID(high: random.pick([0, 1, .max]), low: random.pick([0, .max])))
    default: return .integer(Int64(random.below(1000)))
    }
  }
}
