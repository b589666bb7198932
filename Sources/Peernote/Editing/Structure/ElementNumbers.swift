/// Numbers for the elements of a list that is there and of one that is wanted; elements that are
/// the same have the same number.
///
/// An element is told by its identity or, if it has none that is its own in either list, by its
/// content. Both are asked for anew where they are compared, so that nothing but numbers is kept.
struct ElementNumbers {
  /// An element, by its index in one of the lists.
  enum Place {
    case old(Int)
    case new(Int)
  }

  /// Of each element that is there.
  private(set) var old: [Int32] = []
  /// Of each wanted element.
  private(set) var new: [Int32] = []
  /// How many numbers there are.
  private(set) var count = 0
  /// Smaller numbers are those of elements that have an identity.
  private let identityCount: Int

  /// Numbers the elements of two lists.
  ///
  /// Expected O(size of all content). `content` gives what an element holds, with what counts as
  /// equal made equal.
  init(
    oldCount: Int, newCount: Int, identity: (Place) -> ListIdentity?,
    content: (Place) -> DocumentNode
  ) {
    old.reserveCapacity(oldCount)
    new.reserveCapacity(newCount)
    var identities = Numbering<ListIdentity>()
    for index in 0..<oldCount { old.append(identities.number(.old(index), identity)) }
    for index in 0..<newCount { new.append(identities.number(.new(index), identity)) }
    identityCount = identities.count
    var isRepeated = [Bool](repeating: false, count: identityCount)
    Self.noteRepeated(old, &isRepeated)
    Self.noteRepeated(new, &isRepeated)
    var contents = Numbering<DocumentNode>()
    for index in old.indices where old[index] < 0 || isRepeated[Int(old[index])] {
      old[index] = Int32(identityCount) + contents.number(.old(index), content)
    }
    for index in new.indices where new[index] < 0 || isRepeated[Int(new[index])] {
      new[index] = Int32(identityCount) + contents.number(.new(index), content)
    }
    count = identityCount + contents.count
  }

  /// Whether elements with a number have an identity.
  func isIdentity(_ number: Int32) -> Bool { number < identityCount }

  /// Notes the identities that stand more than once in a list, which tell nothing apart.
  private static func noteRepeated(_ numbers: [Int32], _ isRepeated: inout [Bool]) {
    var isSeen = [Bool](repeating: false, count: isRepeated.count)
    for number in numbers where number >= 0 {
      if isSeen[Int(number)] { isRepeated[Int(number)] = true }
      isSeen[Int(number)] = true
    }
  }
}

/// Numbers of what elements are told by.
private struct Numbering<Thing: Hashable> {
  private var table = EqualityTable()

  var count: Int { table.count }

  /// The number of what is found at a place, as it is at those before; -1 if nothing is.
  mutating func number(
    _ place: ElementNumbers.Place, _ thing: (ElementNumbers.Place) -> Thing?
  ) -> Int32 {
    guard let own = thing(place) else { return -1 }
    let (index, isNew) =
      switch place {
      case .old(let index): (index, false)
      case .new(let index): (index, true)
      }
    return table.number(at: .init(index, isNew: isNew), hash: own.hashValue) { _, first in
      thing(first.isNew ? .new(first.index) : .old(first.index)) == own
    }
  }
}
