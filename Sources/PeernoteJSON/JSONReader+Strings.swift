extension JSONReader {
  /// Reads a string from its opening quotation mark on.
  mutating func string() throws(Fault) -> String {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let start = position
      skipPlain()
      if text.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
      }
      text += bytes[start..<position]
      guard position < bytes.count else { break }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        text += try escape()
      default:
        throw fault("a control character must be written as an escape, such as \\n")
      }
    }
    throw fault("the string does not end")
  }

  /// Skips what stands for itself in a string.
  private mutating func skipPlain() {
    var end = position
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      end += 1
    }
    position = end
  }

  /// Reads an escape from its backslash on.
  ///
  /// - Returns: the UTF-8 of the character that it stands for.
  private mutating func escape() throws(Fault) -> [UInt8] {
    let start = position
    guard position + 1 < bytes.count else { throw fault("the string does not end") }
    position += 2
    switch bytes[position - 1] {
    case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "/"): return [UInt8(ascii: "/")]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw fault("there is no such escape", at: start)
    }
    let first = try fourDigits()
    var value = first
    if (0xD800..<0xDC00).contains(first), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let second = try fourDigits()
      if (0xDC00..<0xE000).contains(second) {
        value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
      }
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw fault("half a surrogate pair stands for no character", at: start)
    }
    return UTF8.encode(scalar).map(Array.init) ?? []
  }

  private mutating func fourDigits() throws(Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Self.hexadecimalDigit(bytes[position]) else {
        throw fault("four hexadecimal digits are expected here")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
