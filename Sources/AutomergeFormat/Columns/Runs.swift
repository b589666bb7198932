/// A kind of value that columns of runs hold.
protocol RunValue: Equatable {
  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> Self
  func append(to bytes: inout [UInt8])
}

extension UInt64: RunValue {
  @inline(__always)
  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> UInt64 {
    try reader.unsigned()
  }

  @inline(__always)
  func append(to bytes: inout [UInt8]) { bytes.append(unsigned: self) }
}

extension Int64: RunValue {
  @inline(__always)
  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> Int64 {
    try reader.signed()
  }

  @inline(__always)
  func append(to bytes: inout [UInt8]) { bytes.append(signed: self) }
}

/// A text as UTF-8, whose bytes all rows of a run share.
struct TextBytes: RunValue {
  let bytes: [UInt8]

  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> TextBytes {
    TextBytes(bytes: Array(reader.bytes[try reader.text()]))
  }

  func append(to target: inout [UInt8]) { target.append(counted: bytes) }
}

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

/// Writes a column of runs in its one canonical form, which the hashes of changes depend on:
/// equal neighbours are one record, and single values next to each other another.
///
/// Can be used again after ``finish(into:)``, with the memory it has.
struct RunWriter<Element: RunValue> {
  private var bytes: [UInt8] = []
  private var literals: [UInt8] = []
  private var literalCount: Int64 = 0
  private var pending: Element?
  private var pendingCount: UInt64 = 0
  private var hasValue = false

  /// Appends a row.
  @inline(__always)
  mutating func append(_ value: Element?) {
    if pendingCount > 0, value == pending {
      pendingCount += 1
      return
    }
    if pendingCount > 0 { flush() }
    pending = value
    pendingCount = 1
  }

  private mutating func flush() {
    guard let pending else {
      flushLiterals()
      bytes.append(0)
      bytes.append(unsigned: pendingCount)
      return
    }
    hasValue = true
    if pendingCount == 1 {
      pending.append(to: &literals)
      literalCount += 1
    } else {
      flushLiterals()
      bytes.append(signed: Int64(pendingCount))
      pending.append(to: &bytes)
    }
  }

  private mutating func flushLiterals() {
    guard literalCount > 0 else { return }
    bytes.append(signed: -literalCount)
    bytes.append(contentsOf: literals)
    literals.removeAll(keepingCapacity: true)
    literalCount = 0
  }

  /// Appends the column to `target`, nothing if all rows are null, and begins anew.
  mutating func finish(into target: inout [UInt8]) {
    if pendingCount > 0 { flush() }
    pending = nil
    pendingCount = 0
    flushLiterals()
    if hasValue { target.append(contentsOf: bytes) }
    bytes.removeAll(keepingCapacity: true)
    hasValue = false
  }
}

/// Writes a column of differences in its one canonical form.
struct DeltaWriter {
  private var runs = RunWriter<Int64>()
  private var last: Int64 = 0

  /// Appends a row.
  @inline(__always)
  mutating func append(_ value: Int64?) {
    runs.append(value.map { $0 &- last })
    if let value { last = value }
  }

  /// Appends the column to `target`, and begins anew.
  mutating func finish(into target: inout [UInt8]) {
    last = 0
    runs.finish(into: &target)
  }
}

/// Writes a column of truth values in its one canonical form.
struct BooleanWriter {
  private var bytes: [UInt8] = []
  private var value = false
  private var count: UInt64 = 0
  private var hasTrue = false

  /// Appends a row.
  @inline(__always)
  mutating func append(_ next: Bool) {
    if next != value {
      bytes.append(unsigned: count)
      (value, count) = (next, 0)
      hasTrue = true
    }
    count += 1
  }

  /// Appends the column to `target`, nothing if `omittingFalse` and nothing is true, and begins anew.
  mutating func finish(into target: inout [UInt8], omittingFalse: Bool = false) {
    if hasTrue || !omittingFalse {
      if count > 0 { bytes.append(unsigned: count) }
      target.append(contentsOf: bytes)
    }
    bytes.removeAll(keepingCapacity: true)
    (value, count, hasTrue) = (false, 0, false)
  }
}
