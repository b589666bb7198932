extension PassageUnion {
  /// How two hunks of different sides stand to each other.
  private enum Meeting {
    /// Beside each other, or far from each other.
    case apart
    /// Beside each other, but the raw text has them in the other order.
    case crossed
    case together
  }

  // MARK: What belongs together

  /// Finds the hunks that meet, with what lies between them, and what they show.
  mutating func findGroups() {
    var first = 0
    // Hunks that meet follow each other on either side.
    for (one, hunk) in hunks[0].enumerated() {
      while first < hunks[1].count, hunks[1][first].end < hunk.start { first += 1 }
      for other in first..<hunks[1].count {
        let rival = hunks[1][other]
        if rival.start > hunk.end { break }
        let meeting = meeting(of: hunk, rival)
        if meeting == .apart { continue }
        var group = Group(
          start: min(hunk.start, rival.start), end: max(hunk.end, rival.end),
          hunks: [one..<one + 1, other..<other + 1], isContested: meeting == .together)
        if let last = groups.last, overlap(last, group) {
          group = joined(groups.removeLast(), group)
        }
        groups.append(group)
      }
    }
    for index in groups.indices {
      var group = groups[index]
      take(&group)
      decide(&group, isWhole: false)
      groups[index] = group
    }
    addSentences()
  }

  /// Takes in all that either side changed between two places, or else in the group.
  private func take(_ group: inout Group, from low: Int? = nil, to high: Int? = nil) {
    let (low, high) = (low ?? group.start, high ?? group.end)
    for side in 0...1 {
      func isInside(_ number: Int) -> Bool {
        guard hunks[side].indices.contains(number) else { return false }
        let hunk = hunks[side][number]
        return low <= hunk.start && hunk.end <= high
          && (hunk.start < hunk.end || low < hunk.start && hunk.start < high)
      }
      var own = group.hunks[side]
      while isInside(own.lowerBound - 1) { own = own.lowerBound - 1..<own.upperBound }
      while isInside(own.upperBound) { own = own.lowerBound..<own.upperBound + 1 }
      group.hunks[side] = own
      group.start = min(group.start, hunks[side][own.lowerBound].start)
      group.end = max(group.end, hunks[side][own.upperBound - 1].end)
    }
  }

  private func joined(_ one: Group, _ other: Group) -> Group {
    var result = Group(
      start: min(one.start, other.start), end: max(one.end, other.end),
      hunks: zip(one.hunks, other.hunks).map {
        min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
      }, isContested: one.isContested || other.isContested)
    take(&result)
    return result
  }

  private func meeting(of one: Hunk, _ other: Hunk) -> Meeting {
    let isInOrder = (one.start, one.end) <= (other.start, other.end)
    let (first, second) = isInOrder ? (one, other) : (other, one)
    if first.end < second.start { return .apart }
    // They share a token, or one is an insertion inside of the other; or both are, at one place.
    if second.start < first.end || first.start == second.end
      || !(leaveWordsWhole(first, second) && !startsLine(at: first.end))
        && !leaveLinesWhole(first, second)
    {
      return .together
    }
    let before = (base[first.start..<first.end] + first.new).map(\.high).max()
    let after = (base[second.start..<second.end] + second.new).map(\.low).min()
    guard let before, let after, before > after else { return .apart }
    return .crossed
  }

  /// Whether both of two hunks that touch have new text, white space parts that, and neither repeats
  /// what the other one wrote.
  private func leaveWordsWhole(_ first: Hunk, _ second: Hunk) -> Bool {
    TokenPart.areParted(text(first.new), text(second.new))
      && repeating(Array(first.new), Array(second.new)) == nil
  }

  /// Whether two hunks that touch leave each other's lines whole.
  private func leaveLinesWhole(_ first: Hunk, _ second: Hunk) -> Bool {
    let (text, after) = (self.text(first.new), self.text(second.new))
    let (start, end, stop) = (first.start, first.end, second.end)
    if startsLine(at: end),
      text.last == TokenPart.lineFeed || text.isEmpty && startsLine(at: start)
    {
      if after.last == TokenPart.lineFeed || !startsLine(at: stop) {
        return !after.isEmpty || start < end
      }
      if after.isEmpty { return true }
    }
    return endsLine(at: end) && end == stop && after.first == TokenPart.lineFeed
  }

  /// Whether a line begins at a place of the base.
  func startsLine(at place: Int) -> Bool {
    let last = base[..<place].last { !text($0).isEmpty }
    return last.map { text($0).last == TokenPart.lineFeed } ?? true
  }

  /// Whether a line ends at a place of the base.
  func endsLine(at place: Int) -> Bool {
    let next = base[place...].first { !text($0).isEmpty }
    return next.map { text($0).first == TokenPart.lineFeed } ?? true
  }

  // MARK: Sentences

  /// Has each contested group take in all that was changed in its sentence.
  private mutating func addSentences() {
    var number = 0
    while number < groups.count {
      var group = groups[number]
      guard group.isContested else {
        number += 1
        continue
      }
      let before = group
      let (low, high) = sentence(around: group)
      steps += high - low
      take(&group, from: low, to: high)
      take(&group)
      while number > 0, overlap(groups[number - 1], group) {
        number -= 1
        group = joined(groups[number], group)
        groups.remove(at: number + 1)
      }
      while number + 1 < groups.count, overlap(group, groups[number + 1]) {
        group = joined(group, groups[number + 1])
        groups.remove(at: number + 1)
      }
      let isDone =
        group.start == before.start && group.end == before.end && group.hunks == before.hunks
      if !isDone { decide(&group, isWhole: true) }
      groups[number] = group
      if isDone { number += 1 }
    }
  }

  /// Whether a group shares a token or a hunk with one that begins later.
  private func overlap(_ one: Group, _ other: Group) -> Bool {
    other.start < one.end || zip(one.hunks, other.hunks).contains { $0.overlaps($1) }
  }

  /// The sentence, or line, that a group stands in, as places of the base.
  private mutating func sentence(around group: Group) -> (low: Int, high: Int) {
    func isEnd(_ place: Int) -> Bool {
      text(base[place]).isBlank && text(base[place - 1]).endsSentence
    }
    var (low, high) = (group.start, group.end)
    while low > 0, text(base[low - 1]).last != TokenPart.lineFeed, !(low > 1 && isEnd(low - 1)) {
      low -= 1
    }
    if low == 0, !isWhole.start { isTooSmall = true }
    while high < base.count, text(base[high]).first != TokenPart.lineFeed,
      !(high > group.end && isEnd(high))
    {
      high += 1
    }
    if high == base.count, !isWhole.end { isTooSmall = true }
    return (low, high)
  }
}
