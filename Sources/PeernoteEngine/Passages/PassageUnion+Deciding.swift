extension PassageUnion {
  // MARK: What a group shows

  /// What a part shows in which hunks meet; if `isWhole`, with its sentence, as one side has it.
  func decided(_ part: Range<Int>, isWhole: Bool) -> Shows {
    let (one, other) = (rows[0][part], rows[1][part])
    if text(one) == text(other) { return .sameText }
    if isWhole { return .readings }
    let new = (one + other).filter { $0.number < 0 }
    if new.isEmpty, let left = leftByBoth(part) { return .tokens(left) }
    let place = part.lowerBound / 2
    guard place == part.upperBound / 2, !new.contains(where: { $0.passage?.isContested == true }),
      let both = both(Array(one), Array(other), at: place)
    else { return .readings }
    return .tokens(both)
  }

  /// What both sides left of a part that neither has written in; `nil` if that joins two words that
  /// stand side by side on neither.
  private func leftByBoth(_ part: Range<Int>) -> [Token]? {
    let kept = rows.map { row in Set(row[part].map { Int($0.number) }) }
    let (start, end) = (part.lowerBound / 2, part.upperBound / 2)
    let left = (start..<end).filter { kept[0].contains($0) && kept[1].contains($0) }
    let before = base[..<start].lastIndex { !text($0).isEmpty }
    let after = base[end...].firstIndex { !text($0).isEmpty }
    let row = [before].compactMap(\.self) + left + [after].compactMap(\.self)
    for (one, other) in zip(row, row.dropFirst()) {
      let isNew = kept.allSatisfy { side in (one + 1..<other).contains { side.contains($0) } }
      if isNew, !TokenPart.areParted(text([base[one]]), text([base[other]])) { return nil }
    }
    return left.map { base[$0] }
  }

  /// Two insertions at one place, both; `nil` if they are not apart.
  private func both(_ one: [Token], _ other: [Token], at place: Int) -> [Token]? {
    let (first, second) = least(one) <= least(other) ? (one, other) : (other, one)
    let (text, after) = (self.text(first), self.text(second))
    let feed = TokenPart.lineFeed
    let (startsLine, endsLine) = (startsLine(at: place), endsLine(at: place))
    if startsLine, text.last == feed, after.last == feed {
      return united([first, second].map { lines($0, atEnd: true) })
    }
    if endsLine, text.first == feed, after.first == feed {
      return united([first, second].map { lines($0, atEnd: false) })
    }
    if text[...].trimmed == after[...].trimmed { return nil }
    if let long = repeating(first[...], second[...]) { return Array(long) }
    let orders = [
      // Whole lines stand outside of what is added to a line.
      (startsLine && text.last == feed, isInOrder: true),
      (startsLine && after.last == feed, isInOrder: false),
      (endsLine && text.first == feed, isInOrder: false),
      (endsLine && after.first == feed, isInOrder: true),
      (TokenPart.areParted(text, after), isInOrder: true),
      (TokenPart.areParted(after, text), isInOrder: false),
    ]
    return orders.first(where: \.0).map { $0.isInOrder ? first + second : second + first }
  }

  /// The lines of two insertions, those that both wrote first, or last, once.
  private func united(_ lines: [[[Token]]]) -> [Token] {
    let names = lines.map { $0.map { Array(text($0)[...].trimmed) } }
    let shortest = min(names[0].count, names[1].count)
    func areSame(_ left: [UInt32], _ right: [UInt32]) -> Bool { !left.isEmpty && left == right }
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
  func repeating(
    _ one: ArraySlice<Token>, _ other: ArraySlice<Token>
  ) -> ArraySlice<Token>? {
    let (short, long) = one.count < other.count ? (one, other) : (other, one)
    let parts = [short, long].map { $0.map { self.text($0) } }
    let isRepeated =
      parts[1].starts(with: parts[0]) || parts[1].reversed().starts(with: parts[0].reversed())
    return isRepeated ? long : nil
  }

  /// The first scalar of tokens in the raw text.
  private func least(_ tokens: [Token]) -> Place {
    tokens.lazy.map(\.low).reduce(.last, min)
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

  /// What the union shows, in order: its groups, its passages, and the tokens beside groups.
  mutating func parts() -> [ShownPart] {
    var result: [ShownPart] = []
    var place = 0
    func addTokens(upTo end: Int) {
      let tokens = merged(place..<end)
      for (index, token) in tokens.enumerated() {
        if let passage = token.passage {
          result.append(ShownPart(.passage, passage))
        } else if index == 0 || index == tokens.count - 1 {
          result.append(ShownPart(text(token), from: token.low, to: token.high))
        }
      }
    }
    for group in groups {
      addTokens(upTo: group.reach.lowerBound)
      result += parts(group)
      place = group.reach.upperBound
    }
    addTokens(upTo: 2 * base.count + 1)
    return result
  }

  private mutating func parts(_ group: Group) -> [ShownPart] {
    if case .sameText = group.shows {
      let sides = rows.map { $0[group.reach].flatMap(items).makeIterator() }
      guard let found = versions.sameText(sides, &steps) else {
        preconditionFailure("both sides show the same")
      }
      return found
    }
    let (low, high) = hull(of: group.reach)
    let writers = versions.writers(from: low, to: high, &steps)
    if case .tokens(let tokens) = group.shows {
      let readings = readings(of: tokens, by: writers[0] + writers[1])
      return [ShownPart(.group, FoundPassage(low: low, high: high, readings: readings))]
    }
    var found: [[FoundPassage.Reading]] = []
    // An insertion is shown before a mere deletion, and what is known before what was redacted.
    var rank = [0, 0]
    for side in 0...1 {
      let shown = rows[side][group.reach]
      found.append(readings(of: shown, by: writers[side]))
      if shown.contains(where: { $0.number < 0 }) { rank[side] = 1 }
      if found[side][0].scalars.isKnown { rank[side] += 2 }
    }
    let log = versions.log
    // Each side has changes that the other one has not seen.
    let latest = writers.compactMap { $0.max { log.isLaterChange($1, than: $0) } }
    if rank[1] > rank[0] || rank[1] == rank[0] && log.isLaterChange(latest[1], than: latest[0]) {
      found.reverse()
    }
    let readings = [found[0][0], found[1][0]] + versions.open(found)
    return [ShownPart(.group, FoundPassage(low: low, high: high, readings: readings))]
  }

  /// What tokens in a row show, by some events, and their other readings.
  private func readings(
    of tokens: some Sequence<Token>, by writers: [LocalVersion]
  ) -> [FoundPassage.Reading] {
    var row = ShownPart()
    for token in tokens {
      if let passage = token.passage {
        row.append(passage)
      } else {
        row.append(text(token), from: token.low, to: token.high)
      }
    }
    row.changes = versions.changes(writers)
    return row.readings
  }
}

extension [FoundPassage.Reading] {
  /// Each text once.
  var distinct: Self {
    var known: Set<[UInt32]> = []
    return filter { known.insert($0.written).inserted }
  }
}
