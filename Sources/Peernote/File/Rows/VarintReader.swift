/// Reads the variable-length integers of a column: LEB128 in its shortest form, at most 64 bits.
package struct VarintReader {
  /// What is wrong with a column, and at which byte of the file.
  package struct Fault: Error, Hashable {
    package var reason: String
    package var offset: Int

    package init(_ reason: String, at offset: Int) {
      self.reason = reason
      self.offset = offset
    }
  }

  package let bytes: [UInt8]
  /// The offset in the file of the next byte.
  package private(set) var offset: Int
  private let end: Int

  /// Reads a part of a file.
  package init(_ bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { offset == end }
  /// How many bytes are left.
  package var remaining: Int { end - offset }

  /// Passes over bytes that are known.
  package mutating func skip(_ count: Int) {
    offset += count
  }

  /// Reads an unsigned integer.
  @inline(__always)
  package mutating func read() throws(Fault) -> UInt64 {
    if offset < end, bytes[offset] < 0x80 {
      offset += 1
      return UInt64(bytes[offset - 1])
    }
    return try readLong()
  }

  private mutating func readLong() throws(Fault) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if (shift == 63 && byte > 1) || (shift > 0 && byte == 0) {
        throw Fault("an integer is not in its shortest form of at most 64 bits", at: start)
      }
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Fault("a column ends where an integer should be", at: start)
  }

  /// Reads an unsigned integer that is at most `limit`; a negative limit allows none.
  @inline(__always)
  package mutating func read(
    limit: Int, _ reason: @autoclosure () -> String
  ) throws(Fault) -> Int {
    let start = offset
    let value = try read()
    guard limit >= 0, value <= UInt64(limit) else { throw Fault(reason(), at: start) }
    return Int(truncatingIfNeeded: value)
  }
}
