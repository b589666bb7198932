/// Goes through the scalars of a text that one of two versions shows, or both had until each deleted
/// them, in one direction.
struct TextScan {
  typealias Place = TextRuns.Place

  let isForward: Bool
  private var run: Int32
  /// Where the next scalar begins, or where it ends that comes before.
  private var offset: Int32
  private var shown: UnitedVersions.Shown
  /// Scalars of the run that were read ahead, from one on.
  private var scalars: [UInt32] = []
  private var first: Int32 = 0
  /// How many runs were passed over.
  private(set) var skipped = 0
  private static let chunk: Int32 = 32

  /// Starts at a place, with the scalar there or, backwards, the one before it.
  init(of versions: borrowing UnitedVersions, from place: Place, forward: Bool) {
    isForward = forward
    let count = Int32(versions.text.runs.count)
    run = min(place.run, count)
    offset = run < count ? place.offset : 0
    shown = run < count ? versions.shown(run) : []
  }

  /// The next scalar of the versions that it goes through; they are not kept, as a copy of them costs
  /// more than most scans.
  ///
  /// O(1), amortized, plus the runs that no version shows.
  mutating func next(in versions: borrowing UnitedVersions) -> PassageUnion.Unit? {
    isForward ? after(in: versions) : before(in: versions)
  }

  private mutating func after(in versions: borrowing UnitedVersions) -> PassageUnion.Unit? {
    guard run < versions.text.runs.count else { return nil }
    while shown.isEmpty || offset >= versions.text.runs[Int(run)].count {
      run += 1
      offset = 0
      scalars.removeAll(keepingCapacity: true)
      guard run < versions.text.runs.count else { return nil }
      shown = versions.shown(run)
      skipped += 1
    }
    if offset >= first + Int32(scalars.count) || offset < first || scalars.isEmpty {
      scalars.removeAll(keepingCapacity: true)
      first = offset
      let end = min(versions.text.runs[Int(run)].count, offset + Self.chunk)
      versions.text.append(offset..<end, of: run, to: &scalars)
    }
    defer { offset += 1 }
    return PassageUnion.Unit(
      scalar: scalars[Int(offset - first)], place: Place(run: run, offset: offset), shown: shown)
  }

  private mutating func before(in versions: borrowing UnitedVersions) -> PassageUnion.Unit? {
    while shown.isEmpty || offset == 0 {
      guard run > 0 else { return nil }
      run -= 1
      offset = versions.text.runs[Int(run)].count
      scalars.removeAll(keepingCapacity: true)
      shown = versions.shown(run)
      skipped += 1
    }
    offset -= 1
    if scalars.isEmpty || offset < first {
      scalars.removeAll(keepingCapacity: true)
      first = max(0, offset + 1 - Self.chunk)
      versions.text.append(first..<offset + 1, of: run, to: &scalars)
    }
    return PassageUnion.Unit(
      scalar: scalars[Int(offset - first)], place: Place(run: run, offset: offset), shown: shown)
  }
}
