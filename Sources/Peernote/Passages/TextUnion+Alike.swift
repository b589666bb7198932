extension TextUnion {
  /// The passages of the union of two versions that show the same text: it is shown once, with the
  /// readings that either keeps.
  ///
  /// O(n) for n scalars of the text behind the first one that either touched; O(1) from there on until
  /// they differ.
  ///
  /// - Parameter run: the first run that either touched.
  /// - Returns: `nil` if they don't show the same.
  mutating func passagesOfAlike(from run: Int32) -> [FoundPassage]? {
    var start = Place(run: run, offset: 0)
    if let low = firstDifferentHull, low < start { start = low }
    var back = TextScan(of: versions, from: start, forward: false)
    if let before = back.next(in: versions) { start = hull(at: before.place)?.low ?? before.place }
    guard isSame(from: start) else { return nil }
    let before = versions.one.passages.prefix { $0.low < start }
    return before + passages(entries(from: start))
  }

  private func isSame(from start: Place) -> Bool {
    var scans = [
      ShownScan(of: versions, .one, from: start), ShownScan(of: versions, .other, from: start),
    ]
    var parts: [ArraySlice<UInt32>] = [[], []]
    /// The next scalar of a side; `nil` at the end.
    func next(_ side: Int) -> UInt32? {
      while true {
        if let scalar = parts[side].popFirst() { return scalar }
        guard let item = scans[side].next(in: versions) else { return nil }
        guard let passage = item.passage else { return item.scalar }
        parts[side] = passage.readings[0].scalars[...]
      }
    }
    while true {
      let (one, other) = (next(0), next(1))
      if one != other { return false }
      if one == nil { return true }
    }
  }

  /// What both show: passages that are the same, and where they differ, with what stands beside that.
  private mutating func entries(from start: Place) -> [PassageUnion.Entry] {
    var result: [PassageUnion.Entry] = []
    var scans = [
      ShownScan(of: versions, .one, from: start), ShownScan(of: versions, .other, from: start),
    ]
    var heads = [scans[0].next(in: versions), scans[1].next(in: versions)]
    var ends = [0, 0]
    var region = Region()
    // The last scalar that both show as it is, and whether it stands in the result.
    var last: (item: ShownScan.Item, isTold: Bool)?
    while heads[0] != nil || heads[1] != nil {
      steps += 1
      if ends[0] == ends[1], let one = heads[0], let other = heads[1], one.isSame(as: other) {
        let follows = close(&region, &result)
        let isTold = one.passage != nil || follows
        if isTold { result.append(one.entry) }
        last = (one, isTold)
        for side in 0...1 {
          ends[side] += one.count
          heads[side] = scans[side].next(in: versions)
        }
        continue
      }
      if region.hull == nil, let before = last, !before.isTold {
        result.append(before.item.entry)
      }
      let empty = (0...1).filter { heads[$0]?.count == 0 }
      let taken = ends[0] != ends[1] ? [ends[0] < ends[1] ? 0 : 1] : empty.isEmpty ? [0, 1] : empty
      for side in taken {
        guard let head = heads[side] else { continue }
        region.append(head, of: side)
        ends[side] += head.count
        heads[side] = scans[side].next(in: versions)
      }
    }
    _ = close(&region, &result)
    return result
  }

  /// Where the two differ.
  private struct Region {
    /// The first scalar of the raw text, and the last one.
    var hull: (low: Place, high: Place)?
    var rows = [ReadingsInARow(), ReadingsInARow()]

    mutating func append(_ item: ShownScan.Item, of side: Int) {
      hull = hull.map { (min($0.low, item.low), max($0.high, item.high)) } ?? (item.low, item.high)
      rows[side].append(item)
    }
  }

  /// Appends where the two differ, if they do.
  private mutating func close(
    _ region: inout Region, _ result: inout [PassageUnion.Entry]
  ) -> Bool {
    guard let (low, high) = region.hull else { return false }
    let writers = versions.writers(from: low, to: high, &steps)
    let changes = versions.changes(writers[0] + writers[1])
    let readings = region.rows.map { $0.readings(by: changes) }
    let kept = versions.open(readings.map { Array($0.dropFirst()) })
    result.append(PassageUnion.Entry(low: low, high: high, [readings[0][0]] + kept))
    region = Region()
    return true
  }
}

extension ReadingsInARow {
  fileprivate mutating func append(_ item: ShownScan.Item) {
    if let passage = item.passage {
      append(passage.readings[0].scalars[...], Array(passage.readings.dropFirst()))
    } else {
      append(item.scalar)
    }
  }
}

/// Goes through what a version shows: scalars and passages.
private struct ShownScan {
  /// A scalar, or a passage.
  struct Item {
    var low: TextRuns.Place
    var high: TextRuns.Place
    var scalar: UInt32 = 0
    var passage: FoundPassage?

    /// How many scalars it shows.
    var count: Int { passage?.readings[0].scalars.count ?? 1 }

    func isSame(as other: Item) -> Bool {
      switch (passage, other.passage) {
      case (nil, nil): low == other.low
      case (let one?, let other?): one.isSame(as: other)
      case (_, _): false
      }
    }

    var entry: PassageUnion.Entry {
      var result = PassageUnion.Entry(
        low: low, high: high, passage?.readings ?? [.init(scalars: [scalar], changes: [])])
      result.passage = passage == nil ? -1 : 0
      return result
    }
  }

  private var scan: TextScan
  private let side: UnitedVersions.Shown
  private var passages: ArraySlice<FoundPassage>

  init(of versions: UnitedVersions, _ side: UnitedVersions.Shown, from start: TextRuns.Place) {
    scan = TextScan(of: versions, from: start, forward: true)
    self.side = side
    let all = side == .one ? versions.one.passages : versions.other.passages
    passages = all[all.partitionPoint { $0.low >= start }...]
  }

  mutating func next(in versions: borrowing UnitedVersions) -> Item? {
    while let unit = scan.next(in: versions) {
      if let passage = passages.first, passage.low <= unit.place {
        if unit.place < passage.high { continue }
        passages.removeFirst()
        if unit.place == passage.high {
          return Item(low: passage.low, high: passage.high, passage: passage)
        }
      }
      if unit.shown.contains(side) {
        return Item(low: unit.place, high: unit.place, scalar: unit.scalar)
      }
    }
    return nil
  }
}
