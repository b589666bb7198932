/// Which elements of a wanted list are those of an old one.
///
/// Elements with equal numbers are the same, first those that stand in the same order, then those
/// that moved. What is left then and has no identity is paired by likeness, first in each gap between
/// elements that stayed, then, in doubt, across the gaps; see ``GapMatching``.
struct ListMatching {
  /// For each wanted element the index of the old one that it is; -1 for a new one.
  private(set) var partners: [Int32]
  /// The wanted elements whose partner is in doubt, ascending.
  private(set) var doubts: [Int] = []
  private let numbers: ElementNumbers

  /// After this many edits the search for the shortest script settles for the best it has seen.
  private static let costLimit = 256

  /// Matches two lists.
  ///
  /// Near-linear. `identity` and `content` tell of the elements of both lists, the wanted ones after
  /// the others; `content` with what counts as equal made equal. `similarity` is asked for only if
  /// elements have to be compared. `mayBecome` tells by index whether a wanted element can be
  /// written into an old one.
  init(
    oldCount: Int, newCount: Int, identity: (Int) -> ListIdentity?,
    content: (Int) -> DocumentNode, similarity: () -> ElementSimilarity,
    mayBecome: (_ new: Int, _ old: Int) -> Bool
  ) {
    numbers = ElementNumbers(
      oldCount: oldCount, newCount: newCount, identity: identity, content: content)
    partners = [Int32](repeating: -1, count: numbers.new.count)
    let inOrder = Self.partnersInOrder(numbers)
    for (index, partner) in inOrder.enumerated() where partner >= 0 {
      partners[Int(partner)] = Int32(index)
    }
    let isMatched = matchMoved(inOrder: inOrder)
    matchGaps(inOrder: inOrder, isMatched, content, similarity, mayBecome)
  }

  /// For each old element the wanted one that is equal and stands in the same order; -1 for none.
  ///
  /// Of equal elements any may be the same. Where as many are found at their places, counted from the
  /// beginning or from the end, these are: whoever edits a list of zeros has not moved them.
  private static func partnersInOrder(_ numbers: ElementNumbers) -> [Int32] {
    let (old, new) = (numbers.old, numbers.new)
    let found = SequenceMatcher(
      old: old, new: new, mayAnchor: [Bool](repeating: true, count: numbers.count),
      costLimit: costLimit
    ).partners
    let most = found.count { $0 >= 0 }
    let shifts = old.count == new.count ? [0] : [0, new.count - old.count]
    for shift in shifts {
      let inPlace = old.indices.map { index in
        new.indices.contains(index + shift) && old[index] == new[index + shift]
          ? Int32(index + shift) : -1
      }
      if inPlace.count(where: { $0 >= 0 }) >= most { return inPlace }
    }
    return found
  }

  /// Matches what is equal but stands in another order, and tells for each old element whether it
  /// has a partner now.
  private mutating func matchMoved(inOrder: [Int32]) -> [Bool] {
    var isMatched = inOrder.map { $0 >= 0 }
    // By number the first old element that waits for a partner, and after each element the next.
    var first = [Int32](repeating: -1, count: numbers.count)
    var next = [Int32](repeating: -1, count: inOrder.count)
    for (index, number) in numbers.old.enumerated().reversed() where !isMatched[index] {
      next[index] = first[Int(number)]
      first[Int(number)] = Int32(index)
    }
    for (index, number) in numbers.new.enumerated() where partners[index] < 0 {
      let partner = first[Int(number)]
      if partner < 0 { continue }
      first[Int(number)] = next[Int(partner)]
      partners[index] = partner
      isMatched[Int(partner)] = true
    }
    return isMatched
  }

  private mutating func matchGaps(
    inOrder: [Int32], _ isMatched: [Bool], _ content: (Int) -> DocumentNode,
    _ similarity: () -> ElementSimilarity, _ mayBecome: (Int, Int) -> Bool
  ) {
    // Most lists have nothing left on one side, and need not be learned from.
    var learned: ElementSimilarity?
    func match(_ old: [Int], _ new: [Int], keepsPlaces: Bool) {
      let known = learned ?? similarity()
      learned = known
      let gap = GapMatching(
        old, old.map { ElementFeatures(of: content($0)) },
        new, new.map { ElementFeatures(of: content(inOrder.count + $0)) },
        known, keepsPlaces: keepsPlaces, mayBecome: mayBecome)
      for pair in gap.pairs {
        partners[pair.new] = Int32(pair.old)
        if pair.isDoubtful || !keepsPlaces { doubts.append(pair.new) }
      }
    }
    /// What is left on both sides, and in how many gaps.
    var (oldLeft, newLeft, gapCount) = ([Int](), [Int](), 0)
    var oldStart = 0
    var newStart = 0
    for index in 0...inOrder.count {
      let partner = index < inOrder.count ? Int(inOrder[index]) : partners.count
      if partner < 0 { continue }
      let old = (oldStart..<index).filter {
        !isMatched[$0] && !numbers.isIdentity(numbers.old[$0])
      }
      let new = (newStart..<partner).filter {
        partners[$0] < 0 && !numbers.isIdentity(numbers.new[$0])
      }
      oldStart = index + 1
      newStart = partner + 1
      if old.isEmpty && new.isEmpty { continue }
      gapCount += 1
      if old.isEmpty || new.isEmpty {
        oldLeft += old
        newLeft += new
        continue
      }
      match(old, new, keepsPlaces: true)
      let found = Set(new.map { Int(partners[$0]) })
      oldLeft += old.filter { !found.contains($0) }
      newLeft += new.filter { partners[$0] < 0 }
    }
    if gapCount > 1, !oldLeft.isEmpty, !newLeft.isEmpty {
      match(oldLeft, newLeft, keepsPlaces: false)
    }
    doubts.sort()
  }
}
