/// The smallest sensible edits that turn one text into another.
///
/// Lines are matched first; inside blocks of changed lines, words; to tell which words are versions
/// of each other, grapheme clusters. Laws:
///
/// - Applying the splices to the old text gives the new text; there are none iff the texts are
///   equal byte for byte (canonical equivalence is not equality).
/// - The splices ascend and do not touch.
/// - Both ends of every splice are grapheme boundaries of the old and of the new text.
/// - In a changed line that is a version of the old one no more scalars are deleted and inserted
///   than by the best choice of whole words, signs and spaces to keep; where a script writes no
///   spaces, no more than by the best choice of grapheme clusters. In blocks of more than 128 tokens
///   that differ this holds between the words that stand there once.
///
/// Work is near-linear in the length of both texts whatever they hold; ``steps`` counts it.
///
/// What is smallest is not always what a person did. Where the two part, this follows the person,
/// because a merge puts edits of two people side by side:
///
/// - A one-sided edit that could stand in several places stands at the best of them: see
///   `EditPlace`.
/// - Lines that stand once in both texts are kept first.
/// - Matches between unrelated lines or words are given up: see `Hunk+Meaning.swift`. What is equal
///   in versions of one line is never typed again, however short: someone else's copy of it would
///   stand beside.
/// - What is added to a line, and the lines after it, are edits of their own, so that these lines are
///   the same edit whoever adds them. Lines that go before a line that begins as they do, and what
///   changes in that one, are edits of their own, too.
/// - A word changes as a whole, and so does a number: half of one beside half of another is a third
///   one. In scripts without spaces, and in what is far longer than words are, grapheme clusters do.
/// - A replacement inserts after what it deletes, so that a line or a word that someone else
///   inserted before the passage stays before it; but at the end of a line before what it deletes,
///   so that what someone else appended there stays at the end.
package struct TextDifference: Sendable {
  /// The edits, ascending.
  package let splices: [TextSplice]
  /// Elementary steps of the matching, for tests of the effort.
  package let steps: Int

  /// Compares two texts.
  package init(from old: String, to new: String) {
    self.init(from: Array(old.utf8), to: Array(new.utf8))
  }

  /// Compares two texts in UTF-8, which must be valid.
  package init(from old: [UInt8], to new: [UInt8]) {
    guard old != new else {
      splices = []
      steps = 0
      return
    }
    var refinement = BlockRefinement(old: old, new: new)
    let lines = LineDifference(from: old, to: new)
    for hunk in lines.hunks { refinement.refine(hunk) }
    var hunks = Hunk.joined(refinement.hunks)
    let words = (old: WordBoundaries(text: old), new: WordBoundaries(text: new))
    hunks = Hunk.widened(hunks, old: words.old, new: words.new)
    hunks = Hunk.slid(hunks, old: words.old, new: words.new)
    hunks = Hunk.widened(
      hunks, old: GraphemeBoundaries(text: old), new: GraphemeBoundaries(text: new))
    hunks = Hunk.partedAtLines(hunks, old: old, new: new)
    splices = Self.splices(of: hunks, old: old, new: new)
    steps = lines.steps + refinement.steps
  }

  private static func splices(of hunks: [Hunk], old: [UInt8], new: [UInt8]) -> [TextSplice] {
    var result: [TextSplice] = []
    result.reserveCapacity(hunks.count)
    var counted = 0
    var scalars = 0
    for hunk in hunks {
      scalars += scalarCount(of: old[counted..<hunk.old.lowerBound])
      let deleted = scalarCount(of: old[hunk.old])
      result.append(
        TextSplice(
          position: scalars, deleted: deleted,
          inserted: String(decoding: new[hunk.new], as: UTF8.self),
          insertsBeforeDeleted: !hunk.isOneSided && endsLine(hunk.old, of: old)))
      scalars += deleted
      counted = hunk.old.upperBound
    }
    return result
  }

  /// Whether a range reaches to the end of a line at whose start it does not begin.
  private static func endsLine(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    guard range.lowerBound > 0, text[range.lowerBound - 1] != 0x0A else { return false }
    return range.upperBound == text.count || text[range.upperBound] == 0x0A
      || text[range.upperBound] == 0x0D
  }
}
