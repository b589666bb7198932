import PeernoteJSON

/// Diagnostic notation (RFC 8949, section 8) of items that hold no others.
enum ScalarNotation {
  /// The number -1 - `argument`.
  static func negative(_ argument: UInt64) -> String {
    // The least of them, -2^64, has a magnitude of 65 bits.
    argument == .max ? "-18446744073709551616" : "-\(argument + 1)"
  }

  static func double(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    let digits = "\(value)"
    // A point tells it from an integer.
    guard !digits.contains("."), let exponent = digits.firstIndex(of: "e") else { return digits }
    return digits[..<exponent] + ".0" + digits[exponent...]
  }

  static func bytes(_ bytes: ArraySlice<UInt8>) -> String {
    var result = "h'"
    for byte in bytes {
      if byte < 0x10 { result += "0" }
      result += String(byte, radix: 16)
    }
    return result + "'"
  }

  /// Quotes a text as JSON does, and escapes whatever a terminal could obey.
  static func text(_ text: String) -> String {
    String(decoding: JSON.string(text).bytes(), as: UTF8.self)
  }
}

extension CBORReader {
  /// Quotes the text at `range`; throws if it is not UTF-8.
  func notation(ofText range: Range<Int>) throws(CBORError) -> String {
    ScalarNotation.text(try withText(range) { text in String(copying: copy text) })
  }
}
