/// Two token sequences with their numbers, for judging a matching between them.
struct TokenPair {
  var old: Tokens
  var new: Tokens
}

/// The matched tokens of one pair of units, as ``Hunk/withoutWeakPairs(_:_:isStrong:)`` sees them.
struct UnitMatch {
  /// The weight matched in this pair of units.
  var matched: Int32 = 0
  /// The most words matched in one unbroken run; one that goes on in the next line counts as a whole.
  var longestRun = 0
  /// The weight of the old unit and of the new one.
  var oldWeight: Int32 = 0
  var newWeight: Int32 = 0
  /// Whether either unit is a number.
  var isNumber = false
}

/// Which units of two texts are versions of each other: of each unit the first one of the other text
/// with which it has a word in common.
struct UnitVersions {
  /// For each new unit the old one, and for each old one the new one; `nil` for none.
  private(set) var old: [Int32?]
  private(set) var new: [Int32?]

  /// O(tokens).
  init(_ hunks: [Hunk], _ tokens: TokenPair) {
    new = [Int32?](repeating: nil, count: tokens.old.unitCount)
    old = [Int32?](repeating: nil, count: tokens.new.unitCount)
    let partners = Hunk.partners(
      of: hunks, oldCount: tokens.old.count, newCount: tokens.new.count)
    for (token, partner) in partners.enumerated() where partner >= 0 && tokens.old.isWord[token] {
      let (oldUnit, newUnit) = (tokens.old.units[token], tokens.new.units[Int(partner)])
      if new[Int(oldUnit)] == nil { new[Int(oldUnit)] = newUnit }
      if old[Int(newUnit)] == nil { old[Int(newUnit)] = oldUnit }
    }
  }

  /// Whether neither of two units is a version of another one.
  func allow(_ oldUnit: Int32, _ newUnit: Int32) -> Bool {
    new[Int(oldUnit)] ?? newUnit == newUnit && old[Int(newUnit)] ?? oldUnit == oldUnit
  }
}

extension Tokens {
  /// How many units there are.
  fileprivate var unitCount: Int { units.last.map { Int($0) + 1 } ?? 0 }
}

extension Hunk {
  /// Gives up the matches between units that have too little in common to be versions of each
  /// other: two unrelated lines share "the" and a full stop, two unrelated words share an "e".
  ///
  /// Such matches would shred a replacement into fragments. What is matched with several units, as
  /// if it had been split or joined, is a version of the one that begins with the same word, else of
  /// the one with which it has the most in common, of equals the first; and of others only if these
  /// are parts of it. O(tokens).
  static func withoutWeakPairs(
    _ hunks: [Hunk], _ tokens: TokenPair, isStrong: (UnitMatch) -> Bool,
    isPart: (UnitMatch) -> Bool = { _ in true }
  ) -> [Hunk] {
    guard !hunks.isEmpty else { return [] }
    var partners = partners(of: hunks, oldCount: tokens.old.count, newCount: tokens.new.count)
    var pairs = unitPairs(partners, tokens)
    for pair in pairs where !isStrong(pair.match) {
      for index in pair.tokens { partners[index] = -1 }
    }
    pairs.removeAll { !isStrong($0.match) }
    if !pairs.allSatisfy({ isPart($0.match) }) {
      let (old, new) = bestPairs(pairs, partners, tokens)
      for (number, pair) in pairs.enumerated() where !isPart(pair.match) {
        if old[Int(pair.oldUnit)] == number, new[Int(pair.newUnit)] == number { continue }
        for index in pair.tokens { partners[index] = -1 }
      }
    }
    return unmatched(partners, newCount: tokens.new.count)
  }

  /// For each unit of either text the pair, by number, in which it is with what it is a version of.
  private static func bestPairs(
    _ pairs: [UnitPair], _ partners: [Int32], _ tokens: TokenPair
  ) -> (old: [Int?], new: [Int?]) {
    let (oldStarts, newStarts) = (firstWords(tokens.old), firstWords(tokens.new))
    var old = [Int?](repeating: nil, count: tokens.old.unitCount)
    var new = [Int?](repeating: nil, count: tokens.new.unitCount)
    var ranks: [(beginsAlike: Int, matched: Int32)] = []
    for (number, pair) in pairs.enumerated() {
      let beginsAlike = pair.tokens.contains { token in
        partners[token] >= 0 && oldStarts[Int(pair.oldUnit)] == token
          && newStarts[Int(pair.newUnit)] == Int(partners[token])
      }
      ranks.append((beginsAlike ? 1 : 0, pair.match.matched))
      func isLess(_ other: Int?) -> Bool { other.map { ranks[$0] < ranks[number] } ?? true }
      if isLess(old[Int(pair.oldUnit)]) { old[Int(pair.oldUnit)] = number }
      if isLess(new[Int(pair.newUnit)]) { new[Int(pair.newUnit)] = number }
    }
    return (old, new)
  }

  /// The first word of each unit that has any.
  private static func firstWords(_ tokens: Tokens) -> [Int?] {
    var result = [Int?](repeating: nil, count: tokens.unitCount)
    for (token, isWord) in tokens.isWord.enumerated() where isWord {
      let unit = Int(tokens.units[token])
      if result[unit] == nil { result[unit] = token }
    }
    return result
  }

  /// Old and new units of which some tokens that follow each other are matched.
  private struct UnitPair {
    /// The old tokens, from the first matched one on.
    var tokens: Range<Int>
    var oldUnit: Int32
    var newUnit: Int32
    var match: UnitMatch
  }

