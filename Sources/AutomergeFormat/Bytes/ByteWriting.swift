// Writing the numbers and strings of the format.

extension [UInt8] {
  /// Appends a uLEB.
  @inline(__always)
  mutating func append(unsigned value: UInt64) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(value))
  }

  /// Appends a LEB.
  @inline(__always)
  mutating func append(signed value: Int64) {
    var value = value
    while value > 63 || value < -64 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value) & 0x7F)
  }

  /// Appends a length and the bytes.
  mutating func append(counted bytes: some Collection<UInt8>) {
    append(unsigned: UInt64(bytes.count))
    append(contentsOf: bytes)
  }
}
