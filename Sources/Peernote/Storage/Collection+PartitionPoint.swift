extension RandomAccessCollection {
  /// The first index from which on `isInSecond` holds, which holds of no element before it; the end
  /// if it holds of none.
  ///
  /// O(log n).
  @inline(__always)
  package func partitionPoint(where isInSecond: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isInSecond(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
