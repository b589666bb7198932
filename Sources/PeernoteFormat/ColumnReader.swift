/// Reads the variable-length integers of one column of the log.
struct ColumnReader {
  private let bytes: [UInt8]
  /// The offset in the file of the next byte.
  private(set) var offset: Int
  private let end: Int

  init(_ bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { offset == end }

  /// Passes over bytes that are known.
  mutating func skip(_ count: Int) {
    offset += count
  }

  /// Reads an unsigned integer (LEB128, shortest form, at most 64 bits).
  @inline(__always)
  mutating func readVarint() throws(FormatError) -> UInt64 {
    if offset < end, bytes[offset] < 0x80 {
      offset += 1
      return UInt64(bytes[offset - 1])
    }
    return try readLongVarint()
  }

  private mutating func readLongVarint() throws(FormatError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if (shift == 63 && byte > 1) || (shift > 0 && byte == 0) {
        throw FormatError(
          "an integer is not in its shortest form of at most 64 bits", in: .log, at: start)
      }
      if byte < 0x80 { return value }
      shift += 7
    }
    throw FormatError("a column ends where an integer should be", in: .log, at: start)
  }

  /// Reads an unsigned integer that is at most `limit`; a negative limit allows none.
  @inline(__always)
  mutating func readVarint(
    limit: Int, _ reason: @autoclosure () -> String
  ) throws(FormatError) -> Int {
    let start = offset
    let value = try readVarint()
    guard limit >= 0, value <= UInt64(limit) else {
      throw FormatError(reason(), in: .log, at: start)
    }
    return Int(truncatingIfNeeded: value)
  }

  /// Reads a signed integer in zigzag form.
  @inline(__always)
  mutating func readSigned() throws(FormatError) -> Int64 {
    let value = try readVarint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

/// Writes the variable-length integers of one column of the log.
struct ColumnWriter {
  private(set) var bytes: [UInt8] = []

  /// Begins a column with bytes that are known.
  init(copying bytes: ArraySlice<UInt8> = []) {
    self.bytes = Array(bytes)
  }

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Appends an unsigned integer.
  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends an unsigned integer.
  @inline(__always)
  mutating func varint(_ value: Int32) { varint(UInt64(value)) }

  /// Appends a signed integer in zigzag form.
  @inline(__always)
  mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }
}
