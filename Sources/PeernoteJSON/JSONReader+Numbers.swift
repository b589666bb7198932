#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension JSONReader {
  /// Reads a number (RFC 8259, section 6).
  mutating func number() throws(Fault) -> JSON {
    let start = position
    skip(UInt8(ascii: "-"))
    let wholeStart = position
    try skipDigits()
    let wholeEnd = position
    guard bytes[wholeStart] != UInt8(ascii: "0") || wholeEnd == wholeStart + 1 else {
      throw fault("a number does not begin with a zero", at: start)
    }
    if skip(UInt8(ascii: ".")) { try skipDigits() }
    let mantissa = bytes[wholeStart..<position]
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try skipDigits()
    }
    let isInteger = position == wholeEnd

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
    if !value.keeps(mantissa: mantissa) { recordRounding(text, to: value, at: start) }
    return .double(value)
  }

  private mutating func recordRounding(_ text: String, to value: Double, at start: Int) {
    guard rounding == nil else {
      rounding?.count += 1
      return
    }
    let place = fault("", at: start)
    rounding = Rounding(
      count: 1, first: text, line: place.line, column: place.column, value: value)
  }

  private mutating func skipDigits() throws(Fault) {
    let start = position
    skip { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard position > start else { throw fault("a digit is expected here") }
  }
}

extension Double {
  /// How many decimal digits any double keeps, and how many one has at most.
  private static let digitCounts = 15...767

  /// Whether the nearest double to a number, which this is, has the same decimal digits: as many as
  /// the number is written with, or as few as lead back to the double.
  ///
  /// O(d) for d digits, of which a double has at most 767. `mantissa` may hold the decimal point.
  fileprivate func keeps(mantissa: ArraySlice<UInt8>) -> Bool {
    if mantissa.count <= Self.digitCounts.lowerBound { return true }
    let digits = mantissa.significantDigits
    if digits.count <= Self.digitCounts.lowerBound { return true }
    if digits.count > Self.digitCounts.upperBound { return false }
    return description.utf8.significantDigits == digits || written(digits.count) == digits
  }

  /// Whether the nearest double to a whole number, which this is, is that number; O(d) for d
  /// digits, of which a finite double has at most 309.
  fileprivate func isExactly(digits: ArraySlice<UInt8>) -> Bool {
    written(digits.count) == digits.significantDigits
  }

  /// The significant ones of so many decimal digits.
  private func written(_ count: Int) -> [UInt8] {
    let written = unsafe withVaList([CInt(count - 1), magnitude]) { arguments in
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 16) { buffer in
        let count = unsafe vsnprintf(buffer.baseAddress, buffer.count, "%.*e", arguments)
        return unsafe buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
      }
    }
    return written.significantDigits
  }
}

extension Sequence<UInt8> {
  /// The digits of a number, up to its exponent, that stand neither before the first nor after the
  /// last one that is no zero.
  fileprivate var significantDigits: [UInt8] {
    let digits = prefix { $0 != UInt8(ascii: "e") }
      .filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      .drop { $0 == UInt8(ascii: "0") }
    let end = (digits.lastIndex { $0 != UInt8(ascii: "0") }).map { $0 + 1 } ?? digits.startIndex
    return Array(digits[..<end])
  }
}
