import PeernoteEngine

/// Matches two sequences of numbered tokens in order, in near-linear time.
///
/// Equal ends are matched first, and tokens that only one side has are left out. What remains, if it
/// is short, is matched so that what is edited weighs as little as possible
/// (``fewestEventsMatches(_:_:)``). If it is long, it is first cut at anchors: tokens that
/// stand exactly once on either side, the longest ascending series of them (Bram Cohen's patience
/// difference), again inside each gap, because what is repeated in the whole is often unique in a
/// part. A long gap without anchors is matched by a shortest edit script
/// (``shortestEditMatches(_:_:)``), whose effort is limited.
///
/// Work is at most proportional to (old.count + new.count) · (``depthLimit`` + cost limit), and
/// usually to the length; ``steps`` counts it.
struct SequenceMatcher {
  /// How often gaps are searched for anchors of their own.
  static let depthLimit: Int32 = 24

  let old: [Int32]
  let new: [Int32]
  /// The number of edits after which a search settles for the best it has seen.
  let costLimit: Int
  /// For every old index the matched new index, or -1.
  private(set) var partners: [Int32]
  /// Elementary steps taken.
  var steps = 0

  /// Whether short sequences are cut at anchors, too.
  private let prefersAnchors: Bool
  /// Whether a token (by number) may serve as an anchor.
  private let mayAnchor: [Bool]
  /// What editing a token (by number) costs; `nil` if each costs the same.
  private let weights: [Int32]?
  private var oldCounts: [Int32]
  private var newCounts: [Int32]
  private var oldPlaces: [Int32]
  /// The parts that are still to be matched, and in how many others each one lies.
  private var gaps: [(gap: Hunk, depth: Int32)] = []

  /// Indices of two equal tokens.
  struct Match {
    var old: Int32
    var new: Int32
  }

  /// Matches two sequences of tokens, given by their numbers.
  ///
  /// By number `mayAnchor` says whether a token may serve as an anchor, and `weights` what editing
  /// it costs, less than 2³¹ for either sequence; the same for each if `nil`. `prefersAnchors` cuts
  /// short sequences at anchors, too, although a matching without them may edit less. After
  /// `costLimit` edits a search settles for the best it has seen.
  init(
    old: [Int32], new: [Int32], mayAnchor: [Bool], prefersAnchors: Bool = false,
    weights: [Int32]? = nil, costLimit: Int
  ) {
    self.old = old
    self.new = new
    self.mayAnchor = mayAnchor
    self.prefersAnchors = prefersAnchors
    self.weights = weights
    self.costLimit = costLimit
    partners = [Int32](repeating: -1, count: old.count)
    oldCounts = [Int32](repeating: 0, count: mayAnchor.count)
    newCounts = oldCounts
    oldPlaces = oldCounts
    gaps.append((Hunk(old: 0..<old.count, new: 0..<new.count), 0))
    while let next = gaps.popLast() { match(next.gap, depth: next.depth) }
  }

  /// What stays unmatched.
  var hunks: [Hunk] { Hunk.unmatched(partners, newCount: new.count) }

  /// What editing a token costs.
  func weight(_ token: Int32) -> Int32 { weights?[Int(token)] ?? 1 }

  private mutating func match(_ whole: Hunk, depth: Int32) {
    let gap = trimmed(whole)
    guard !gap.isOneSided else { return }
    count(gap)
    let shared = sharedTokens(of: gap)
    let isShort = Self.mayCompareAll(shared.old, shared.new)
    let isCut = (prefersAnchors || !isShort) && depth < Self.depthLimit
    let anchors = isCut ? anchors(in: gap) : []
    forget(gap)
    if anchors.isEmpty {
      match(shared, isShort: isShort)
      return
    }
    for anchor in anchors { partners[Int(anchor.old)] = anchor.new }
    var (oldStart, newStart) = (gap.old.lowerBound, gap.new.lowerBound)
    let end = Match(old: Int32(gap.old.upperBound), new: Int32(gap.new.upperBound))
    for anchor in anchors + [end] {
      let part = Hunk(old: oldStart..<Int(anchor.old), new: newStart..<Int(anchor.new))
      if !part.isOneSided { gaps.append((part, depth + 1)) }
      (oldStart, newStart) = (part.old.upperBound + 1, part.new.upperBound + 1)
    }
  }

