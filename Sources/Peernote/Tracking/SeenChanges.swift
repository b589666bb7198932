/// A set of changes, by their number in a document.
struct SeenChanges: Hashable {
  private var words: [UInt64]

  init(capacity: Int) { words = Array(repeating: 0, count: (capacity + 63) / 64) }

  func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 == 1 }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ number: Int) { words[number / 64] |= 1 << UInt64(number % 64) }

  mutating func formUnion(_ other: SeenChanges) {
    for index in words.indices { words[index] |= other.words[index] }
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
  private let numbers: [ChangeID: Int]
  /// The past of each change, itself included.
  private let pasts: [SeenChanges]

  init(of document: Document) {
    let changes = Array(document.changes)
    names = changes.map(\.id)
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

  /// The changes of the version with some heads; `nil` if one of them is not there.
  func changes(of heads: [ChangeID]) -> SeenChanges? {
    var result = SeenChanges(capacity: pasts.count)
    for head in heads {
      guard let number = numbers[head] else { return nil }
      result.formUnion(pasts[number])
    }
    return result
  }
}
