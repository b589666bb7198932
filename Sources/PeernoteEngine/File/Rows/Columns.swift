/// Reads the integers of one column of the log.
struct ColumnReader {
  let bytes: [UInt8]
  /// The offset in the file of the next byte.
  private(set) var offset: Int
  private let end: Int

  init(_ bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { offset == end }
  var remaining: Int { end - offset }

  /// Passes over bytes that are known.
  mutating func skip(_ count: Int) {
    offset += count
  }

  /// Goes on behind what is read from the bytes of the file up to the end of the column.
  @inline(__always)
  mutating func read<Result, Fault: Error>(
    _ body: (_ bytes: Span<UInt8>, _ offset: inout Int) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    var place = offset
    defer { offset = place }
    return try body(bytes.span.extracting(..<end), &place)
  }

  @inline(__always)
  mutating func readVarint() throws(DocumentError) -> UInt64 {
    let start = offset
    do throws(RowFault) {
      return try read { bytes, offset throws(RowFault) in try Varint.read(bytes, &offset) }
    } catch {
      throw fault(error.reason, at: start)
    }
  }

  /// Reads an unsigned integer that is at most `limit`; a negative limit allows none.
  @inline(__always)
  mutating func readVarint(
    limit: Int, _ reason: @autoclosure () -> String
  ) throws(DocumentError) -> Int {
    let start = offset
    let value = try readVarint()
    guard limit >= 0, value <= UInt64(limit) else { throw fault(reason(), at: start) }
    return Int(truncatingIfNeeded: value)
  }

  /// Reads a signed integer in zigzag form.
  mutating func readSigned() throws(DocumentError) -> Int64 {
    Varint.signed(try readVarint())
  }

  func fault(_ reason: String, at offset: Int) -> DocumentError {
    DocumentError(reason, in: .log, at: offset)
  }
}

/// Writes the variable-length integers of one column of the log.
struct ColumnWriter {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  @inline(__always)
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  mutating func varint(_ value: Int32) { varint(UInt64(value)) }

  /// Appends a signed integer in zigzag form.
  @inline(__always)
  mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }
}

/// Why bytes of a column are no integer, or integers no row of a text in canonical form.
enum RowFault: Error {
  case notShortest
  case cutOff

  case header
  case distance
  case form
  case position

  /// Whether it is one of an integer.
  var isOfInteger: Bool { self == .notShortest || self == .cutOff }

  /// A clause for people.
  var reason: String {
    switch self {
    case .notShortest: "an integer is not in its shortest form of at most 64 bits"
    case .cutOff: "a column ends where an integer should be"
    case .header: "an impossible operation"
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
