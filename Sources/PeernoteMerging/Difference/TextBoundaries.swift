import PeernoteEngine

/// The places of a text where its units, such as words, begin and end.
protocol TextBoundaries {
  /// The text in UTF-8.
  var text: [UInt8] { get }

  /// The unit that `position` splits, or `nil` where it splits none, as at `floor`, at or before
  /// it.
  func unit(around position: Int, floor: Int) -> Range<Int>?
}

extension Hunk {
  /// Widens hunks of bytes until no end splits a unit of either text, joining those that meet;
  /// near-linear: the text between two hunks is segmented a constant number of times, and a hunk
  /// that does not settle within a few steps joins its neighbour.
  static func widened<Boundaries: TextBoundaries>(
    _ hunks: [Hunk], old oldBoundaries: Boundaries, new newBoundaries: Boundaries
  ) -> [Hunk] {
    /// How far an end would have to go back, and ahead, to split no unit; `nil` if it splits none.
    func reach(_ old: Int, _ new: Int, floor: (Int, Int)) -> (back: Int, ahead: Int)? {
      let inOld = oldBoundaries.unit(around: old, floor: floor.0)
      let inNew = newBoundaries.unit(around: new, floor: floor.1)
      if inOld == nil, inNew == nil { return nil }
      let (first, second) = (inOld ?? old..<old, inNew ?? new..<new)
      return (
        max(old - first.lowerBound, new - second.lowerBound),
        max(first.upperBound - old, second.upperBound - new)
      )
    }
    var result: [Hunk] = []
    var pending = hunks[...]
    while var hunk = pending.popFirst() {
      // The start, moving left to the previous hunk at most.
      for tries in 0... {
        let floor = result.last.map { ($0.old.upperBound, $0.new.upperBound) } ?? (0, 0)
        let gap = hunk.old.lowerBound - floor.0
        if gap <= 0 {
          if let last = result.popLast() { hunk = last.joined(with: hunk) }
          break
        }
        let reach = reach(hunk.old.lowerBound, hunk.new.lowerBound, floor: floor)
        guard let back = reach?.back else { break }
        hunk = hunk.widened(back: tries < 8 ? min(back, gap) : gap, ahead: 0)
      }
      // The end, moving right and taking in the next hunk when it is reached.
      for tries in 0... {
        let floor = (hunk.old.lowerBound, hunk.new.lowerBound)
        let reach = reach(hunk.old.upperBound, hunk.new.upperBound, floor: floor)
        guard let ahead = reach?.ahead else { break }
        let gap = (pending.first?.old.lowerBound ?? oldBoundaries.text.count) - hunk.old.upperBound
        if ahead < gap && tries < 8 {
          hunk = hunk.widened(back: 0, ahead: ahead)
        } else if let next = pending.popFirst() {
          hunk = hunk.joined(with: next)
        } else {
          hunk = hunk.widened(back: 0, ahead: gap)
        }
      }
      result.append(hunk)
    }
    return result
  }

  private func widened(back: Int, ahead: Int) -> Hunk {
    Hunk(
      old: (old.lowerBound - back)..<(old.upperBound + ahead),
      new: (new.lowerBound - back)..<(new.upperBound + ahead))
  }
}

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
  func unit(around position: Int, floor: Int) -> Range<Int>? {
    guard joins(position) else { return nil }
    var (start, before) = (position, 0)
    repeat {
      start = decodeScalar(text, endingAt: start).start
      before += 1
    } while before <= Self.limit && joins(start)
    var (end, after) = (position, 0)
    repeat {
      end += decodeScalar(text, at: end).length
      after += 1
    } while before <= Self.limit && after <= Self.limit && joins(end)
    return max(before, after) > Self.limit ? nil : start..<end
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
