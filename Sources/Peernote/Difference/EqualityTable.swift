/// Numbers of distinct things in two sequences, found by their hashes.
///
/// Of each only the place is kept where it was first seen. Numbers count from 0 in the order in which
/// things were added: they do not depend on the hashes, which are seeded anew in every process so that
/// nothing can be built to collide. Some fifteen bytes a number, half as much again while the table
/// grows.
struct EqualityTable {
  /// An index in the old sequence or in the new one.
  struct Place {
    /// In the new one as a negative number.
    private let number: Int32

    init(_ index: Int, isNew: Bool) { number = isNew ? ~Int32(index) : Int32(index) }

    var isNew: Bool { number < 0 }
    var index: Int { Int(isNew ? ~number : number) }
  }

  private var places: [Place] = []
  private var hashes: [UInt32] = []
  /// Open addressing over the numbers; -1 marks a free slot.
  ///
  /// A power of two in size.
  private var slots = [Int32](repeating: -1, count: 64)

  /// How many numbers there are.
  var count: Int { hashes.count }

  /// The number of what is at a place, with its hash in this process: the next one if nothing equal
  /// was seen before.
  ///
  /// `isEqual` compares it with what has a number. Amortized O(1) and expected one comparison.
  mutating func number(
    at place: Place, hash: Int, isEqual: (_ number: Int, _ first: Place) -> Bool
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
