/// Pairs what is left on both sides of a gap in two lists, by how like the elements are.
///
/// The most similar two are paired first, wherever they stand in the gap. What is less alike than
/// ``leastSimilarity`` is not the same element: one went, another came. Only numbers, truth values
/// and times that are elements themselves, and so have nothing in them that could be lost, keep
/// their places where as many come as go: so lists of numbers are edited in place. The only element
/// of a list without words is taken for the only one there was, in doubt. A row of numbers that is the
/// only one left on both sides is the row that stood there, however common its numbers are.
///
/// O(f) for f features of the elements in the gap, times at most ``commonLimit``.
struct GapMatching {
  /// Two elements, and how like they are.
  struct Pair {
    var old: Int
    var new: Int
    /// In thousandths.
    var similarity: Int
    /// Whether it may be otherwise: the two are not much alike, or others are nearly as like.
    var isDoubtful: Bool
  }

  private(set) var pairs: [Pair] = []

  /// The least similarity of one element with itself edited, in thousandths.
  private static let leastSimilarity = 300
  /// Less is in doubt.
  private static let sureSimilarity = 500
  /// More elements of a gap than these with one feature have nothing in common by it.
  private static let commonLimit = 32
  /// Partners that are looked at for one element.
  private static let candidateLimit = 8

  /// Two elements that may be the same.
  private struct Candidate {
    var old: Int
    var new: Int
    var similarity: Int
    var isDoubtful: Bool
  }

  /// Pairs the elements of a gap.
  ///
  /// - Parameters:
  ///   - old: the indices of what is there and has no partner, ascending.
  ///   - new: the indices of what is wanted and has no partner, ascending.
  ///   - similarity: what tells in this list.
  ///   - acrossGaps: whether the elements stand in several gaps; then only those that have words and
  ///     are surely alike are paired.
  ///   - features: what an element is made of.
  ///   - mayBecome: whether a wanted element can be written into an old one.
  init(
    _ old: [Int], _ new: [Int], _ similarity: ElementSimilarity, acrossGaps: Bool = false,
    features: (ElementNumbers.Place) -> ElementFeatures,
    mayBecome: (_ new: Int, _ old: Int) -> Bool
  ) {
    let oldFeatures = old.map { features(.old($0)) }
    let newFeatures = new.map { features(.new($0)) }
    var owners: [Int: [Int]] = [:]
    for (rank, element) in oldFeatures.enumerated() {
      for feature in element.weights.keys { owners[feature, default: []].append(rank) }
    }
    var candidates: [Candidate] = []
    for (newRank, element) in newFeatures.enumerated() {
      var common: [Int: Int] = [:]
      for (feature, weight) in element.weights {
        guard let ranks = owners[feature], ranks.count <= Self.commonLimit else { continue }
        let weight = similarity.weight(feature, weight)
        for rank in ranks { common[rank, default: 0] += weight }
      }
      var ranks = common.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .prefix(Self.candidateLimit).map(\.key)
      // Where all that elements have is common, those at the same place from either end are asked.
      for rank in acrossGaps ? [] : [newRank, newRank + old.count - new.count]
      where old.indices.contains(rank) && !ranks.contains(rank) {
        ranks.append(rank)
      }
      for oldRank in ranks where mayBecome(new[newRank], old[oldRank]) {
        let found = similarity.likeness(oldFeatures[oldRank], element)
        guard found.share >= (acrossGaps ? Self.sureSimilarity : Self.leastSimilarity),
          !acrossGaps || element.hasWords && oldFeatures[oldRank].hasWords
        else { continue }
        candidates.append(
          Candidate(
            old: oldRank, new: newRank, similarity: found.share, isDoubtful: found.isDoubtful))
      }
    }
    if old.count == 1, new.count == 1, oldFeatures[0].isNumberRow, newFeatures[0].isNumberRow {
      for index in candidates.indices { candidates[index].isDoubtful = false }
    }
    let taken = pair(candidates, oldCount: old.count, newCount: new.count)
    var (oldLeft, newLeft) = (Set(old.indices), Set(new.indices))
    for pair in taken {
      oldLeft.remove(pair.old)
      newLeft.remove(pair.new)
      pairs.append(
        Pair(
          old: old[pair.old], new: new[pair.new], similarity: pair.similarity,
          isDoubtful: pair.isDoubtful))
    }
    if acrossGaps { return }
    if similarity.haveOneEach, let old = oldLeft.first, let new = newLeft.first,
      !oldFeatures[old].hasWords, !newFeatures[new].hasWords,
      oldFeatures[old].shape == newFeatures[new].shape, mayBecome(0, 0)
    {
      let isPlain = oldFeatures[old].shape == .value
      pairs.append(Pair(old: 0, new: 0, similarity: 0, isDoubtful: !isPlain))
      return
    }
    keepPlaces(
      oldLeft.sorted().map { (old[$0], oldFeatures[$0]) },
      newLeft.sorted().map { (new[$0], newFeatures[$0]) }, mayBecome)
  }

  /// Takes the most similar two again and again; of equal ones those that stand in the same order.
  private func pair(_ candidates: [Candidate], oldCount: Int, newCount: Int) -> [Pair] {
    let sorted = candidates.sorted { left, right in
      if left.similarity != right.similarity { return left.similarity > right.similarity }
      let (leftShift, rightShift) = (abs(left.old - left.new), abs(right.old - right.new))
      return (leftShift, left.new, left.old) < (rightShift, right.new, right.old)
    }
    // By element, what it may be paired with.
    var (ofOld, ofNew): ([Int: [Int]], [Int: [Int]]) = ([:], [:])
    for (index, candidate) in sorted.enumerated() {
      ofOld[candidate.old, default: []].append(index)
      ofNew[candidate.new, default: []].append(index)
    }
    var oldTaken = [Bool](repeating: false, count: oldCount)
    var newTaken = [Bool](repeating: false, count: newCount)
    var taken: [Pair] = []
    for (index, candidate) in sorted.enumerated()
    where !oldTaken[candidate.old] && !newTaken[candidate.new] {
      let rivals = (ofOld[candidate.old] ?? []) + (ofNew[candidate.new] ?? [])
      // A rival that has found its own partner already is none.
      let isRivalled = rivals.contains { rival in
        let other = sorted[rival]
        return rival != index && !oldTaken[other.old] && !newTaken[other.new]
          && 5 * other.similarity >= 4 * candidate.similarity
      }
      oldTaken[candidate.old] = true
      newTaken[candidate.new] = true
      taken.append(
        Pair(
          old: candidate.old, new: candidate.new, similarity: candidate.similarity,
          isDoubtful: isRivalled || candidate.isDoubtful
            || candidate.similarity < Self.sureSimilarity))
    }
    return taken
  }

  /// Pairs elements that are values without words in order, where as many are left on either side.
  private mutating func keepPlaces(
    _ old: [(index: Int, features: ElementFeatures)],
    _ new: [(index: Int, features: ElementFeatures)], _ mayBecome: (Int, Int) -> Bool
  ) {
    func isPlain(_ element: (index: Int, features: ElementFeatures)) -> Bool {
      element.features.shape == .value && !element.features.hasWords
    }
    let (old, new) = (old.filter(isPlain), new.filter(isPlain))
    if old.count != new.count { return }
    for (old, new) in zip(old, new) where mayBecome(new.index, old.index) {
      pairs.append(Pair(old: old.index, new: new.index, similarity: 0, isDoubtful: false))
    }
  }
}
