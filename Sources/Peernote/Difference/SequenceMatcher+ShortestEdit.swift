extension SequenceMatcher {
  /// Matches two sequences by the shortest edit script, in linear space.
  ///
  /// Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations" (Algorithmica 1, 1986),
  /// section 4b: search from both ends until the paths meet, then solve the two halves. A search
  /// that reaches the cost limit splits the box at the furthest point it has seen instead; that
  /// point lies at least as many steps away as the search took rounds, so that the total stays
  /// within a small multiple of (left.count + right.count) · costLimit.
  mutating func shortestEditMatches(
    _ left: [Int32], _ right: [Int32]
  ) -> [Match] {
    var pairs: [Match] = []
    // Boxes of the edit graph that are still to be solved.
    var boxes = [Hunk(old: 0..<left.count, new: 0..<right.count)]
    while let box = boxes.popLast() {
      var (oldStart, oldEnd) = (box.old.lowerBound, box.old.upperBound)
      var (newStart, newEnd) = (box.new.lowerBound, box.new.upperBound)
      while oldStart < oldEnd, newStart < newEnd, left[oldStart] == right[newStart] {
        pairs.append(Match(old: Int32(oldStart), new: Int32(newStart)))
        oldStart += 1
        newStart += 1
      }
      while oldStart < oldEnd, newStart < newEnd, left[oldEnd - 1] == right[newEnd - 1] {
        oldEnd -= 1
        newEnd -= 1
        pairs.append(Match(old: Int32(oldEnd), new: Int32(newEnd)))
      }
      steps += box.old.count - (oldEnd - oldStart) + 1
      guard oldStart < oldEnd, newStart < newEnd else { continue }
      let rest = Hunk(old: oldStart..<oldEnd, new: newStart..<newEnd)
      let split = splitPoint(left, right, rest)
      boxes.append(Hunk(old: oldStart..<split.old, new: newStart..<split.new))
      boxes.append(Hunk(old: split.old..<oldEnd, new: split.new..<newEnd))
    }
    return pairs
  }

  /// A point on a shortest path through a box whose ends differ, or the furthest point seen.
  ///
  /// Diagonal k holds the points with x − y = k, counted from the box's start (forward) or from
  /// its end (backward). The returned point is neither the box's start nor its end.
  private mutating func splitPoint(
    _ left: [Int32], _ right: [Int32], _ box: Hunk
  ) -> (old: Int, new: Int) {
    let (width, height) = (box.old.count, box.new.count)
    let (x0, y0) = (box.old.lowerBound, box.new.lowerBound)
    let (x1, y1) = (box.old.upperBound, box.new.upperBound)
    let limit = min(costLimit, (width + height + 1) / 2)
    let middle = limit + 1
    var forward = [Int](repeating: Self.unreached, count: 2 * limit + 3)
    forward[middle + 1] = 0
    var backward = forward
    let delta = width - height
    for cost in 0...limit {
      let low = -cost + 2 * max(0, cost - height)
      let high = cost - 2 * max(0, cost - width)
      guard low <= high else { break }
      for k in stride(from: low, through: high, by: 2) {
        var x = furthest(forward, middle + k, k, width, height)
        if x >= 0 {
          while x < width, x - k < height, left[x0 + x] == right[y0 + x - k] {
            x += 1
            steps += 1
          }
        }
        forward[middle + k] = x
        let other = delta - k
        if delta & 1 != 0, x >= 0, abs(other) < cost, x + backward[middle + other] >= width {
          return (x0 + x, y0 + x - k)
        }
      }
      for k in stride(from: low, through: high, by: 2) {
        var x = furthest(backward, middle + k, k, width, height)
        if x >= 0 {
          while x < width, x - k < height, left[x1 - 1 - x] == right[y1 - 1 - x + k] {
            x += 1
            steps += 1
          }
        }
        backward[middle + k] = x
        let other = delta - k
        if delta & 1 == 0, x >= 0, abs(other) <= cost, x + forward[middle + other] >= width {
          return (x1 - x, y1 - x + k)
        }
      }
      steps += high - low + 2
    }
    return furthestPoint(box, forward, backward, limit: limit)
  }

  /// Where a diagonal got that no path has reached.
  private static let unreached = Int.min / 2

  /// The start of a snake on diagonal k: one step right from k − 1 or down from k + 1, whichever
  /// gets further without leaving the box.
  private func furthest(
    _ reached: [Int], _ index: Int, _ k: Int, _ width: Int, _ height: Int
  ) -> Int {
    let fromLeft =
      reached[index - 1] >= 0 && reached[index - 1] < width
      ? reached[index - 1] + 1 : Self.unreached
    let fromAbove =
      reached[index + 1] >= 0 && reached[index + 1] - k <= height
      ? reached[index + 1] : Self.unreached
    return max(fromLeft, fromAbove)
  }

  /// Where a search that was cut short got furthest.
  private func furthestPoint(
    _ box: Hunk, _ forward: [Int], _ backward: [Int], limit: Int
  ) -> (old: Int, new: Int) {
    var best = 0
    var point = (old: box.old.lowerBound + 1, new: box.new.lowerBound)
    for k in stride(from: -limit, through: limit, by: 1) {
      let ahead = forward[limit + 1 + k]
      if ahead >= 0, 2 * ahead - k > best {
        best = 2 * ahead - k
        point = (box.old.lowerBound + ahead, box.new.lowerBound + ahead - k)
      }
      let behind = backward[limit + 1 + k]
      if behind >= 0, 2 * behind - k > best {
        best = 2 * behind - k
        point = (box.old.upperBound - behind, box.new.upperBound - behind + k)
      }
    }
    return point
  }
}
