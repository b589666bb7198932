/// Writes a column of runs in its one canonical form, which the hashes of changes depend on:
/// equal neighbours are one record, and single values next to each other another; it can be used
/// again after ``removeAll()``.
struct ColumnWriter {
  /// The column, once it is ended; nothing if all rows are null.
  private(set) var bytes: [UInt8] = []
  private let type: UInt32
  private var literals: [UInt8] = []
  private var literalCount: Int64 = 0
  private var pending: UInt64?
  private var pendingCount: UInt64 = 0
  private var hasValue = false
  /// Of a column of differences, the last value.
  private var last: Int64 = 0
  /// Of a column of texts, those that are not the same as the one before them.
  private var texts: [[UInt8]] = []

  init(type: UInt32) { self.type = type }

  /// Appends a row with a number.
  @inline(__always)
  mutating func append(_ value: UInt64?) {
    if pendingCount > 0, value == pending {
      pendingCount += 1
      return
    }
    if pendingCount > 0 { flush() }
    pending = value
    pendingCount = 1
  }

  /// Appends a row to a column of differences.
  @inline(__always)
  mutating func append(total value: Int64?) {
    append(value.map { UInt64(bitPattern: $0 &- last) })
    if let value { last = value }
  }

  /// Appends a row to a column of texts.
  @inline(__always)
  mutating func append(text: [UInt8]?) {
    guard let text else { return append(nil) }
    if texts.last != text { texts.append(text) }
    append(UInt64(texts.count - 1))
  }

  /// Appends a row to a column of truth values, which is left out if none is true unless it
  /// `staysFalse`.
  @inline(__always)
  mutating func append(flag: Bool, staysFalse: Bool) {
    if flag != (pending == 1) {
      bytes.append(unsigned: pendingCount)
      (pending, pendingCount) = (flag ? 1 : 0, 0)
    }
    pendingCount += 1
    if flag || staysFalse { hasValue = true }
  }

  /// Appends bytes to a column of values.
  @inline(__always)
  mutating func append(bytes more: some Collection<UInt8>) {
    bytes.append(contentsOf: more)
    hasValue = true
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
      Self.append(pending, type, texts, to: &literals)
      literalCount += 1
    } else {
      flushLiterals()
      bytes.append(signed: Int64(pendingCount))
      Self.append(pending, type, texts, to: &bytes)
    }
  }

  private static func append(
    _ value: UInt64, _ type: UInt32, _ texts: [[UInt8]], to target: inout [UInt8]
  ) {
    switch type {
    case Column.delta: target.append(signed: Int64(bitPattern: value))
    case Column.text: target.append(counted: texts[Int(value)])
    default: target.append(unsigned: value)
    }
  }

  private mutating func flushLiterals() {
    guard literalCount > 0 else { return }
    bytes.append(signed: -literalCount)
    bytes.append(contentsOf: literals)
    literals.removeAll(keepingCapacity: true)
    literalCount = 0
  }

  /// Ends the column behind its last row.
  mutating func end() {
    if type == Column.boolean {
      if pendingCount > 0 { bytes.append(unsigned: pendingCount) }
    } else {
      if pendingCount > 0 { flush() }
      flushLiterals()
    }
    if !hasValue { bytes.removeAll(keepingCapacity: true) }
  }

  /// Begins anew.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    (pending, pendingCount, last, hasValue) = (nil, 0, 0, false)
  }
}
