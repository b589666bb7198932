/// Unites what two versions show in a part of a text, token by token.
///
/// The part begins and ends with a token that both sides left as it was, or with the text. The rule
/// is a three-way merge with identity, told in peernote(5), "Passages"; the names here are those of
/// that page.
///
/// What a side shows is a row: at 2n + 1 stands what it has in place of token n of the base, and at
/// 2n what it has before that. Hunks and groups are parts of the rows.
struct PassageUnion {
  typealias Place = TextRuns.Place

  /// A scalar that one of the versions shows.
  struct Unit {
    var scalar: UInt32
    var place: Place
    var shown: UnitedVersions.Shown
  }

  /// Scalars that stand together in a text, or a passage, or a gap: scalars that both sides deleted.
  struct Token {
    /// Its scalars, as indices of ``scalars``; none for a passage.
    var units: Range<Int>
    var passage: FoundPassage?
    /// Which token of the base it is on a side; -1 if it is new there.
    var number: Int32 = -1
    /// Its first scalar in the raw text, and its last one.
    var low: Place
    var high: Place
  }

  /// What a side shows, beside the base.
  struct Row {
    var tokens: [Token]
    /// The first token at each place, or after it; and one more for the end.
    var starts: [Int] = []

    package subscript(part: Range<Int>) -> ArraySlice<Token> {
      tokens[starts[part.lowerBound]..<starts[part.upperBound]]
    }
  }

  /// Where a side does not show the base: at one odd place or several, or at an even one if it only
  /// inserts.
  struct Hunk {
    var reach: Range<Int>
    var side: Int

    /// The tokens of the base that it changes.
    var start: Int { reach.lowerBound / 2 }
    var end: Int { reach.upperBound / 2 }
  }

  /// A part of the rows with all hunks inside, which belong together.
  struct Group {
    /// From where its first hunk reaches to where its last one does.
    var reach: Range<Int>
    var shows: Shows

    var isContested: Bool {
      if case .readings = shows { true } else { false }
    }
  }

  /// What a group shows.
  enum Shows {
    case tokens([Token])
    /// The text that both sides show there.
    case sameText
    /// One of two readings: it is contested.
    case readings
  }

  let versions: UnitedVersions
  private let units: [Unit]
  /// The scalars of all tokens, with where they stand.
  private var scalars: [UInt32] = []
  private var places: [Place] = []
  private(set) var base: [Token] = []
  private(set) var rows: [Row] = []
  /// Those of both sides, in order.
  private var hunks: [Hunk] = []
  private(set) var groups: [Group] = []
  /// Whether what is contested holds passages that one side alone has.
  var usesPassages: Bool {
    groups.contains { group in
      rows[0][group.reach].compactMap(\.passage) != rows[1][group.reach].compactMap(\.passage)
    }
  }
  /// How much was looked at.
  var steps = 0

  /// Finds the groups in a part, with the passages of either side that lie in it.
  init(
    _ units: [Unit], of versions: UnitedVersions, passages: ArraySlice<SharedPassage>
  ) {
    self.units = units
    self.versions = versions
    steps += units.count
    scalars.reserveCapacity(3 * units.count)
    places.reserveCapacity(3 * units.count)
    base = tokens(.base, Self.common(passages, of: versions))
    addRow(tokens(.one, passages.compactMap { $0.asShown(by: .one) }))
    addRow(tokens(.other, passages.compactMap { $0.asShown(by: .other) }))
    hunks.sort {
      ($0.reach.lowerBound, $0.reach.upperBound) < ($1.reach.lowerBound, $1.reach.upperBound)
    }
    findGroups()
    addSentences()
  }

  /// The passages of the base: both sides have seen all that made them.
  private static func common(
    _ passages: ArraySlice<SharedPassage>, of versions: UnitedVersions
  ) -> [FoundPassage] {
    var result: [FoundPassage] = []
    for passage in passages.flatMap({ [$0.passage, $0.other].compactMap(\.self) })
    where passage.isMade(in: versions.haveSeen) {
      if let last = result.last, passage.low <= last.high {
        // Of two that begin at one place the second side's stands there, and none inside another.
        if last.low < passage.low { continue }
        result.removeLast()
      }
      result.append(passage)
    }
    return result
  }

  // MARK: Tokens

