/// Where the tokens of a text begin, in bytes, and where the last one ends: token `i` lies from
/// `bounds[i]` to `bounds[i + 1]`.
///
/// Four bytes each: texts are shorter than 2³¹ bytes.
struct TokenBounds: RandomAccessCollection {
  private var bytes: [Int32]

  /// Those of no token at all.
  init(start: Int) {
    bytes = [Int32(start)]
  }

  var startIndex: Int { 0 }
  var endIndex: Int { bytes.count }

  subscript(index: Int) -> Int { Int(bytes[index]) }

  /// Appends a token that begins where the last one ends.
  mutating func append(end: Int) {
    bytes.append(Int32(end))
  }

  /// The numbers of the tokens in a range of bytes that starts and ends where tokens do.
  ///
  /// O(log n).
  func tokens(in range: Range<Int>) -> Range<Int> {
    let start = partitionPoint { $0 >= range.lowerBound }
    return start..<Swift.max(start, partitionPoint { $0 >= range.upperBound })
  }
}
