/// A set of events that holds all that any of them has seen, as ascending ranges that don't touch.
struct EventSet {
  private(set) var ranges: [Range<LocalVersion>] = []

  init() {}

  /// Takes over ascending ranges that don't touch.
  init(_ ranges: [Range<LocalVersion>]) { self.ranges = ranges }

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

  /// Adds the events that a chain goes on with.
  ///
  /// O(1): they come after all others.
  mutating func append(_ events: Range<LocalVersion>) {
    guard let last = ranges.last, last.upperBound >= events.lowerBound else {
      return ranges.append(events)
    }
    ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, events.upperBound)
  }

  /// All that either holds.
  ///
  /// O(ranges).
  func union(_ other: EventSet) -> EventSet {
    var result = EventSet()
    var (left, right) = (ranges[...], other.ranges[...])
    while true {
      guard let first = left.first else {
        for range in right { result.append(range) }
        return result
      }
      if let second = right.first, second.lowerBound < first.lowerBound {
        result.append(right.removeFirst())
      } else {
        result.append(left.removeFirst())
      }
    }
  }

  /// What it holds and another set doesn't.
  ///
  /// O(ranges).
  func subtracting(_ other: EventSet) -> [Range<LocalVersion>] {
    var result: [Range<LocalVersion>] = []
    var next = 0
    for range in ranges {
      var start = range.lowerBound
      while next < other.ranges.count, other.ranges[next].upperBound <= start { next += 1 }
      var index = next
      while start < range.upperBound {
        guard index < other.ranges.count, other.ranges[index].lowerBound < range.upperBound else {
          result.append(start..<range.upperBound)
          break
        }
        let gone = other.ranges[index]
        if gone.lowerBound > start { result.append(start..<gone.lowerBound) }
        start = max(start, gone.upperBound)
        index += 1
      }
    }
    return result
  }
}
