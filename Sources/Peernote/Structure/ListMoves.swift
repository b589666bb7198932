/// The fewest moves that bring the elements of a list into another order.
///
/// The elements of a longest ascending series stay; each of the others moves once, in the order in
/// which they are to stand. O(n log n).
struct ListMoves {
  /// One move, on the list as the moves before it left it.
  struct Move: Hashable {
    /// The element, by its rank in the old order.
    var element: Int32
    /// Where it stands.
    var from: Int
    /// Where it goes, in the list without it.
    var to: Int
  }

  private(set) var moves: [Move] = []

  /// Finds the moves to an order.
  ///
  /// - Parameter order: the elements in their wanted order, named by numbers that ascend in the
  ///   order that they are in now; each once.
  init(toOrder order: [Int32]) {
    let ranks = Self.ranks(of: order)
    let stays = Self.longestSeries(in: ranks)
    if !stays.contains(false) { return }
    // By rank: which of those that move still wait at their old place, and which stay.
    var waiting = Counts(count: order.count)
    var staying = Counts(count: order.count)
    for (rank, stays) in zip(ranks, stays) {
      if stays { staying.add(1, at: rank) } else { waiting.add(1, at: rank) }
    }
    // How many of those that have moved stand before the n-th one that stays.
    var movedBefore: [Int] = []
    var moved = 0
    for stays in stays {
      if stays { movedBefore.append(moved) } else { moved += 1 }
    }
    var done = 0
    var lastStaying = -1
    for (index, rank) in ranks.enumerated() {
      if stays[index] {
        lastStaying = rank
        continue
      }
      // All wanted before it stand in order; between them, those that wait before the last staying.
      var to = index + waiting.sum(before: lastStaying < 0 ? 0 : lastStaying)
      let stayingBefore = staying.sum(before: rank)
      let from =
        waiting.sum(before: rank) + stayingBefore
        + min(done, stayingBefore < movedBefore.count ? movedBefore[stayingBefore] : done)
      if rank < lastStaying { to -= 1 }
      waiting.add(-1, at: rank)
      done += 1
      if from != to { moves.append(Move(element: order[index], from: from, to: to)) }
    }
  }

  /// The place of each number among all of them.
  private static func ranks(of order: [Int32]) -> [Int] {
    var ranks = [Int](repeating: 0, count: order.count)
    for (rank, index) in order.indices.sorted(by: { order[$0] < order[$1] }).enumerated() {
      ranks[index] = rank
    }
    return ranks
  }

  /// Which of some distinct numbers belong to a longest ascending series.
  private static func longestSeries(in numbers: [Int]) -> [Bool] {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var isInSeries = [Bool](repeating: false, count: numbers.count)
    var index = tails.last ?? -1
    while index >= 0 {
      isInSeries[index] = true
      index = previous[index]
    }
    return isInSeries
  }
}

/// Counts by place, with the sum of all before a place in O(log n).
///
/// After Fenwick, "A New Data Structure for Cumulative Frequency Tables" (Software: Practice and
/// Experience, 1994).
private struct Counts {
  private var sums: [Int]

  init(count: Int) {
    sums = [Int](repeating: 0, count: count + 1)
  }

  mutating func add(_ amount: Int, at place: Int) {
    var node = place + 1
    while node < sums.count {
      sums[node] += amount
      node += node & -node
    }
  }

  func sum(before place: Int) -> Int {
    var sum = 0
    var node = place
    while node > 0 {
      sum += sums[node]
      node &= node - 1
    }
    return sum
  }
}
