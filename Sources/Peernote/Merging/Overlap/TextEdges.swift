/// How a piece of text begins and ends, as far as sentences, lines and words are concerned.
struct TextEdges: OptionSet {
  let rawValue: UInt8

  /// A line feed stands at its start, perhaps after space.
  static let startsLine = TextEdges(rawValue: 1)
  /// A line feed stands at its end, perhaps before space.
  static let endsLine = TextEdges(rawValue: 2)
  static let startsWithSpace = TextEdges(rawValue: 4)
  static let endsWithSpace = TextEdges(rawValue: 8)
  /// It ends with a full stop, perhaps with a closing sign and a space after it.
  static let endsSentence = TextEdges(rawValue: 16)
  /// It ends with one of the full-width full stops, which need no space after them.
  static let endsIdeographicSentence = TextEdges(rawValue: 32)
  static let startsWithWord = TextEdges(rawValue: 64)
  static let endsWithWord = TextEdges(rawValue: 128)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Looks at some bytes of a text.
  ///
  /// O(space at either end).
  init(of range: Range<Int>, in text: Span<UInt8>) {
    self = []
    guard !range.isEmpty else { return }
    let first = text[range.lowerBound]
    let last = text[range.upperBound - 1]
    if Self.isSpace(first) {
      insert(.startsWithSpace)
      if Self.startsLine(range, of: text) { insert(.startsLine) }
    } else if first.isPartOfWord {
      insert(.startsWithWord)
    }
    if Self.isSpace(last) {
      insert(.endsWithSpace)
      if Self.endsLine(range, of: text) { insert(.endsLine) }
    } else if last.isPartOfWord {
      insert(.endsWithWord)
    }
    if SentenceEnd.ends(range, of: text) { insert(.endsSentence) }
    if SentenceEnd.endsIdeographic(range, of: text) { insert(.endsIdeographicSentence) }
  }

  private static func startsLine(_ range: Range<Int>, of text: Span<UInt8>) -> Bool {
    for position in range {
      if text[position] == 0x0A { return true }
      guard isSpace(text[position]) else { return false }
    }
    return false
  }

  private static func endsLine(_ range: Range<Int>, of text: Span<UInt8>) -> Bool {
    for position in range.reversed() {
      if text[position] == 0x0A { return true }
      guard isSpace(text[position]) else { return false }
    }
    return false
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