  private static func unitPairs(_ partners: [Int32], _ tokens: TokenPair) -> [UnitPair] {
    let oldWeights = unitWeights(tokens.old)
    let newWeights = unitWeights(tokens.new)
    let rows = wordsInRow(partners, tokens)
    var result: [UnitPair] = []
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
      while end < partners.count, tokens.old.units[end] == unit {
        let partner = partners[end]
        if partner >= 0 {
          guard tokens.new.units[Int(partner)] == newUnit else { break }
          match.matched += tokens.old.weights[end]
          match.isNumber = match.isNumber || tokens.new.isNumber[Int(partner)]
          match.longestRun = max(match.longestRun, rows[end])
        }
        end += 1
      }
      result.append(UnitPair(tokens: start..<end, oldUnit: unit, newUnit: newUnit, match: match))
      start = end
    }
    return result
  }

  /// For each matched old word how many follow each other there with nothing between that is not
  /// matched, too, but white space, and no more than one line end: where lines are wrapped anew, the
  /// words of a line go on in the next one.
  ///
  /// O(tokens).
  private static func wordsInRow(_ partners: [Int32], _ tokens: TokenPair) -> [Int] {
    var result = [Int](repeating: 0, count: partners.count)
    var row: [Int] = []
    var next = 0
    func end() {
      for token in row { result[token] = row.count }
      row.removeAll(keepingCapacity: true)
    }
    func isFar(_ tokens: Tokens, _ first: Int, _ second: Int) -> Bool {
      tokens.units[second] - tokens.units[first] > 1
    }
    for (token, partner) in partners.enumerated() {
      if partner < 0 {
        if tokens.old.weights[token] > 0 { end() }
        continue
      }
      if tokens.new.weights[next..<Int(partner)].contains(where: { $0 > 0 }) { end() }
      next = Int(partner) + 1
      guard tokens.old.isWord[token] else { continue }
      if let last = row.last,
        isFar(tokens.old, last, token) || isFar(tokens.new, Int(partners[last]), Int(partner))
      {
        end()
      }
      row.append(token)
    }
    end()
    return result
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
  /// But no words of units of which one is a version of another unit. O(tokens).
  static func trimmed(
    _ hunks: [Hunk], _ tokens: TokenPair, _ versions: UnitVersions, old: [Int32], new: [Int32]
  ) -> [Hunk] {
    func isCommon(_ oldToken: Int, _ newToken: Int) -> Bool {
      old[oldToken] == new[newToken]
        && (!tokens.old.isWord[oldToken]
          || versions.allow(tokens.old.units[oldToken], tokens.new.units[newToken]))
    }
    return hunks.compactMap { hunk in
      var (oldStart, oldEnd) = (hunk.old.lowerBound, hunk.old.upperBound)
      var (newStart, newEnd) = (hunk.new.lowerBound, hunk.new.upperBound)
      while oldStart < oldEnd, newStart < newEnd, isCommon(oldEnd - 1, newEnd - 1) {
        oldEnd -= 1
        newEnd -= 1
      }
      while oldStart < oldEnd, newStart < newEnd, isCommon(oldStart, newStart) {
        oldStart += 1
        newStart += 1
      }
      if oldStart == oldEnd, newStart == newEnd { return nil }
      return Hunk(old: oldStart..<oldEnd, new: newStart..<newEnd)
    }
  }

  /// The part of a replacement that lies in a unit and its version, if it goes from one unit to
  /// several or from several to one; else all of it.
  ///
  /// What is before and after that part is inserted or deleted. O(tokens of the hunk).
  func partInVersions(_ tokens: TokenPair, _ versions: UnitVersions) -> Hunk {
    func part(_ range: Range<Int>, _ units: [Int32], of version: Int32?) -> Range<Int> {
      guard let version else { return range }
      let start = range.first { units[$0] >= version } ?? range.upperBound
      return start..<(range[start...].first { units[$0] > version } ?? range.upperBound)
    }
    guard let oldLast = old.last, let newLast = new.last else { return self }
    let isOneOld = tokens.old.units[old.lowerBound] == tokens.old.units[oldLast]
    let isOneNew = tokens.new.units[new.lowerBound] == tokens.new.units[newLast]
    if isOneOld == isOneNew { return self }
    return isOneOld
      ? Hunk(
        old: old, new: part(new, tokens.new.units, of: versions.new[Int(tokens.old.units[oldLast])])
      )
      : Hunk(
        old: part(old, tokens.old.units, of: versions.old[Int(tokens.new.units[newLast])]), new: new
      )
  }

  /// What a hunk has before a part of it, and after that; `nil` for nothing.
  func parts(beside part: Hunk) -> (before: Hunk?, after: Hunk?) {
    let before = Hunk(
      old: old.lowerBound..<part.old.lowerBound, new: new.lowerBound..<part.new.lowerBound)
    let after = Hunk(
      old: part.old.upperBound..<old.upperBound, new: part.new.upperBound..<new.upperBound)
    func unlessEmpty(_ hunk: Hunk) -> Hunk? { hunk.old.isEmpty && hunk.new.isEmpty ? nil : hunk }
    return (unlessEmpty(before), unlessEmpty(after))
  }

  /// The same hunks in bytes of the texts.
  func inBytes(_ tokens: TokenPair) -> Hunk {
    Hunk(
      old: tokens.old.bounds[old.lowerBound]..<tokens.old.bounds[old.upperBound],
      new: tokens.new.bounds[new.lowerBound]..<tokens.new.bounds[new.upperBound])
  }

  fileprivate static func partners(of hunks: [Hunk], oldCount: Int, newCount: Int) -> [Int32] {
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
    var result = [Int32](repeating: 0, count: tokens.unitCount)
    for (unit, weight) in zip(tokens.units, tokens.weights) { result[Int(unit)] += weight }
    return result
  }
}
