/// Finds the passages of one stretch of text: where concurrent changes wrote against each other, and
/// what is shown there.
///
/// The union of all insertions and deletions, the raw text, stays as it is; passages are a
/// projection of it, a pure function of the changes:
///
/// 1. *Cores*, by pair of concurrent changes: where both touched what stands between scalars that
///    both left alone, and the raw text is not what both sides mean. A core depends on the two
///    alone. It is open while neither has been followed there by a change that has seen it.
/// 2. A *passage* is what cores that overlap lie in, grown to whole edits and whole words.
/// 3. The *reading* of a change is what its author saw in the passage.
/// 4. *Shown* is the latest reading that no other includes, an edit rather than a mere deletion,
///    with others as long as no new core arises. A word of the result that stands in no version
///    becomes a core itself.
///
/// What is found is kept by version, since readings are found in the same way.
struct PassageFinder {
  /// One passage of a version, by its scalars.
  struct Region {
    /// Its scalars, deleted ones included.
    var range: ClosedRange<Int>
    /// The changes that touched it last.
    var rivals: [Int]
    /// The readings that are shown together.
    var shownRivals: [Int]
    /// The scalars that are shown.
    var units: [Int]
    /// Whether something is decided that a person has to look at; else the readings say the same,
    /// or one includes the others.
    var isContested: Bool
    /// All that is not shown: scalars and those whose reading it is.
    var others: [Reading] = []
  }

  /// What somebody saw in a passage.
  struct Reading: Hashable {
    var changes: [Int]
    var units: [Int]
  }

  /// What a version shows.
  struct Shown {
    var passages: [Region] = []
    var units: [Int] = []
    var isShown: [Bool] = []
  }

  struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  let stretch: Stretch
  /// What each scalar is to words.
  private let parts: [WordPart]
  /// The scalars that some change touched, ascending: all others are visible in every version.
  let touched: [Int]
  private var liveByVersion: [ChangeSet: [Int]] = [:]
  private var shownByVersion: [ChangeSet: Shown] = [:]
  var chunksByPair: [Pair: [Chunk]] = [:]
  var clashes: [Place: Bool] = [:]
  var agreementsByPair: [Pair: [ClosedRange<Int>]] = [:]
  var editsByChange: [Int: [ClosedRange<Int>]] = [:]

  init(_ stretch: Stretch) {
    self.stretch = stretch
    parts = stretch.units.map { WordPart($0.scalar) }
    touched = stretch.units.indices.filter { !stretch.touching($0).isEmpty }
  }

  /// What a version shows.
  mutating func shown(by version: ChangeSet) -> Shown {
    if let known = shownByVersion[version] { return known }
    let result = isLinear(version) ? raw(version) : project(version)
    shownByVersion[version] = result
    return result
  }

  private func isLinear(_ version: ChangeSet) -> Bool {
    var before = 0
    for change in version {
      before += 1
      if stretch.past[change].intersection(version).count != before { return false }
    }
    return true
  }

  private mutating func raw(_ version: ChangeSet) -> Shown {
    var result = Shown()
    result.units = live(in: version)
    result.isShown = [Bool](repeating: false, count: stretch.units.count)
    for unit in result.units { result.isShown[unit] = true }
    return result
  }

  func live(_ range: ClosedRange<Int>, in version: ChangeSet) -> [Int] {
    var result: [Int] = []
    var unit = range.lowerBound
    while unit <= range.upperBound {
      if stretch.isLive(unit, in: version) { result.append(unit) }
      unit += 1
    }
    return result
  }

  /// All that is visible in a version.
  mutating func live(in version: ChangeSet) -> [Int] {
    if let known = liveByVersion[version] { return known }
    let result = live(0...stretch.units.count - 1, in: version)
    liveByVersion[version] = result
    return result
  }

  /// The part of what a version shows that lies in a range.
  mutating func reading(of version: ChangeSet, in range: ClosedRange<Int>) -> [Int] {
    let units = shown(by: version).units
    return Array(units[units.places(in: range)])
  }

  func text(_ units: [Int]) -> [UInt32] { units.map { stretch.units[$0].scalar } }

