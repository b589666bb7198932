/// Numbers the distinct tokens of two texts, so that comparing tokens is comparing integers.
///
/// Tokens are byte ranges. Equal bytes get equal numbers, counted from 0 in the order of first
/// appearance.
struct TokenTable {
  private let old: [UInt8]
  private let new: [UInt8]
  /// The Unicode scalars in each token, by its number.
  private(set) var scalarCounts: [Int32] = []
  /// Where each token was first seen.
  private var first: [Place] = []
  private var table = EqualityTable()

  /// A range of one of the texts.
  private struct Place {
    /// In bytes; of the new text as negative numbers.
    var start: Int32
    var count: Int32
  }

  /// Prepares for tokens of these two texts, of at most 2³¹ − 1 bytes.
  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
  }

  /// The number of the token at `range` of the new text, or of the old.
  ///
  /// O(range.count) expected.
  private mutating func number(_ range: Range<Int>, ofNew isNew: Bool) -> Int32 {
    let hash = hash(range, isNew: isNew)
    let known = table.number(hash: hash) { isEqual(first[$0], range, isNew: isNew) }
    if let known { return known }
    let start = Int32(range.lowerBound)
    first.append(Place(start: isNew ? ~start : start, count: Int32(range.count)))
    scalarCounts.append(Int32(scalarCount(of: (isNew ? new : old)[range])))
    return table.add(hash: hash)
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
    guard place.count == range.count else { return false }
    let left = place.start < 0 ? new : old
    let right = isNew ? new : old
    let shift = Int(place.start < 0 ? ~place.start : place.start) - range.lowerBound
    for index in range where left[index + shift] != right[index] { return false }
    return true
  }
}
