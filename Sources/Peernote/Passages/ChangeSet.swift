/// A set of the changes that touched one stretch of a text, by number.
struct ChangeSet: Hashable {
  /// How many changes there may be.
  static let capacity = 256

  private var bits = SIMD4<UInt64>()

  /// No change at all.
  init() {}

  /// A single change.
  init(_ change: Int) { insert(change) }

  /// All changes with smaller numbers.
  init(below count: Int) {
    for word in 0..<4 {
      let rest = Swift.max(0, Swift.min(64, count - 64 * word))
      bits[word] = rest == 64 ? .max : (1 << UInt64(rest)) - 1
    }
  }

  var isEmpty: Bool { bits == SIMD4() }

  var count: Int {
    bits[0].nonzeroBitCount + bits[1].nonzeroBitCount + bits[2].nonzeroBitCount
      + bits[3].nonzeroBitCount
  }

  func contains(_ change: Int) -> Bool { bits[change >> 6] >> UInt64(change & 63) & 1 == 1 }
  mutating func insert(_ change: Int) { bits[change >> 6] |= 1 << UInt64(change & 63) }
  mutating func remove(_ change: Int) { bits[change >> 6] &= ~(1 << UInt64(change & 63)) }
  mutating func formUnion(_ other: ChangeSet) { bits |= other.bits }
  func union(_ other: ChangeSet) -> ChangeSet { ChangeSet(bits | other.bits) }
  func intersection(_ other: ChangeSet) -> ChangeSet { ChangeSet(bits & other.bits) }
  func subtracting(_ other: ChangeSet) -> ChangeSet { ChangeSet(bits & ~other.bits) }
  func isDisjoint(with other: ChangeSet) -> Bool { bits & other.bits == SIMD4() }
  func isSubset(of other: ChangeSet) -> Bool { bits & ~other.bits == SIMD4() }

  private init(_ bits: SIMD4<UInt64>) { self.bits = bits }
}

extension ChangeSet: Sequence {
  /// The changes, ascending.
  func makeIterator() -> Iterator { Iterator(bits: bits) }

  /// Goes through a set.
  struct Iterator: IteratorProtocol {
    fileprivate var bits: SIMD4<UInt64>
    private var word = 0

    fileprivate init(bits: SIMD4<UInt64>) { self.bits = bits }

    mutating func next() -> Int? {
      while word < 4 {
        if bits[word] != 0 {
          let bit = bits[word].trailingZeroBitCount
          bits[word] &= bits[word] - 1
          return 64 * word + bit
        }
        word += 1
      }
      return nil
    }
  }
}
