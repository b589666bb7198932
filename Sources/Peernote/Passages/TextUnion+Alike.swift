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
    if let before = back.next() { start = hull(at: before.place)?.low ?? before.place }
    guard isSame(from: start) else { return nil }
    let before = versions.one.passages.prefix { $0.low < start }
    return before + passages(entries(from: start))
  }

  private func isSame(from start: Place) -> Bool {
    var left = ShownScan(of: versions, .one, from: start)
    var right = ShownScan(of: versions, .other, from: start)
    var (first, second): (ArraySlice<UInt32>, ArraySlice<UInt32>) = ([], [])
    while true {
      while first.isEmpty, let item = left.next() { first = item.scalars[...] }
      while second.isEmpty, let item = right.next() { second = item.scalars[...] }
      let count = min(first.count, second.count)
      if count == 0 { return first.isEmpty && second.isEmpty }
      guard first.prefix(count) == second.prefix(count) else { return false }
      first.removeFirst(count)
      second.removeFirst(count)
    }
  }

  /// What both show: passages that are the same, and where they differ, with what stands beside that.
  private mutating func entries(from start: Place) -> [PassageUnion.Entry] {
    var result: [PassageUnion.Entry] = []
    var scans = [
      ShownScan(of: versions, .one, from: start), ShownScan(of: versions, .other, from: start),
    ]
    var heads = [scans[0].next(), scans[1].next()]
    var ends = [0, 0]
    var region: [[ShownScan.Item]] = [[], []]
    // The last scalar that both show as it is, and whether it stands in the result.
    var last: (entry: PassageUnion.Entry, isTold: Bool)?
    while heads[0] != nil || heads[1] != nil {
      steps += 1
      if ends[0] == ends[1], let one = heads[0], let other = heads[1], one.isSame(as: other) {
        let follows = close(&region, &result)
        let entry = one.entry
        if one.passage != nil || follows { result.append(entry) }
        last = (entry, one.passage != nil || follows)
        for side in 0...1 {
          ends[side] += one.scalars.count
          heads[side] = scans[side].next()
        }
        continue
      }
      if region[0].isEmpty, region[1].isEmpty, let before = last, !before.isTold {
        result.append(before.entry)
      }
      let empty = (0...1).filter { heads[$0]?.scalars.isEmpty == true }
      let taken = ends[0] != ends[1] ? [ends[0] < ends[1] ? 0 : 1] : empty.isEmpty ? [0, 1] : empty
      for side in taken {
        guard let head = heads[side] else { continue }
        region[side].append(head)
        ends[side] += head.scalars.count
        heads[side] = scans[side].next()
      }
    }
    _ = close(&region, &result)
    return result
  }

  /// Appends where the two differ, if they do.
  private mutating func close(
    _ region: inout [[ShownScan.Item]], _ result: inout [PassageUnion.Entry]
  ) -> Bool {
    let all = region.joined()
    guard let low = all.map(\.low).min(), let high = all.map(\.high).max() else { return false }
    let writers = versions.writers(from: low, to: high, &steps)
    let readings = region.map {
      [FoundPassage.Reading].combined(
        $0.map(\.entry.readings), by: versions.changes(writers[0] + writers[1]))
    }
    let kept = versions.open(readings.map { Array($0.dropFirst()) })
    result.append(PassageUnion.Entry(low: low, high: high, readings: [readings[0][0]] + kept))
    region = [[], []]
    return true
  }
}

/// Goes through what a version shows: scalars and passages.
private struct ShownScan {
  struct Item {
    var low: TextRuns.Place
    var high: TextRuns.Place
    var scalars: [UInt32]
    var passage: FoundPassage?

    func isSame(as other: Item) -> Bool {
      switch (passage, other.passage) {
      case (nil, nil): low == other.low
      case (let one?, let other?): one.isSame(as: other)
      case (_, _): false
      }
    }

    var entry: PassageUnion.Entry {
      PassageUnion.Entry(
        low: low, high: high,
        readings: passage?.readings ?? [FoundPassage.Reading(scalars: scalars, changes: [])],
        passage: passage == nil ? -1 : 0)
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

  mutating func next() -> Item? {
    while let unit = scan.next() {
      if let passage = passages.first, passage.low <= unit.place {
        if unit.place < passage.high { continue }
        passages.removeFirst()
        if unit.place == passage.high {
          return Item(
            low: passage.low, high: passage.high, scalars: passage.readings[0].scalars,
            passage: passage)
        }
      }
      if unit.shown.contains(side) {
        return Item(low: unit.place, high: unit.place, scalars: [unit.scalar])
      }
    }
    return nil
  }
}
