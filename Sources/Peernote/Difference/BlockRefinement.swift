/// Narrows blocks of changed lines down to changed words and grapheme clusters.
struct BlockRefinement {
  /// The changes found so far, in bytes, ascending.
  private(set) var hunks: [Hunk] = []
  /// Elementary steps of the matching.
  private(set) var steps = 0

  private let old: [UInt8]
  private let new: [UInt8]

  /// Beyond this many tokens on both sides a replacement is not searched for shared letters.
  private static let tokenLimit = 64

  /// Edits after which a search for the shortest script settles for the best it has seen: fewer
  /// the longer the block, since what two long blocks share is found by anchors or is accident.
  private static func costLimit(_ tokens: TokenPair) -> Int {
    max(8, min(128, 2_000_000 / (tokens.old.count + tokens.new.count + 1)))
  }

  /// Prepares for blocks of these two texts.
  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
  }

  /// Adds the changes inside one block.
  ///
  /// Blocks must come in ascending order.
  mutating func refine(_ block: Hunk) {
    guard !block.isOneSided else {
      hunks.append(block)
      return
    }
    let tokens = TokenPair(
      old: Tokens.words(old, in: block.old), new: Tokens.words(new, in: block.new))
    var table = TokenTable(old: old, new: new)
    let oldNumbers = table.numbers(bounds: tokens.old.bounds, ofNew: false)
    let newNumbers = table.numbers(bounds: tokens.new.bounds, ofNew: true)
    var mayAnchor = [Bool](repeating: false, count: table.count)
    for (number, isWord) in zip(oldNumbers, tokens.old.isWord) { mayAnchor[Int(number)] = isWord }
    let matcher = SequenceMatcher(
      old: oldNumbers, new: newNumbers, mayAnchor: mayAnchor, weights: table.scalarCounts,
      costLimit: Self.costLimit(tokens))
    steps += matcher.steps
    var words = Hunk.slid(
      matcher.hunks, tokens, oldNumbers: oldNumbers, newNumbers: newNumbers, oldText: old,
      newText: new)
    words = Hunk.withoutWeakPairs(
      Hunk.joined(words), tokens, isStrong: Self.areVersions(lines:), isPart: Self.isPart(lines:))
    let versions = UnitVersions(words, tokens)
    words = Hunk.trimmed(words, tokens, versions, old: oldNumbers, new: newNumbers)
    for hunk in words {
      let part = hunk.partInVersions(tokens, versions)
      if part.isOneSided || min(part.old.count, part.new.count) > Self.tokenLimit {
        hunks.append(hunk.inBytes(tokens))
        continue
      }
      let (before, after) = hunk.parts(beside: part)
      if let before { hunks.append(before.inBytes(tokens)) }
      refineWords(part.inBytes(tokens))
      if let after { hunks.append(after.inBytes(tokens)) }
    }
  }

  private mutating func refineWords(_ words: Hunk) {
    let tokens = TokenPair(
      old: Tokens.graphemes(old, in: words.old), new: Tokens.graphemes(new, in: words.new))
    var table = TokenTable(old: old, new: new)
    let oldNumbers = table.numbers(bounds: tokens.old.bounds, ofNew: false)
    let newNumbers = table.numbers(bounds: tokens.new.bounds, ofNew: true)
    let matcher = SequenceMatcher(
      old: oldNumbers, new: newNumbers, mayAnchor: [Bool](repeating: false, count: table.count),
      weights: table.scalarCounts, costLimit: Self.costLimit(tokens))
    steps += matcher.steps
    let graphemes = Hunk.withoutWeakPairs(
      matcher.hunks, tokens, isStrong: Self.areVersions(words:))
    hunks += Hunk.withoutBareGaps(graphemes, tokens).map { $0.inBytes(tokens) }
  }

  /// Whether two lines are versions of one: half of the shorter one, or three words in a row.
  ///
  /// The shorter one counts because a line may have been split or joined; the run because
  /// rewrapped paragraphs share the end of one line with the start of another.
  private static func areVersions(lines match: UnitMatch) -> Bool {
    match.longestRun >= 3 || match.matched * 2 >= min(match.oldWeight, match.newWeight)
  }

  /// Whether the shorter one of two lines is a part of the other one, which was split or joined:
  /// more than two thirds of it, or three words in a row.
  private static func isPart(lines match: UnitMatch) -> Bool {
    match.longestRun >= 3 || match.matched * 3 > min(match.oldWeight, match.newWeight) * 2
  }

  /// Whether two words are versions of one: two thirds of the longer one, or half of it if the
  /// shorter one is all there.
  ///
  /// What is far longer than words are is a text in a script without spaces; a quarter will do.
  private static func areVersions(words match: UnitMatch) -> Bool {
    if match.isNumber {
      return match.matched == match.oldWeight && match.matched == match.newWeight
    }
    let shorter = min(match.oldWeight, match.newWeight)
    let longer = max(match.oldWeight, match.newWeight)
    if shorter > 24 { return match.matched * 4 >= longer }
    return match.matched * 3 >= longer * 2
      || match.matched == shorter && match.matched * 2 >= longer
  }
}
