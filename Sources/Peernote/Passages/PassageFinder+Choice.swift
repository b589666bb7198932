extension PassageFinder {
  /// Decides what is shown in a range.
  mutating func choose(_ range: ClosedRange<Int>, in version: ChangeSet) -> Region {
    let rivals = stretch.latest(of: stretch.touching(range, in: version))
      .sorted { stretch.rank[$0] > stretch.rank[$1] }
    var readings: [Int: [Int]] = [:]
    for rival in rivals {
      readings[rival] =
        stretch.past[rival] == version
        ? live(range, in: version) : reading(of: stretch.past[rival], in: range)
    }
    func units(of rival: Int) -> [Int] { readings[rival] ?? [] }
    var passage = Region(
      range: range, rivals: rivals, shownRivals: rivals, units: [], isContested: false)
    if rivals.count <= 1 {
      passage.units = rivals.first.map(units) ?? live(range, in: version)
    } else {
      let included = inclusions(among: rivals, in: range)
      let shown = chooseRivals(rivals, readings, included, range, version)
      passage.shownRivals = shown.rivals
      passage.units = shown.units ?? units(of: shown.rivals[0])
      for rival in rivals where !shown.rivals.contains(rival) {
        let others = shown.rivals.count { !included.contains(Pair(first: $0, second: rival)) }
        let past = stretch.past[rival]
        // What adds nothing to one of those chosen may have deleted what another one shows.
        let isShown = passage.units.contains {
          stretch.isKnown($0, in: past) && !stretch.isLive($0, in: past)
        }
        if others == 0 || others < shown.rivals.count && !isShown { continue }
        passage.isContested = true
        passage.others.append(Reading(changes: [rival], units: units(of: rival)))
      }
    }
    addInner(to: &passage, in: version)
    if passage.isContested {
      // Also what is the same as, or included in, what is shown.
      for rival in rivals where units(of: rival) != passage.units {
        if passage.others.contains(where: { $0.units == units(of: rival) }) { continue }
        passage.others.append(Reading(changes: [rival], units: units(of: rival)))
      }
    }
    return passage
  }

  /// Which rivals' readings include which others'.
  private mutating func inclusions(among rivals: [Int], in range: ClosedRange<Int>) -> Set<Pair> {
    var result: Set<Pair> = []
    for first in rivals {
      for second in rivals where first != second && includes(first, second, in: range) {
        result.insert(Pair(first: first, second: second))
      }
    }
    return result
  }

  /// The latest rival that no other includes.
  ///
  /// Further ones as long as nothing new is contested between them. Those that only deleted come
  /// last, and after them those of whose reading a part was redacted.
  ///
  /// - Returns: them, and what they show together; `nil` for the reading of the first.
  private mutating func chooseRivals(
    _ rivals: [Int], _ readings: [Int: [Int]], _ included: Set<Pair>, _ range: ClosedRange<Int>,
    _ version: ChangeSet
  ) -> (rivals: [Int], units: [Int]?) {
    var candidates = rivals.filter { rival in
      !rivals.contains { other in
        other != rival && included.contains(Pair(first: other, second: rival))
          && !(included.contains(Pair(first: rival, second: other))
            && stretch.rank[other] < stretch.rank[rival])
      }
    }
    if candidates.isEmpty { candidates = [rivals[0]] }
    // What was written comes before what was but deleted.
    var common = version
    for rival in rivals { common = common.intersection(stretch.past[rival]) }
    let writers = candidates.filter { rival in
      readings[rival]?.contains { !stretch.isKnown($0, in: common) } ?? false
    }
    candidates = writers + candidates.filter { !writers.contains($0) }
    let torn = candidates.filter { rival in
      readings[rival]?.contains { stretch.units[$0].isRedacted } ?? false
    }
    candidates = candidates.filter { !torn.contains($0) } + torn
    var chosen = [candidates[0]]
    var seen = stretch.past[candidates[0]]
    var units: [Int]?
    let open = openPassages(of: seen, meeting: range)
    for rival in candidates.dropFirst() + rivals.filter({ !candidates.contains($0) }) {
      if chosen.contains(where: { included.contains(Pair(first: $0, second: rival)) }) { continue }
      let together = seen.union(stretch.past[rival])
      if together == version { continue }
      if openPassages(of: together, meeting: range).isSubset(of: open) {
        chosen.append(rival)
        seen = together
        units = reading(of: together, in: range)
      }
    }
    return (chosen, units)
  }

  /// A contested passage by its range and rivals.
  private struct Name: Hashable {
    var range: ClosedRange<Int>
    var rivals: Set<Int>
  }

  private mutating func openPassages(
    of version: ChangeSet, meeting range: ClosedRange<Int>
  ) -> Set<Name> {
    var result: Set<Name> = []
    for passage in shown(by: version).passages
    where passage.isContested && passage.range.overlaps(range) {
      result.insert(Name(range: passage.range, rivals: Set(passage.rivals)))
    }
    return result
  }

  /// Adds what was contested in a reading and is not settled, with the rest of that reading.
  private mutating func addInner(to passage: inout Region, in version: ChangeSet) {
    for rival in passage.rivals where stretch.past[rival] != version {
      for inner in shown(by: stretch.past[rival]).passages
      where inner.isContested && inner.range.overlaps(passage.range) {
        let latest = stretch.latest(of: stretch.touching(inner.range, in: version))
        guard inner.rivals.contains(where: { latest.contains($0) }) else { continue }
        passage.isContested = true
        // With what the rival reads around it.
        let around = reading(of: stretch.past[rival], in: passage.range)
          .filter { !inner.range.contains($0) }
        for var reading in [Reading(changes: inner.shownRivals, units: inner.units)] + inner.others
        {
          reading.units = (around + reading.units).sorted()
          if !passage.others.contains(reading) { passage.others.append(reading) }
        }
      }
    }
  }
}
