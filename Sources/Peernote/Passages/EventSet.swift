/// A set of events that holds all that any of them has seen, as ascending ranges that don't touch.
struct EventSet {
  var ranges: [Range<LocalVersion>] = []

  /// Whether an event is in it; what was there before all events is in every set.
  ///
  /// O(log ranges).
  @inline(__always)
  func contains(_ event: LocalVersion) -> Bool {
    if !event.isEvent { return true }
    // Most are in the first range, or after all.
    guard let first = ranges.first else { return false }
    if event < first.upperBound { return event >= first.lowerBound }
    if ranges.count == 1 { return false }
    let next = ranges.partitionPoint { $0.upperBound > event }
    return next < ranges.count && ranges[next].lowerBound <= event
  }

  /// All that either holds.
  func union(_ other: EventSet) -> EventSet { EventSet(ranges: ranges.union(other.ranges)) }

  /// What it holds and another set doesn't.
  ///
  /// O(ranges log ranges).
  func subtracting(_ other: EventSet) -> [Range<LocalVersion>] {
    ranges.flatMap { other.ranges.gaps(in: $0) }
  }
}