  /// What a side shows, or the base, with its passages.
  private mutating func tokens(
    _ side: UnitedVersions.Shown, _ passages: [FoundPassage]
  ) -> [Token] {
    var result: [Token] = []
    var start = scalars.count
    func end() {
      while start < scalars.count {
        let end = TokenPart.endOfToken(from: start, in: scalars)
        result.append(Token(units: start..<end, low: places[start], high: places[end - 1]))
        start = end
      }
    }
    var scan = ShownScan(units.makeIterator(), side, passages[...])
    while let item = scan.next() {
      if let passage = item.passage {
        end()
        result.append(
          Token(units: start..<start, passage: passage, low: item.low, high: item.high))
      } else {
        scalars.append(item.scalar)
        places.append(item.low)
      }
    }
    end()
    return result
  }

  /// The scalars of a token, or the passage that it is.
  func items(_ token: Token) -> [ShownItem] {
    if let passage = token.passage { return [ShownItem(passage)] }
    return token.units.map { ShownItem(scalars[$0], at: places[$0]) }
  }

  package func text(_ token: Token) -> ArraySlice<UInt32> {
    if let passage = token.passage { return passage.shown[...] }
    let text = scalars[token.units]
    return text.first == TokenPart.gone ? [] : text
  }

  package func text(_ tokens: some Sequence<Token>) -> [UInt32] {
    var result: [UInt32] = []
    for token in tokens { result += text(token) }
    return result
  }

  private func areSame(_ left: Token, _ right: Token) -> Bool {
    guard let one = left.passage, let other = right.passage else {
      return left.passage == right.passage && places[left.units] == places[right.units]
    }
    return one.isSame(as: other)
  }

  // MARK: Hunks

  /// Adds the row of a side, and its hunks: the longest runs of tokens of the base that it does not
  /// show as they are, each with what it shows in their place.
  private mutating func addRow(_ tokens: [Token]) {
    let side = rows.count
    var row = Row(tokens: tokens)
    row.starts.reserveCapacity(2 * base.count + 2)
    var (start, place, first) = (0, 0, 0)
    /// Ends what stands between two tokens of the base.
    func close(before number: Int) {
      if start < place || first < number {
        let low = start < place ? 2 * start + 1 : 2 * start
        hunks.append(Hunk(reach: low..<max(low + 1, 2 * place), side: side))
      }
      row.starts.append(first)
      if start < place { row.starts.append(first) }
      while row.starts.count < 2 * place + 2 { row.starts.append(number) }
      (start, first) = (place + 1, number + 1)
    }
    for (number, token) in tokens.enumerated() {
      while place < base.count, base[place].low < token.low { place += 1 }
      guard place < base.count, areSame(base[place], token) else { continue }
      row.tokens[number].number = Int32(place)
      close(before: number)
    }
    place = base.count
    close(before: tokens.count)
    rows.append(row)
  }

  /// What a side shows in a hunk.
  private func new(_ hunk: Hunk) -> ArraySlice<Token> { rows[hunk.side][hunk.reach] }

  /// The hunks inside a part, in order, in O(log hunks), plus those that begin in it.
  private func hunks(inside part: Range<Int>) -> some Sequence<Hunk> {
    hunks[hunks.partitionPoint { $0.reach.lowerBound >= part.lowerBound }...]
      .prefix { $0.reach.lowerBound < part.upperBound }
      .filter { $0.reach.upperBound <= part.upperBound }
  }

  /// What is shown in a part in which no hunks meet.
  func merged(_ part: Range<Int>) -> [Token] {
    var result: [Token] = []
    var place = part.lowerBound
    for hunk in hunks(inside: part) {
      result += rows[0][place..<hunk.reach.lowerBound]
      result += new(hunk)
      place = hunk.reach.upperBound
    }
    return result + rows[0][place..<part.upperBound]
  }

  /// The first scalar and the last one of the raw text of all that belongs to a part.
  func hull(of part: Range<Int>) -> (low: Place, high: Place) {
    var (low, high) = (Place.last, Place.first)
    let own = part.lowerBound / 2..<part.upperBound / 2
    for tokens in [base[own], rows[0][part], rows[1][part]] {
      for token in tokens { (low, high) = (min(low, token.low), max(high, token.high)) }
    }
    return (low, high)
  }

  // MARK: What belongs together

