/// Where one thought ends and the next one begins, as far as punctuation tells.
enum SentenceEnd {
  /// Lines shorter than this are items; longer ones may be wrapped by hand.
  private static let wrappedLine = 40

  /// Whether a sentence or a line ends in `gap`, which is not empty, or at its edges, given the
  /// edits before and after.
  ///
  /// O(gap.count).
  static func lies(
    in gap: Range<Int>, of text: [UInt8], after first: TextEdges, before second: TextEdges
  ) -> Bool {
    if parts(first, second) || first.contains(.endsIdeographicSentence) { return true }
    if first.contains(.endsSentence),
      first.contains(.endsWithSpace) || TextEdges.isSpace(text[gap.lowerBound])
    {
      return true
    }
    for position in gap {
      let byte = text[position]
      if byte == 0x0A {
        if !isWrapped(text, at: position) { return true }
      } else if TextEdges.isSpace(byte) {
        if ends(gap.lowerBound..<position, of: text.span) { return true }
      } else if byte >= 0x80, endsIdeographic(gap.lowerBound..<position + 1, of: text.span) {
        return true
      }
    }
    return second.contains(.startsWithSpace) && ends(gap, of: text.span)
  }

  /// Whether a line ends where two edits touch.
  static func parts(_ first: TextEdges, _ second: TextEdges) -> Bool {
    first.contains(.endsLine) || second.contains(.startsLine)
  }

  /// Whether text ends with a full stop, perhaps with a closing sign and a space after it.
  static func ends(_ range: Range<Int>, of text: Span<UInt8>) -> Bool {
    let start = range.lowerBound
    var end = range.upperBound
    if end > start, TextEdges.isSpace(text[end - 1]) { end -= 1 }
    if end > start {
      switch text[end - 1] {
      case 0x22, 0x27, 0x29, 0x2A, 0x5D, 0x5F: end -= 1
      default: break
      }
    }
    guard end > start else { return false }
    let last = text[end - 1]
    return last < 0x80
      ? FullStop.needsSpace(UInt32(last)) : endsIdeographic(start..<end, of: text)
  }

  /// Whether text ends with one of the full-width full stops, which need no space after them.
  static func endsIdeographic(_ range: Range<Int>, of text: Span<UInt8>) -> Bool {
    let end = range.upperBound
    guard range.count >= 3 else { return false }
    guard text[end - 3] & 0xF0 == 0xE0 else { return false }
    return FullStop.isFullWidth(
      UInt32(text[end - 3] & 0x0F) << 12 | UInt32(text[end - 2] & 0x3F) << 6
        | UInt32(text[end - 1] & 0x3F))
  }

  /// Whether a line that ends at `lineFeed` goes on in the next one, as in text wrapped by hand:
  /// it is long, does not end a sentence, and the next line begins with a small letter.
  private static func isWrapped(_ text: [UInt8], at lineFeed: Int) -> Bool {
    guard lineFeed >= wrappedLine, lineFeed + 1 < text.count,
      !text[(lineFeed - wrappedLine)..<lineFeed].contains(0x0A),
      !ends(lineFeed - 4..<lineFeed, of: text.span)
    else { return false }
    let next = Unicode.Scalar(decodeScalar(text, at: lineFeed + 1).value)
    return next?.properties.isLowercase ?? false
  }
}
