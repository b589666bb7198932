/// Reads a column of runs, a value repeated, values one after the other, or nulls: a row costs
/// constant time, however long a run claims to be.
struct ColumnReader {
  /// What is not read yet.
  var bytes: ByteReader
  private let type: UInt32
  /// How many rows of the record at hand are still to come.
  private var left: UInt64 = 0
  private var record = Record.null
  /// What is repeated; of a column of truth values the one at hand.
  private var value: UInt64 = 1
  /// Of a column of differences, the last value that is there.
  private var sum: Int64 = 0
  /// The last text, by where it stands, and its number.
  private var text: (start: UInt64, number: Int32)?

  private enum Record {
    case repeated, literal, null
  }

  init(_ bytes: ByteReader, type: UInt32) {
    self.bytes = bytes
    self.type = type
  }

  /// Whether all rows that the column has are read.
  var isAtEnd: Bool { left == 0 && bytes.isAtEnd }

  func error(_ reason: String) -> AutomergeError { bytes.error(reason) }

  /// The next row's number, which is where a text stands, or the bits of a difference; `nil` for null,
  /// and behind the end.
  @inline(__always)
  mutating func number() throws(AutomergeError) -> UInt64? {
    if left == 0 {
      if bytes.isAtEnd { return nil }
      try beginRecord()
    }
    left -= 1
    switch record {
    case .repeated: return value
    case .literal: return try readValue()
    case .null: return nil
    }
  }

  /// The next row's value in a column of differences; `nil` for null, and behind the end.
  @inline(__always)
  mutating func total() throws(AutomergeError) -> Int64? {
    guard let difference = try number() else { return nil }
    let (total, overflow) = sum.addingReportingOverflow(Int64(bitPattern: difference))
    guard !overflow else { throw error("a number of more than 64 bits") }
    sum = total
    return total
  }

  /// The number of the next row's text in a table; `nil` for null, and behind the end.
  @inline(__always)
  mutating func text(_ texts: inout TextTable) throws(AutomergeError) -> Int32? {
    guard let start = try number() else { return nil }
    if let text, text.start == start { return text.number }
    var reader = bytes
    reader.offset = Int(start)
    let number = texts.number(of: Array(reader.bytes[try reader.lengthAndRange()]))
    text = (start, number)
    return number
  }

  /// The next row's truth value, of which a column has lengths of runs, the first of them false; false
  /// behind the end.
  @inline(__always)
  mutating func flag() throws(AutomergeError) -> Bool {
    while left == 0 {
      if bytes.isAtEnd { return false }
      left = try bytes.unsigned()
      value ^= 1
    }
    left -= 1
    return value == 1
  }

  private mutating func beginRecord() throws(AutomergeError) {
    let start = bytes.offset
    let count = try bytes.signed()
    if count > 0 {
      (record, left) = (.repeated, UInt64(count))
      value = try readValue()
    } else if count < 0 {
      (record, left) = (.literal, count.magnitude)
      guard left <= UInt64(bytes.remaining) else {
        throw bytes.error("\(left) values where \(bytes.remaining) bytes are left", at: start)
      }
    } else {
      (record, left) = (.null, try bytes.unsigned())
      guard left > 0 else { throw bytes.error("a run of no rows", at: start) }
    }
  }

  @inline(__always)
  private mutating func readValue() throws(AutomergeError) -> UInt64 {
    switch type {
    case Column.delta: return UInt64(bitPattern: try bytes.signed())
    case Column.text:
      let start = bytes.offset
      _ = try bytes.text()
      return UInt64(start)
    default: return try bytes.unsigned()
    }
  }
}
