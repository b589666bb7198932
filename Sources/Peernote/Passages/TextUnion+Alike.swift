extension TextUnion {
  /// The passages of the union of two versions that show the same text: it is shown once, with the
  /// readings that either keeps.
  ///
  /// `nil` if they don't show the same. O(n) for n scalars behind the first run that either touched,
  /// until they differ.
  mutating func passagesOfAlike(from run: Int32) -> [FoundPassage]? {
    var start = Place(run: run, offset: 0)
    if let low = firstDifferentHull, low < start { start = low }
    var back = TextScan(of: versions, from: start, forward: false)
    if let before = back.next() { start = hull(at: before.place)?.low ?? before.place }
    var same = SameText(versions)
    let entries = same.entries([
      ShownScan(of: versions, .one, from: start), ShownScan(of: versions, .other, from: start),
    ])
    guard let entries else { return nil }
    steps += same.steps
    let before = versions.one.passages.prefix { $0.low < start }
    return before + passages(entries)
  }
}

/// A scalar that a version shows, or a passage.
struct ShownItem {
  var low: TextRuns.Place
  var high: TextRuns.Place
  var scalar: UInt32 = 0
  var passage: FoundPassage?

  /// How many scalars it shows.
  fileprivate var count: Int { passage?.readings[0].scalars.count ?? 1 }

  fileprivate func isSame(as other: ShownItem) -> Bool {
    switch (passage, other.passage) {
    case (nil, nil): low == other.low
    case (let one?, let other?): one.isSame(as: other)
    case (_, _): false
    }
  }

  fileprivate var entry: PassageUnion.Entry {
    .init(
      kind: passage == nil ? .text : .passage, low: low, high: high,
      passage?.readings ?? [.init(scalars: [scalar], changes: [])])
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
  mutating func entries(
    _ sides: [some IteratorProtocol<ShownItem>]
  ) -> [PassageUnion.Entry]? {
    var result: [PassageUnion.Entry] = []
    var sides = sides
    var heads = [sides[0].next(), sides[1].next()]
    var ends = [0, 0]
    // Where they differ, up to here.
    var open: Part?
    // The last scalar that both show as it is, if it does not stand in the result.
    var last: ShownItem?
    while heads[0] != nil || heads[1] != nil {
      steps += 1
      if ends[0] == ends[1], let one = heads[0], let other = heads[1], one.isSame(as: other) {
        if let open { result.append(entry(of: open)) }
        let isTold = one.passage != nil || open != nil
        if isTold { result.append(one.entry) }
        (last, open) = (isTold ? nil : one, nil)
        for side in 0...1 {
          ends[side] += one.count
          heads[side] = sides[side].next()
        }
        continue
      }
      if let before = last { result.append(before.entry) }
      (last, open) = (nil, open ?? Part())
      let empty = (0...1).filter { heads[$0]?.count == 0 }
      let taken = ends[0] != ends[1] ? [ends[0] < ends[1] ? 0 : 1] : empty.isEmpty ? [0, 1] : empty
      for side in taken {
        guard let head = heads[side] else { return nil }
        open?.append(head, of: side)
        ends[side] += head.count
        heads[side] = sides[side].next()
      }
      if open?.isAlike() == false { return nil }
    }
    if ends[0] != ends[1] { return nil }
    if let open { result.append(entry(of: open)) }
    return result
  }

  /// Where the two differ.
  private struct Part {
    /// The first scalar of the raw text, and the last one.
    private(set) var hull: (low: TextRuns.Place, high: TextRuns.Place)?
    private(set) var rows = [ReadingsInARow(), ReadingsInARow()]
    private var compared = 0

    mutating func append(_ item: ShownItem, of side: Int) {
      hull = hull.map { (min($0.low, item.low), max($0.high, item.high)) } ?? (item.low, item.high)
      rows[side].append(item)
    }

    /// Whether both sides show the same, as far as both are known.
    mutating func isAlike() -> Bool {
      let (one, other) = (rows[0].shown, rows[1].shown)
      defer { compared = min(one.count, other.count) }
      return zip(one[compared...], other[compared...]).allSatisfy { $0 == $1 }
    }
  }

  /// What is shown where the two differ.
  private mutating func entry(of part: Part) -> PassageUnion.Entry {
    guard let (low, high) = part.hull else { preconditionFailure("a part has scalars") }
    let writers = versions.writers(from: low, to: high, &steps)
    let changes = versions.changes(writers[0] + writers[1])
    let readings = part.rows.map { $0.readings(by: changes) }
    let kept = versions.open(readings.map { Array($0.dropFirst()) })
    return PassageUnion.Entry(low: low, high: high, [readings[0][0]] + kept)
  }
}

extension ReadingsInARow {
  fileprivate mutating func append(_ item: ShownItem) {
    if let passage = item.passage {
      append(passage.readings[0].scalars[...], passage.readings.dropFirst())
    } else {
      append(item.scalar)
    }
  }
}

/// Goes through what a version shows: scalars and passages.
private struct ShownScan: IteratorProtocol {
  private var scan: TextScan
  private let side: UnitedVersions.Shown
  private var passages: ArraySlice<FoundPassage>

  init(of versions: UnitedVersions, _ side: UnitedVersions.Shown, from start: TextRuns.Place) {
    scan = TextScan(of: versions, from: start, forward: true)
    self.side = side
    let all = side == .one ? versions.one.passages : versions.other.passages
    passages = all[all.partitionPoint { $0.low >= start }...]
  }

  mutating func next() -> ShownItem? {
    while let unit = scan.next() {
      if let passage = passages.first, passage.low <= unit.place {
        if unit.place < passage.high { continue }
        passages.removeFirst()
        if unit.place == passage.high {
          return ShownItem(low: passage.low, high: passage.high, passage: passage)
        }
      }
      if unit.shown.contains(side) {
        return ShownItem(low: unit.place, high: unit.place, scalar: unit.scalar)
      }
    }
    return nil
  }
}
