/// The fewest moves that bring the elements of a list into another order: a longest ascending
/// series stays; each of the others moves once, in the order in which they are to stand;
/// O(n log n).
package struct ListMoves {
  /// One move, on the list as the moves before it left it.
  package struct Move: Hashable {
    /// The element, by its rank in the old order.
    package var element: Int32
    /// Where it stands.
    package var from: Int32
    /// Where it goes, in the list without it.
    package var to: Int32
  }

  package private(set) var moves: [Move] = []

  /// Finds the moves to an order of elements, named by numbers that ascend in the order that they
  /// are in now; each once.
  package init(toOrder order: [Int32]) {
    // Most edits move nothing.
    if zip(order, order.dropFirst()).allSatisfy(<) { return }
    let ranks = Self.ranks(of: order)
    let stays = Self.longestSeries(in: ranks)
    // By rank: which of those that move still wait at their old place, and which stay.
    var waiting = Counts(count: order.count)
    var staying = Counts(count: order.count)
    for (rank, stays) in zip(ranks, stays) {
      if stays { staying.add(1, at: rank) } else { waiting.add(1, at: rank) }
    }
    // How many of those that have moved stand before the n-th one that stays.
    var movedBefore: [Int32] = []
    var moved: Int32 = 0
    for stays in stays {
      if stays { movedBefore.append(moved) } else { moved += 1 }
    }
    var done: Int32 = 0
    var lastStaying: Int32 = -1
    for (index, rank) in ranks.enumerated() {
      if stays[index] {
        lastStaying = rank
        continue
      }
      // All wanted before it stand in order; between them, those that wait before the last staying.
      var to = Int32(index) + waiting.sum(before: max(lastStaying, 0))
      let stayingBefore = staying.sum(before: rank)
      let from =
        waiting.sum(before: rank) + stayingBefore
        + (stayingBefore < movedBefore.count ? min(done, movedBefore[Int(stayingBefore)]) : done)
      if rank < lastStaying { to -= 1 }
      waiting.add(-1, at: rank)
      done += 1
      if from != to { moves.append(Move(element: order[index], from: from, to: to)) }
    }
  }

  /// The place of each number among all of them.
  private static func ranks(of order: [Int32]) -> [Int32] {
    var ranks = [Int32](repeating: 0, count: order.count)
    let sorted = order.indices.map(Int32.init).sorted { order[Int($0)] < order[Int($1)] }
    for (rank, index) in sorted.enumerated() { ranks[Int(index)] = Int32(rank) }
    return ranks
  }

  /// Which of some distinct numbers belong to a longest ascending series.
  package static func longestSeries(in numbers: [Int32]) -> [Bool] {
    var tails: [Int32] = []
    var previous = [Int32](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let length = tails.partitionPoint { numbers[Int($0)] >= number }
      if length > 0 { previous[index] = tails[length - 1] }
      if length == tails.count { tails.append(Int32(index)) } else { tails[length] = Int32(index) }
    }
    var isInSeries = [Bool](repeating: false, count: numbers.count)
    var index = tails.last ?? -1
    while index >= 0 {
      isInSeries[Int(index)] = true
      index = previous[Int(index)]
    }
    return isInSeries
  }
}

/// Counts by place, with the sum of all before a place in O(log n).
///
/// After Fenwick, "A New Data Structure for Cumulative Frequency Tables" (Software: Practice and
/// Experience, 1994).
private struct Counts {
  private var sums: [Int32]

  init(count: Int) {
    sums = [Int32](repeating: 0, count: count + 1)
  }

  mutating func add(_ amount: Int32, at place: Int32) {
    var node = Int(place) + 1
    while node < sums.count {
      sums[node] += amount
      node += node & -node
    }
  }

  func sum(before place: Int32) -> Int32 {
    var sum: Int32 = 0
    var node = Int(place)
    while node > 0 {
      sum += sums[node]
      node &= node - 1
    }
    return sum
  }
}
