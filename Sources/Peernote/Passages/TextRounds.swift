/// Where the history of a text is not linear: the longest runs of events that no critical version
/// parts, if they are several, each widened to whole changes.
///
/// All later events have seen all of a round, and all of a round has seen what came before it.
struct TextRounds {
  /// The rounds, ascending.
  let ranges: [Range<LocalVersion>]
  /// Where they begin and end, and where each change after the first one begins that is in none,
  /// ascending, each once.
  private let bounds: [LocalVersion]

  /// Finds the rounds between critical versions.
  ///
  /// O(c log c + n) for c ranges of critical versions and n changes.
  init(between critical: CriticalCuts, of log: Log) {
    var ranges: [Range<LocalVersion>] = []
    func change(of event: LocalVersion) -> Range<LocalVersion> {
      log.eventCounts.events(ofChange: log.eventCounts.change(of: event))
    }
    for (before, after) in zip(critical.ranges, critical.ranges.dropFirst()) {
      let start = change(of: before.upperBound).lowerBound
      let end = change(of: after.lowerBound).upperBound
      if let last = ranges.last, start < last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(end, last.upperBound)
      } else {
        ranges.append(start..<end)
      }
    }
    var bounds = ranges.first.map { [$0.lowerBound] } ?? []
    for (index, range) in ranges.enumerated() {
      let end = index + 1 < ranges.count ? ranges[index + 1].lowerBound : log.graph.end
      var next = range.upperBound
      while next < end {
        bounds.append(next)
        next = change(of: next).upperBound
      }
      if index + 1 < ranges.count { bounds.append(end) }
    }
    self.ranges = ranges
    self.bounds = bounds
  }

  /// The round of an event; `nil` if it has seen all before it, and all after have seen it.
  ///
  /// O(log r) for r rounds.
  func number(of event: LocalVersion) -> Int? {
    let next = ranges.partitionPoint { $0.upperBound > event }
    return next < ranges.count && ranges[next].lowerBound <= event ? next : nil
  }

  /// The first bound after an event.
  ///
  /// O(log r).
  func bound(after event: LocalVersion) -> LocalVersion? {
    let next = bounds.partitionPoint { $0 > event }
    return next < bounds.count ? bounds[next] : nil
  }

  /// The last bound that is an event or comes before it.
  ///
  /// O(log r).
  func bound(upTo event: LocalVersion) -> LocalVersion? {
    let next = bounds.partitionPoint { $0 > event }
    return next > 0 ? bounds[next - 1] : nil
  }
}
