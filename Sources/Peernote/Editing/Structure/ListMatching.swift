/// Which elements of a wanted list are those of an old one.
///
/// Elements with equal numbers are the same, first those that stand in the same order, then those
/// that moved. In each gap between elements that stayed, what is left on both sides is taken in
/// order for the same elements, edited, unless they have an identity.
struct ListMatching {
  /// For each wanted element the index of the old one that it is; -1 for a new one.
  private(set) var partners: [Int32]
  private let numbers: ElementNumbers

  /// After this many edits the search for the shortest script settles for the best it has seen.
  private static let costLimit = 256

  /// Matches two lists.
  ///
  /// Near-linear.
  ///
  /// - Parameters:
  ///   - numbers: the elements of both.
  ///   - mayBecome: whether a wanted element, by index, can be written into an old one.
  init(_ numbers: ElementNumbers, mayBecome: (_ new: Int, _ old: Int) -> Bool) {
    self.numbers = numbers
    partners = [Int32](repeating: -1, count: numbers.new.count)
    let inOrder = SequenceMatcher(
      old: numbers.old, new: numbers.new,
      mayAnchor: [Bool](repeating: true, count: numbers.count), costLimit: Self.costLimit
    ).partners
    for (index, partner) in inOrder.enumerated() where partner >= 0 {
      partners[Int(partner)] = Int32(index)
    }
    let isMatched = matchMoved(inOrder: inOrder)
    matchGaps(inOrder: inOrder, isMatched, mayBecome)
  }

  /// Matches what is equal but stands in another order.
  ///
  /// - Returns: for each old element whether it has a partner now.
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
    inOrder: [Int32], _ isMatched: [Bool], _ mayBecome: (Int, Int) -> Bool
  ) {
    var oldStart = 0
    var newStart = 0
    for index in 0...inOrder.count {
      let partner = index < inOrder.count ? Int(inOrder[index]) : partners.count
      if partner < 0 { continue }
      matchGap(oldStart..<index, newStart..<partner, isMatched, mayBecome)
      oldStart = index + 1
      newStart = partner + 1
    }
  }

  private mutating func matchGap(
    _ old: Range<Int>, _ new: Range<Int>, _ isMatched: [Bool], _ mayBecome: (Int, Int) -> Bool
  ) {
    let numbers = numbers
    func isFree(old index: Int) -> Bool {
      !isMatched[index] && !numbers.isIdentity(numbers.old[index])
    }
    func isFree(new index: Int) -> Bool {
      partners[index] < 0 && !numbers.isIdentity(numbers.new[index])
    }
    var oldLeft = old.count(where: isFree(old:))
    var newLeft = new.count(where: isFree(new:))
    var (oldIndex, newIndex) = (old.lowerBound, new.lowerBound)
    while oldLeft > 0, newLeft > 0 {
      while !isFree(old: oldIndex) { oldIndex += 1 }
      while !isFree(new: newIndex) { newIndex += 1 }
      let isPair = mayBecome(newIndex, oldIndex)
      let passesOld = isPair || oldLeft > newLeft
      let passesNew = isPair || oldLeft <= newLeft
      if isPair { partners[newIndex] = Int32(oldIndex) }
      if passesOld {
        oldIndex += 1
        oldLeft -= 1
      }
      if passesNew {
        newIndex += 1
        newLeft -= 1
      }
    }
  }
}
