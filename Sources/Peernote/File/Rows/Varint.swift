/// Why bytes of a column are no integer, or integers no row of a text in canonical form.
enum RowFault: Error {
  case notShortest
  case cutOff

  case header
  case distance
  case form
  case position
  /// It is a row, but not of a text.
  case otherKind

  /// Whether it is one of an integer.
  var isOfInteger: Bool { self == .notShortest || self == .cutOff }

  /// A clause for people.
  var reason: String {
    switch self {
    case .notShortest: "an integer is not in its shortest form of at most 64 bits"
    case .cutOff: "a column ends where an integer should be"
    case .header, .otherKind: "an impossible operation"
    case .distance: "an impossible position"
    case .form: "a deletion is not written in its shortest form"
    case .position: HistoryError.Reason.positionOutOfRange.description
    }
  }
}

/// The variable-length integers of the log's columns: LEB128 in its shortest form, at most 64 bits.
enum Varint {
  /// Reads an unsigned integer, and goes on behind it.
  @inline(__always)
  static func read(_ bytes: Span<UInt8>, _ offset: inout Int) throws(RowFault) -> UInt64 {
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
