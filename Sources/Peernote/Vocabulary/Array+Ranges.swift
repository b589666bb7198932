extension Array {
  /// The ranges in order, with those that touch or overlap made one.
  ///
  /// O(n log n).
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

  /// What is in the ranges of two lists, as ascending ranges that don't touch; none is empty.
  ///
  /// O(n log n).
  package func union<Bound: Comparable>(_ other: [Element]) -> [Element]
  where Element == Range<Bound> {
    (self + other).filter { !$0.isEmpty }.united()
  }
}
