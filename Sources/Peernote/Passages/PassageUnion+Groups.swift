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
    for hunk in hunks[0] {
      while first < hunks[1].count, hunks[1][first].end < hunk.start { first += 1 }
      for rival in hunks[1][first...] {
        if rival.start > hunk.end { break }
        let meeting = meeting(of: hunk, rival)
        if meeting == .apart { continue }
        var group = Group(
          reach: hunk.reach.hull(rival.reach), isContested: meeting == .together)
        if let last = groups.last, last.reach.overlaps(group.reach) {
          group = joined(groups.removeLast(), group)
        }
        groups.append(group)
      }
    }
    for index in groups.indices {
      var group = groups[index]
      decide(&group, isWhole: false)
      groups[index] = group
    }
    addSentences()
  }

  private func joined(_ one: Group, _ other: Group) -> Group {
    Group(
      reach: one.reach.hull(other.reach), isContested: one.isContested || other.isContested)
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
      let before = group.reach
      let (low, high) = sentence(around: group)
      steps += high - low
      // An insertion at its border is not inside.
      for hunk in hunks(inside: 2 * low + 1..<max(2 * low + 1, 2 * high)) {
        group.reach = group.reach.hull(hunk.reach)
      }
      while number > 0, groups[number - 1].reach.overlaps(group.reach) {
        number -= 1
        group = joined(groups[number], group)
        groups.remove(at: number + 1)
      }
      while number + 1 < groups.count, group.reach.overlaps(groups[number + 1].reach) {
        group = joined(group, groups[number + 1])
        groups.remove(at: number + 1)
      }
      let isDone = group.reach == before
      if !isDone { decide(&group, isWhole: true) }
      groups[number] = group
      if isDone { number += 1 }
    }
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

extension Range<Int> {
  /// From where the first of two begins to where the last one ends.
  fileprivate func hull(_ other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
