extension SequenceMatcher {
  /// The most pairs of tokens that are all compared: two blocks of 128 tokens.
  private static let pairLimit = 1 << 14

  /// Whether two sequences are short enough for ``fewestEventsMatches(_:_:)``.
  static func mayCompareAll(_ left: [Int32], _ right: [Int32]) -> Bool {
    left.count <= pairLimit / max(1, right.count)
  }

  /// Matches two short sequences so that the unmatched tokens weigh as little as possible.
  ///
  /// The classic table of common subsequences (Robert A. Wagner and Michael J. Fischer, "The
  /// String-to-String Correction Problem", Journal of the ACM 21, 1974), without substitution. Of
  /// several best matchings it takes one that matches early.
  ///
  /// O(left.count · right.count).
  mutating func fewestEventsMatches(_ left: [Int32], _ right: [Int32]) -> [Match] {
    // `kept[i * width + j]` is the most weight that left[i...] and right[j...] have in common.
    let width = right.count + 1
    var kept = [Int32](repeating: 0, count: (left.count + 1) * width)
    for old in left.indices.reversed() {
      for new in right.indices.reversed() {
        let cell = old * width + new
        kept[cell] =
          left[old] == right[new]
          ? kept[cell + width + 1] + weight(left[old])
          : max(kept[cell + width], kept[cell + 1])
      }
    }
    steps += left.count * right.count
    var pairs: [Match] = []
    var (old, new) = (0, 0)
    while old < left.count, new < right.count {
      let cell = old * width + new
      if left[old] == right[new] {
        pairs.append(Match(old: Int32(old), new: Int32(new)))
        old += 1
        new += 1
      } else if kept[cell + width] == kept[cell] {
        old += 1
      } else {
        new += 1
      }
    }
    return pairs
  }
}
