package import PeernoteEngine

/// The smallest sensible edits that turn one text into another.
///
/// Lines are matched first; inside blocks of changed lines, words; to tell which words are versions
/// of each other, grapheme clusters. Laws:
///
/// - Applying the edits to the old text gives the new text; there are none iff the texts are
///   equal byte for byte (canonical equivalence is not equality).
/// - The edits ascend and do not touch.
/// - Both ends of every edit are grapheme boundaries of the old and of the new text.
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
/// - Matches between unrelated lines or words are given up: see `TokenPair+Units.swift`. What is equal
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
  package let edits: [TextEdit]
  /// Elementary steps of the matching, for tests of the effort.
  package let steps: Int

  /// Compares two texts.
  package init(from old: String, to new: String) {
    self.init(from: Array(old.utf8), to: Array(new.utf8))
  }

  /// Compares two texts in UTF-8, which must be valid.
  package init(from old: [UInt8], to new: [UInt8]) {
    guard old != new else {
      edits = []
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
    edits = Self.edits(of: hunks, old: old, new: new)
    steps = lines.steps + refinement.steps
  }

  private static func edits(of hunks: [Hunk], old: [UInt8], new: [UInt8]) -> [TextEdit] {
    var end = TextPlace()
    return hunks.map { hunk in
      let start = end.scalar + scalarCount(of: old[end.byte..<hunk.old.lowerBound])
      end = TextPlace(
        scalar: start + scalarCount(of: old[hunk.old]), byte: hunk.old.upperBound)
      return TextEdit(
        deleted: start..<end.scalar, inserted: TextBuffer(validated: Array(new[hunk.new])),
        insertsBefore: !hunk.isOneSided && endsLine(hunk.old, of: old))
    }
  }

  /// Whether a range reaches to the end of a line at whose start it does not begin.
  private static func endsLine(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    guard range.lowerBound > 0, text[range.lowerBound - 1] != 0x0A else { return false }
    return range.upperBound == text.count || text[range.upperBound] == 0x0A
      || text[range.upperBound] == 0x0D
  }
}

/// Narrows blocks of changed lines down to changed words and grapheme clusters.
struct BlockRefinement {
  /// The changes found so far, in bytes, ascending.
  private(set) var hunks: [Hunk] = []
  /// Elementary steps of the matching.
  private(set) var steps = 0

  let old: [UInt8]
  let new: [UInt8]

  /// Beyond this many tokens on both sides a replacement is not searched for shared letters.
  private static let tokenLimit = 64

  /// Edits after which a search for the shortest script settles for the best it has seen: fewer
  /// the longer the block, since what two long blocks share is found by anchors or is accident.
  private static func costLimit(_ tokens: TokenPair) -> Int {
    max(8, min(128, 2_000_000 / (tokens.old.count + tokens.new.count + 1)))
  }

  /// Adds the changes inside one block; blocks come in ascending order.
  mutating func refine(_ block: Hunk) {
    guard !block.isOneSided else {
      hunks.append(block)
      return
    }
    let tokens = TokenPair(old, new, in: block, cut: Tokens.words)
    let matcher = tokens.matcher(anchorsAtWords: true, costLimit: Self.costLimit(tokens))
    steps += matcher.steps
    var words = Hunk.joined(tokens.slid(matcher.hunks))
    words = tokens.withoutWeakPairs(
      words, isStrong: Self.areVersions(lines:), isPart: Self.isPart(lines:))
    let versions = UnitVersions(words, tokens)
    for hunk in tokens.trimmed(words, versions) {
      let part = tokens.part(of: hunk, versions)
      if part.isOneSided || min(part.old.count, part.new.count) > Self.tokenLimit {
        hunks.append(tokens.inBytes(hunk))
        continue
      }
      let (before, after) = hunk.parts(beside: part)
      if let before { hunks.append(tokens.inBytes(before)) }
      refineWords(tokens.inBytes(part))
      if let after { hunks.append(tokens.inBytes(after)) }
    }
  }

  private mutating func refineWords(_ words: Hunk) {
    let tokens = TokenPair(old, new, in: words, cut: Tokens.graphemes)
    let matcher = tokens.matcher(anchorsAtWords: false, costLimit: Self.costLimit(tokens))
    steps += matcher.steps
    let graphemes = tokens.withoutWeakPairs(
      matcher.hunks, isStrong: Self.areVersions(words:))
    hunks += tokens.withoutBareGaps(graphemes).map { tokens.inBytes($0) }
  }

  /// Whether two lines are versions of one: half of the shorter one, or three words in a row.
  ///
  /// The shorter one counts because a line may have been split or joined; the run because
  /// rewrapped paragraphs share the end of one line with the start of another.
  private static func areVersions(lines pair: UnitPair) -> Bool {
    pair.longestRun >= 3 || pair.matched * 2 >= min(pair.oldWeight, pair.newWeight)
  }

  /// Whether the shorter one of two lines is a part of the other one, which was split or joined:
  /// more than two thirds of it, or three words in a row.
  private static func isPart(lines pair: UnitPair) -> Bool {
    pair.longestRun >= 3 || pair.matched * 3 > min(pair.oldWeight, pair.newWeight) * 2
  }

  /// Whether two words are versions of one: two thirds of the longer one, or half of it if the
  /// shorter one is all there.
  ///
  /// What is far longer than words are is a text in a script without spaces; a quarter will do.
  private static func areVersions(words pair: UnitPair) -> Bool {
    if pair.isNumber {
      return pair.matched == pair.oldWeight && pair.matched == pair.newWeight
    }
    let shorter = min(pair.oldWeight, pair.newWeight)
    let longer = max(pair.oldWeight, pair.newWeight)
    if shorter > 24 { return pair.matched * 4 >= longer }
    return pair.matched * 3 >= longer * 2
      || pair.matched == shorter && pair.matched * 2 >= longer
  }
}
