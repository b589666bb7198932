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
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where isEscaped(scalar):
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether `scalar` is a control, ends a line, changes the direction of writing, or annotates
  /// text unseen.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f: true
    case 0x2028, 0x2029: true
    case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    case 0xfeff: true  // a byte order mark, which nobody sees
    case 0xfff9...0xfffb, 0xe0000...0xe007f: true
    default: false
    }
  }
}

extension CBORReader {
  /// Quotes the text at `range`; throws if it is not UTF-8.
  func notation(ofText range: Range<Int>) throws(CBORError) -> String {
    ScalarNotation.text(try withText(range) { text in String(copying: copy text) })
  }
}
