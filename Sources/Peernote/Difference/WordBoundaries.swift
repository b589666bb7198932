/// Finds the words of a text near a place.
///
/// A word is what ``WordPart`` says: half of one beside half of another is a word that nobody wrote.
/// Signs of scripts that write no spaces between words belong to none, nor does a run that is longer
/// than words are.
struct WordBoundaries: TextBoundaries {
  /// The most scalars on either side of a place.
  private static let limit = 64

  let text: [UInt8]

  /// The word that `position` splits, or `nil` where it splits none.
  ///
  /// O(1).
  func unit(around position: Int, floor: Int) -> Range<Int>? {
    guard joins(position) else { return nil }
    var (start, end) = (position, position)
    var count = 0
    repeat {
      start = decodeScalar(text, endingAt: start).start
      count += 1
      if count > Self.limit { return nil }
    } while joins(start)
    count = 0
    repeat {
      end += decodeScalar(text, at: end).length
      count += 1
      if count > Self.limit { return nil }
    } while joins(end)
    return start..<end
  }

  /// Whether an edit that begins or ends at `position` surely splits neither a word nor a grapheme
  /// cluster.
  func mayEdit(at position: Int) -> Bool {
    GraphemeBoundaries.isPlain(text, at: position) && unit(around: position, floor: 0) == nil
  }

  /// Whether the scalars before and after a place belong to one word.
  private func joins(_ position: Int) -> Bool {
    guard position > 0, position < text.count else { return false }
    let before = WordPart(decodeScalar(text, endingAt: position).value)
    let after = WordPart(decodeScalar(text, at: position).value)
    if before == .none || after == .none { return false }
    if before.isLetterOrDigit, after.isLetterOrDigit { return true }
    func part(_ offset: Int) -> WordPart {
      scalar(offset, from: position).map { WordPart($0) } ?? .none
    }
    return WordPart.isInWord { part($0 - 1) } && WordPart.isInWord(part)
  }

  /// The scalar so many places after a position, or before it; `nil` if there is none.
  private func scalar(_ offset: Int, from position: Int) -> UInt32? {
    var place = position
    for _ in 0..<max(0, offset) where place < text.count {
      place += decodeScalar(text, at: place).length
    }
    for _ in 0..<max(0, -offset) {
      if place == 0 { return nil }
      place = decodeScalar(text, endingAt: place).start
    }
    return place < text.count ? decodeScalar(text, at: place).value : nil
  }
}
