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
    var same = SameText(versions)
    let parts = same.parts([
      ShownScan(scan, .one, one[first...]),
      ShownScan(scan, .other, other[other.partitionPoint { $0.low >= start }...]),
    ])
    guard let parts else { return nil }
    steps += same.steps
    return one[..<first] + passages(parts)
  }
}

/// Unites what two versions show where that is the same text: it is shown once, with the readings that
/// either keeps.
struct SameText {
  private let versions: UnitedVersions
  /// How much was looked at.
  private(set) var steps = 0

  init(_ versions: UnitedVersions) { self.versions = versions }

  /// What the union shows: passages that both have, and where they differ, with what stands beside that;
  /// `nil` if they don't show the same.
  ///
  /// O(n) for n scalars, until they differ.
  mutating func parts(_ sides: [some IteratorProtocol<ShownItem>]) -> [ShownPart]? {
    var result: [ShownPart] = []
    var sides = sides
    var heads = [sides[0].next(), sides[1].next()]
    var ends = [0, 0]
    // Where they differ, up to here.
    var open: Difference?
    // The last scalar that both show as it is, if it does not stand in the result.
    var last: ShownItem?
    while heads[0] != nil || heads[1] != nil {
      steps += 1
      var taken = [0, 1]
      if ends[0] == ends[1], let one = heads[0], let other = heads[1], one.isSame(as: other) {
        if let open { result.append(part(of: open)) }
        let isTold = one.passage != nil || open != nil
        if isTold { result.append(one.part) }
        (last, open) = (isTold ? nil : one, nil)
      } else {
        if let before = last { result.append(before.part) }
        (last, open) = (nil, open ?? Difference())
        let empty = taken.filter { heads[$0]?.count == 0 }
        if ends[0] != ends[1] {
          taken = [ends[0] < ends[1] ? 0 : 1]
        } else if !empty.isEmpty {
          taken = empty
        }
      }
      for side in taken {
        guard let head = heads[side] else { return nil }
        open?.append(head, of: side)
        ends[side] += head.count
        heads[side] = sides[side].next()
      }
      if open?.isAlike() == false { return nil }
    }
    if ends[0] != ends[1] { return nil }
    if let open { result.append(part(of: open)) }
    return result
  }

  /// Where the two differ in what stands in the raw text.
  private struct Difference {
    /// The first scalar of the raw text, and the last one.
    private(set) var hull: (low: TextRuns.Place, high: TextRuns.Place)?
    private(set) var rows = [ReadingsInARow(), ReadingsInARow()]
    private var compared = 0

    mutating func append(_ item: ShownItem, of side: Int) {
      hull = hull.map { (min($0.low, item.low), max($0.high, item.high)) } ?? (item.low, item.high)
      if let passage = item.passage {
        rows[side].append(passage)
      } else {
        rows[side].append(CollectionOfOne(item.scalar))
      }
    }

    /// Whether both sides show the same, as far as both are known.
    mutating func isAlike() -> Bool {
      let (one, other) = (rows[0].shown, rows[1].shown)
      defer { compared = min(one.count, other.count) }
      return zip(one[compared...], other[compared...]).allSatisfy { $0 == $1 }
    }
  }

  /// What is shown where the two differ.
  private mutating func part(of difference: Difference) -> ShownPart {
    guard let (low, high) = difference.hull else { preconditionFailure("it has scalars") }
    let writers = versions.writers(from: low, to: high, &steps)
    let changes = versions.changes(writers[0] + writers[1])
    let sides = difference.rows.map { $0.readings(by: changes) }
    let readings = [sides[0][0]] + versions.open(sides)
    return ShownPart(FoundPassage(low: low, high: high, readings: readings))
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

  fileprivate var part: ShownPart {
    if let passage { return ShownPart(kind: .passage, passage) }
    return ShownPart([scalar], from: low, to: high)
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
