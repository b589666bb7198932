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

  /// Adds the changes inside one block.
  ///
  /// Blocks must come in ascending order.
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