  /// The words among some scalars, as places among them.
  func words(of units: [Int]) -> [Range<Int>] {
    WordPart.words(count: units.count) { parts[units[$0]] }
  }

  /// The word among some scalars that one of them, by its place, is in; `nil` if it is in none.
  func word(at place: Int, of units: [Int]) -> Range<Int>? {
    WordPart.word(at: place, count: units.count) { parts[units[$0]] }
  }

  /// Whether a version shows just these scalars as a word.
  private mutating func shows(_ word: ArraySlice<Int>, in version: ChangeSet) -> Bool {
    let units = shown(by: version).units
    guard let first = word.first else { return false }
    let start = units.place(notBefore: first)
    let places = start..<start + word.count
    return places.upperBound <= units.count && units[places] == word
      && self.word(at: start, of: units) == places
  }

  // MARK: The projection

  private mutating func project(_ version: ChangeSet) -> Shown {
    let changes = fresh(in: version)
    var spans: [ClosedRange<Int>] = []
    for (index, first) in changes.enumerated() {
      for second in changes[(index + 1)...] where stretch.areConcurrent(first, second) {
        spans += openCores(first, second, in: version)
      }
    }
    var passages: [Region] = []
    var units: [Int] = []
    for _ in 0..<32 {
      let regions = grown(spans, in: version)
      passages = regions.map { choose($0, in: version) }
      units = shownUnits(with: passages, in: version)
      let torn = tornWords(units, in: version)
        .filter { word in
          !regions.contains { $0.contains(word.lowerBound) && $0.contains(word.upperBound) }
        }
      if torn.isEmpty { break }
      spans = regions + torn
    }
    passages.removeAll {
      $0.rivals.count <= 1 && !$0.isContested && $0.units == live($0.range, in: version)
    }
    var result = Shown(passages: passages, units: units)
    result.isShown = [Bool](repeating: false, count: stretch.units.count)
    for unit in units { result.isShown[unit] = true }
    return result
  }

  /// The changes of a version that touched a scalar which none touched that has seen them: no core
  /// of another change is open.
  ///
  /// Ascending.
  private func fresh(in version: ChangeSet) -> [Int] {
    var result = ChangeSet()
    var known = Set<ChangeSet>()
    var last = ChangeSet()
    for unit in touched where stretch.isKnown(unit, in: version) {
      let touching = stretch.touching(unit).intersection(version)
      if touching == last { continue }
      last = touching
      guard known.insert(touching).inserted else { continue }
      for change in stretch.latest(of: touching) { result.insert(change) }
    }
    return Array(result)
  }

  /// Whether a core of two changes is open in a version.
  ///
  /// Nobody touched it who has seen one of them, and nobody wrote right beside it on its line who has
  /// seen one alone; and something in it is visible: where all has been deleted nothing is contested.
  func isOpen(
    _ range: ClosedRange<Int>, of first: Int, _ second: Int, in version: ChangeSet
  ) -> Bool {
    if isSettled(range, of: first, second, in: version) { return false }
    let isLive = { stretch.isLive($0, in: version) }
    guard let start = range.first(where: isLive), let end = range.last(where: isLive) else {
      return false
    }
    let before = (0..<range.lowerBound).last(where: isLive)
    let after = (range.upperBound + 1..<stretch.units.count).first(where: isLive)
    return ![(before, start), (after, end)].contains { beside, edge in
      guard let beside, !isLineFeed(beside), !isLineFeed(edge) else { return false }
      let change = Int(stretch.units[beside].insertedBy)
      guard change >= 0, change != first, change != second else { return false }
      return stretch.past[change].contains(first) != stretch.past[change].contains(second)
    }
  }

  /// Whether a core of two changes is theirs no more in a version: one of them did not touch it there,
  /// or somebody did who has seen one of them.
  func isSettled(
    _ range: ClosedRange<Int>, of first: Int, _ second: Int, in version: ChangeSet
  ) -> Bool {
    let touching = stretch.touching(range, in: version)
    guard touching.contains(first), touching.contains(second) else { return true }
    return touching.contains { change in
      let past = stretch.past[change]
      return change != first && change != second && (past.contains(first) || past.contains(second))
    }
  }