  /// Matches what is equal at both ends, and returns the rest.
  private mutating func trimmed(_ gap: Hunk) -> Hunk {
    var (oldStart, oldEnd) = (gap.old.lowerBound, gap.old.upperBound)
    var (newStart, newEnd) = (gap.new.lowerBound, gap.new.upperBound)
    while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
      partners[oldStart] = Int32(newStart)
      oldStart += 1
      newStart += 1
    }
    while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
      partners[oldEnd] = Int32(newEnd)
    }
    steps += gap.old.count - (oldEnd - oldStart) + 1
    return Hunk(old: oldStart..<oldEnd, new: newStart..<newEnd)
  }

  private mutating func count(_ gap: Hunk) {
    for index in gap.old {
      oldCounts[Int(old[index])] += 1
      oldPlaces[Int(old[index])] = Int32(index)
    }
    for index in gap.new { newCounts[Int(new[index])] += 1 }
    steps += gap.old.count + gap.new.count
  }

  private mutating func forget(_ gap: Hunk) {
    for index in gap.old { oldCounts[Int(old[index])] = 0 }
    for index in gap.new { newCounts[Int(new[index])] = 0 }
  }

  /// The longest ascending series of tokens that are unique on both sides of the counted gap.
  private mutating func anchors(in gap: Hunk) -> [Match] {
    var candidates: [Match] = []
    for index in gap.new {
      let token = Int(new[index])
      if mayAnchor[token], oldCounts[token] == 1, newCounts[token] == 1 {
        candidates.append(Match(old: oldPlaces[token], new: Int32(index)))
      }
    }
    steps += gap.new.count + candidates.count
    let isInSeries = ListMoves.longestSeries(in: candidates.map(\.old))
    return zip(candidates, isInSeries).filter(\.1).map(\.0)
  }

  /// The indices of a counted gap's tokens that both sides have.
  private func sharedTokens(of gap: Hunk) -> (old: [Int32], new: [Int32]) {
    (
      gap.old.lazy.filter { newCounts[Int(old[$0])] > 0 }.map(Int32.init),
      gap.new.lazy.filter { oldCounts[Int(new[$0])] > 0 }.map(Int32.init)
    )
  }

  /// Matches the tokens at some indices, where no anchor cuts them.
  private mutating func match(_ indices: (old: [Int32], new: [Int32]), isShort: Bool) {
    guard !indices.old.isEmpty, !indices.new.isEmpty else { return }
    let left = indices.old.map { old[Int($0)] }
    let right = indices.new.map { new[Int($0)] }
    let pairs = isShort ? fewestEventsMatches(left, right) : shortestEditMatches(left, right)
    for pair in pairs { partners[Int(indices.old[Int(pair.old)])] = indices.new[Int(pair.new)] }
  }
}

extension SequenceMatcher {
  /// The most pairs of tokens that are all compared: two blocks of 128 tokens.
  private static let pairLimit = 1 << 14

  /// Whether two sequences are short enough for ``fewestEventsMatches(_:_:)``.
  static func mayCompareAll(_ left: [Int32], _ right: [Int32]) -> Bool {
    left.count <= pairLimit / max(1, right.count)
  }

  /// Matches two short sequences so that the unmatched tokens weigh as little as possible.
  ///
  /// The classic table of common subsequences (Robert A. Wagner and Michael J. Fischer, "The
  /// String-to-String Correction Problem", Journal of the ACM 21, 1974), without substitution. Of
  /// several best matchings it takes one that matches early.
  ///
  /// O(left.count · right.count).
  mutating func fewestEventsMatches(_ left: [Int32], _ right: [Int32]) -> [Match] {
    // `kept[i * width + j]` is the most weight that left[i...] and right[j...] have in common.
    let width = right.count + 1
    var kept = [Int32](repeating: 0, count: (left.count + 1) * width)
    for old in left.indices.reversed() {
      for new in right.indices.reversed() {
        let cell = old * width + new
        kept[cell] =
          left[old] == right[new]
          ? kept[cell + width + 1] + weight(left[old])
          : max(kept[cell + width], kept[cell + 1])
      }
    }
    steps += left.count * right.count
    var pairs: [Match] = []
    var (old, new) = (0, 0)
    while old < left.count, new < right.count {
      let cell = old * width + new
      if left[old] == right[new] {
        pairs.append(Match(old: Int32(old), new: Int32(new)))
        old += 1
        new += 1
      } else if kept[cell + width] == kept[cell] {
        old += 1
      } else {
        new += 1
      }
    }
    return pairs
  }
}

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
