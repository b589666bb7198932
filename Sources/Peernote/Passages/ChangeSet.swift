/// A set of the changes that touched one stretch of a text, by number.
struct ChangeSet: Hashable {
  /// How many changes there may be.
  static let capacity = 256

  // Four words by name: a vector is many times slower where code is not optimized.
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var fourth: UInt64 = 0

  /// No change at all.
  init() {}

  /// A single change.
  init(_ change: Int) { insert(change) }

  /// All changes with smaller numbers.
  init(below count: Int) {
    func word(_ number: Int) -> UInt64 {
      let rest = Swift.max(0, Swift.min(64, count - 64 * number))
      return rest == 64 ? .max : (1 << UInt64(rest)) - 1
    }
    self.init(word(0), word(1), word(2), word(3))
  }

  private init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  private subscript(word: Int) -> UInt64 {
    get {
      switch word {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    }
    set {
      switch word {
      case 0: first = newValue
      case 1: second = newValue
      case 2: third = newValue
      default: fourth = newValue
      }
    }
  }

  var isEmpty: Bool { first | second | third | fourth == 0 }

  var count: Int {
    first.nonzeroBitCount + second.nonzeroBitCount + third.nonzeroBitCount
      + fourth.nonzeroBitCount
  }

  func contains(_ change: Int) -> Bool { self[change >> 6] >> UInt64(change & 63) & 1 == 1 }
  mutating func insert(_ change: Int) { self[change >> 6] |= 1 << UInt64(change & 63) }
  mutating func remove(_ change: Int) { self[change >> 6] &= ~(1 << UInt64(change & 63)) }

  mutating func formUnion(_ other: ChangeSet) {
    first |= other.first
    second |= other.second
    third |= other.third
    fourth |= other.fourth
  }

  func union(_ other: ChangeSet) -> ChangeSet {
    ChangeSet(
      first | other.first, second | other.second, third | other.third, fourth | other.fourth)
  }

  func intersection(_ other: ChangeSet) -> ChangeSet {
    ChangeSet(
      first & other.first, second & other.second, third & other.third, fourth & other.fourth)
  }

  func subtracting(_ other: ChangeSet) -> ChangeSet {
    ChangeSet(
      first & ~other.first, second & ~other.second, third & ~other.third, fourth & ~other.fourth)
  }

  func isDisjoint(with other: ChangeSet) -> Bool { intersection(other).isEmpty }
  func isSubset(of other: ChangeSet) -> Bool { subtracting(other).isEmpty }
}

extension ChangeSet: Sequence {
  /// The changes, ascending.
  func makeIterator() -> Iterator { Iterator(rest: self) }

  /// Goes through a set.
  struct Iterator: IteratorProtocol {
    fileprivate var rest: ChangeSet
    private var word = 0

    fileprivate init(rest: ChangeSet) { self.rest = rest }

    mutating func next() -> Int? {
      while word < 4 {
        let bits = rest[word]
        if bits != 0 {
          rest[word] = bits & (bits - 1)
          return 64 * word + bits.trailingZeroBitCount
        }
        word += 1
      }
      return nil
    }
  }
}
