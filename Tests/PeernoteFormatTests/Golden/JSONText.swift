/// A JSON value that is written the same way everywhere, to the byte: members in the order given,
/// ASCII only, one member or element a line, indented by one space.
///
/// Python's `json.dumps(value, indent=1)` writes the same.
indirect enum JSONText {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSONText])
  case object([(name: String, value: JSONText)])

  /// The text, without a line break at its end.
  var text: String {
    var result = ""
    write(to: &result, depth: 0)
    return result
  }

  private func write(to text: inout String, depth: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += String(number)
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &text, depth: depth) { element, text in
        element.write(to: &text, depth: depth + 1)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, depth: depth) { member, text in
        Self.write(member.name, to: &text)
        text += ": "
        member.value.write(to: &text, depth: depth + 1)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ opening: String, _ closing: String, to text: inout String,
    depth: Int, _ body: (Element, inout String) -> Void
  ) {
    text += opening
    for (index, element) in elements.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + String(repeating: " ", count: depth + 1)
      body(element, &text)
    }
    if !elements.isEmpty { text += "\n" + String(repeating: " ", count: depth) }
    text += closing
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for unit in string.utf16 {
      switch unit {
      case 0x22: text += "\\\""
      case 0x5C: text += "\\\\"
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x09: text += "\\t"
      case 0x08: text += "\\b"
      case 0x0C: text += "\\f"
      case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    text += "\""
  }
}
