extension FileName {
  /// The name in visible ASCII without spaces: other bytes, and `%`, as `%` and two digits.
  package var percentEncoded: String {
    var result = ""
    for byte in bytes {
      if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        result += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  /// Reads what ``percentEncoded`` writes; `nil` if a `%` stands before anything but two digits.
  package init?(percentEncoded text: String) {
    var result: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      result.append(code)
      rest = rest.dropFirst(2)
    }
    self.init(bytes: result)
  }
}
