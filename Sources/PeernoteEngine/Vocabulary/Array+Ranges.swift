extension Array {
  /// The ranges in order, with those that touch or overlap made one; O(n log n).
  package func united<Bound: Comparable>() -> [Element] where Element == Range<Bound> {
    var result: [Element] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// What is in two lists of ranges, as ascending ones that don't touch, none empty; O(n log n).
  package func union<Bound: Comparable>(_ other: [Element]) -> [Element]
  where Element == Range<Bound> {
    (self + other).filter { !$0.isEmpty }.united()
  }

  /// Whether ascending ranges that don't touch hold all of another range; O(log n).
  func covers<Bound: Comparable>(_ range: Range<Bound>) -> Bool where Element == Range<Bound> {
    let index = firstIndex(endingAfter: range.lowerBound)
    return index < count && self[index].lowerBound <= range.lowerBound
      && range.upperBound <= self[index].upperBound
  }

  /// The first of ascending ranges that ends after a place; O(log n).
  private func firstIndex<Bound: Comparable>(endingAfter place: Bound) -> Int
  where Element == Range<Bound> {
    partitionPoint { $0.upperBound > place }
  }

  /// The parts of a range that lie in none of ascending ranges, ascending;
  /// O(log n + ranges that touch it).
  package func gaps<Bound: Comparable>(in range: Range<Bound>) -> [Element]
  where Element == Range<Bound> {
    var result: [Element] = []
    var start = range.lowerBound
    for known in self[firstIndex(endingAfter: start)...] {
      if known.lowerBound >= range.upperBound { break }
      if start < known.lowerBound { result.append(start..<known.lowerBound) }
      start = Swift.max(start, known.upperBound)
    }
    if start < range.upperBound { result.append(start..<range.upperBound) }
    return result
  }

  /// What ascending ranges have of another one, which is not empty, ascending;
  /// O(log n + ranges that touch it).
  package func parts<Bound: Comparable>(in range: Range<Bound>) -> [Element]
  where Element == Range<Bound> {
    self[firstIndex(endingAfter: range.lowerBound)...].prefix { $0.lowerBound < range.upperBound }
      .map { $0.clamped(to: range) }
  }

  /// Whether ascending ranges have some of another one, which is not empty; O(log n).
  func meets<Bound: Comparable>(_ range: Range<Bound>) -> Bool where Element == Range<Bound> {
    let index = firstIndex(endingAfter: range.lowerBound)
    return index < count && self[index].lowerBound < range.upperBound
  }

  /// What two lists of ascending ranges, of which none is empty, have in common; O(n log n).
  package func intersection<Bound: Comparable>(_ other: [Element]) -> [Element]
  where Element == Range<Bound> {
    flatMap { other.parts(in: $0) }
  }

  /// Appends a range above the last one, joining them if they touch.
  package mutating func appendAscending<Bound: Comparable>(_ range: Range<Bound>)
  where Element == Range<Bound> {
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else if !range.isEmpty {
      append(range)
    }
  }
}

extension [Range<LocalVersion>] {
  /// Whether an event lies in ascending ranges that don't touch; O(log n).
  package func holds(_ event: LocalVersion) -> Bool {
    !isEmpty && covers(event..<event + 1)
  }
}
