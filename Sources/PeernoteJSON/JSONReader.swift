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
    guard let byte = next else { throw fault("a value is missing") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      try list(to: UInt8(ascii: "]"), "bracket") { (reader) throws(Fault) in
        elements.append(try reader.value())
      }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      for (word, value) in Self.words where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        return value
      }
      throw fault("a value is expected here")
    }
  }

  private static let words: [(String, JSON)] = [
    ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
  ]

  private mutating func object() throws(Fault) -> JSON {
    var members: [JSON.Member] = []
    var names = Names()
    try list(to: UInt8(ascii: "}"), "brace") { (reader) throws(Fault) in
      let start = reader.position
      guard reader.next == UInt8(ascii: "\"") else {
        throw reader.fault("a name in quotation marks is expected here")
      }
      let name = try reader.string()
      guard names.insert(name, after: members) else {
        throw reader.fault("the name \(quoted(name)) stands twice in one object", at: start)
      }
      reader.skipSpace()
      guard reader.skip(UInt8(ascii: ":")) else {
        throw reader.fault("a colon is expected here")
      }
      reader.skipSpace()
      members.append(JSON.Member(name: name, value: try reader.value()))
    }
    return .object(members)
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

  /// Reads what stands between an opening bracket or brace and the closing one, with commas between.
  private mutating func list(
    to end: UInt8, _ name: String, _ read: (inout JSONReader) throws(Fault) -> Void
  ) throws(Fault) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw fault("nested deeper than \(Self.depthLimit) levels")
    }
    defer { depth -= 1 }
    position += 1
    skipSpace()
    if skip(end) { return }
    repeat {
      skipSpace()
      try read(&self)
      skipSpace()
    } while skip(UInt8(ascii: ","))
    guard skip(end) else { throw fault("a comma or a closing \(name) is expected here") }
  }

  // MARK: Characters

  /// The byte that stands here; `nil` at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Skips the bytes of some kind that stand here.
  @inline(__always)
  mutating func skip(while isSkipped: (UInt8) -> Bool) {
    var end = position
    while end < bytes.count, isSkipped(bytes[end]) { end += 1 }
    position = end
  }

  mutating func skipSpace() {
    skip { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  /// Skips a byte if it stands here.
  @discardableResult
  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
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
    while true {
      let start = position
      skip { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 }
      let plain = bytes[start..<position]
      if skip(UInt8(ascii: "\"")) {
        return String(decoding: text.isEmpty ? plain : text + plain, as: UTF8.self)
      }
      guard let byte = next else { throw fault("the string does not end") }
      guard byte == UInt8(ascii: "\\") else {
        throw fault("a control character must be written as an escape, such as \\n")
      }
      text += plain
      text += try escape()
    }
  }

  /// Reads an escape from its backslash on, and returns the UTF-8 of what it stands for.
  private mutating func escape() throws(Fault) -> [UInt8] {
    let start = position
    guard position + 1 < bytes.count else { throw fault("the string does not end") }
    let letter = bytes[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw fault("there is no such escape", at: start)
    }
    var value = try fourDigits()
    if (0xD800..<0xDC00).contains(value), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let second = try fourDigits()
      if (0xDC00..<0xE000).contains(second) {
        value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
      }
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw fault("half a surrogate pair stands for no character", at: start)
    }
    return Array(String(scalar).utf8)
  }

  private mutating func fourDigits() throws(Fault) -> UInt32 {
    let digits = bytes[position...].prefix(4)
      .prefix { Unicode.Scalar($0).properties.isASCIIHexDigit }
    position += digits.count
    guard digits.count == 4, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits are expected here") }
    return value
  }
}
