/// Reads JSON texts (RFC 8259), strictly: what another reader may understand differently is
/// refused, with its place.
///
/// - A name that stands twice in one object is refused (section 4 leaves its meaning open).
/// - A number without fraction and exponent is an integer of 64 bits. A larger one is a double if a
///   double holds it exactly, and refused otherwise. `-0` is a double, which can hold it.
/// - Every other number is the nearest double; one that would become infinite, or zero though it
///   is not, is refused. ``Rounding`` says where that has not all of its digits.
/// - Text is UTF-8. Escapes of lone surrogates, which stand for no character, are refused.
/// - Arrays and objects are nested at most ``depthLimit`` deep.
///
/// A byte order mark at the beginning is skipped.
package struct JSONReader {
  /// How deep arrays and objects may be nested.
  package static let depthLimit = 128

  /// Why a text is no JSON, or none that can be kept exactly.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    /// From 1, in Unicode scalars.
    package var column: Int
    /// A clause for people.
    package var reason: String

    package init(line: Int, column: Int, reason: String) {
      (self.line, self.column, self.reason) = (line, column, reason)
    }

    package var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// That numbers have more digits than a double keeps.
  package struct Rounding: Hashable, Sendable {
    /// How many numbers.
    package var count: Int
    /// The first of them, as it stands in the text.
    package var first: String
    /// Where that stands, from 1, in Unicode scalars.
    package var line: Int
    package var column: Int
    /// What it is read as.
    package var value: Double
  }

  let bytes: [UInt8]
  var position = 0
  var rounding: Rounding?
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a text that holds one value; O(*n*) for *n* bytes.
  package static func value(in bytes: [UInt8]) throws(Fault) -> JSON {
    try read(bytes).value
  }

  /// Reads a text that holds one value, and tells whether its numbers were rounded; O(bytes).
  package static func read(
    _ bytes: [UInt8]
  ) throws(Fault) -> (value: JSON, rounding: Rounding?) {
    var reader = JSONReader(bytes)
    try reader.checkEncoding()
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    reader.skipSpace()
    let value = try reader.value()
    reader.skipSpace()
    guard reader.position == bytes.count else {
      throw reader.fault("nothing may follow the value")
    }
    return (value, reader.rounding)
  }

  private func checkEncoding() throws(Fault) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw fault("this is not UTF-8", at: error.byteOffsets.lowerBound)
    }
  }

  // MARK: Values

  private mutating func value() throws(Fault) -> JSON {
    guard position < bytes.count else { throw fault("a value is missing") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      for (word, value) in Self.words where skip(word) { return value }
      throw fault("a value is expected here")
    }
  }

  private static let words: [(StaticString, JSON)] = [
    ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
  ]

  private mutating func object() throws(Fault) -> JSON {
    try enter()
    var members: [JSON.Member] = []
    var names = Names()
    skipSpace()
    if skip(UInt8(ascii: "}")) { return leave(.object([])) }
    while true {
      skipSpace()
      let start = position
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw fault("a name in quotation marks is expected here")
      }
      let name = try string()
      guard names.insert(name, after: members) else {
        throw fault("the name \(quoted(name)) stands twice in one object", at: start)
      }
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw fault("a colon is expected here") }
      skipSpace()
      members.append(JSON.Member(name: name, value: try value()))
      skipSpace()
      if skip(UInt8(ascii: "}")) { return leave(.object(members)) }
      guard skip(UInt8(ascii: ",")) else {
        throw fault("a comma or a closing brace is expected here")
      }
    }
  }

  /// The names of one object: those of a small one are compared with each other, those of a large
  /// one are kept in a table as well.
  private struct Names {
    private static let few = 8
    private var table: Set<[UInt8]> = []

    /// Notes the name of the member after some others, and returns whether none of them has it.
    mutating func insert(_ name: String, after members: [JSON.Member]) -> Bool {
      if members.count < Self.few {
        return members.allSatisfy { !$0.name.utf8.elementsEqual(name.utf8) }
      }
      if members.count == Self.few { table = Set(members.map { Array($0.name.utf8) }) }
      return table.insert(Array(name.utf8)).inserted
    }
  }

  private mutating func array() throws(Fault) -> JSON {
    try enter()
    var elements: [JSON] = []
    skipSpace()
    if skip(UInt8(ascii: "]")) { return leave(.array([])) }
    while true {
      skipSpace()
      elements.append(try value())
      skipSpace()
      if skip(UInt8(ascii: "]")) { return leave(.array(elements)) }
      guard skip(UInt8(ascii: ",")) else {
        throw fault("a comma or a closing bracket is expected here")
      }
    }
  }

  private mutating func enter() throws(Fault) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw fault("nested deeper than \(Self.depthLimit) levels")
    }
    position += 1
  }

  private mutating func leave(_ value: JSON) -> JSON {
    depth -= 1
    return value
  }

  // MARK: Characters

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Skips a byte if it stands here.
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Skips a word if it stands here.
  private mutating func skip(_ word: StaticString) -> Bool {
    let word = word.description.utf8
    guard bytes[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  /// The fault at a byte, here by default.
  func fault(_ reason: String, at offset: Int? = nil) -> Fault {
    let before = bytes[..<min(offset ?? position, bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Fault(
      line: 1 + before.count { $0 == UInt8(ascii: "\n") },
      column: 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }, reason: reason)
  }
}

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

  /// Reads an escape from its backslash on, and returns the UTF-8 of what it stands for.
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
