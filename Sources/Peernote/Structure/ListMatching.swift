import PeernoteEngine

/// Which elements of a wanted list are those of an old one.
///
/// Elements with equal tokens are the same, first those that stand in the same order, then those
/// that moved. In each gap between elements that stayed, what is left on both sides is taken in
/// order for the same elements, edited, unless they have an identity.
struct ListMatching {
  /// What tells a map apart from others in its list.
  struct Identity: Hashable {
    var key: String
    var value: Value
  }

  /// What tells an element apart from others in its list.
  enum Token: Hashable {
    case identity(Identity)
    case content(Node)
  }

  /// An element of one of the lists.
  struct Element {
    var shell: Content
    var token: Token

    fileprivate var hasIdentity: Bool {
      if case .identity = token { true } else { false }
    }
  }

  /// For each wanted element the index of the old one that it is; -1 for a new one.
  private(set) var partners: [Int32]
  private let old: [Element]
  private let new: [Element]

  /// After this many edits the search for the shortest script settles for the best it has seen.
  private static let costLimit = 256

  /// Matches two lists.
  ///
  /// Near-linear.
  ///
  /// - Parameters:
  ///   - old: the elements that are there.
  ///   - new: the elements wanted.
  ///   - mayBecome: whether a wanted element, by index, can be written into an old one.
  init(old: [Element], new: [Element], mayBecome: (_ new: Int, _ old: Int) -> Bool) {
    self.old = old
    self.new = new
    partners = [Int32](repeating: -1, count: new.count)
    var numbers: [Token: Int32] = [:]
    func number(_ token: Token) -> Int32 {
      if let known = numbers[token] { return known }
      let number = Int32(numbers.count)
      numbers[token] = number
      return number
    }
    let oldTokens = old.map { number($0.token) }
    let newTokens = new.map { number($0.token) }
    let inOrder = SequenceMatcher(
      old: oldTokens, new: newTokens, mayAnchor: [Bool](repeating: true, count: numbers.count),
      costLimit: Self.costLimit
    ).partners
    for (index, partner) in inOrder.enumerated() where partner >= 0 {
      partners[Int(partner)] = Int32(index)
    }
    let moved = matchMoved(oldTokens, newTokens, inOrder: inOrder)
    matchGaps(inOrder: inOrder, moved: moved, mayBecome)
  }

  /// Matches what is equal but stands in another order.
  ///
  /// - Returns: for each old element whether it moved.
  private mutating func matchMoved(
    _ oldTokens: [Int32], _ newTokens: [Int32], inOrder: [Int32]
  ) -> [Bool] {
    var waiting: [Int32: [Int32]] = [:]
    for index in old.indices.reversed() where inOrder[index] < 0 {
      waiting[oldTokens[index], default: []].append(Int32(index))
    }
    var moved = [Bool](repeating: false, count: old.count)
    for index in new.indices where partners[index] < 0 {
      guard let partner = waiting[newTokens[index]]?.popLast() else { continue }
      partners[index] = partner
      moved[Int(partner)] = true
    }
    return moved
  }

  private mutating func matchGaps(
    inOrder: [Int32], moved: [Bool], _ mayBecome: (Int, Int) -> Bool
  ) {
    var oldStart = 0
    var newStart = 0
    for index in 0...old.count {
      let partner = index < old.count ? Int(inOrder[index]) : new.count
      if partner < 0 { continue }
      let oldRest = (oldStart..<index).filter { !moved[$0] && !old[$0].hasIdentity }
      let newRest = (newStart..<partner).filter { partners[$0] < 0 && !new[$0].hasIdentity }
      matchGap(oldRest[...], newRest[...], mayBecome)
      oldStart = index + 1
      newStart = partner + 1
    }
  }

  private mutating func matchGap(
    _ oldRest: ArraySlice<Int>, _ newRest: ArraySlice<Int>, _ mayBecome: (Int, Int) -> Bool
  ) {
    var (oldRest, newRest) = (oldRest, newRest)
    while let oldIndex = oldRest.first, let newIndex = newRest.first {
      if mayBecome(newIndex, oldIndex) {
        partners[newIndex] = Int32(oldIndex)
        oldRest.removeFirst()
        newRest.removeFirst()
      } else if oldRest.count > newRest.count {
        oldRest.removeFirst()
      } else {
        newRest.removeFirst()
      }
    }
  }

  /// The identities that stand more than once in a list, which tell nothing apart.
  static func repeated(_ identities: [Identity?]) -> Set<Identity> {
    var seen: Set<Identity> = []
    var repeated: Set<Identity> = []
    for case let identity? in identities where !seen.insert(identity).inserted {
      repeated.insert(identity)
    }
    return repeated
  }
}
