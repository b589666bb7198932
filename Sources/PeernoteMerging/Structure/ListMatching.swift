package import PeernoteEngine

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
    // By number the old elements that wait for a partner, the first one last.
    var waiting: [Int32: [Int32]] = [:]
    for (index, number) in numbers.old.enumerated().reversed() where !isMatched[index] {
      waiting[number, default: []].append(Int32(index))
    }
    if waiting.isEmpty { return isMatched }
    for (index, number) in numbers.new.enumerated() where partners[index] < 0 {
      guard let partner = waiting[number]?.popLast() else { continue }
      partners[index] = partner
      isMatched[Int(partner)] = true
    }
    return isMatched
  }

  private mutating func matchGaps(
    inOrder: [Int32], _ isMatched: [Bool], _ content: (Int) -> DocumentNode,
    _ similarity: () -> ElementSimilarity, _ mayBecome: (Int, Int) -> Bool
  ) {
    // What is left in each gap that has any.
    var gaps: [(old: [Int], new: [Int])] = []
    var (oldStart, newStart) = (0, 0)
    for index in 0...inOrder.count {
      let partner = index < inOrder.count ? Int(inOrder[index]) : partners.count
      if partner < 0 { continue }
      let old = (oldStart..<index).filter {
        !isMatched[$0] && !numbers.isIdentity(numbers.old[$0])
      }
      let new = (newStart..<partner).filter {
        partners[$0] < 0 && !numbers.isIdentity(numbers.new[$0])
      }
      if !old.isEmpty || !new.isEmpty { gaps.append((old, new)) }
      (oldStart, newStart) = (index + 1, partner + 1)
    }
    // Most lists have nothing left on one side, and need not be learned from.
    var learned: ElementSimilarity?
    func match(_ old: [Int], _ new: [Int], keepsPlaces: Bool) {
      if old.isEmpty || new.isEmpty { return }
      let known = learned ?? similarity()
      learned = known
      let gap = GapMatching(
        old, old.map { ElementFeatures(of: content($0)) },
        new, new.map { ElementFeatures(of: content(inOrder.count + $0)) },
        known, keepsPlaces: keepsPlaces, mayBecome: mayBecome)
      for pair in gap.pairs {
        partners[new[pair.new]] = Int32(old[pair.old])
        if pair.isDoubtful || !keepsPlaces { doubts.append(new[pair.new]) }
      }
    }
    for gap in gaps { match(gap.old, gap.new, keepsPlaces: true) }
    if gaps.count > 1 {
      let found = Set(partners)
      let oldLeft = gaps.flatMap(\.old).filter { !found.contains(Int32($0)) }
      let newLeft = gaps.flatMap(\.new).filter { partners[$0] < 0 }
      match(oldLeft, newLeft, keepsPlaces: false)
    }
    doubts.sort()
  }
}

extension ContentMatching {
  /// For each element of a list the one of another list that it is; `nil` for a new one.
  package func partners(from old: [DocumentNode], to new: [DocumentNode]) -> [Int?] {
    let keys = identityKeys
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
    }
    let count = oldEnd - start
    let part = Array(old[start..<oldEnd]) + new[start..<newEnd]
    let matching = ListMatching(
      oldCount: count, newCount: newEnd - start,
      identity: { part[$0].identity(keys) }, content: { part[$0].comparable },
      similarity: {
        // What is common in the lists is, though they be equal but for a few elements.
        ElementSimilarity(oldCount: old.count, newCount: new.count) { place in
          (place < old.count ? old[place] : new[place - old.count]).comparable
        }
      },
      mayBecome: { part[count + $0].shell.isLike(part[$1].shell) })
    var partners: [Int?] = Array(0..<start)
    partners += matching.partners.map { $0 < 0 ? nil : start + Int($0) }
    partners += (oldEnd..<old.count).map { $0 }
    return partners
  }

  /// The new elements that moved, by the old ones that they are: all others stand in the order in
  /// which they were.
  package static func moved(_ partners: [Int?]) -> Set<Int> {
    let order = partners.compactMap { $0.map(Int32.init) }
    let moves = Set(ListMoves(toOrder: order).moves.map { Int($0.element) })
    if moves.isEmpty { return [] }
    return Set(partners.indices.filter { partners[$0].map(moves.contains) ?? false })
  }
}

extension DocumentNode {
  /// What tells a map apart from others in its list: the first of some keys that holds a value.
  package func identity(_ keys: [String]) -> ListIdentity? {
    for key in keys {
      if case .value(let value) = self[key] { return .init(key: key, value: value) }
    }
    return nil
  }

  /// The content with all that JSON writes alike made alike, to find elements that stand for the
  /// same.
  var comparable: DocumentNode { asInJSON { $0 } }

  /// The content as JSON has it, with other values.
  package func asInJSON(_ value: (Value) -> Value) -> DocumentNode {
    switch form {
    case .value(let own): .value(value(own))
    case .list(let nodes): .list(nodes.map { $0.asInJSON(value) })
    case .map(let entries):
      .map(
        entries.map { .init(key: $0.key, node: $0.node.asInJSON(value)) }
          .sorted(by: MapEntry.precedes))
    }
  }
}

extension Content {
  /// Whether one can be written in the other's place and leave it the same element: both are values
  /// or containers of one kind.
  func isLike(_ other: Content) -> Bool {
    switch (self, other) {
    case (.value, .value): true
    case (.container(let left), .container(let right)): left == right
    case (.value, .container), (.container, .value): false
    }
  }
}

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
    return table.number(at: Int32(place), hash: own.hashValue) { thing(Int($1)) == own }
  }
}

/// Pairs what is left on both sides of a gap in two lists, by how like the elements are; O(f) for f
/// features of the elements in the gap, times at most ``commonLimit``.
///
/// The most similar two are paired first, wherever they stand in the gap, if they have at least
/// half in common. What is left and neither a map nor has a text keeps its places where as many
/// come as go: so lists of numbers, and of rows of numbers, are edited in place.
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

  /// Which of the two lists' elements are paired, by their number among those of the gap.
  private(set) var pairs: [Pair]

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
    pairs = Self.paired(candidates)
    if !keepsPlaces { return }
    let (oldTaken, newTaken) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
    func isPlain(_ element: ElementFeatures) -> Bool { !element.isMap && !element.hasText }
    let oldLeft = old.indices.filter { !oldTaken.contains($0) && isPlain(oldFeatures[$0]) }
    let newLeft = new.indices.filter { !newTaken.contains($0) && isPlain(newFeatures[$0]) }
    if oldLeft.count != newLeft.count { return }
    for (one, other) in zip(oldLeft, newLeft) where mayBecome(new[other], old[one]) {
      pairs.append(Pair(old: one, new: other, similarity: 0))
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
