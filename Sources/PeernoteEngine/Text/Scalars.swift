/// Decodes the scalar that starts at `index` of valid UTF-8.
package func decodeScalar(_ text: [UInt8], at index: Int) -> (value: UInt32, length: Int) {
  let lead = UInt32(text[index])
  if lead < 0x80 { return (lead, 1) }
  let second = UInt32(text[index + 1] & 0x3F)
  if lead < 0xE0 { return ((lead & 0x1F) << 6 | second, 2) }
  let third = UInt32(text[index + 2] & 0x3F)
  if lead < 0xF0 { return ((lead & 0x0F) << 12 | second << 6 | third, 3) }
  let fourth = UInt32(text[index + 3] & 0x3F)
  return ((lead & 0x07) << 18 | second << 12 | third << 6 | fourth, 4)
}

/// Decodes the scalar that ends at `end` (greater than 0) of valid UTF-8.
package func decodeScalar(_ text: [UInt8], endingAt end: Int) -> (value: UInt32, start: Int) {
  var start = end - 1
  while start > 0, isContinuation(text[start]) { start -= 1 }
  return (decodeScalar(text, at: start).value, start)
}

/// Whether a byte of UTF-8 continues a scalar.
package func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// How many scalars start in valid UTF-8.
package func scalarCount(of text: ArraySlice<UInt8>) -> Int { text.count { !isContinuation($0) } }
