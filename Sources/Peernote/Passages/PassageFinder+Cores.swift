extension PassageFinder {
  /// More chunks than that are not looked at together.
  private static let chunkLimit = 40

  /// What two changes touched between scalars that both left alone.
  struct Chunk {
    var units: [Int]
    var touching: ChangeSet

    var range: ClosedRange<Int> { units[0]...units[units.count - 1] }

    func isShared(by pair: Pair) -> Bool {
      touching.contains(pair.first) && touching.contains(pair.second)
    }
  }

  /// A range where two changes may have written against each other.
  struct Place: Hashable {
    var pair: Pair
    var range: ClosedRange<Int>
  }

  /// Where two concurrent changes wrote against each other, in the version that holds their pasts
  /// alone, as far as that is open in another version.
  ///
  /// Only what is open is looked at closely: that is little where many changes followed each other.
  mutating func openCores(
    _ first: Int, _ second: Int, in version: ChangeSet
  ) -> [ClosedRange<Int>] {
    let pair = Pair(first: first, second: second)
    let chunks = chunks(of: pair)
    let common = stretch.past[first].intersection(stretch.past[second])
    var result: [ClosedRange<Int>] = []
    for chunk in chunks
    where chunk.isShared(by: pair) && !isSettled(chunk.range, of: first, second, in: version) {
      // What both have seen as a passage each of them has settled as a whole.
      let range = widenedByPassages(chunk.range, in: common)
      if isOpen(range, of: first, second, in: version), isCore(chunk, range, of: pair) {
        result.append(range)
      }
    }
    if chunks.count > 1, chunks.count <= Self.chunkLimit {
      for range in agreements(of: pair) where isOpen(range, of: first, second, in: version) {
        result.append(range)
      }
    }
    return result
  }

  private mutating func chunks(of pair: Pair) -> [Chunk] {
    if let known = chunksByPair[pair] { return known }
    let (left, right) = (stretch.past[pair.first], stretch.past[pair.second])
    let result = chunks(of: left.union(right), since: left.intersection(right))
    chunksByPair[pair] = result
    return result
  }

  private mutating func isCore(
    _ chunk: Chunk, _ range: ClosedRange<Int>, of pair: Pair
  ) -> Bool {
    let place = Place(pair: pair, range: range)
    if let known = clashes[place] { return known }
    let result = clash(pair.first, pair.second, in: chunk.units, range)
    clashes[place] = result
    return result
  }

  /// Several chunks that are the same on both sides only as a whole: one text reached by different
  /// steps.
  private mutating func agreements(of pair: Pair) -> [ClosedRange<Int>] {
    if let known = agreementsByPair[pair] { return known }
    let chunks = chunks(of: pair)
    let (left, right) = (stretch.past[pair.first], stretch.past[pair.second])
    let (ours, theirs) = (shown(by: left).units, shown(by: right).units)
    var result: [ClosedRange<Int>] = []
    var start = 0
    while start < chunks.count {
      var whole = chunks[start]
      let first = chunks[start].range.lowerBound
      let (ourStart, theirStart) = (ours.place(notBefore: first), theirs.place(notBefore: first))
      let common = zip(ours[ourStart...], theirs[theirStart...])
        .prefix { stretch.units[$0].scalar == stretch.units[$1].scalar }.count
      for end in chunks.indices where end > start {
        whole.touching.formUnion(chunks[end].touching)
        let range = first...chunks[end].range.upperBound
        let count = ours.place(notBefore: range.upperBound + 1) - ourStart
        if count > common { break }
        guard whole.isShared(by: pair),
          theirs.place(notBefore: range.upperBound + 1) - theirStart == count
        else { continue }
        let text = text(Array(ours[ourStart..<ourStart + count]))
        if self.text(live(range, in: left.union(right))) != text {
          result.append(range)
          start = end
        }
        break
      }
      start += 1
    }
    agreementsByPair[pair] = result
    return result
  }

  private func chunks(of version: ChangeSet, since common: ChangeSet) -> [Chunk] {
    var result: [Chunk] = []
    var next = Chunk(units: [], touching: ChangeSet())
    func end() {
      if next.units.isEmpty { return }
      result.append(next)
      next = Chunk(units: [], touching: ChangeSet())
    }
    var following = 0
    for unit in touched {
      // What nobody touched is visible.
      if unit > following { end() }
      following = unit + 1
      guard stretch.isKnown(unit, in: version) else { continue }
      let touching = stretch.touching(unit).intersection(version)
      if !touching.isSubset(of: common) {
        next.units.append(unit)
        next.touching.formUnion(touching)
      } else if stretch.isLive(unit, in: common) {
        end()
      }
    }
    end()
    return result
  }

  /// Whether the raw text of a chunk is not what both changes come to.
  private mutating func clash(
    _ first: Int, _ second: Int, in chunk: [Int], _ range: ClosedRange<Int>
  ) -> Bool {
    let (left, right) = (stretch.past[first], stretch.past[second])
    let (common, both) = (left.intersection(right), left.union(right))
    let ours = text(reading(of: left, in: range))
    let theirs = text(reading(of: right, in: range))
    let union = text(live(range, in: both))
    if ours == theirs { return union != ours }
    let weInclude = includes(first, second, in: range)
    let theyInclude = includes(second, first, in: range)
    if weInclude || theyInclude {
      // Of two that include each other the later one does.
      let isOurs = weInclude && !(theyInclude && stretch.rank[first] < stretch.rank[second])
      return union != (isOurs ? ours : theirs)
    }
    let old = chunk.filter { stretch.isLive($0, in: common) }
    let goneLeft = Set(old.filter { !stretch.units[$0].deletedBy.isDisjoint(with: left) })
    let goneRight = Set(old.filter { !stretch.units[$0].deletedBy.isDisjoint(with: right) })
    func insertions(_ version: ChangeSet) -> [Int] {
      chunk.filter { stretch.isLive($0, in: version) && !stretch.isKnown($0, in: common) }
    }
    let newLeft = insertions(left)
    let newRight = insertions(right)
    if joinsLines(range, left, right) { return true }
    if newLeft.isEmpty, newRight.isEmpty { return false }
    if joinsInsertedLines(range, left, right) { return true }
    if restates(first, second, in: range) || restates(second, first, in: range) { return true }
    let shared = goneLeft.intersection(goneRight)
    if !shared.isEmpty, !newLeft.isEmpty, !newRight.isEmpty { return true }
    return Self.isEnclosed(newRight, among: old, by: goneLeft, sharing: shared)
      || Self.isEnclosed(newLeft, among: old, by: goneRight, sharing: shared)
      || losesLine(newRight, to: goneLeft, in: common)
      || losesLine(newLeft, to: goneRight, in: common)
      || mixLines(newLeft, newRight, in: common)
  }

  /// A range with all of the passages that it meets in a version.
  private mutating func widenedByPassages(
    _ range: ClosedRange<Int>, in version: ChangeSet
  ) -> ClosedRange<Int> {
    shown(by: version).passages.filter { $0.range.overlaps(range) }.reduce(range) {
      min($0.lowerBound, $1.range.lowerBound)...max($0.upperBound, $1.range.upperBound)
    }
  }

  /// Whether something was inserted in what the other side deleted, or at its edge where both did.
  ///
  /// O(n).
  ///
  /// - Parameters:
  ///   - insertions: what a side inserted, ascending.
  ///   - old: all that both saw there, ascending.
  ///   - deleted: what of that the other side deleted.
  ///   - shared: what of that both deleted.
  /// - Returns: whether that holds for any.
  private static func isEnclosed(
    _ insertions: [Int], among old: [Int], by deleted: Set<Int>, sharing shared: Set<Int>
  ) -> Bool {
    var next = 0
    for unit in insertions {
      while next < old.count, old[next] < unit { next += 1 }
      let neighbours = old[max(0, next - 1)..<min(old.count, next + 1)]
      let isInside = next > 0 && next < old.count
      if isInside && neighbours.allSatisfy({ deleted.contains($0) }) { return true }
      if neighbours.contains(where: { shared.contains($0) }) { return true }
    }
    return false
  }

  /// Whether one change's reading of a range holds everything that another one did there.
  mutating func includes(_ larger: Int, _ smaller: Int, in range: ClosedRange<Int>) -> Bool {
    let (left, right) = (stretch.past[larger], stretch.past[smaller])
    let common = left.intersection(right)
    let ours = reading(of: left, in: range)
    let theirs = reading(of: right, in: range)
    let theirText = text(theirs)
    if text(ours) == theirText { return true }
    // Who confirms one of several readings has decided.
    if theirText == text(reading(of: common, in: range)), !isContested(range, in: common) {
      return true
    }
    // Unless each has come to what the other one had before.
    if hadBefore(larger, theirText, beside: smaller, in: range),
      !hadBefore(smaller, text(ours), beside: larger, in: range)
    {
      return true
    }
    if restates(larger, smaller, in: range) { return false }
    let shownCommon = shown(by: common).isShown
    let shownLeft = shown(by: left).isShown
    let shownRight = shown(by: right).isShown
    var gone: Set<Int> = []
    for unit in range where shownCommon[unit] {
      if !shownLeft[unit] {
        gone.insert(unit)
      } else if !shownRight[unit], !endsText(unit, of: shownCommon, before: shownLeft) {
        return false
      }
    }
    let ourWords = Set(words(of: ours).map { text(Array(ours[$0])) })
    for word in words(of: theirs) where theirs[word].contains(where: { !shownCommon[$0] }) {
      if !ourWords.contains(text(Array(theirs[word]))) { return false }
    }
    let ourGaps = gaps(in: range, of: shownLeft, beside: shownCommon, without: [])
    for (place, inserted) in gaps(in: range, of: shownRight, beside: shownCommon, without: gone) {
      let trimmed = Self.trimmed(inserted)
      let tokens = Self.tokens(trimmed.isEmpty ? inserted : trimmed)
      if !Self.tokens(ourGaps[place] ?? []).holds(tokens) { return false }
    }
    return true
  }

  /// Whether a text is an earlier state of a change's side, of those who had seen what it and another
  /// one both have.
  private mutating func hadBefore(
    _ change: Int, _ text: [UInt32], beside other: Int, in range: ClosedRange<Int>
  ) -> Bool {
    let (own, others) = (stretch.past[change], stretch.past[other])
    let touching = stretch.touching(range, in: own.union(others))
    let known = touching.intersection(own.intersection(others))
    for step in touching.intersection(own).subtracting(others)
    where step != change && known.isSubset(of: stretch.past[step]) {
      if self.text(reading(of: stretch.past[step], in: range)) == text { return true }
    }
    return false
  }

  /// Whether one change wrote a word anew that it had deleted, and the other one deleted.
  ///
  /// Who writes a line anew keeps its words, and has not seen that one of them is gone.
  private mutating func restates(
    _ writer: Int, _ deleter: Int, in range: ClosedRange<Int>
  ) -> Bool {
    let (left, right) = (stretch.past[writer], stretch.past[deleter])
    let common = left.intersection(right)
    let shownLeft = shown(by: left).isShown
    let shownRight = shown(by: right).isShown
    // What both have seen, with what was contested of it.
    let contested = shown(by: common).passages.filter { $0.range.overlaps(range) }.flatMap(\.others)
    let gone = ([reading(of: common, in: range)] + contested.map(\.units)).flatMap { old in
      wordsWithPassages(of: old).filter { word in
        old[word.places].contains { !shownLeft[$0] }
          && old[word.places].contains { !shownRight[$0] }
      }
    }
    if gone.isEmpty { return false }
    let shownCommon = shown(by: common).isShown
    let (ours, theirs) = (reading(of: left, in: range), reading(of: right, in: range))
    // How much more often each word stands in the writer's reading, and those that are new there.
    var surplus: [[UInt32]: Int] = [:]
    var new: Set<[UInt32]> = []
    for word in wordsWithPassages(of: ours) {
      surplus[word.text, default: 0] += 1
      if ours[word.places].contains(where: { !shownCommon[$0] }) { new.insert(word.text) }
    }
    for word in wordsWithPassages(of: theirs) { surplus[word.text, default: 0] -= 1 }
    return gone.contains { new.contains($0.text) && surplus[$0.text, default: 0] > 0 }
  }

  /// The words among some scalars, and those of the readings of passages among them, each at the
  /// place of the scalar that stands for its passage.
  private func wordsWithPassages(of units: [Int]) -> [(text: [UInt32], places: Range<Int>)] {
    var result = words(of: units).map { (text(Array(units[$0])), $0) }
    if stretch.passages.isEmpty { return result }
    for place in units.indices {
      for text in stretch.passages[stretch.units[units[place]].scalar] ?? [] {
        result += WordPart.words(in: text).map { (Array(text[$0]), place..<place + 1) }
      }
    }
    return result
  }

  /// Whether something in a range is contested in a version.
  private mutating func isContested(_ range: ClosedRange<Int>, in version: ChangeSet) -> Bool {
    shown(by: version).passages.contains { $0.isContested && $0.range.overlaps(range) }
  }

  /// Whether a scalar is the line feed that ends a text in one version, after which another one adds
  /// something: who takes such a line feed off has said nothing of what is added.
  private func endsText(_ unit: Int, of version: [Bool], before longer: [Bool]) -> Bool {
    guard stretch.units[unit].scalar == 0x0A else { return false }
    let after = unit + 1..<stretch.units.count
    return !after.contains { version[$0] } && after.contains { longer[$0] }
  }

  /// What a version has that the common one has not, by the kept scalar before it.
  private func gaps(
    in range: ClosedRange<Int>, of version: [Bool], beside common: [Bool], without gone: Set<Int>
  ) -> [Int: [UInt32]] {
    var result: [Int: [UInt32]] = [:]
    var place = -1
    for unit in range where version[unit] {
      if !common[unit] {
        result[place, default: []].append(stretch.units[unit].scalar)
      } else if !gone.contains(unit) {
        place = unit
      }
    }
    return result
  }

  private static func trimmed(_ text: [UInt32]) -> [UInt32] {
    func isSpace(_ scalar: UInt32) -> Bool {
      switch ScalarClass(scalar) {
      case .space, .newline: true
      default: false
      }
    }
    var part = text[...]
    while let first = part.first, isSpace(first) { part.removeFirst() }
    while let last = part.last, isSpace(last) { part.removeLast() }
    return Array(part)
  }

  /// Words and single signs.
  private static func tokens(_ text: [UInt32]) -> [[UInt32]] {
    var result: [[UInt32]] = []
    var next = 0
    for word in WordPart.words(in: text) {
      for index in next..<word.lowerBound { result.append([text[index]]) }
      result.append(Array(text[word]))
      next = word.upperBound
    }
    for index in next..<text.count { result.append([text[index]]) }
    return result
  }
}
