/// Unites what two versions show in a part of a text, token by token.
///
/// The part begins and ends with a token that both sides left as it was, or with the text. The rule
/// is a three-way merge with identity, told in peernote(5), "Passages"; the names here are those of
/// that page.
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
    /// The passage, by its number; -1 if it is none.
    var passage = -1
    var isGap = false
    /// Its first scalar in the raw text, and its last one.
    var low: Place
    var high: Place
  }

  /// What a side shows in place of the tokens of the base from start to end.
  struct Hunk {
    var start: Int
    var end: Int
    /// Tokens of that side.
    var new: ArraySlice<Token>

    /// What it takes up of the base: token `n` is at 2n + 1, and the place before it at 2n.
    var reach: Range<Int> { start < end ? 2 * start + 1..<2 * end : 2 * start..<2 * start + 1 }
  }

  /// A part of the base with all hunks inside, which belong together.
  struct Group {
    /// From where its first hunk reaches to where its last one does.
    var reach: Range<Int>
    var isContested: Bool
    /// What it shows, if it is not contested.
    var result: [Token] = []

    var start: Int { reach.lowerBound / 2 }
    var end: Int { reach.upperBound / 2 }
  }

  let versions: UnitedVersions
  let units: [Unit]
  /// Those of both sides, each once, ascending, with where they are shown.
  private(set) var passages: [(passage: FoundPassage, shown: UnitedVersions.Shown)] = []
  /// Whether the part begins, or ends, with the text.
  let isWhole: (start: Bool, end: Bool)
  /// The scalars of all tokens, with where they stand.
  private var scalars: [UInt32] = []
  private var places: [Place] = []
  private(set) var base: [Token] = []
  private(set) var hunks: [[Hunk]] = [[], []]
  var groups: [Group] = []
  /// Whether a sentence goes on beyond the part.
  var isTooSmall = false
  /// Whether what is contested holds passages that one side alone has.
  var usesPassages: Bool {
    groups.contains { group in
      (0...1).contains { side in
        shown(side, in: group).contains {
          $0.token.passage >= 0 && !passages[$0.token.passage].shown.isSuperset(of: .both)
        }
      }
    }
  }
  /// How much was looked at.
  var steps = 0

  /// Finds the groups.
  ///
  /// - Parameters:
  ///   - units: the part, in the order of the text.
  ///   - versions: the two versions.
  ///   - passages: those of either side that lie in it, by side.
  ///   - isWhole: whether the part begins, or ends, with the text.
  init(
    _ units: [Unit], of versions: UnitedVersions, passages: [ArraySlice<FoundPassage>],
    isWhole: (start: Bool, end: Bool)
  ) {
    self.units = units
    self.versions = versions
    self.isWhole = isWhole
    steps += units.count
    for (passage, shown) in PassagePairs(passages[0], passages[1]) {
      let isCommon = passage.isMade(in: versions.haveSeen)
      // Where two begin at one place, the other side's is in the base.
      if isCommon, let last = self.passages.indices.last,
        self.passages[last].passage.low == passage.low
      {
        self.passages[last].shown.remove(.base)
      }
      self.passages.append((passage, isCommon ? shown.union(.base) : shown))
    }
    scalars.reserveCapacity(3 * units.count)
    places.reserveCapacity(3 * units.count)
    base = tokens(.base)
    hunks = [tokens(.one), tokens(.other)].map { findHunks($0) }
    findGroups()
  }

  // MARK: Tokens

  private mutating func tokens(_ side: UnitedVersions.Shown) -> [Token] {
    var numbers = passages.indices.filter { passages[$0].shown.contains(side) }[...]
    var result: [Token] = []
    // Where the scalars begin that stand together, and whether both sides deleted them.
    var start = scalars.count
    var isGap = false
    func add(_ own: Range<Int>) {
      let (low, high) = (places[own.lowerBound], places[own.upperBound - 1])
      result.append(Token(units: own, isGap: isGap, low: low, high: high))
    }
    func close() {
      let own = start..<scalars.count
      start = own.upperBound
      if isGap { add(own) } else { TokenPart.forEachToken(of: scalars[own], add) }
    }
    var index = 0
    while index < units.count {
      let unit = units[index]
      if let number = numbers.first, unit.place >= passages[number].passage.low {
        close()
        isGap = false
        let passage = passages[number].passage
        result.append(
          Token(units: start..<start, passage: number, low: passage.low, high: passage.high))
        while index < units.count, units[index].place <= passage.high { index += 1 }
        // One that begins inside another is left out.
        numbers = numbers.drop { passages[$0].passage.low <= passage.high }
        continue
      }
      index += 1
      guard unit.shown.contains(side) else { continue }
      if isGap != (side == .base && unit.shown == .base) {
        close()
        isGap.toggle()
      }
      scalars.append(unit.scalar)
      places.append(unit.place)
    }
    close()
    return result
  }

  func text(_ token: Token) -> ArraySlice<UInt32> {
    if token.passage >= 0 { return passages[token.passage].passage.readings[0].scalars[...] }
    return token.isGap ? [] : scalars[token.units]
  }

  func text(_ tokens: some Sequence<Token>) -> [UInt32] {
    var result: [UInt32] = []
    for token in tokens { result += text(token) }
    return result
  }

  /// Whether a token has readings that are not shown.
  func isContested(_ token: Token) -> Bool {
    token.passage >= 0 && passages[token.passage].passage.readings.count > 1
  }

  private func areSame(_ left: Token, _ right: Token) -> Bool {
    left.passage == right.passage && places[left.units] == places[right.units]
  }

  // MARK: Hunks

  /// The longest runs of tokens of the base that a side does not show as they are, each with what it
  /// shows in their place.
  private func findHunks(_ tokens: [Token]) -> [Hunk] {
    var result: [Hunk] = []
    var (start, place, first) = (0, 0, 0)
    for (number, token) in tokens.enumerated() {
      while place < base.count, base[place].low < token.low { place += 1 }
      guard place < base.count, areSame(base[place], token) else { continue }
      if start < place || first < number {
        result.append(Hunk(start: start, end: place, new: tokens[first..<number]))
      }
      (start, first) = (place + 1, number + 1)
    }
    if start < base.count || first < tokens.count {
      result.append(Hunk(start: start, end: base.count, new: tokens[first...]))
    }
    return result
  }

  /// What a side shows in place of the tokens of a group.
  func shown(_ side: Int, in group: Group) -> [(token: Token, place: Int)] {
    row(hunks[side][numbers(inside: group.reach)[side]], from: group.start, to: group.end)
  }

  /// The tokens of the base from a place to another one, with what some hunks show instead, each
  /// with its place in the base; -1 for what is new.
  func row(
    _ hunks: some Sequence<Hunk>, from start: Int, to end: Int
  ) -> [(token: Token, place: Int)] {
    var result: [(token: Token, place: Int)] = []
    var place = start
    for hunk in hunks {
      if place < hunk.start { result += (place..<hunk.start).map { (base[$0], $0) } }
      result += hunk.new.map { ($0, -1) }
      place = max(place, hunk.end)
    }
    if place < end { result += (place..<end).map { (base[$0], $0) } }
    return result
  }

  /// The hunks of either side that reach no further than a part of the base, by their numbers.
  ///
  /// O(log hunks).
  func numbers(inside part: Range<Int>) -> [Range<Int>] {
    hunks.map { own in
      let first = own.partitionPoint { $0.reach.lowerBound >= part.lowerBound }
      return first..<max(first, own.partitionPoint { $0.reach.upperBound > part.upperBound })
    }
  }

  /// The hunks inside a part of the base, in order.
  func hunks(inside part: Range<Int>) -> [Hunk] { hunks(in: numbers(inside: part)) }

  /// Some hunks of either side, in order.
  func hunks(in parts: [Range<Int>]) -> [Hunk] {
    zip(hunks, parts).flatMap { $0[$1] }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  /// The first scalar and the last one of the raw text of all that belongs to a group.
  func hull(of group: Group) -> (low: Place, high: Place) {
    let tokens = base[group.start..<group.end] + hunks(inside: group.reach).flatMap(\.new)
    guard let low = tokens.map(\.low).min(), let high = tokens.map(\.high).max() else {
      preconditionFailure("a hunk has tokens")
    }
    return (low, high)
  }
}
