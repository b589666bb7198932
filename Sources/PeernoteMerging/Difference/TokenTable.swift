import PeernoteEngine

/// Numbers the distinct tokens of two texts, so that comparing tokens is comparing integers.
///
/// Tokens are byte ranges. Equal bytes get equal numbers, counted from 0 in the order of first
/// appearance.
struct TokenTable {
  private let old: [UInt8]
  private let new: [UInt8]
  /// The Unicode scalars in each token, by its number.
  private(set) var scalarCounts: [Int32] = []
  /// The bytes likewise.
  private var lengths: [Int32] = []
  /// By the byte at which a token starts; of the new text as a negative number.
  private var table = EqualityTable()

  /// Prepares for tokens of these two texts, of at most 2³¹ − 1 bytes.
  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
  }

  /// The numbers of all tokens of the new text or the old one, given their bounds, in O(bytes) expected.
  mutating func numbers(bounds: TokenBounds, ofNew isNew: Bool) -> [Int32] {
    let text = isNew ? new : old
    return zip(bounds, bounds.dropFirst()).map { start, end in
      let range = start..<end
      let first = Int32(start)
      let number = table.number(at: isNew ? ~first : first, hash: Self.hash(text, range)) {
        number, first in
        guard lengths[number] == range.count else { return false }
        let other = first < 0 ? new : old
        let shift = Int(first < 0 ? ~first : first) - start
        return range.allSatisfy { other[$0 + shift] == text[$0] }
      }
      if number == lengths.count {
        lengths.append(Int32(range.count))
        scalarCounts.append(Int32(scalarCount(of: text[range])))
      }
      return number
    }
  }

  private static func hash(_ text: [UInt8], _ range: Range<Int>) -> Int {
    var hasher = Hasher()
    var word: UInt64 = 0
    var filled = 0
    for index in range {
      word = word << 8 | UInt64(text[index])
      filled += 1
      if filled == 8 {
        hasher.combine(word)
        word = 0
        filled = 0
      }
    }
    hasher.combine(word)
    hasher.combine(range.count)
    return hasher.finalize()
  }
}

/// Numbers of distinct things, found by their hashes.
///
/// Of each only the place is kept where it was first seen. Numbers count from 0 in the order in which
/// things were added: they do not depend on the hashes, which are seeded anew in every process so that
/// nothing can be built to collide. Some fifteen bytes a number, half as much again while the table
/// grows.
struct EqualityTable {
  private var places: [Int32] = []
  private var hashes: [UInt32] = []
  /// Open addressing over the numbers, a power of two in size; -1 marks a free slot.
  private var slots = [Int32](repeating: -1, count: 64)

  /// How many numbers there are.
  var count: Int { hashes.count }

  /// The number of what is at a place, with its hash in this process: the next one if nothing equal
  /// was seen before.
  ///
  /// `isEqual` compares it with what has a number. Amortized O(1) and expected one comparison.
  mutating func number(
    at place: Int32, hash: Int, isEqual: (_ number: Int, _ first: Int32) -> Bool
  ) -> Int32 {
    let hash = UInt32(truncatingIfNeeded: hash)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == hash, isEqual(number, places[number]) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(count)
    places.append(place)
    hashes.append(hash)
    if 4 * count > 3 * slots.count { grow() }
    return Int32(count - 1)
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}
