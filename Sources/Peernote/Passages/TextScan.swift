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
    while shown.isEmpty || (isForward ? offset >= versions.text.runs[Int(run)].count : offset == 0)
    {
      run += isForward ? 1 : -1
      shown = []
      guard versions.text.runs.indices.contains(Int(run)) else { return nil }
      shown = versions.shown(run)
      offset = isForward ? 0 : versions.text.runs[Int(run)].count
      scalars.removeAll(keepingCapacity: true)
      skipped += 1
    }
    let place = isForward ? offset : offset - 1
    if !(first..<first + Int32(scalars.count)).contains(place) {
      first = isForward ? place : max(0, offset - Self.chunk)
      let end = isForward ? min(versions.text.runs[Int(run)].count, offset + Self.chunk) : offset
      scalars.removeAll(keepingCapacity: true)
      versions.text.append(first..<end, of: run, to: &scalars)
    }
    offset = isForward ? offset + 1 : place
    return PassageUnion.Unit(
      scalar: scalars[Int(place - first)], place: Place(run: run, offset: place), shown: shown)
  }
}
