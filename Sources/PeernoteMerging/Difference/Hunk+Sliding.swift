import PeernoteEngine

/// How well an edit would start at a place.
///
/// An insertion or a deletion next to text like itself can be placed in several ways with the same
/// result: "a b b c" from "a b c" may insert "b " or " b". People insert whole lines, paragraphs
/// after blank lines, words with the space that follows. Two copies that insert at one place should
/// also find the same place, and an edit that starts where the other's does not stays clear of it.
enum EditPlace {
  /// The value of an edit of some bytes of `text`; greater is better.
  static func score(_ text: [UInt8], of range: Range<Int>) -> Int {
    let (start, end) = (range.lowerBound, range.upperBound)
    if start == 0 || text[start - 1] == 0x0A {
      let isWhole = end == text.count || text[end - 1] == 0x0A
      return isWhole ? wholeLinesScore(text, start, end) : 300
    }
    guard start < text.count else { return 0 }
    let current = text[start]
    if current == 0x0A { return 400 }
    let previous = text[start - 1]
    if isSpace(previous), !isSpace(current) {
      return start > 1 && "!.?".utf8.contains(text[start - 2]) ? 300 : 200
    }
    if isSpace(current) || isSpace(previous) { return 100 }
    return previous.isPartOfWord == current.isPartOfWord ? 0 : 50
  }

  /// Best after a blank line, not beginning with one, at a high heading or with little indentation.
  private static func wholeLinesScore(_ text: [UInt8], _ start: Int, _ end: Int) -> Int {
    var score = 1_000
    if start == 0 || start == 1 || text[start - 2] == 0x0A
      || text[start - 2] == 0x0D && start > 2 && text[start - 3] == 0x0A
    {
      score += 300
    }
    var position = start
    while position < min(end, start + 40), isSpace(text[position]) {
      score -= text[position] == 0x09 ? 4 : 1
      position += 1
    }
    guard position < end, text[position] != 0x0A, text[position] != 0x0D else { return score - 400 }
    var level = 0
    while level < 6, position + level < end, text[position + level] == 0x23 { level += 1 }
    return level > 0 ? score + 10 * (7 - level) : score
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension Hunk {
  /// Moves one-sided hunks of bytes to the best of their equivalent places that split no word.
  static func slid(_ hunks: [Hunk], old: WordBoundaries, new: WordBoundaries) -> [Hunk] {
    slid(hunks, old: old.text, new: new.text) { hunk in
      let (long, range) = hunk.old.isEmpty ? (new, hunk.new) : (old, hunk.old)
      let (short, place) =
        hunk.old.isEmpty ? (old, hunk.old.lowerBound) : (new, hunk.new.lowerBound)
      guard long.mayEdit(at: range.lowerBound), long.mayEdit(at: range.upperBound),
        short.mayEdit(at: place)
      else { return -1 }
      return EditPlace.score(long.text, of: range)
    }
  }

  /// Moves one-sided hunks of two sequences to those of their equivalent places that score best; never
  /// to one that scores less than 0.
  static func slid<Unit: Equatable>(
    _ hunks: [Hunk], old: [Unit], new: [Unit], score: (Hunk) -> Int
  ) -> [Hunk] {
    var result = hunks
    for index in result.indices where result[index].isOneSided {
      let hunk = result[index]
      let (units, range) = hunk.old.isEmpty ? (new, hunk.new) : (old, hunk.old)
      let floor = index == 0 ? 0 : result[index - 1].old.upperBound + 1
      let ceiling = index + 1 == result.count ? old.count : result[index + 1].old.lowerBound - 1
      let before = index == 0 ? hunk.old.lowerBound : max(0, hunk.old.lowerBound - floor)
      let after = max(0, ceiling - hunk.old.upperBound)
      var up = 0
      while up < before, up < range.lowerBound,
        units[range.lowerBound - 1 - up] == units[range.upperBound - 1 - up]
      {
        up += 1
      }
      var down = 0
      while down < after, units[range.lowerBound + down] == units[range.upperBound + down] {
        down += 1
      }
      guard up + down > 0 else { continue }
      var best = hunk
      var bestScore = -1
      for shift in -up...down {
        let candidate = hunk.moved(by: shift)
        let value = score(candidate)
        if value >= 0, value >= bestScore {
          best = candidate
          bestScore = value
        }
      }
      result[index] = best
    }
    return result
  }

  private func moved(by shift: Int) -> Hunk {
    Hunk(
      old: (old.lowerBound + shift)..<(old.upperBound + shift),
      new: (new.lowerBound + shift)..<(new.upperBound + shift))
  }
}
