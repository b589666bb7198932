extension StringProtocol {
  /// The words, which are runs of letters and digits; O(n).
  package var plainWords: [SubSequence] { split { !$0.isLetter && !$0.isNumber } }
}

extension String {
  /// How often each line stands there, blank ones too; O(n).
  package var allLineCounts: [Substring: Int] { splitAtLineFeeds().counts }
}

extension Sequence where Element: Hashable {
  /// How often each element is there.
  package var counts: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }

  /// Each element once, where it stands first.
  package var distinct: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}

extension UInt8 {
  /// Whether a byte of UTF-8 belongs to a word: letters, digits and everything beyond ASCII.
  package var isPartOfWord: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: false
    }
  }
}

extension Sequence<Unicode.Scalar> {
  /// Whether there is a letter or digit; O(n).
  package var sayAnything: Bool {
    contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }
}
