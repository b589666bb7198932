/// A JSON value (RFC 8259) to write; the members of objects keep the order they are given in.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is not finite is written as a string: `"NaN"`, `"Infinity"`, `"-Infinity"`.
  case double(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A name and its value.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSON

    package init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON {
  /// An integer.
  package static func count(_ value: Int) -> JSON { .integer(Int64(value)) }

  /// A string, or null.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

  /// The value as text in UTF-8, without a line end; if `indented`, each member and element has its
  /// own line, indented by two spaces a level; O(length of the text).
  package func bytes(indented: Bool = false) -> [UInt8] {
    var text: [UInt8] = []
    write(to: &text, indentation: indented ? 0 : nil) { _ in }
    return text
  }

  /// Hands on the same text in pieces, so that no more than a piece of it is in memory;
  /// O(length of the text).
  package func write(indented: Bool = false, to output: ([UInt8]) throws -> Void) throws {
    var piece: [UInt8] = []
    try write(to: &piece, indentation: indented ? 0 : nil) { piece in
      guard piece.count >= 1 << 16 else { return }
      try output(piece)
      piece.removeAll(keepingCapacity: true)
    }
    try output(piece)
  }

  /// Adds the value to the text; `step` may empty it after each element and member.
  private func write(
    to text: inout [UInt8], indentation: Int?, _ step: (inout [UInt8]) throws -> Void
  ) rethrows {
    switch self {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .integer(let value): text += String(value).utf8
    case .double(let value) where value.isFinite: text += value.description.utf8
    case .double: try plain.write(to: &text, indentation: indentation, step)
    case .string(let value): Self.writeString(value, to: &text)
    case .array(let elements):
      try Self.writeList(elements, "[", "]", to: &text, indentation) { element, text, indentation in
        try element.write(to: &text, indentation: indentation, step)
        try step(&text)
      }
    case .object(let members):
      try Self.writeList(members, "{", "}", to: &text, indentation) { member, text, indentation in
        Self.writeString(member.name, to: &text)
        text += (indentation == nil ? ":" : ": ").utf8
        try member.value.write(to: &text, indentation: indentation, step)
        try step(&text)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout [UInt8],
    _ indentation: Int?, _ write: (Element, inout [UInt8], Int?) throws -> Void
  ) rethrows {
    text += open.utf8
    let inner = indentation.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += ",".utf8 }
      breakLine(&text, inner)
      try write(element, &text, inner)
    }
    if !elements.isEmpty { breakLine(&text, indentation) }
    text += close.utf8
  }

  private static func breakLine(_ text: inout [UInt8], _ indentation: Int?) {
    guard let indentation else { return }
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
  }

  /// Escapes what RFC 8259, section 7, demands, and all else that `visibleText` escapes, so that
  /// the text is also safe on a terminal and remains the same JSON there.
  private static func writeString(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\"".utf8
      case "\\": text += "\\\\".utf8
      case "\n": text += "\\n".utf8
      case "\r": text += "\\r".utf8
      case "\t": text += "\\t".utf8
      case _ where isHazardous(scalar):
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          text += "\\u\(hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)]))".utf8
        }
      default: text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}

extension JSON {
  /// What an object has under a name; `nil` for another name or if this is no object; O(members).
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The value as JSON has it: whole doubles are integers, and what is not finite is a string.
  package var plain: JSON {
    guard case .double(let value) = self else { return self }
    if let whole = Int64(exactly: value) { return .integer(whole) }
    if value.isFinite { return self }
    return .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }

  /// The value in a form that equal values share: equal numbers are the same, members are in order.
  private var canonical: JSON {
    switch self {
    case .null, .bool, .integer, .string: return self
    case .double: return plain
    case .array(let elements): return .array(elements.map(\.canonical))
    case .object(let members):
      return .object(
        members.map { Member(name: $0.name, value: $0.value.canonical) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }
  }

  /// What tells the value from all that are not equal to it (JSON Schema, core, section 4.2.2).
  package var identity: [UInt8] { canonical.bytes() }

  package enum Order {
    case less, equal, greater
  }

  /// How two numbers compare, exactly; `nil` if one is no number.
  package func compared(with other: JSON) -> Order? {
    switch (plain, other.plain) {
    case (.integer(let left), .integer(let right)):
      return left < right ? .less : left > right ? .greater : .equal
    // A double in plain form has a fraction, and then rounding an integer does not move it past the
    // double; or it is beyond all integers.
    case (.integer(let left), .double(let right)):
      return right >= 0x1p63 || Double(left) < right ? .less : .greater
    case (.double(let left), .integer(let right)): return left < Double(right) ? .less : .greater
    case (.double(let left), .double(let right)):
      return left < right ? .less : left > right ? .greater : .equal
    case (_, _): return nil
    }
  }
}
