/// Where one thought ends and the next one begins, as far as punctuation tells.
enum SentenceEnd {
  /// Lines shorter than this are items; longer ones may be wrapped by hand.
  private static let wrappedLine = 40

  /// Whether a sentence or a line ends in `gap` or at its edges, given the edits before and after.
  ///
  /// O(gap.count).
  static func lies(
    in gap: Range<Int>, of text: [UInt8], after first: ArraySlice<UInt8>,
    before second: ArraySlice<UInt8>
  ) -> Bool {
    if endsLine(first) || startsLine(second) { return true }
    if endsIdeographicSentence(first) { return true }
    if endsSentence(first), isSpace(text[gap.lowerBound]) || isSpace(first.last) { return true }
    for position in gap {
      let byte = text[position]
      if byte == 0x0A {
        if !isWrapped(text, at: position) { return true }
      } else if isSpace(byte), endsSentence(text[gap.lowerBound..<position]) {
        return true
      } else if byte >= 0x80, endsIdeographicSentence(text[gap.lowerBound...position]) {
        return true
      }
    }
    return endsSentence(text[gap]) && isSpace(second.first)
  }

  /// Whether a line ends where two edits touch.
  static func parts(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    endsLine(first) || startsLine(second)
  }

  private static func endsLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    for byte in bytes.reversed() {
      if byte == 0x0A { return true }
      guard isSpace(byte) else { return false }
    }
    return false
  }

  private static func startsLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    for byte in bytes {
      if byte == 0x0A { return true }
      guard isSpace(byte) else { return false }
    }
    return false
  }

  /// Whether text ends with a full stop, perhaps with a closing sign and a space after it.
  private static func endsSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.startIndex
    var end = bytes.endIndex
    if end > start, isSpace(bytes[end - 1]) { end -= 1 }
    if end > start {
      switch bytes[end - 1] {
      case 0x22, 0x27, 0x29, 0x2A, 0x5D, 0x5F: end -= 1
      default: break
      }
    }
    guard end > start else { return false }
    switch bytes[end - 1] {
    case 0x21, 0x2E, 0x3F: return true
    case 0x80...: return endsIdeographicSentence(bytes[..<end])
    default: return false
    }
  }

  /// Whether text ends with one of the full-width full stops, which need no space after them.
  private static func endsIdeographicSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
    switch bytes.last {
    case 0x82: return bytes.suffix(3).elementsEqual([0xE3, 0x80, 0x82])
    case 0x81: return bytes.suffix(3).elementsEqual([0xEF, 0xBC, 0x81])
    case 0x9F: return bytes.suffix(3).elementsEqual([0xEF, 0xBC, 0x9F])
    default: return false
    }
  }

  /// Whether a line that ends at `lineFeed` goes on in the next one, as in text wrapped by hand:
  /// it is long, does not end a sentence, and the next line begins with a small letter.
  private static func isWrapped(_ text: [UInt8], at lineFeed: Int) -> Bool {
    guard lineFeed >= wrappedLine, lineFeed + 1 < text.count,
      !text[(lineFeed - wrappedLine)..<lineFeed].contains(0x0A),
      !endsSentence(text[(lineFeed - 4)..<lineFeed])
    else { return false }
    let next = Unicode.Scalar(decodeScalar(text, at: lineFeed + 1).value)
    return next?.properties.isLowercase ?? false
  }

  private static func isSpace(_ byte: UInt8?) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
