/// Numbers the distinct tokens of two texts, so that comparing tokens is comparing integers.
///
/// Tokens are byte ranges. Equal bytes get equal numbers, counted from 0 in the order of first
/// appearance: the numbers do not depend on the hash, which is seeded anew in every process so that
/// no text can be built to collide.
struct TokenTable {
  /// How many distinct tokens were seen.
  var count: Int { first.count }

  private let old: [UInt8]
  private let new: [UInt8]
  /// Where each token was first seen.
  private var first: [Place] = []
  /// Open addressing over token numbers; -1 marks a free slot.
  ///
  /// A power of two in size.
  private var slots: [Int32]

  private struct Place {
    var range: Range<Int>
    var hash: Int
    var isNew: Bool
  }

  /// Prepares for tokens of these two texts.
  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
    slots = [Int32](repeating: -1, count: 64)
  }

  /// The number of the token at `range` of the new text, or of the old.
  ///
  /// O(range.count) expected.
  mutating func number(_ range: Range<Int>, ofNew isNew: Bool) -> Int32 {
    let hash = hash(range, isNew: isNew)
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 {
      let place = first[Int(slots[slot])]
      if place.hash == hash, isEqual(place, range, isNew: isNew) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = Int32(first.count)
    first.append(Place(range: range, hash: hash, isNew: isNew))
    slots[slot] = number
    if first.count * 2 > slots.count { grow() }
    return number
  }

  /// The numbers of all tokens of one text, given their bounds: token `i` lies from `bounds[i]` to
  /// `bounds[i + 1]`.
  mutating func numbers(bounds: [Int], ofNew isNew: Bool) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(max(0, bounds.count - 1))
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      result.append(number(start..<end, ofNew: isNew))
    }
    return result
  }

  private func hash(_ range: Range<Int>, isNew: Bool) -> Int {
    var hasher = Hasher()
    let text = isNew ? new : old
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

  private func isEqual(_ place: Place, _ range: Range<Int>, isNew: Bool) -> Bool {
    guard place.range.count == range.count else { return false }
    let left = place.isNew ? new : old
    let right = isNew ? new : old
    let shift = place.range.lowerBound - range.lowerBound
    for index in range where left[index + shift] != right[index] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 4)
    for (number, place) in first.enumerated() {
      var slot = place.hash & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number)
    }
  }
}
