extension JSONReader {
  /// Reads a number (RFC 8259, section 6).
  mutating func number() throws(Fault) -> JSON {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let wholeStart = position
    let whole = try digits()
    guard bytes[wholeStart] != UInt8(ascii: "0") || whole == 1 else {
      throw fault("a number does not begin with a zero", at: start)
    }
    var isInteger = true
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      _ = try digits()
    }
    let mantissa = bytes[wholeStart..<position]
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      _ = try digits()
    }

    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, text != "-0", let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw fault("the number is too large", at: start)
    }
    if isInteger, !value.isExactly(digits: mantissa) {
      throw fault(
        "the integer is too large to be kept exactly; put it in quotation marks", at: start)
    }
    if value == 0, mantissa.contains(where: { $0 > UInt8(ascii: "0") }) {
      throw fault("the number is too small", at: start)
    }
    return .double(value)
  }

  /// Skips one digit or more.
  ///
  /// - Returns: how many.
  private mutating func digits() throws(Fault) -> Int {
    let start = position
    while position < bytes.count,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
    {
      position += 1
    }
    guard position > start else { throw fault("a digit is expected here") }
    return position - start
  }
}

extension Double {
  /// Whether the magnitude is the whole number with these decimal digits.
  ///
  /// O(d²) for d digits, of which a finite double has at most 309.
  fileprivate func isExactly(digits: ArraySlice<UInt8>) -> Bool {
    // Both as whole numbers in base 2³², the least part first.
    var wanted: [UInt32] = []
    for digit in digits {
      var carry = UInt64(digit - UInt8(ascii: "0"))
      for index in wanted.indices {
        carry += UInt64(wanted[index]) * 10
        wanted[index] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      if carry > 0 { wanted.append(UInt32(carry)) }
    }
    if self == 0 { return wanted.isEmpty }
    let shift = Int(exponent) - Self.significandBitCount
    // Whole numbers below 2⁶³ never come here.
    guard shift >= 0 else { return false }
    let significand = UInt128(significandBitPattern | 1 << Self.significandBitCount)
    var found = [UInt32](repeating: 0, count: shift / 32)
    var rest = significand << UInt128(shift % 32)
    while rest > 0 {
      found.append(UInt32(truncatingIfNeeded: rest))
      rest >>= 32
    }
    return found == wanted
  }
}
