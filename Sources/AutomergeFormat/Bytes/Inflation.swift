internal import CLibZ

/// Raw DEFLATE (RFC 1951), as columns and changes are compressed with it.
enum Inflation {
  /// Inflates a range of bytes.
  ///
  /// The result grows by doubling, so that memory follows what really comes out and not what the
  /// limit would allow. O(n) for n bytes of output.
  ///
  /// - Returns: what comes out; `nil` if that is more than `limit` bytes.
  /// - Throws: ``AutomergeError``: damaged, or a limit if there is no memory.
  static func inflated(
    _ bytes: [UInt8], _ range: Range<Int>, limit: Int
  ) throws(AutomergeError) -> [UInt8]? {
    var capacity = min(limit, max(1024, 4 * range.count))
    while true {
      var outcome = 0
      let result = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
        outcome = unsafe bytes.withUnsafeBufferPointer { all in
          let input = unsafe UnsafeBufferPointer(rebasing: all[range])
          return unsafe pn_inflate_raw(
            input.baseAddress, UInt(input.count), room.baseAddress, UInt(capacity))
        }
        count = max(0, outcome)
      }
      if outcome >= 0 { return result }
      switch outcome {
      case -2 where capacity < limit:
        capacity = min(limit, 4 * capacity)
      case -2:
        return nil
      case -3:
        throw AutomergeError(.limit, at: range.lowerBound, "needs more memory than there is")
      default:
        throw AutomergeError(at: range.lowerBound, "compressed bytes that cannot be inflated")
      }
    }
  }
}
