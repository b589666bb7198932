/// Reads a column of runs: a value repeated, values one after the other, or nulls.
///
/// A row costs constant time, however long a run claims to be.
struct RunReader<Element: RunValue> {
  private var reader: ByteReader
  /// How many rows of the record at hand are still to come.
  private var left: UInt64 = 0
  private var kind = Kind.null
  private var value: Element?

  private enum Kind {
    case repeated, literal, null
  }

  init(_ reader: ByteReader) { self.reader = reader }

  /// Whether all rows that the column has are read.
  var isAtEnd: Bool { left == 0 && reader.isAtEnd }

  /// The next row's value; `nil` for null, and behind the end.
  @inline(__always)
  mutating func next() throws(AutomergeError) -> Element? {
    if left == 0 {
      if reader.isAtEnd { return nil }
      try beginRecord()
    }
    left -= 1
    switch kind {
    case .repeated: return value
    case .literal: return try Element.read(&reader)
    case .null: return nil
    }
  }

  private mutating func beginRecord() throws(AutomergeError) {
    let start = reader.offset
    let count = try reader.signed()
    if count > 0 {
      (kind, left) = (.repeated, UInt64(count))
      value = try Element.read(&reader)
    } else if count < 0 {
      (kind, left) = (.literal, count.magnitude)
      guard left <= UInt64(reader.remaining) else {
        throw reader.error("\(left) values where \(reader.remaining) bytes are left", at: start)
      }
    } else {
      (kind, left) = (.null, try reader.unsigned())
      guard left > 0 else { throw reader.error("a run of no rows", at: start) }
    }
  }

  func error(_ reason: String) -> AutomergeError { reader.error(reason) }

  /// Throws if the column has further rows.
  func finish(_ name: String) throws(AutomergeError) {
    guard isAtEnd else { throw reader.error("more rows in the column of \(name) than elsewhere") }
  }
}

/// Reads a column of differences, each to the last value that is there.
struct DeltaReader {
  private var runs: RunReader<Int64>
  private var last: Int64 = 0

  init(_ reader: ByteReader) { runs = RunReader(reader) }

  /// The next row's value; `nil` for null, and behind the end.
  @inline(__always)
  mutating func next() throws(AutomergeError) -> Int64? {
    guard let difference = try runs.next() else { return nil }
    let (sum, overflow) = last.addingReportingOverflow(difference)
    guard !overflow else { throw runs.error("a number of more than 64 bits") }
    last = sum
    return sum
  }

  func finish(_ name: String) throws(AutomergeError) { try runs.finish(name) }
  func error(_ reason: String) -> AutomergeError { runs.error(reason) }
}

/// Reads a column of texts as their numbers in a table.
struct TextReader {
  private var runs: RunReader<TextBytes>
  /// The last text, since neighbours have the same one mostly.
  private var last: (text: TextBytes, number: Int32)?

  init(_ reader: ByteReader) { runs = RunReader(reader) }

  /// The number of the next row's text; `nil` for null, and behind the end.
  mutating func next(_ texts: inout TextTable) throws(AutomergeError) -> Int32? {
    guard let text = try runs.next() else { return nil }
    if let last, last.text == text { return last.number }
    let number = texts.number(of: text.bytes)
    last = (text, number)
    return number
  }

  func finish(_ name: String) throws(AutomergeError) { try runs.finish(name) }
  func error(_ reason: String) -> AutomergeError { runs.error(reason) }
}

/// Reads a column of truth values: lengths of runs, the first of them false.
struct BooleanReader {
  private var reader: ByteReader
  private var left: UInt64 = 0
  private var value = true

  init(_ reader: ByteReader) { self.reader = reader }

  /// The next row's value; false behind the end.
  @inline(__always)
  mutating func next() throws(AutomergeError) -> Bool {
    while left == 0 {
      if reader.isAtEnd { return false }
      left = try reader.unsigned()
      value.toggle()
    }
    left -= 1
    return value
  }

  func finish(_ name: String) throws(AutomergeError) {
    guard left == 0, reader.isAtEnd else {
      throw reader.error("more rows in the column of \(name) than elsewhere")
    }
  }
}