  private mutating func shownUnits(with passages: [Region], in version: ChangeSet) -> [Int] {
    let live = live(in: version)
    var result: [Int] = []
    var next = 0
    for passage in passages {
      let hidden = live.places(in: passage.range)
      result += live[next..<hidden.lowerBound]
      result += passage.units
      next = hidden.upperBound
    }
    result += live[next...]
    return result
  }

  /// Where a word stands that is none in any version of those who touched it last.
  private mutating func tornWords(_ units: [Int], in version: ChangeSet) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    let end = stretch.units.count - 1
    let edited = touched.filter {
      stretch.isKnown($0, in: version) && !stretch.touching($0).isDisjoint(with: version)
    }
    for places in words(of: units) {
      let word = units[places]
      guard let first = word.first, let last = word.last else { continue }
      let range = first...last
      // Those who touched it or the gaps beside it.
      let wide = widenedByGaps(range, beyond: true, in: version)
      // Far from all edits it is the word that it always was.
      let around = max(0, wide.lowerBound - 2)...min(end, wide.upperBound + 2)
      if edited.places(in: around).isEmpty { continue }
      let touching = stretch.touching(range, in: version)
      if touching.contains(where: { stretch.past[$0].intersection(version) == version }) {
        continue
      }
      let witnesses = stretch.latest(of: stretch.touching(wide, in: version))
      // Who has seen everything and edited beside it left it as it is.
      if witnesses.contains(where: { stretch.past[$0] == version }) { continue }
      var pasts = witnesses.reversed().map { stretch.past[$0] }
      // What nobody touched is what all have seen.
      if pasts.isEmpty { pasts.append(ChangeSet()) }
      if pasts.contains(where: { shows(word, in: $0) }) { continue }
      if stretch.latest(of: touching).count >= 2 {
        result.append(range)
        continue
      }
      // One side's word torn by the other's text: the whole word as its author had it, and the
      // gaps beside it.
      var low = first
      var high = last
      var own = ChangeSet()
      for unit in word { own.formUnion(stretch.touching(unit)) }
      var seen = own.intersection(version).map { stretch.past[$0] }.filter { $0 != version }
      if word.contains(where: { stretch.units[$0].insertedBy < 0 }) { seen.append(ChangeSet()) }
      for past in seen {
        let shown = shown(by: past).units
        for unit in word {
          let place = shown.place(notBefore: unit)
          guard place < shown.count, shown[place] == unit,
            let other = self.word(at: place, of: shown)
          else { continue }
          low = min(low, shown[other.lowerBound])
          high = max(high, shown[other.upperBound - 1])
        }
      }
      var span = widenedByGaps(low...high, beyond: false, in: version)
      if stretch.latest(of: stretch.touching(span, in: version)).count < 2 {
        span = widenedByGaps(
          max(0, span.lowerBound - 1)...min(end, span.upperBound + 1), beyond: false, in: version)
      }
      if stretch.latest(of: stretch.touching(span, in: version)).count >= 2 { result.append(span) }
    }
    return result
  }

  /// A range with all that is not visible on both sides of it, and the visible scalars beyond if
  /// wanted.
  private func widenedByGaps(
    _ range: ClosedRange<Int>, beyond: Bool, in version: ChangeSet
  ) -> ClosedRange<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    let end = stretch.units.count - 1
    while low > 0, !stretch.isLive(low - 1, in: version) { low -= 1 }
    while high < end, !stretch.isLive(high + 1, in: version) { high += 1 }
    return beyond ? max(0, low - 1)...min(end, high + 1) : low...high
  }
}

extension [Int] {
  /// The place of the first number that is not less than another, among ascending ones.
  ///
  /// O(log n).
  func place(notBefore number: Int) -> Int {
    partitionPoint { $0 >= number }
  }

  /// The places of the numbers in a range, among ascending ones.
  ///
  /// O(log n).
  func places(in range: ClosedRange<Int>) -> Range<Int> {
    place(notBefore: range.lowerBound)..<place(notBefore: range.upperBound + 1)
  }
}
