/// Finds the grapheme boundaries of a text near a place, without segmenting all of it.
///
/// Whether a place is a boundary can depend on far earlier text (flags pair up from the start of
/// their run), so segmentation starts at a place that is a boundary whatever surrounds it. Such a
/// place is never far away in most scripts.
struct GraphemeBoundaries: TextBoundaries {
  let text: [UInt8]

  /// Whether `position` is a boundary by the two scalars around it alone.
  ///
  /// False where more context is needed, and inside a scalar.
  static func isPlain(_ text: [UInt8], at position: Int) -> Bool {
    if position == 0 || position == text.count { return true }
    let (previous, next) = (text[position - 1], text[position])
    if previous == 0x0D && next == 0x0A { return false }
    if previous == 0x0A || previous == 0x0D || next == 0x0A || next == 0x0D {
      return true
    }
    if previous < 0x80 && next < 0x80 { return true }
    guard !isContinuation(next) else { return false }
    return isSelfContained(decodeScalar(text, endingAt: position).value)
      && isSelfContained(decodeScalar(text, at: position).value)
  }

  /// Whether a scalar never joins with another one of which the same can be said.
  ///
  /// Letters whose grapheme cluster break property is Other, precomposed Hangul, and ASCII
  /// (Unicode Standard Annex 29, table 2). Not complete, which only costs time.
  private static func isSelfContained(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00..<0x80, 0xC0...0x2FF, 0x391...0x3C9, 0x400...0x482, 0x48A...0x52F,
      0x5D0...0x5EA, 0x620...0x64A, 0x2018...0x201F, 0x3001...0x3029, 0x3041...0x3096,
      0x30A1...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFF01...0xFF5E,
      0x20000...0x2A6DF:
      return true
    default:
      return false
    }
  }

  /// The grapheme cluster that `position` splits, or `nil` where `position` is a boundary.
  ///
  /// `floor`, at or before `position`, must be a boundary. O(distance to the last plain boundary,
  /// at most to `floor`, plus length of the cluster).
  func unit(around position: Int, floor: Int) -> Range<Int>? {
    if Self.isPlain(text, at: position) { return nil }
    var start = position
    while start > floor {
      start -= 1
      if Self.isPlain(text, at: start) { break }
    }
    var length = 32
    while true {
      var end = min(text.count, position + length)
      while end < text.count, isContinuation(text[end]) { end += 1 }
      var boundary = start
      for character in String(decoding: text[start..<end], as: UTF8.self) {
        let next = boundary + character.utf8.count
        if boundary == position { return nil }
        // The last cluster of the window may go on beyond it.
        if next > position, next < end || end == text.count { return boundary..<next }
        boundary = next
      }
      length *= 4
    }
  }
}
