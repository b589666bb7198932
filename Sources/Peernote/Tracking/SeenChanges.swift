/// A set of changes, by their number in a document.
struct SeenChanges: Hashable {
  private var words: [UInt64]
  private(set) var count = 0

  init(capacity: Int) { words = Array(repeating: 0, count: (capacity + 63) / 64) }

  func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 == 1 }

  mutating func insert(_ number: Int) {
    if contains(number) { return }
    words[number / 64] |= 1 << UInt64(number % 64)
    count += 1
  }

  mutating func formUnion(_ other: SeenChanges) {
    for index in words.indices { words[index] |= other.words[index] }
    count = words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  mutating func subtract(_ other: SeenChanges) {
    for index in words.indices { words[index] &= ~other.words[index] }
    count = words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  func isSubset(of other: SeenChanges) -> Bool {
    zip(words, other.words).allSatisfy { $0 & ~$1 == 0 }
  }
}

/// What each change of a document has seen.
///
/// O(n²) bits for n changes.
struct SeenHistory {
  let names: [ChangeID]
  let times: [Timestamp]
  let numbers: [ChangeID: Int]
  /// The past of each change, itself included.
  let pasts: [SeenChanges]

  /// No history.
  init() { (names, times, numbers, pasts) = ([], [], [:], []) }

  init(of document: Document) {
    let changes = Array(document.changes)
    names = changes.map(\.id)
    times = changes.map(\.time)
    var numbers: [ChangeID: Int] = [:]
    var pasts: [SeenChanges] = []
    for (number, change) in changes.enumerated() {
      numbers[change.id] = number
      var past = SeenChanges(capacity: changes.count)
      for parent in change.parents {
        if let index = numbers[parent] { past.formUnion(pasts[index]) }
      }
      past.insert(number)
      pasts.append(past)
    }
    self.numbers = numbers
    self.pasts = pasts
  }

  /// The changes of the version with some heads, as far as these are there.
  func changes(of heads: [ChangeID]) -> SeenChanges {
    var result = SeenChanges(capacity: pasts.count)
    for head in heads { if let number = numbers[head] { result.formUnion(pasts[number]) } }
    return result
  }

  /// The latest time of some changes.
  func time(of changes: SeenChanges) -> Timestamp {
    times.indices.lazy.filter { changes.contains($0) }.map { times[$0] }.max()
      ?? Timestamp(milliseconds: 0)
  }

  /// The changes that none of some others has seen, ascending by name.
  func heads(of changes: [ChangeID]) -> [ChangeID] {
    let numbers = Set(changes.compactMap { self.numbers[$0] })
    return numbers.filter { number in
      !numbers.contains { $0 != number && pasts[$0].contains(number) }
    }.map { names[$0] }.sorted()
  }

  /// The heads of some changes and all that they have seen, ascending.
  func heads(of changes: SeenChanges) -> [ChangeID] {
    var rest = changes
    var result: [ChangeID] = []
    // Parents come first.
    for number in pasts.indices.reversed() where rest.contains(number) {
      result.append(names[number])
      rest.subtract(pasts[number])
    }
    return result.sorted()
  }
}
