extension PassageFinder {
  /// The passages that cores lie in: disjoint, ascending.
  ///
  /// Grown to whole edits and whole words, in the raw text and in every reading, and to passages of
  /// the readings that they would cut.
  mutating func grown(_ cores: [ClosedRange<Int>], in version: ChangeSet) -> [ClosedRange<Int>] {
    var spans = cores
    for _ in 0..<64 {
      let joined = Self.joined(spans)
      var wider = joined.map { $0 }
      for index in wider.indices { wider[index] = grownOnce(wider[index], in: version) }
      wider = joinedSentences(wider, in: version)
      var result: [ClosedRange<Int>] = []
      for range in Self.sortedUniquely(wider) {
        let inside = joined.filter {
          range.lowerBound <= $0.lowerBound && $0.upperBound <= range.upperBound
        }
        if takesInLaterWork(range, beyond: inside, in: version) {
          result += inside
        } else {
          result.append(range)
        }
      }
      result = Self.sortedUniquely(result)
      if result == spans { return Self.joined(spans) }
      spans = result
    }
    return Self.joined(spans)
  }

  private mutating func grownOnce(
    _ range: ClosedRange<Int>, in version: ChangeSet
  ) -> ClosedRange<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    func include(_ other: ClosedRange<Int>) {
      guard other.lowerBound <= high, other.upperBound >= low else { return }
      low = min(low, other.lowerBound)
      high = max(high, other.upperBound)
    }
    let touching = stretch.touching(range, in: version)
    let rivals = stretch.latest(of: touching)
    var common = version
    for rival in rivals { common = common.intersection(stretch.past[rival]) }
    for change in touching.subtracting(common) {
      for edit in edits(of: change) { include(edit) }
    }
    for seen in [version] + rivals.map({ stretch.past[$0] }) {
      let units = seen == version ? live(in: version) : shown(by: seen).units
      let start = units.place(notBefore: low)
      if start > 0, start < units.count, let word = word(at: start, of: units) {
        low = min(low, units[word.lowerBound])
      }
      let end = units.place(notBefore: high + 1)
      if end > 0, end < units.count, let word = word(at: end - 1, of: units) {
        high = max(high, units[word.upperBound - 1])
      }
    }
    for rival in rivals where stretch.past[rival] != version {
      for passage in shown(by: stretch.past[rival]).passages { include(passage.range) }
    }
    return low...high
  }

  /// Joins passages that share a rival, with no end of a sentence or line between.
  private func joinedSentences(
    _ ranges: [ClosedRange<Int>], in version: ChangeSet
  ) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: Self.precedes) {
      if let last = result.last, range.lowerBound > last.upperBound {
        let between = last.upperBound + 1..<range.lowerBound
        let rivals = Set(stretch.latest(of: stretch.touching(last, in: version)))
        if !endsSentence(between, in: version),
          !rivals.isDisjoint(with: stretch.latest(of: stretch.touching(range, in: version)))
        {
          result[result.count - 1] = last.lowerBound...range.upperBound
          continue
        }
      }
      result.append(range)
    }
    return result
  }

  /// Whether a line ends in the raw text of a version, or a sentence: a full stop with white space
  /// after it.
  private func endsSentence(_ range: Range<Int>, in version: ChangeSet) -> Bool {
    var isAfterStop = false
    for unit in range where stretch.isLive(unit, in: version) {
      let scalar = stretch.units[unit].scalar
      if scalar == 0x0A || FullStop.isFullWidth(scalar) { return true }
      if isAfterStop {
        switch ScalarClass(scalar) {
        case .space, .newline: return true
        default: break
        }
      }
      isAfterStop = FullStop.needsSpace(scalar)
    }
    return false
  }

  /// Whether a passage takes in work by someone who has seen two rivals of a smaller one.
  private func takesInLaterWork(
    _ range: ClosedRange<Int>, beyond smaller: [ClosedRange<Int>], in version: ChangeSet
  ) -> Bool {
    let rivals = stretch.latest(of: stretch.touching(range, in: version))
    return smaller.contains { inner in
      let first = stretch.latest(of: stretch.touching(inner, in: version))
      return rivals.contains { rival in
        !first.contains(rival) && first.count { stretch.past[rival].contains($0) } > 1
      }
    }
  }

  /// The edits of a change: what it touched between scalars that it left alone.
  private mutating func edits(of change: Int) -> [ClosedRange<Int>] {
    if let known = editsByChange[change] { return known }
    let version = stretch.past[change]
    var result: [ClosedRange<Int>] = []
    var current: ClosedRange<Int>?
    func end() {
      if let edit = current { result.append(edit) }
      current = nil
    }
    var next = 0
    for unit in touched {
      // What nobody touched is visible.
      if unit > next { end() }
      next = unit + 1
      guard stretch.isKnown(unit, in: version) else { continue }
      if stretch.touching(unit).contains(change) {
        current = (current?.lowerBound ?? unit)...unit
      } else if stretch.isLive(unit, in: version) {
        end()
      }
    }
    end()
    editsByChange[change] = result
    return result
  }

  private static func precedes(_ left: ClosedRange<Int>, _ right: ClosedRange<Int>) -> Bool {
    (left.lowerBound, left.upperBound) < (right.lowerBound, right.upperBound)
  }

  private static func sortedUniquely(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: precedes) where result.last != range { result.append(range) }
    return result
  }

  private static func joined(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: precedes) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
