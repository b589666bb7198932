/// Bytes as hexadecimal digits, two for each.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}

/// A text in UTF-8 with every `%` and the two hexadecimal digits behind it as the byte that they
/// stand for (RFC 3986, section 2.1); `nil` if a `%` stands before anything else.
package func percentDecoded(_ text: String) -> [UInt8]? {
  var result: [UInt8] = []
  var rest = text.utf8[...]
  while var byte = rest.popFirst() {
    if byte == UInt8(ascii: "%") {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      // `UInt8` would take a sign as well.
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let code = UInt8(digits, radix: 16)
      else { return nil }
      byte = code
      rest = rest.dropFirst(2)
    }
    result.append(byte)
  }
  return result
}
