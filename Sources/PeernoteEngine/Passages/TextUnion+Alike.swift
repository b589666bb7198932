extension TextUnion {
  /// The passages of the union of two versions that show the same text: it is shown once, with the
  /// readings that either keeps.
  ///
  /// `nil` if they don't show the same. O(n) for n scalars behind the first run that either touched,
  /// until they differ.
  mutating func passagesOfAlike(from run: Int32) -> [FoundPassage]? {
    var start = Place(run: run, offset: 0)
    if let low = hulls.first(where: { !$0.isCommon })?.low, low < start { start = low }
    var back = TextScan(of: versions, from: start, forward: false)
    if let before = back.next() { start = hull(at: before.place)?.low ?? before.place }
    let scan = TextScan(of: versions, from: start, forward: true)
    let (one, other) = (versions.one.passages, versions.other.passages)
    let first = one.partitionPoint { $0.low >= start }
    let parts = versions.sameText(
      [
        ShownScan(scan, .one, one[first...]),
        ShownScan(scan, .other, other[other.partitionPoint { $0.low >= start }...]),
      ], &steps)
    return parts.map { one[..<first] + passages($0) }
  }
}

extension UnitedVersions {
  /// What the union shows where both versions show the same text: passages that both have, and where they
  /// differ, with what stands beside that; `nil` if they don't show the same; in O(n) for n scalars,
  /// until they do not.
  func sameText(
    _ sides: [some IteratorProtocol<ShownItem>], _ steps: inout Int
  ) -> [ShownPart]? {
    var result: [ShownPart] = []
    var sides = sides
    var heads = [sides[0].next(), sides[1].next()]
    // What either shows where they differ in what stands in the raw text; none where they don't.
    var rows: [ShownPart] = []
    var compared = 0
    /// How much more of the first side's text than of the other one's was taken.
    func ahead() -> Int { rows.isEmpty ? 0 : rows[0].shown.count - rows[1].shown.count }
    // The last scalar that both show as it is, if it does not stand in the result.
    var last: ShownItem?
    while heads[0] != nil || heads[1] != nil {
      steps += 1
      var taken = [0, 1]
      let lead = ahead()
      if lead == 0, let one = heads[0], let other = heads[1], one.isSame(as: other) {
        let isTold = one.passage != nil || !rows.isEmpty
        if !rows.isEmpty { result.append(part(showing: rows, &steps)) }
        if isTold { result.append(one.part) }
        (last, rows, compared) = (isTold ? nil : one, [], 0)
      } else {
        if let before = last { result.append(before.part) }
        last = nil
        if rows.isEmpty { rows = [ShownPart(), ShownPart()] }
        let empty = taken.filter { heads[$0]?.count == 0 }
        if lead != 0 { taken = [lead < 0 ? 0 : 1] } else if !empty.isEmpty { taken = empty }
      }
      for side in taken {
        guard let head = heads[side] else { return nil }
        if !rows.isEmpty { head.append(to: &rows[side]) }
        heads[side] = sides[side].next()
      }
      if rows.isEmpty { continue }
      let (one, other) = (rows[0].shown[compared...], rows[1].shown[compared...])
      guard zip(one, other).allSatisfy({ $0 == $1 }) else { return nil }
      compared += min(one.count, other.count)
    }
    if ahead() != 0 { return nil }
    if !rows.isEmpty { result.append(part(showing: rows, &steps)) }
    return result
  }

  /// What is shown where both sides show the same, but not of the same scalars and passages.
  private func part(showing rows: [ShownPart], _ steps: inout Int) -> ShownPart {
    let (low, high) = (min(rows[0].low, rows[1].low), max(rows[0].high, rows[1].high))
    let writers = writers(from: low, to: high, &steps)
    let shown = FoundPassage.Reading(
      scalars: rows[0].shown, changes: changes(writers[0] + writers[1]))
    let readings = [shown] + open(rows.map(\.readings))
    return ShownPart(.group, FoundPassage(low: low, high: high, readings: readings))
  }
}

/// A scalar that a version shows, or a passage.
struct ShownItem {
  let low: TextRuns.Place
  let high: TextRuns.Place
  /// None for a passage.
  let scalar: UInt32
  let passage: FoundPassage?

  init(_ scalar: UInt32, at place: TextRuns.Place) {
    (low, high, self.scalar, passage) = (place, place, scalar, nil)
  }

  init(_ passage: FoundPassage) {
    (low, high, scalar, self.passage) = (passage.low, passage.high, 0, passage)
  }

  /// How many scalars it shows.
  fileprivate var count: Int { passage?.shown.count ?? 1 }

  fileprivate func isSame(as other: ShownItem) -> Bool {
    guard let passage, let own = other.passage else {
      return passage == other.passage && low == other.low
    }
    return passage.isSame(as: own)
  }

  fileprivate func append(to row: inout ShownPart) {
    if let passage { return row.append(passage) }
    row.append(CollectionOfOne(scalar), from: low, to: high)
  }

  fileprivate var part: ShownPart {
    if let passage { return ShownPart(.passage, passage) }
    return ShownPart(CollectionOfOne(scalar), from: low, to: high)
  }
}

/// Goes through what a version shows, or both have seen: scalars and passages.
struct ShownScan<Units: IteratorProtocol<PassageUnion.Unit>>: IteratorProtocol {
  private var units: Units
  private let side: UnitedVersions.Shown
  private var passages: ArraySlice<FoundPassage>

  /// Takes what any version shows, and the passages of this one in it.
  init(_ units: Units, _ side: UnitedVersions.Shown, _ passages: ArraySlice<FoundPassage>) {
    (self.units, self.side, self.passages) = (units, side, passages)
  }

  mutating func next() -> ShownItem? {
    while let unit = units.next() {
      if let passage = passages.first, passage.low <= unit.place {
        if unit.place < passage.high { continue }
        passages.removeFirst()
        if unit.place == passage.high { return ShownItem(passage) }
      }
      if unit.shown.contains(side) {
        let isGone = side == .base && unit.shown == .base
        return ShownItem(isGone ? TokenPart.gone : unit.scalar, at: unit.place)
      }
    }
    return nil
  }
}
