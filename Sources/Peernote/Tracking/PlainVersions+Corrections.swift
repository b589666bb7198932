/// What whoever wrote a file must have seen, going by what they made of it.
///
/// An edit takes fewest deletions from a version that lacks what it deletes. So a word that is put
/// right in a line that came in last would be a new line in the version before, beside the one with
/// the mistake. But nobody types by chance what others typed at the same time.
extension PlainVersions {
  /// More lines are not compared.
  private static let lineLimit = 64
  /// How many letters in words that are new to both lines are no chance.
  private static let enoughLetters = 8

  /// How many words the lines have that whoever wrote a file put right, or wrote others into the
  /// place of, though a version lacks them.
  ///
  /// - Parameters:
  ///   - text: the file.
  ///   - version: the version.
  ///   - lines: lines that stand in the file today, that the text lacks, and that were there to be
  ///     seen.
  /// - Returns: the number of words, and one more for each line.
  static func correctedCount(
    by text: String, since version: Version, of lines: Set<Substring>
  ) -> Int {
    let (old, new) = (Set(version.text.splitAtLineFeeds()), Set(text.splitAtLineFeeds()))
    let missing = lines.subtracting(old).map(words)
    let written = new.subtracting(old).map(words)
    guard !missing.isEmpty, !written.isEmpty, missing.count <= lineLimit,
      written.count <= lineLimit
    else { return 0 }
    let known = Set(old.flatMap(words))
    let gone = old.subtracting(new).prefix(lineLimit).map(words)
    return missing.reduce(0) { count, line in
      let isCorrected = written.contains { other in
        isCorrection(other, of: line, knowing: known) || isSubstitute(other, for: line, in: gone)
      }
      return count + (isCorrected ? line.count + 1 : 0)
    }
  }

  private static func words(of line: Substring) -> [Substring] {
    line.split { !$0.unicodeScalars.sayAnything }
  }

  /// Whether a line is another one with one word put right, or has most that is new in that one.
  private static func isCorrection(
    _ line: [Substring], of other: [Substring], knowing known: Set<Substring>
  ) -> Bool {
    if line.count == other.count {
      let differing = zip(line, other).filter { $0 != $1 }
      if differing.count == 1, isMisspelling(differing[0].1, of: differing[0].0) { return true }
    }
    let new = line.filter { !known.contains($0) }
    let shared = letterCount(Array(Set(new).intersection(other)))
    return shared >= enoughLetters && 2 * shared >= letterCount(new)
  }

  /// Whether two words differ in two letters that follow each other, at most, and share three.
  private static func isMisspelling(_ word: Substring, of other: Substring) -> Bool {
    let (first, second) = (Array(word.unicodeScalars), Array(other.unicodeScalars))
    guard (first + second).allSatisfy({ $0.properties.numericType == nil }) else { return false }
    let start = zip(first, second).prefix { $0 == $1 }.count
    let end = zip(first.dropFirst(start).reversed(), second.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    return start + end >= max(3, max(first.count, second.count) - 2)
  }

  /// How many letters some words have, without those that are numbers.
  private static func letterCount(_ words: [Substring]) -> Int {
    words.reduce(0) { sum, word in
      sum + word.unicodeScalars.count { $0.properties.numericType == nil }
    }
  }

  /// Whether two lines are an earlier one each with words put in at one place, that is not its end,
  /// where many add something.
  private static func isSubstitute(
    _ line: [Substring], for other: [Substring], in earlier: [[Substring]]
  ) -> Bool {
    earlier.contains { start in
      guard line.count > start.count, other.count > start.count else { return false }
      let first = zip(zip(line, other), start).prefix { $0.0 == $1 && $0.1 == $1 }.count
      return first < start.count
        && line.suffix(start.count - first) == start.suffix(start.count - first)
        && other.suffix(start.count - first) == start.suffix(start.count - first)
    }
  }
}
