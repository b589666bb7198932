/// Finds the words of a text near a place.
///
/// A word is a maximal run of letters, marks and digits, with a point or a comma between digits:
/// half of one beside half of another is a word that nobody wrote. Signs of scripts that write no
/// spaces between words belong to none, nor does a run that is longer than words are.
struct WordBoundaries: TextBoundaries {
  /// The most scalars on either side of a place.
  private static let limit = 64

  let text: [UInt8]

  init(_ text: [UInt8]) {
    self.text = text
  }

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
    let (before, start) = decodeScalar(text, endingAt: position)
    let (after, length) = decodeScalar(text, at: position)
    switch (WordPart(before), WordPart(after)) {
    case (.none, _), (_, .none), (.separator, .separator): return false
    case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit): return true
    case (.separator, .letter), (.letter, .separator): return false
    case (.separator, .digit):
      return start > 0 && WordPart(decodeScalar(text, endingAt: start).value) == .digit
    case (.digit, .separator):
      let next = position + length
      return next < text.count && WordPart(decodeScalar(text, at: next).value) == .digit
    }
  }
}
