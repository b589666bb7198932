/// Ascending ranges of scalars, by name, that can be asked whether they hold some of another one.
///
/// Names lie in two parts, what stood in the placeholder and what was inserted in the walk. Either
/// is cut into intervals of one length, about as many as there are ranges, and each interval knows
/// the first range that ends in it or later.
package struct RangeIndex {
  private let ranges: [Range<LocalVersion>]
  /// The first name of the placeholder and of what was inserted.
  private var origins = (placeholder: LocalVersion.first, inserted: LocalVersion.first)
  /// How many names of the placeholder there are from the first one to the last.
  private var placeholderCount = 0
  /// The binary logarithm of an interval's length.
  private var shift = 0
  /// By interval; one more for the end.
  private var firstRange: [Int32] = []

  /// Takes ascending ranges that neither are empty nor overlap.
  ///
  /// O(ranges).
  package init(_ ranges: [Range<LocalVersion>]) {
    self.ranges = ranges
    guard let last = ranges.last else { return }
    if let first = ranges.first, !first.lowerBound.isEvent {
      origins.placeholder = first.lowerBound
      let end = ranges.last { !$0.lowerBound.isEvent }?.upperBound ?? .first
      placeholderCount = first.lowerBound.distance(to: end)
    }
    origins.inserted = ranges.first { $0.lowerBound.isEvent }?.lowerBound ?? .first
    let count = key(last.upperBound - 1) + 1
    while count >> shift > 2 * ranges.count { shift += 1 }
    firstRange.reserveCapacity(count >> shift + 2)
    for (index, range) in ranges.enumerated() {
      let interval = key(range.upperBound - 1) >> shift
      while firstRange.count <= interval { firstRange.append(Int32(index)) }
    }
    firstRange.append(Int32(ranges.count))
  }

  /// Whether one of the ranges holds some of another, which is not empty.
  ///
  /// O(1) where the ranges are spread evenly, at most O(log ranges).
  package func meets(_ range: Range<LocalVersion>) -> Bool { first(meeting: range) != nil }

  /// The index of the first of the ranges that holds some of another, which is not empty; `nil` if
  /// none does.
  ///
  /// O(1) where the ranges are spread evenly, at most O(log ranges).
  package func first(meeting range: Range<LocalVersion>) -> Int? {
    let interval = key(range.lowerBound) >> shift
    guard interval + 1 < firstRange.count else { return nil }
    let candidates = Int(firstRange[interval])..<Int(firstRange[interval + 1])
    let index = candidates.partitionPoint { ranges[$0].upperBound > range.lowerBound }
    return index < ranges.count && ranges[index].lowerBound < range.upperBound ? index : nil
  }

  /// What the ranges hold of another one, which is not empty, ascending.
  ///
  /// O(parts), and as ``first(meeting:)``.
  func parts(of range: Range<LocalVersion>) -> [Range<LocalVersion>] {
    guard let first = first(meeting: range) else { return [] }
    return ranges[first...].prefix { $0.lowerBound < range.upperBound }
      .map { $0.clamped(to: range) }
  }

  /// A number for a name that grows with it, and leaves out what lies between the two parts.
  private func key(_ name: LocalVersion) -> Int {
    name.isEvent
      ? placeholderCount + max(0, origins.inserted.distance(to: name))
      : min(max(0, origins.placeholder.distance(to: name)), placeholderCount)
  }
}
