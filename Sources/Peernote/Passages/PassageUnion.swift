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
    /// Its scalars among ``units``, as places in ``pool``; none for a passage.
    var units: Range<Int>
    /// Its text, as places in ``scalars``.
    var text: Range<Int>
    /// The passage, by its number; -1 if it is none.
    var passage = -1
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
  }

  /// Hunks of both sides that belong together.
  struct Group {
    var start: Int
    var end: Int
    /// The hunks of either side.
    var hunks: [Range<Int>]
    var isContested: Bool
    /// What it shows, if it is not contested.
    var result: [Token] = []
  }

  let versions: UnitedVersions
  let units: [Unit]
  /// Those of both sides, each once, ascending, with where they are shown.
  private(set) var passages: [(passage: FoundPassage, shown: UnitedVersions.Shown)] = []
  /// Whether the part begins, or ends, with the text.
  let isWhole: (start: Bool, end: Bool)
  /// The scalars of tokens, by their places in ``units`` and as text.
  private(set) var pool: [Int32] = []
  private(set) var scalars: [UInt32] = []
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
    base = tokens(.base)
    hunks = [tokens(.one), tokens(.other)].map { findHunks($0) }
    findGroups()
  }

  // MARK: Tokens

  private mutating func tokens(_ side: UnitedVersions.Shown) -> [Token] {
    let numbers = passages.indices.filter { passages[$0].shown.contains(side) }
    var result: [Token] = []
    var start = pool.count
    func close(_ union: inout PassageUnion) {
      let places = start..<union.pool.count
      if places.isEmpty { return }
      // What they are among all scalars.
      TokenPart.forEachToken(
        of: union.scalars[union.scalars.count - places.count..<union.scalars.count]
      ) { text in
        let shift = union.scalars.count - union.pool.count
        let own = text.lowerBound - shift..<text.upperBound - shift
        result.append(
          Token(
            units: own, text: text, low: union.units[Int(union.pool[own.lowerBound])].place,
            high: union.units[Int(union.pool[own.upperBound - 1])].place))
      }
    }
    var next = 0
    var index = 0
    var isGap = false
    while index < units.count {
      let unit = units[index]
      if next < numbers.count, unit.place >= passages[numbers[next]].passage.low {
        if !isGap { close(&self) }
        isGap = false
        let passage = passages[numbers[next]].passage
        let first = scalars.count
        scalars += passage.readings[0].scalars
        result.append(
          Token(
            units: pool.count..<pool.count, text: first..<scalars.count, passage: numbers[next],
            low: passage.low, high: passage.high))
        start = pool.count
        next += 1
        while index < units.count, units[index].place <= passage.high { index += 1 }
        // One that begins inside another is left out.
        while next < numbers.count, passages[numbers[next]].passage.low <= passage.high {
          next += 1
        }
        continue
      }
      index += 1
      guard unit.shown.contains(side) else { continue }
      if side == .base, unit.shown == .base {
        if isGap {
          pool.append(Int32(index - 1))
          result[result.count - 1].units = start..<pool.count
          result[result.count - 1].high = unit.place
        } else {
          close(&self)
          isGap = true
          start = pool.count
          pool.append(Int32(index - 1))
          result.append(
            Token(
              units: start..<pool.count, text: scalars.count..<scalars.count, low: unit.place,
              high: unit.place))
        }
        continue
      }
      if isGap {
        isGap = false
        start = pool.count
      }
      pool.append(Int32(index - 1))
      scalars.append(unit.scalar)
    }
    if !isGap { close(&self) }
    return result
  }

  func text(_ token: Token) -> ArraySlice<UInt32> { scalars[token.text] }

  func text(_ tokens: some Sequence<Token>) -> [UInt32] {
    var result: [UInt32] = []
    for token in tokens { result += scalars[token.text] }
    return result
  }

  func isGap(_ token: Token) -> Bool { token.passage < 0 && token.text.isEmpty }

  /// Whether a token has readings that are not shown.
  func isContested(_ token: Token) -> Bool {
    token.passage >= 0 && passages[token.passage].passage.readings.count > 1
  }

  private func areSame(_ left: Token, _ right: Token) -> Bool {
    left.passage == right.passage && pool[left.units] == pool[right.units]
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
    row(hunks[side][group.hunks[side]], from: group.start, to: group.end)
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

  /// Some hunks of either side, in order.
  func hunks(in parts: [Range<Int>]) -> [Hunk] {
    zip(hunks, parts).flatMap { $0[$1] }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  /// The first scalar and the last one of the raw text of all that belongs to a group.
  func hull(of group: Group) -> (low: Place, high: Place) {
    let tokens = base[group.start..<group.end] + hunks(in: group.hunks).flatMap(\.new)
    guard let low = tokens.map(\.low).min(), let high = tokens.map(\.high).max() else {
      preconditionFailure("a hunk has tokens")
    }
    return (low, high)
  }
}