  /// Finds the hunks that meet, with what lies between them, and what they show.
  private mutating func findGroups() {
    for (number, hunk) in hunks.enumerated() {
      for rival in hunks[(number + 1)...] {
        if rival.start > hunk.end { break }
        if rival.side == hunk.side { continue }
        let isContested = meet(hunk, rival)
        guard isContested || cross(hunk, rival) else { continue }
        var group = Group(
          reach: hunk.reach.hull(rival.reach), shows: isContested ? .readings : .tokens([]))
        if let last = groups.last, last.reach.overlaps(group.reach) {
          groups.removeLast()
          group.reach = group.reach.hull(last.reach)
          if last.isContested { group.shows = .readings }
        }
        groups.append(group)
      }
    }
    for index in groups.indices {
      let reach = groups[index].reach
      groups[index].shows =
        groups[index].isContested ? decided(reach, isWhole: false) : .tokens(merged(reach))
    }
  }

  /// Whether two hunks share a token or a place, or touch and one repeats what the other wrote, or leave
  /// neither words nor lines whole.
  private func meet(_ first: Hunk, _ second: Hunk) -> Bool {
    if first.reach.overlaps(second.reach) { return true }
    let (one, other) = (new(first), new(second))
    if !one.isEmpty, !other.isEmpty, repeating(one, other) != nil { return true }
    let leaveWordsWhole =
      !startsLine(at: first.end) && TokenPart.areParted(text(one), text(other))
    return !leaveWordsWhole && !leaveLinesWhole(first, second)
  }

  /// Whether two hunks that touch stand in the raw text in the other order.
  private func cross(_ first: Hunk, _ second: Hunk) -> Bool {
    let before = (base[first.start..<first.end] + new(first)).map(\.high).max()
    let after = (base[second.start..<second.end] + new(second)).map(\.low).min()
    guard let before, let after else { return false }
    return before > after
  }

  /// Whether two hunks that touch leave each other's lines whole.
  private func leaveLinesWhole(_ first: Hunk, _ second: Hunk) -> Bool {
    let (text, after) = (self.text(new(first)), self.text(new(second)))
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

  /// Whether a line begins before a token of the base.
  func startsLine(at place: Int) -> Bool {
    let last = base[..<place].last { !text($0).isEmpty }
    return last.map { text($0).last == TokenPart.lineFeed } ?? true
  }

  /// Whether a line ends before a token of the base.
  func endsLine(at place: Int) -> Bool {
    let next = base[place...].first { !text($0).isEmpty }
    return next.map { text($0).first == TokenPart.lineFeed } ?? true
  }

  // MARK: Sentences

  /// Has each contested group take in all that was changed in its sentence.
  private mutating func addSentences() {
    var number = 0
    while number < groups.count {
      var reach = groups[number].reach
      if groups[number].isContested {
        for hunk in hunks(inside: sentence(around: reach)) { reach = reach.hull(hunk.reach) }
      }
      if reach == groups[number].reach {
        number += 1
        continue
      }
      number = groups.partitionPoint { $0.reach.upperBound > reach.lowerBound }
      let end = groups.partitionPoint { $0.reach.lowerBound >= reach.upperBound }
      reach = groups[number..<end].reduce(reach) { $0.hull($1.reach) }
      let group = Group(reach: reach, shows: decided(reach, isWhole: true))
      groups.replaceSubrange(number..<end, with: [group])
    }
  }

  /// The sentence, or line, that a part stands in; without what is inserted at its border.
  private mutating func sentence(around part: Range<Int>) -> Range<Int> {
    func isStop(_ place: Int) -> Bool {
      text(base[place]).isBlank && text(base[place - 1]).endsSentence
    }
    var (low, high) = (part.lowerBound / 2, part.upperBound / 2)
    let end = high
    while low > 0, text(base[low - 1]).last != TokenPart.lineFeed, !(low > 1 && isStop(low - 1)) {
      low -= 1
    }
    while high < base.count, text(base[high]).first != TokenPart.lineFeed,
      !(high > end && isStop(high))
    {
      high += 1
    }
    steps += high - low
    return 2 * low + 1..<max(2 * low + 1, 2 * high)
  }
}

extension Range<Int> {
  /// From where the first of two begins to where the last one ends.
  fileprivate func hull(_ other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
