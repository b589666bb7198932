/// Shows encoded items to people, in diagnostic notation (RFC 8949, section 8).
///
/// A container that fits on a line stands on one; of any other each element or pair stands on a
/// line of its own, indented by two spaces. What is left out or wrong is said in comments between
/// slashes (RFC 8610, appendix G.6). Control characters and those that change the direction of
/// writing are escaped, so that printing a document cannot command a terminal.
package enum CBORDiagnostic {
  /// What to show of items that are too large to be read.
  package struct Limits: Sendable {
    /// How many bytes of a byte string are shown; a comment counts the rest.
    package var byteStringLength = 64
    /// How many arrays, maps and tags may be open at once before writing stops.
    package var depth = 64
    /// The length, in UTF-8 bytes, up to which a line may hold a whole container.
    package var lineLength = 80

    package init() {}
  }

  /// Writes all items in `range` of `bytes`, each followed by a line feed.
  ///
  /// Bytes outside of `CBORReader`'s profile are no reason to trap: a comment names the fault and
  /// its place, and writing stops there. A text that is not UTF-8 is shown as a byte string with
  /// a comment, and writing goes on. Takes time linear in what is written.
  /// - Returns: The first fault, or nil if there is none.
  @discardableResult
  package static func write(
    _ range: Range<Int>, of bytes: [UInt8], limits: Limits = Limits(),
    to output: inout some TextOutputStream
  ) -> CBORError? {
    var reader = CBORReader(bytes, range: range)
    var notation = DiagnosticNotation(limits: limits)
    do throws(CBORError) {
      while !reader.isAtEnd {
        try notation.writeItem(from: &reader, to: &output)
        notation.breakLine(to: &output)
      }
      return notation.firstFault
    } catch {
      output.write("\n/ \(error) /\n")
      return notation.firstFault ?? error
    }
  }

  /// Returns what `write(_:of:limits:to:)` writes for all of `bytes`.
  package static func describe(_ bytes: [UInt8], limits: Limits = Limits()) -> String {
    var result = ""
    write(bytes.indices, of: bytes, limits: limits, to: &result)
    return result
  }
}

/// The state of writing a sequence of items.
private struct DiagnosticNotation {
  let limits: CBORDiagnostic.Limits
  /// The first text that was not UTF-8.
  private(set) var firstFault: CBORError?
  private var depth = 0
  private var indentation = 0
  /// How many bytes stand on the current line.
  private var column = 0

  init(limits: CBORDiagnostic.Limits) {
    self.limits = limits
  }

  /// Writes one item with all that is inside it.
  ///
  /// Recursion is as deep as `limits.depth` at most.
  mutating func writeItem(
    from reader: inout CBORReader, to output: inout some TextOutputStream
  ) throws(CBORError) {
    if let line = lineOfItem(from: &reader) {
      put(line, to: &output)
      return
    }

    let start = reader.offset
    let item = try reader.nextItem()
    switch item {
    case .array(let count):
      try enter(start)
      put("[", to: &output)
      indentation += 1
      for index in 0..<count {
        breakLine(to: &output)
        try writeItem(from: &reader, to: &output)
        if index < count - 1 { put(",", to: &output) }
      }
      indentation -= 1
      breakLine(to: &output)
      put("]", to: &output)
      depth -= 1
    case .map(let count):
      try enter(start)
      put("{", to: &output)
      indentation += 1
      for index in 0..<count {
        breakLine(to: &output)
        try writeItem(from: &reader, to: &output)
        put(": ", to: &output)
        try writeItem(from: &reader, to: &output)
        if index < count - 1 { put(",", to: &output) }
      }
      indentation -= 1
      breakLine(to: &output)
      put("}", to: &output)
      depth -= 1
    case .tag(let number):
      try enter(start)
      put("\(number)(", to: &output)
      try writeItem(from: &reader, to: &output)
      put(")", to: &output)
      depth -= 1
    case .bytes(let range):
      put(shortened(reader.bytes[range]), to: &output)
    case .text(let range):
      do throws(CBORError) {
        put(try reader.notation(ofText: range), to: &output)
      } catch {
        firstFault = firstFault ?? error
        put("\(shortened(reader.bytes[range])) / \(error) /", to: &output)
      }
    case .unsigned(let number):
      put("\(number)", to: &output)
    case .negative(let argument):
      put(ScalarNotation.negative(argument), to: &output)
    case .bool(let value):
      put("\(value)", to: &output)
    case .null:
      put("null", to: &output)
    case .double(let number):
      put(ScalarNotation.double(number), to: &output)
    }
  }

  /// Ends the line and indents the next.
  mutating func breakLine(to output: inout some TextOutputStream) {
    output.write("\n" + String(repeating: "  ", count: indentation))
    column = 2 * indentation
  }

  private func shortened(_ bytes: ArraySlice<UInt8>) -> String {
    let limit = limits.byteStringLength
    let shown = ScalarNotation.bytes(bytes.prefix(limit))
    return bytes.count <= limit ? shown : "\(shown) / the first \(limit) of \(bytes.count) bytes /"
  }

  private mutating func enter(_ offset: Int) throws(CBORError) {
    guard depth < limits.depth else {
      throw CBORError(offset: offset, reason: .tooDeep(limit: limits.depth))
    }
    depth += 1
  }

  private mutating func put(_ text: String, to output: inout some TextOutputStream) {
    output.write(text)
    column += text.utf8.count
  }

  // MARK: Items on one line

  /// Reads the next item if all of it fits on the current line.
  ///
  /// Gives up as soon as the line is full, so it takes time linear in a line's length; leaves the
  /// reader alone then, as it does when there is a fault.
  private func lineOfItem(from reader: inout CBORReader) -> String? {
    var ahead = reader
    var line = ""
    // Room for a comma or bracket after it.
    guard append(from: &ahead, to: &line, room: limits.lineLength - column - 1, depth: depth)
    else { return nil }
    reader = ahead
    return line
  }

  /// Appends the next item to `line`; false if there is no room, or a fault.
  private func append(
    from reader: inout CBORReader, to line: inout String, room: Int, depth: Int
  ) -> Bool {
    guard let item = try? reader.nextItem() else { return false }
    switch item {
    case .array(let count):
      guard depth < limits.depth else { return false }
      line += "["
      for index in 0..<count {
        if index > 0 { line += ", " }
        guard append(from: &reader, to: &line, room: room, depth: depth + 1) else { return false }
      }
      line += "]"
    case .map(let count):
      guard depth < limits.depth else { return false }
      line += "{"
      for index in 0..<count {
        if index > 0 { line += ", " }
        guard append(from: &reader, to: &line, room: room, depth: depth + 1) else { return false }
        line += ": "
        guard append(from: &reader, to: &line, room: room, depth: depth + 1) else { return false }
      }
      line += "}"
    case .tag(let number):
      guard depth < limits.depth else { return false }
      line += "\(number)("
      guard append(from: &reader, to: &line, room: room, depth: depth + 1) else { return false }
      line += ")"
    case .bytes(let range):
      guard range.count <= limits.byteStringLength, range.count < room else { return false }
      line += ScalarNotation.bytes(reader.bytes[range])
    case .text(let range):
      guard range.count < room, let text = try? reader.notation(ofText: range) else { return false }
      line += text
    case .unsigned(let number):
      line += "\(number)"
    case .negative(let argument):
      line += ScalarNotation.negative(argument)
    case .bool(let value):
      line += "\(value)"
    case .null:
      line += "null"
    case .double(let number):
      line += ScalarNotation.double(number)
    }
    return line.utf8.count <= room
  }
}
