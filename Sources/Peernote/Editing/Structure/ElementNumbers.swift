/// Numbers for the elements of a list that is there and of one that is wanted; elements that are
/// the same have the same number.
///
/// An element is told by its identity or, if it has none that is its own in either list, by its
/// content. Both are asked for anew where they are compared, so that nothing but numbers is kept.
struct ElementNumbers {
  /// Of each element that is there.
  let old: [Int32]
  /// Of each wanted element.
  let new: [Int32]
  /// How many numbers there are.
  let count: Int
  /// Smaller numbers are those of elements that have an identity.
  private let identityCount: Int

  /// Numbers the elements of two lists.
  ///
  /// Expected O(size of all content). The closures tell of the elements of both lists, the wanted
  /// ones after the others; `content` with what counts as equal made equal.
  init(
    oldCount: Int, newCount: Int, identity: (Int) -> ListIdentity?,
    content: (Int) -> DocumentNode
  ) {
    var identities = Numbering<ListIdentity>()
    var numbers = (0..<oldCount + newCount).map { identities.number($0, identity) }
    identityCount = identities.count
    var isRepeated = [Bool](repeating: false, count: identityCount)
    Self.noteRepeated(numbers[..<oldCount], &isRepeated)
    Self.noteRepeated(numbers[oldCount...], &isRepeated)
    var contents = Numbering<DocumentNode>()
    for index in numbers.indices where numbers[index] < 0 || isRepeated[Int(numbers[index])] {
      numbers[index] = Int32(identityCount) + contents.number(index, content)
    }
    old = Array(numbers[..<oldCount])
    new = Array(numbers[oldCount...])
    count = identityCount + contents.count
  }

  /// Whether elements with a number have an identity.
  func isIdentity(_ number: Int32) -> Bool { number < identityCount }

  /// Notes the identities that stand more than once in a list, which tell nothing apart.
  private static func noteRepeated(_ numbers: ArraySlice<Int32>, _ isRepeated: inout [Bool]) {
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
  mutating func number(_ place: Int, _ thing: (Int) -> Thing?) -> Int32 {
    guard let own = thing(place) else { return -1 }
    return table.number(at: .init(place, isNew: false), hash: own.hashValue) { _, first in
      thing(first.index) == own
    }
  }
}
