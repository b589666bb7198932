/// Reads the numbers and strings of the format one after the other from a range of bytes.
struct ByteReader {
  /// The array read from.
  let bytes: [UInt8]
  /// Where the next byte stands.
  var offset: Int
  /// Where the bytes to be read end.
  let end: Int
  /// Where the bytes stand in the file, if they do not stand there as they are (having been
  /// compressed).
  let place: Int?

  init(_ bytes: [UInt8], _ range: Range<Int>, place: Int? = nil) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    self.place = place
  }

  var isAtEnd: Bool { offset == end }
  var remaining: Int { end - offset }

  func error(_ reason: String, at offset: Int? = nil) -> AutomergeError {
    AutomergeError(at: place ?? offset ?? self.offset, reason)
  }

  mutating func byte() throws(AutomergeError) -> UInt8 {
    guard offset < end else { throw error("ends too early") }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a uLEB: an unsigned number, seven bits to a byte, the least significant first, in as few
  /// bytes as it takes, and of 64 bits at most.
  @inline(__always)
  mutating func unsigned() throws(AutomergeError) -> UInt64 {
    if offset < end, bytes[offset] < 0x80 {
      defer { offset += 1 }
      return UInt64(bytes[offset])
    }
    return try long(isSigned: false)
  }

  /// Reads a LEB: likewise a signed number in two's complement.
  @inline(__always)
  mutating func signed() throws(AutomergeError) -> Int64 {
    if offset < end, bytes[offset] < 0x80 {
      defer { offset += 1 }
      // Bit 6 is the sign.
      return Int64(Int8(bitPattern: bytes[offset] << 1) >> 1)
    }
    return Int64(bitPattern: try long(isSigned: true))
  }

  /// Reads a number of any length.
  private mutating func long(isSigned: Bool) throws(AutomergeError) -> UInt64 {
    let start = offset
    var result: UInt64 = 0
    var shift: UInt64 = 0
    var previous: UInt8 = 0
    while true {
      let next = try byte()
      let bits = next & 0x7F
      guard shift < 63 || (shift == 63 && (bits == 0 || bits == (isSigned ? 0x7F : 1))) else {
        throw error("a number of more than 64 bits", at: start)
      }
      result |= UInt64(bits) << shift
      shift += 7
      if next < 0x80 {
        let isNegative = isSigned && next & 0x40 != 0
        let hasSameSign = !isSigned || (previous & 0x40 != 0) == isNegative
        // A last byte that only repeats the sign of the one before it is not needed.
        guard shift == 7 || bits != (isNegative ? 0x7F : 0) || !hasSameSign else {
          throw error("a number that is not in its shortest form", at: start)
        }
        if isNegative && shift < 64 { result |= ~0 << shift }
        return result
      }
      previous = next
    }
  }

  /// Reads a number that counts or measures something of which each takes a byte at least.
  mutating func count() throws(AutomergeError) -> Int {
    let start = offset
    let value = try unsigned()
    guard value <= UInt64(remaining) else {
      throw error("\(value) where \(remaining) bytes are left", at: start)
    }
    return Int(value)
  }

  /// Reads this many bytes and says where they stand.
  mutating func range(_ count: Int) throws(AutomergeError) -> Range<Int> {
    guard count <= remaining else {
      throw error("\(count) bytes where \(remaining) are left")
    }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Reads a length and as many bytes, and says where they stand.
  mutating func lengthAndRange() throws(AutomergeError) -> Range<Int> {
    try range(count())
  }

  /// Reads a length and as many bytes, which have to be UTF-8.
  mutating func text() throws(AutomergeError) -> Range<Int> {
    let range = try lengthAndRange()
    try checkText(range)
    return range
  }

  func checkText(_ range: Range<Int>) throws(AutomergeError) {
    if range.allSatisfy({ bytes[$0] < 0x80 }) { return }
    guard String(validating: bytes[range], as: UTF8.self) != nil else {
      throw error("a text that is not UTF-8", at: range.lowerBound)
    }
  }

  /// Reads a hash.
  mutating func hash() throws(AutomergeError) -> ChangeHash {
    ChangeHash(bytes[try range(ChangeHash.size)])
  }
}

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
