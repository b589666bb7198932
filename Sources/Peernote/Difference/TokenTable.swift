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
  /// By the byte at which a token starts.
  private var table = EqualityTable()

  /// Prepares for tokens of these two texts, of at most 2³¹ − 1 bytes.
  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
  }

  /// The number of the token at `range` of the new text, or of the old.
  ///
  /// O(range.count) expected.
  private mutating func number(_ range: Range<Int>, ofNew isNew: Bool) -> Int32 {
    let text = isNew ? new : old
    let place = EqualityTable.Place(range.lowerBound, isNew: isNew)
    let number = table.number(at: place, hash: Self.hash(text, range)) { number, first in
      guard lengths[number] == range.count else { return false }
      let other = first.isNew ? new : old
      let shift = first.index - range.lowerBound
      return range.allSatisfy { other[$0 + shift] == text[$0] }
    }
    if number == lengths.count {
      lengths.append(Int32(range.count))
      scalarCounts.append(Int32(scalarCount(of: text[range])))
    }
    return number
  }

  /// The numbers of all tokens of one text, given their bounds.
  mutating func numbers(bounds: TokenBounds, ofNew isNew: Bool) -> [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(max(0, bounds.count - 1))
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      result.append(number(start..<end, ofNew: isNew))
    }
    return result
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
