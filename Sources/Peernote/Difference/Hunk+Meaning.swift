/// Two token sequences with their numbers, for judging a matching between them.
struct TokenPair {
  var old: Tokens
  var new: Tokens
}

/// The matched tokens of one pair of units, as ``Hunk/withoutWeakPairs(_:_:isStrong:)`` sees them.
struct UnitMatch {
  /// The weight matched in this pair of units.
  var matched: Int32 = 0
  /// The most words matched in one unbroken run.
  var longestRun = 0
  /// The weight of the old unit and of the new one.
  var oldWeight: Int32 = 0
  var newWeight: Int32 = 0
  /// Whether either unit is a number.
  var isNumber = false
}

extension Hunk {
  /// Gives up the matches between units that have too little in common to be versions of each
  /// other: two unrelated lines share "the" and a full stop, two unrelated words share an "e".
  ///
  /// Such matches would shred a replacement into fragments. O(tokens).
  static func withoutWeakPairs(
    _ hunks: [Hunk], _ tokens: TokenPair, isStrong: (UnitMatch) -> Bool
  ) -> [Hunk] {
    guard !hunks.isEmpty else { return [] }
    var partners = partners(of: hunks, oldCount: tokens.old.count, newCount: tokens.new.count)
    let oldWeights = unitWeights(tokens.old)
    let newWeights = unitWeights(tokens.new)
    var start = 0
    while start < partners.count {
      guard partners[start] >= 0 else {
        start += 1
        continue
      }
      let unit = tokens.old.units[start]
      let newUnit = tokens.new.units[Int(partners[start])]
      var match = UnitMatch(
        oldWeight: oldWeights[Int(unit)], newWeight: newWeights[Int(newUnit)],
        isNumber: tokens.old.isNumber[start])
      var end = start
      var run = 0
      var last: Int32 = partners[start] - 1
      while end < partners.count, tokens.old.units[end] == unit {
        let partner = partners[end]
        if partner >= 0 {
          guard tokens.new.units[Int(partner)] == newUnit else { break }
          match.matched += tokens.old.weights[end]
          match.isNumber = match.isNumber || tokens.new.isNumber[Int(partner)]
          if partner != last + 1 { run = 0 }
          if tokens.old.isWord[end] { run += 1 }
          match.longestRun = max(match.longestRun, run)
          last = partner
        } else {
          run = 0
        }
        end += 1
      }
      if !isStrong(match) {
        for index in start..<end { partners[index] = -1 }
      }
      start = end
    }
    return unmatched(partners, newCount: tokens.new.count)
  }

  /// Joins replacements that are parted by spaces and signs alone: "I like cats" to "you love dogs"
  /// is one replacement, not three around two spaces.
  ///
  /// O(hunks + tokens).
  static func withoutBareGaps(_ hunks: [Hunk], _ tokens: TokenPair) -> [Hunk] {
    var result: [Hunk] = []
    for hunk in hunks {
      if let last = result.last, !last.isOneSided, !hunk.isOneSided,
        !tokens.old.isWord[last.old.upperBound..<hunk.old.lowerBound].contains(true)
      {
        result[result.count - 1] = last.joined(with: hunk)
      } else {
        result.append(hunk)
      }
    }
    return result
  }

  /// Takes equal tokens off both ends of every hunk, and leaves out hunks of which nothing remains.
  ///
  /// O(tokens).
  static func trimmed(_ hunks: [Hunk], old: [Int32], new: [Int32]) -> [Hunk] {
    hunks.compactMap { hunk in
      var (oldStart, oldEnd) = (hunk.old.lowerBound, hunk.old.upperBound)
      var (newStart, newEnd) = (hunk.new.lowerBound, hunk.new.upperBound)
      while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
        oldEnd -= 1
        newEnd -= 1
      }
      while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
        oldStart += 1
        newStart += 1
      }
      if oldStart == oldEnd, newStart == newEnd { return nil }
      return Hunk(old: oldStart..<oldEnd, new: newStart..<newEnd)
    }
  }

  /// The same hunks in bytes of the texts.
  func inBytes(_ tokens: TokenPair) -> Hunk {
    Hunk(
      old: tokens.old.bounds[old.lowerBound]..<tokens.old.bounds[old.upperBound],
      new: tokens.new.bounds[new.lowerBound]..<tokens.new.bounds[new.upperBound])
  }

  private static func partners(of hunks: [Hunk], oldCount: Int, newCount: Int) -> [Int32] {
    var partners = [Int32](repeating: -1, count: oldCount)
    var old = 0
    var new = 0
    for hunk in hunks + [Hunk(old: oldCount..<oldCount, new: newCount..<newCount)] {
      while old < hunk.old.lowerBound {
        partners[old] = Int32(new)
        old += 1
        new += 1
      }
      old = hunk.old.upperBound
      new = hunk.new.upperBound
    }
    return partners
  }

  private static func unitWeights(_ tokens: Tokens) -> [Int32] {
    guard let last = tokens.units.last else { return [] }
    var result = [Int32](repeating: 0, count: Int(last) + 1)
    for (unit, weight) in zip(tokens.units, tokens.weights) { result[Int(unit)] += weight }
    return result
  }
}
