/// Text from documents and file names, made safe to show; O(*n*).
///
/// Shown as `\u{1b}`: control characters (C0, DEL, C1), so that no text moves the cursor or changes
/// a terminal's state; line and paragraph separators; and the characters that reorder text around
/// them (Unicode TR 36, section 3.1), so that a line reads as it is stored. Line ends and tabs are
/// shown as `\n`, `\r` and `\t`.
///
/// Characters that are `kept` are left alone: tabs in lines, line feeds in text of many lines.
package func visibleText(_ text: String, keeping kept: [Unicode.Scalar] = []) -> String {
  guard text.unicodeScalars.contains(where: isHazardous) else { return text }
  var result = ""
  result.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    switch scalar {
    case _ where kept.contains(scalar): result.unicodeScalars.append(scalar)
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case "\r": result += "\\r"
    case _ where isHazardous(scalar):
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Bytes of a file name made safe to show: what is not UTF-8 appears as `\xff`.
package func visibleText(of bytes: [UInt8]) -> String {
  if let text = String(validating: bytes, as: UTF8.self) { return visibleText(text) }
  var result = ""
  var rest = bytes[...]
  while !rest.isEmpty {
    let scalarLength = leadingScalarLength(rest)
    if scalarLength > 0 {
      result += visibleText(String(decoding: rest.prefix(scalarLength), as: UTF8.self))
      rest = rest.dropFirst(scalarLength)
    } else {
      // Not a byte below 0x80, so that there are two digits.
      result += "\\x" + String(rest.removeFirst(), radix: 16)
    }
  }
  return result
}

/// Whether a character is escaped when shown: a control, a line end, a change of the direction of
/// writing, or what nobody sees.
package func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x20...0x7E: false
  case 0x00...0x1F, 0x7F...0x9F: true
  case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
  case 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
  default: false
  }
}

/// The length of the UTF-8 sequence at the start of `bytes`; 0 if there is no valid one.
package func leadingScalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
  var decoder = UTF8()
  var rest = bytes.makeIterator()
  guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return 0 }
  return UTF8.width(scalar)
}

/// Text in quotation marks, on one line, cut after `limit` characters; a character can be any
/// number of scalars: of these at most sixteen times as many are shown.
package func quoted(_ text: String, limit: Int = 60) -> String {
  let end = text.unicodeScalars.index(
    text.startIndex, offsetBy: 16 * limit, limitedBy: text.endIndex)
  let start = text[..<(end ?? text.endIndex)].prefix(limit + 1)
  let isCut = start.endIndex != text.endIndex
  var escaped = String.UnicodeScalarView()
  for scalar in (isCut ? start.prefix(limit - 1) : start).unicodeScalars {
    if scalar == "\"" || scalar == "\\" { escaped.append("\\") }
    escaped.append(scalar)
  }
  return "\"" + visibleText(String(escaped)) + (isCut ? "…\"" : "\"")
}
