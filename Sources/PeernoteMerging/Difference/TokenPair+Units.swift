/// An old and a new unit of which some tokens that follow each other are matched.
struct UnitPair {
  /// The old tokens, from the first matched one on.
  fileprivate var tokens: Range<Int>
  fileprivate var oldUnit: Int32
  fileprivate var newUnit: Int32
  /// The weight matched in this pair of units.
  var matched: Int32 = 0
  /// The most words matched in one unbroken run; one that goes on in the next line counts as a whole.
  var longestRun = 0
  /// The weight of the old unit and of the new one.
  var oldWeight: Int32
  var newWeight: Int32
  /// Whether either unit is a number.
  var isNumber: Bool
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
    let partners = tokens.partners(of: hunks)
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

extension TokenPair {
  /// Gives up the matches between units that have too little in common to be versions of each
  /// other: two unrelated lines share "the" and a full stop, two unrelated words share an "e".
  ///
  /// Such matches would shred a replacement into fragments. What is matched with several units, as
  /// if it had been split or joined, is a version of the one that begins with the same word, else of
  /// the one with which it has the most in common, of equals the first; and of others only if these
  /// are parts of it. O(tokens).
  func withoutWeakPairs(
    _ hunks: [Hunk], isStrong: (UnitPair) -> Bool, isPart: (UnitPair) -> Bool = { _ in true }
  ) -> [Hunk] {
    guard !hunks.isEmpty else { return [] }
    var partners = partners(of: hunks)
    var pairs = unitPairs(partners)
    for pair in pairs where !isStrong(pair) {
      for index in pair.tokens { partners[index] = -1 }
    }
    pairs.removeAll { !isStrong($0) }
    if !pairs.allSatisfy(isPart) {
      let best = bestPairs(pairs, partners)
      for (number, pair) in pairs.enumerated() where !isPart(pair) {
        if best.old[Int(pair.oldUnit)] == number, best.new[Int(pair.newUnit)] == number { continue }
        for index in pair.tokens { partners[index] = -1 }
      }
    }
    return Hunk.unmatched(partners, newCount: new.count)
  }

  /// For each unit of either text the pair, by number, in which it is with what it is a version of.
  private func bestPairs(
    _ pairs: [UnitPair], _ partners: [Int32]
  ) -> (old: [Int?], new: [Int?]) {
    let (oldStarts, newStarts) = (old.firstWords, new.firstWords)
    var best = (
      old: [Int?](repeating: nil, count: old.unitCount),
      new: [Int?](repeating: nil, count: new.unitCount)
    )
    var ranks: [(beginsAlike: Int, matched: Int32)] = []
    for (number, pair) in pairs.enumerated() {
      let beginsAlike = pair.tokens.contains { token in
        partners[token] >= 0 && oldStarts[Int(pair.oldUnit)] == token
          && newStarts[Int(pair.newUnit)] == Int(partners[token])
      }
      ranks.append((beginsAlike ? 1 : 0, pair.matched))
      func isLess(_ other: Int?) -> Bool { other.map { ranks[$0] < ranks[number] } ?? true }
      if isLess(best.old[Int(pair.oldUnit)]) { best.old[Int(pair.oldUnit)] = number }
      if isLess(best.new[Int(pair.newUnit)]) { best.new[Int(pair.newUnit)] = number }
    }
    return best
  }

  private func unitPairs(_ partners: [Int32]) -> [UnitPair] {
    let (oldWeights, newWeights) = (old.unitWeights, new.unitWeights)
    let rows = wordsInRow(partners)
    var result: [UnitPair] = []
    for (token, partner) in partners.enumerated() where partner >= 0 {
      let (oldUnit, newUnit) = (old.units[token], new.units[Int(partner)])
      var pair = UnitPair(
        tokens: token..<token, oldUnit: oldUnit, newUnit: newUnit,
        oldWeight: oldWeights[Int(oldUnit)], newWeight: newWeights[Int(newUnit)],
        isNumber: old.isNumber[token])
      if let last = result.last, last.oldUnit == oldUnit, last.newUnit == newUnit {
        pair = result.removeLast()
      }
      pair.tokens = pair.tokens.lowerBound..<token + 1
      pair.matched += old.weights[token]
      pair.isNumber = pair.isNumber || new.isNumber[Int(partner)]
      pair.longestRun = max(pair.longestRun, rows[token])
      result.append(pair)
    }
    return result
  }

  /// For each matched old word how many follow each other there with nothing between that is not
  /// matched, too, but white space, and no more than one line end: where lines are wrapped anew,
  /// the words of a line go on in the next one.
  private func wordsInRow(_ partners: [Int32]) -> [Int] {
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
        if old.weights[token] > 0 { end() }
        continue
      }
      if new.weights[next..<Int(partner)].contains(where: { $0 > 0 }) { end() }
      next = Int(partner) + 1
      guard old.isWord[token] else { continue }
      if let last = row.last,
        isFar(old, last, token) || isFar(new, Int(partners[last]), Int(partner))
      {
        end()
      }
      row.append(token)
    }
    end()
    return result
  }

  /// The part of a replacement that lies in a unit and its version, if it goes from one unit to
  /// several or from several to one; else all of it.
  ///
  /// What is before and after that part is inserted or deleted. O(tokens of the hunk).
  func part(of hunk: Hunk, _ versions: UnitVersions) -> Hunk {
    func part(_ range: Range<Int>, _ units: [Int32], of version: Int32?) -> Range<Int> {
      guard let version else { return range }
      let start = range.first { units[$0] >= version } ?? range.upperBound
      return start..<(range[start...].first { units[$0] > version } ?? range.upperBound)
    }
    guard let oldLast = hunk.old.last, let newLast = hunk.new.last else { return hunk }
    let (oldUnit, newUnit) = (old.units[oldLast], new.units[newLast])
    let isOneOld = old.units[hunk.old.lowerBound] == oldUnit
    let isOneNew = new.units[hunk.new.lowerBound] == newUnit
    if isOneOld == isOneNew { return hunk }
    return isOneOld
      ? Hunk(old: hunk.old, new: part(hunk.new, new.units, of: versions.new[Int(oldUnit)]))
      : Hunk(old: part(hunk.old, old.units, of: versions.old[Int(newUnit)]), new: hunk.new)
  }

  fileprivate func partners(of hunks: [Hunk]) -> [Int32] {
    var partners = [Int32](repeating: -1, count: old.count)
    var (oldToken, newToken) = (0, 0)
    for hunk in hunks + [Hunk(old: old.count..<old.count, new: new.count..<new.count)] {
      while oldToken < hunk.old.lowerBound {
        partners[oldToken] = Int32(newToken)
        oldToken += 1
        newToken += 1
      }
      (oldToken, newToken) = (hunk.old.upperBound, hunk.new.upperBound)
    }
    return partners
  }
}

extension Tokens {
  /// How many units there are.
  fileprivate var unitCount: Int { units.last.map { Int($0) + 1 } ?? 0 }

  /// The first word of each unit that has any.
  fileprivate var firstWords: [Int?] {
    var result = [Int?](repeating: nil, count: unitCount)
    for (token, isWord) in isWord.enumerated() where isWord {
      let unit = Int(units[token])
      if result[unit] == nil { result[unit] = token }
    }
    return result
  }

  fileprivate var unitWeights: [Int32] {
    var result = [Int32](repeating: 0, count: unitCount)
    for (unit, weight) in zip(units, weights) { result[Int(unit)] += weight }
    return result
  }
}
