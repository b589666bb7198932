/// The places in which two versions of a file differ, between runs of bytes that both have.
enum FileDifference {
  /// Bytes of one file and those that the other one has instead.
  struct Place: Hashable {
    var ours: Range<Int>
    var theirs: Range<Int>
  }

  /// How many bytes that both have end a difference.
  private static let window = 8
  /// The most windows of a file that are looked for in the other.
  private static let windowLimit = 1 << 16
  /// The most places that are told apart.
  private static let limit = 64

  /// Finds the places, ascending; none if there are too many.
  ///
  /// O(n log n). Which runs are taken to be the same is a guess: the one that follows in the same
  /// place, or else the next one anywhere.
  static func places(_ ours: [UInt8], _ theirs: [UInt8]) -> [Place] {
    let windows = windows(of: theirs)
    var result: [Place] = []
    var left = 0
    var right = 0
    while true {
      while left < ours.count, right < theirs.count, ours[left] == theirs[right] {
        left += 1
        right += 1
      }
      if left == ours.count, right == theirs.count { return result }
      if result.count == limit { return [] }
      var place = Place(ours: left..<ours.count, theirs: right..<theirs.count)
      if var (end, otherEnd) = nextShared(ours, left, theirs, right, windows) {
        while end > left, otherEnd > right, ours[end - 1] == theirs[otherEnd - 1] {
          end -= 1
          otherEnd -= 1
        }
        place = Place(ours: left..<end, theirs: right..<otherEnd)
      }
      result.append(place)
      left = place.ours.upperBound
      right = place.theirs.upperBound
    }
  }

  /// Where the next window that both files have begins in them.
  private static func nextShared(
    _ ours: [UInt8], _ left: Int, _ theirs: [UInt8], _ right: Int, _ windows: [UInt64: [Int32]]
  ) -> (Int, Int)? {
    for start in left..<max(left, ours.count - window + 1) {
      let wanted = word(ours, at: start)
      let opposite = right + (start - left)
      if opposite + window <= theirs.count, word(theirs, at: opposite) == wanted {
        return (start, opposite)
      }
      guard let places = windows[wanted] else { continue }
      let next = places.partitionPoint { Int($0) >= right }
      if next < places.count { return (start, Int(places[next])) }
    }
    return nil
  }

  /// Where some of the windows of a file stand, ascending: evenly spread, side by side in short
  /// files.
  private static func windows(of bytes: [UInt8]) -> [UInt64: [Int32]] {
    var result: [UInt64: [Int32]] = [:]
    let step = max(window, bytes.count / windowLimit)
    for start in stride(from: 0, through: bytes.count - window, by: step) {
      result[word(bytes, at: start), default: []].append(Int32(start))
    }
    return result
  }

  private static func word(_ bytes: [UInt8], at start: Int) -> UInt64 {
    UInt64(bigEndianBytes: bytes[start..<start + window])
  }
}
