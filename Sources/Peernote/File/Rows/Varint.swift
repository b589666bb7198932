/// The variable-length integers of the log's columns: LEB128 in its shortest form, at most 64 bits.
enum Varint {
  /// Why bytes are no integer.
  enum Fault: Error {
    case notShortest
    case cutOff

    /// A clause for people.
    var reason: String {
      switch self {
      case .notShortest: "an integer is not in its shortest form of at most 64 bits"
      case .cutOff: "a column ends where an integer should be"
      }
    }
  }

  /// Reads an unsigned integer, and goes on behind it.
  @inline(__always)
  static func read(_ bytes: Span<UInt8>, _ offset: inout Int) throws(Fault) -> UInt64 {
    guard offset < bytes.count else { throw .cutOff }
    var byte = bytes[offset]
    offset += 1
    if byte < 0x80 { return UInt64(byte) }
    var value = UInt64(byte & 0x7F)
    var shift: UInt64 = 7
    while offset < bytes.count {
      byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 {
        if byte == 0 || shift == 63 && byte > 1 { throw .notShortest }
        return value
      }
      if shift == 63 { throw .notShortest }
      shift += 7
    }
    throw .cutOff
  }

  /// The signed integer that an unsigned one stands for: 0, -1, 1, -2 and so on.
  @inline(__always)
  static func signed(_ zigzag: UInt64) -> Int64 {
    Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
  }
}
