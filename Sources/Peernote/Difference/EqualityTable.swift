/// Numbers of distinct things, found by their hashes.
///
/// The things themselves are kept, or made anew, by whoever asks. Numbers count from 0 in the order
/// in which things were added: they do not depend on the hashes, which are seeded anew in every
/// process so that nothing can be built to collide. Ten to fifteen bytes a number, half as much
/// again while the table grows.
struct EqualityTable {
  private var hashes: [UInt32] = []
  /// Open addressing over the numbers; -1 marks a free slot.
  ///
  /// A power of two in size.
  private var slots = [Int32](repeating: -1, count: 64)

  /// How many numbers there are.
  var count: Int { hashes.count }

  /// The number of something with a hash of this process; `nil` if nothing equal was added.
  ///
  /// `isEqual` compares it with what has a number. Expected O(1) and one comparison.
  func number(hash: Int, isEqual: (_ number: Int) -> Bool) -> Int32? {
    let hash = UInt32(truncatingIfNeeded: hash)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = slots[slot]
      if hashes[Int(number)] == hash, isEqual(Int(number)) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds something that has no number yet, and gives it the next one.
  ///
  /// Amortized O(1).
  mutating func add(hash: Int) -> Int32 {
    let number = Int32(count)
    hashes.append(UInt32(truncatingIfNeeded: hash))
    if 4 * count > 3 * slots.count {
      slots = [Int32](repeating: -1, count: slots.count * 2)
      for number in hashes.indices { place(Int32(number)) }
    } else {
      place(number)
    }
    return number
  }

  private mutating func place(_ number: Int32) {
    var slot = Int(hashes[Int(number)]) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = number
  }
}
