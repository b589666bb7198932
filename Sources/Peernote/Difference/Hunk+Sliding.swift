/// How well an edit would start at a place.
///
/// An insertion or a deletion next to text like itself can be placed in several ways with the same
/// result: "a b b c" from "a b c" may insert "b " or " b". People insert whole lines, paragraphs
/// after blank lines, words with the space that follows. Two copies that insert at one place should
/// also find the same place, and an edit that starts where the other's does not stays clear of it.
enum EditPlace {
  /// The value of starting an edit at byte `start` of `text`; greater is better.
  static func score(_ text: [UInt8], at start: Int, end: Int) -> Int {
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
  /// Moves one-sided hunks of tokens to the best of their equivalent places.
  ///
  /// A hunk moves within the equal tokens around it, so all moves together cost O(tokens).
  static func slid(
    _ hunks: [Hunk], _ tokens: TokenPair, oldNumbers: [Int32], newNumbers: [Int32],
    oldText: [UInt8], newText: [UInt8]
  ) -> [Hunk] {
    slid(
      hunks, oldCount: oldNumbers.count, newCount: newNumbers.count,
      isEqual: { isNew, left, right in
        isNew ? newNumbers[left] == newNumbers[right] : oldNumbers[left] == oldNumbers[right]
      },
      score: { hunk in
        hunk.old.isEmpty
          ? EditPlace.score(
            newText, at: tokens.new.bounds[hunk.new.lowerBound],
            end: tokens.new.bounds[hunk.new.upperBound])
          : EditPlace.score(
            oldText, at: tokens.old.bounds[hunk.old.lowerBound],
            end: tokens.old.bounds[hunk.old.upperBound])
      })
  }

  /// Moves one-sided hunks of bytes to the best of their equivalent places that split no word.
  ///
  /// O(bytes compared).
  static func slid(_ hunks: [Hunk], old: WordBoundaries, new: WordBoundaries) -> [Hunk] {
    slid(
      hunks, oldCount: old.text.count, newCount: new.text.count,
      isEqual: { isNew, left, right in
        isNew ? new.text[left] == new.text[right] : old.text[left] == old.text[right]
      },
      score: { hunk in
        let (long, range) = hunk.old.isEmpty ? (new, hunk.new) : (old, hunk.old)
        let (short, place) =
          hunk.old.isEmpty ? (old, hunk.old.lowerBound) : (new, hunk.new.lowerBound)
        guard long.mayEdit(at: range.lowerBound), long.mayEdit(at: range.upperBound),
          short.mayEdit(at: place)
        else { return -1 }
        return EditPlace.score(long.text, at: range.lowerBound, end: range.upperBound)
      })
  }

  private static func slid(
    _ hunks: [Hunk], oldCount: Int, newCount: Int, isEqual: (Bool, Int, Int) -> Bool,
    score: (Hunk) -> Int
  ) -> [Hunk] {
    var result = hunks
    for index in result.indices where result[index].isOneSided {
      let hunk = result[index]
      let isNew = hunk.old.isEmpty
      let range = isNew ? hunk.new : hunk.old
      let floor = index == 0 ? 0 : result[index - 1].old.upperBound + 1
      let ceiling = index + 1 == result.count ? oldCount : result[index + 1].old.lowerBound - 1
      let before = index == 0 ? hunk.old.lowerBound : max(0, hunk.old.lowerBound - floor)
      let after = max(0, ceiling - hunk.old.upperBound)
      var up = 0
      while up < before, up < range.lowerBound,
        isEqual(isNew, range.lowerBound - 1 - up, range.upperBound - 1 - up)
      {
        up += 1
      }
      var down = 0
      while down < after, isEqual(isNew, range.lowerBound + down, range.upperBound + down) {
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
