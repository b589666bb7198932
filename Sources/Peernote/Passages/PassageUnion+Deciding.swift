extension PassageUnion {
  // MARK: What a group shows

  /// Decides what a group shows.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - isWhole: whether it has taken in a sentence, so that it is shown as one side has it.
  mutating func decide(_ group: inout Group, isWhole: Bool) {
    if !group.isContested, !isWhole {
      let own = hunks(inside: group.reach)
      group.result = row(own, from: group.start, to: group.end).map(\.token)
      return
    }
    let shown = [shown(0, in: group), shown(1, in: group)]
    var texts: [[UInt32]] = [[], []]
    var (isNew, isOpen) = (false, false)
    for side in 0...1 {
      for (token, place) in shown[side] {
        texts[side] += text(token)
        if place < 0 { isNew = true }
        if place < 0, isContested(token) { isOpen = true }
      }
    }
    if texts[0] == texts[1], !isOpen {
      group.isContested = false
      group.result = shown[isLater(0, in: group) ? 1 : 0].map(\.token)
    } else if !isNew, !isWhole, let left = leftByBoth(shown, in: group) {
      group.isContested = false
      group.result = left
    } else if group.start == group.end, !isWhole, !isOpen {
      let both = both(shown[0].map(\.token), shown[1].map(\.token), at: group.start)
      group.isContested = both == nil
      group.result = both ?? []
    } else {
      group.isContested = true
    }
  }

  /// What both sides left of a group that neither has written in; `nil` if that joins two words that
  /// stand side by side on neither.
  private func leftByBoth(
    _ shown: [[(token: Token, place: Int)]], in group: Group
  ) -> [Token]? {
    let kept = shown.map { Set($0.map(\.place)) }
    let left = (group.start..<group.end).filter { kept[0].contains($0) && kept[1].contains($0) }
    let before = base[..<group.start].lastIndex { !text($0).isEmpty }
    let after = base[group.end...].firstIndex { !text($0).isEmpty }
    let row = [before].compactMap(\.self) + left + [after].compactMap(\.self)
    for (one, other) in zip(row, row.dropFirst()) {
      let isNew = kept.allSatisfy { side in (one + 1..<other).contains { side.contains($0) } }
      if isNew, !TokenPart.areParted(text([base[one]]), text([base[other]])) { return nil }
    }
    return left.map { base[$0] }
  }

  /// Whether the last one who wrote in a group wrote on a side.
  private mutating func isLater(_ side: Int, in group: Group) -> Bool {
    let (low, high) = hull(of: group)
    let latest = versions.writers(from: low, to: high, &steps).map { versions.latest($0) }
    return versions.log.isLaterWrite(latest[side], than: latest[1 - side])
  }

  /// Two insertions at one place, both; `nil` if they are not apart.
  private func both(_ one: [Token], _ other: [Token], at place: Int) -> [Token]? {
    let isInOrder = least(one) <= least(other)
    let (first, second) = isInOrder ? (one, other) : (other, one)
    let (text, after) = (self.text(first), self.text(second))
    let feed = TokenPart.lineFeed
    let lines: [[[Token]]]
    if startsLine(at: place), text.last == feed, after.last == feed {
      lines = [first, second].map { self.lines($0, atEnd: true) }
    } else if endsLine(at: place), text.first == feed, after.first == feed {
      lines = [first, second].map { self.lines($0, atEnd: false) }
    } else {
      if text[...].trimmed == after[...].trimmed { return nil }
      if let long = repeating(first, second) { return long }
      // Whole lines stand outside of what is added to a line.
      if startsLine(at: place) {
        if text.last == feed { return first + second }
        if after.last == feed { return second + first }
      }
      if endsLine(at: place) {
        if text.first == feed { return second + first }
        if after.first == feed { return first + second }
      }
      if TokenPart.areParted(text, after) { return first + second }
      return TokenPart.areParted(after, text) ? second + first : nil
    }
    let names = lines.map { $0.map { Array(self.text($0)[...].trimmed) } }
    let shortest = min(names[0].count, names[1].count)
    func areSame(_ left: [UInt32], _ right: [UInt32]) -> Bool { !left.isEmpty && left == right }
    // Lines that both wrote first, or last, stand once.
    let head = (0..<shortest).first { !areSame(names[0][$0], names[1][$0]) } ?? shortest
    let rest = shortest - head
    let ends = names.map { Array($0.reversed()) }
    let tail = (0..<rest).first { !areSame(ends[0][$0], ends[1][$0]) } ?? rest
    let middle = lines.flatMap { $0[head..<$0.count - tail] }
    return (lines[0][..<head] + middle.sorted { least($0) < least($1) } + lines[1].suffix(tail))
      .flatMap { $0 }
  }

  /// Of two lists of tokens the one that begins or ends with the other: what one wrote the other one
  /// wrote, too, and more; `nil` if that is neither.
  func repeating(_ one: [Token], _ other: [Token]) -> [Token]? {
    let isLonger = one.count < other.count
    let (short, long) = isLonger ? (one, other) : (other, one)
    let parts = [short, long].map { $0.map { self.text($0) } }
    let isRepeated =
      parts[1].starts(with: parts[0]) || parts[1].reversed().starts(with: parts[0].reversed())
    return isRepeated ? long : nil
  }

  /// The first scalar of tokens in the raw text.
  private func least(_ tokens: [Token]) -> Place {
    tokens.lazy.map(\.low).reduce(Place(run: .max, offset: 0), min)
  }

  /// Tokens in lines, each with its line feed at its end or at its start.
  private func lines(_ tokens: [Token], atEnd: Bool) -> [[Token]] {
    var result: [[Token]] = [[]]
    for token in tokens {
      if !atEnd, text(token).first == TokenPart.lineFeed { result.append([]) }
      result[result.count - 1].append(token)
      if atEnd, text(token).last == TokenPart.lineFeed { result.append([]) }
    }
    return result.filter { !$0.isEmpty }
  }

  // MARK: Readings

  /// A part of what the union shows: a token, or a group with its readings.
  struct Entry {
    var low: Place
    var high: Place
    /// What is shown, by which changes.
    var shown: ArraySlice<UInt32>
    var changes: [ChangeIndex] = []
    var others: [FoundPassage.Reading] = []
    /// The passage that it is, if it is but that; -1 for a token without.
    var passage: Int?

    /// First what is shown.
    var readings: [FoundPassage.Reading] {
      [FoundPassage.Reading(scalars: Array(shown), changes: changes)] + others
    }
  }

  /// What the union shows, in order.
  ///
  /// - Parameter steps: how much was looked at is added.
  /// - Returns: its tokens and groups; a gap is always in a group, as both sides deleted it.
  func entries(_ steps: inout Int) -> [Entry] {
    var result: [Entry] = []
    var place = 0
    var next = [0, 0]
    /// Adds what stands before a group, with the hunks that belong to none.
    func append(upTo end: Int, _ stops: [Int]) {
      let lone = hunks(in: zip(next, stops).map { $0..<$1 })
      result += row(lone, from: place, to: end).map { entry($0.token) }
    }
    for group in groups {
      let own = numbers(inside: group.reach)
      append(upTo: group.start, own.map(\.lowerBound))
      result.append(entry(group, &steps))
      (place, next) = (group.end, own.map(\.upperBound))
    }
    append(upTo: base.count, hunks.map(\.count))
    return result
  }

  private func entry(_ token: Token) -> Entry {
    var entry = Entry(
      low: token.low, high: token.high, shown: text(token), passage: token.passage)
    if token.passage >= 0 {
      entry.changes = passages[token.passage].passage.readings[0].changes
      entry.others = others(token)
    }
    return entry
  }

  /// The readings of a token that are not shown.
  private func others(_ token: Token) -> [FoundPassage.Reading] {
    isContested(token) ? Array(passages[token.passage].passage.readings.dropFirst()) : []
  }

  private func entry(_ group: Group, _ steps: inout Int) -> Entry {
    let (low, high) = hull(of: group)
    let writers = versions.writers(from: low, to: high, &steps)
    var found: [[FoundPassage.Reading]] = []
    guard group.isContested else {
      var row = ReadingsInARow()
      for token in group.result { row.append(text(token), others(token)) }
      let readings = row.readings(by: versions.changes(writers[0] + writers[1]))
      return Entry(low: low, high: high, readings)
    }
    // An insertion is shown before a mere deletion, and what is known before what was redacted.
    var rank = [0, 0]
    for side in 0...1 {
      var row = ReadingsInARow()
      for (token, place) in shown(side, in: group) {
        row.append(text(token), others(token))
        if place < 0 { rank[side] = 1 }
      }
      found.append(row.readings(by: versions.changes(writers[side])))
      if found[side][0].scalars.isKnown { rank[side] += 2 }
    }
    let latest = writers.map { versions.latest($0) }
    if rank[1] > rank[0]
      || rank[1] == rank[0] && versions.log.isLaterWrite(latest[1], than: latest[0])
    {
      found.reverse()
    }
    let inner = versions.open(found.map { Array($0.dropFirst()) })
    return Entry(low: low, high: high, [found[0][0], found[1][0]] + inner)
  }
}

extension PassageUnion.Entry {
  /// What shows the first of some readings.
  init(low: TextRuns.Place, high: TextRuns.Place, _ readings: [FoundPassage.Reading]) {
    self.init(
      low: low, high: high, shown: readings[0].scalars[...], changes: readings[0].changes,
      others: Array(readings.dropFirst()))
  }
}

extension [FoundPassage.Reading] {
  /// Each text once.
  var distinct: Self {
    if count < 2 { return self }
    if count == 2 { return self[0].written == self[1].written ? [self[0]] : self }
    var known: Set<[UInt32]> = []
    return filter { known.insert($0.written).inserted }
  }
}
