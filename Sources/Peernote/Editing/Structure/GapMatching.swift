/// Pairs what is left on both sides of a gap in two lists, by how like the elements are.
///
/// The most similar two are paired first, wherever they stand in the gap, if they have at least half
/// in common. What is left and neither a map nor has a text keeps its places where as many come as
/// go: so lists of numbers, and of rows of numbers, are edited in place.
///
/// O(f) for f features of the elements in the gap, times at most ``commonLimit``.
struct GapMatching {
  /// Two elements, and how like they are.
  struct Pair {
    var old: Int
    var new: Int
    /// In thousandths.
    var similarity: Int
    /// Whether it may be otherwise, since others are as like.
    var isDoubtful = false
  }

  private(set) var pairs: [Pair] = []

  /// More elements of a gap than these with one feature have nothing in common by it.
  private static let commonLimit = 32
  /// Partners that are looked at for one element.
  private static let candidateLimit = 8

  /// Pairs the elements of a gap that have no partner, whose indices ascend.
  ///
  /// `keepsPlaces` says that they stand in one gap, so that they can keep their places.
  init(
    _ old: [Int], _ oldFeatures: [ElementFeatures], _ new: [Int], _ newFeatures: [ElementFeatures],
    _ similarity: ElementSimilarity, keepsPlaces: Bool,
    mayBecome: (_ new: Int, _ old: Int) -> Bool
  ) {
    let oldWeights = oldFeatures.map { similarity.weights(of: $0) }
    var owners: [Int: [Int]] = [:]
    for (rank, weights) in oldWeights.enumerated() {
      for feature in weights.keys { owners[feature, default: []].append(rank) }
    }
    var candidates: [Pair] = []
    for (newRank, element) in newFeatures.enumerated() {
      let weights = similarity.weights(of: element)
      var common: [Int: Int64] = [:]
      for (feature, weight) in weights {
        guard let ranks = owners[feature], ranks.count <= Self.commonLimit else { continue }
        for rank in ranks { common[rank, default: 0] += weight }
      }
      let ranks = common.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .prefix(Self.candidateLimit).map(\.key)
      for oldRank in ranks where mayBecome(new[newRank], old[oldRank]) {
        let share = ElementSimilarity.share(oldWeights[oldRank], weights)
        if share < ElementSimilarity.least { continue }
        candidates.append(Pair(old: oldRank, new: newRank, similarity: share))
      }
    }
    let taken = Self.paired(candidates)
    pairs = taken.map { pair in
      var pair = pair
      (pair.old, pair.new) = (old[pair.old], new[pair.new])
      return pair
    }
    if !keepsPlaces { return }
    let (oldTaken, newTaken) = (Set(taken.map(\.old)), Set(taken.map(\.new)))
    func isPlain(_ element: ElementFeatures) -> Bool { !element.isMap && !element.hasText }
    let oldLeft = old.indices.filter { !oldTaken.contains($0) && isPlain(oldFeatures[$0]) }
    let newLeft = new.indices.filter { !newTaken.contains($0) && isPlain(newFeatures[$0]) }
    if oldLeft.count != newLeft.count { return }
    for (one, other) in zip(oldLeft, newLeft) where mayBecome(new[other], old[one]) {
      pairs.append(Pair(old: old[one], new: new[other], similarity: 0))
    }
  }

  /// Takes the most similar two again and again; of equal ones those that stand in the same order.
  private static func paired(_ candidates: [Pair]) -> [Pair] {
    let sorted = candidates.sorted { left, right in
      if left.similarity != right.similarity { return left.similarity > right.similarity }
      let (leftShift, rightShift) = (abs(left.old - left.new), abs(right.old - right.new))
      return (leftShift, left.new, left.old) < (rightShift, right.new, right.old)
    }
    // By element, what it may be paired with.
    let ofOld = Dictionary(grouping: sorted.indices) { sorted[$0].old }
    let ofNew = Dictionary(grouping: sorted.indices) { sorted[$0].new }
    var (oldTaken, newTaken): (Set<Int>, Set<Int>) = ([], [])
    var taken: [Pair] = []
    for (index, candidate) in sorted.enumerated()
    where !oldTaken.contains(candidate.old) && !newTaken.contains(candidate.new) {
      let rivals = (ofOld[candidate.old] ?? []) + (ofNew[candidate.new] ?? [])
      var pair = candidate
      // A rival that has found its own partner already is none.
      pair.isDoubtful = rivals.contains { rival in
        let other = sorted[rival]
        return rival != index && other.similarity == candidate.similarity
          && !oldTaken.contains(other.old) && !newTaken.contains(other.new)
      }
      oldTaken.insert(candidate.old)
      newTaken.insert(candidate.new)
      taken.append(pair)
    }
    return taken
  }
}
