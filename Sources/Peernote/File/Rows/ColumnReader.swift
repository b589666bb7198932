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
  /// How many bytes are left.
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

  /// Reads an unsigned integer.
  @inline(__always)
  mutating func readVarint() throws(DocumentError) -> UInt64 {
    if offset < end, bytes[offset] < 0x80 {
      offset += 1
      return UInt64(bytes[offset - 1])
    }
    return try readLongVarint()
  }

  private mutating func readLongVarint() throws(DocumentError) -> UInt64 {
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

  /// What is wrong with the column.
  func fault(_ reason: String, at offset: Int) -> DocumentError {
    DocumentError(reason, in: .log, at: offset)
  }
}
