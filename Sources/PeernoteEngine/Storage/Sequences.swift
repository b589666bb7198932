extension Span<UInt8> {
  /// How many leading bytes are the same; O(n), eight bytes at a time.
  package func commonPrefixLength(_ other: Span<UInt8>) -> Int {
    let limit = Swift.min(count, other.count)
    let ours = unsafe bytes
    let theirs = unsafe other.bytes
    var offset = 0
    while offset + 8 <= limit,
      unsafe ours.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        == theirs.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    {
      offset += 8
    }
    while offset < limit, self[offset] == other[offset] { offset += 1 }
    return offset
  }

  package func isSame(as other: Span<UInt8>) -> Bool {
    count == other.count && commonPrefixLength(other) == count
  }

  /// Whether these bytes come before others in the order of bytes; what others go on after does.
  package func precedes(_ other: Span<UInt8>) -> Bool {
    let same = commonPrefixLength(other)
    if same == other.count { return false }
    return same == count || self[same] < other[same]
  }
}

extension Hasher {
  /// Feeds bytes and their number into the hasher; O(bytes), as one piece.
  package mutating func combine(bytes: Span<UInt8>) {
    combine(bytes.count)
    unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
  }
}

extension TextBuffer {
  /// Whether this is another text; O(bytes), eight at a time.
  package func isSame(as other: TextBuffer) -> Bool {
    isSame(from: TextPlace(), to: end, as: other, from: TextPlace(), to: other.end)
  }

  /// Whether the scalars between two places are those between two places of another text.
  func isSame(
    from start: TextPlace, to end: TextPlace, as other: TextBuffer, from otherStart: TextPlace,
    to otherEnd: TextPlace
  ) -> Bool {
    utf8.span.extracting(start.byte..<end.byte).isSame(
      as: other.utf8.span.extracting(otherStart.byte..<otherEnd.byte))
  }
}

extension ArraySlice {
  /// How many of the first elements stand in the same memory as another slice's; O(1).
  func storedOnce(with other: ArraySlice) -> Int {
    unsafe withUnsafeBufferPointer { ours in
      unsafe other.withUnsafeBufferPointer { theirs in
        guard unsafe ours.baseAddress == theirs.baseAddress else { return 0 }
        return Swift.min(ours.count, theirs.count)
      }
    }
  }
}

extension RandomAccessCollection {
  /// The first index from which on `isInSecond` holds, which holds of no element before it; the end
  /// if it holds of none; O(log n).
  @inline(__always)
  package func partitionPoint(where isInSecond: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isInSecond(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
