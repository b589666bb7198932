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
