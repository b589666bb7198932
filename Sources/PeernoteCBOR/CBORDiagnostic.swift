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
    guard let (open, close, count) = item.inside else {
      return put(notation(ofCutOrWrong: item, reader), to: &output)
    }
    guard depth < limits.depth else {
      throw CBORError(offset: start, reason: .tooDeep(limit: limits.depth))
    }
    depth += 1
    put(open, to: &output)
    let isTag = item.kind == .tag
    if !isTag { indentation += 1 }
    for index in 0..<count {
      if item.isValue(index) {
        put(": ", to: &output)
      } else if !isTag {
        if index > 0 { put(",", to: &output) }
        breakLine(to: &output)
      }
      try writeItem(from: &reader, to: &output)
    }
    if !isTag {
      indentation -= 1
      breakLine(to: &output)
    }
    put(close, to: &output)
    depth -= 1
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

  /// What stands for an item that holds no others; a text that is not UTF-8 is shown as bytes.
  private mutating func notation(ofCutOrWrong item: CBORItem, _ reader: CBORReader) -> String {
    do throws(CBORError) {
      return try notation(of: item, reader)
    } catch {
      firstFault = firstFault ?? error
      guard case .text(let range) = item else { return "/ \(error) /" }
      return "\(shortened(reader.bytes[range])) / \(error) /"
    }
  }

  /// Likewise; throws for a text that is not UTF-8.
  private func notation(
    of item: CBORItem, _ reader: CBORReader
  ) throws(CBORError) -> String {
    switch item {
    case .bytes(let range): shortened(reader.bytes[range])
    case .text(let range): try reader.notation(ofText: range)
    case .unsigned(let number): "\(number)"
    case .negative(let argument): ScalarNotation.negative(argument)
    case .bool(let value): "\(value)"
    case .null: "null"
    case .double(let number): ScalarNotation.double(number)
    case .array, .map, .tag: ""
    }
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
    if let (open, close, count) = item.inside {
      guard depth < limits.depth else { return false }
      line += open
      for index in 0..<count {
        if index > 0 { line += item.isValue(index) ? ": " : ", " }
        guard append(from: &reader, to: &line, room: room, depth: depth + 1) else { return false }
      }
      line += close
    } else {
      switch item {
      case .bytes(let range) where range.count >= min(room, limits.byteStringLength + 1):
        return false
      case .text(let range) where range.count >= room: return false
      default:
        guard let text = try? notation(of: item, reader) else { return false }
        line += text
      }
    }
    return line.utf8.count <= room
  }
}

extension CBORItem {
  /// What stands around the items inside of this one, and how many they are; `nil` if it holds none.
  fileprivate var inside: (open: String, close: String, count: Int)? {
    switch self {
    case .array(let count): ("[", "]", count)
    case .map(let count): ("{", "}", 2 * count)
    case .tag(let number): ("\(number)(", ")", 1)
    case .unsigned, .negative, .bytes, .text, .bool, .null, .double: nil
    }
  }

  /// Whether one of the items inside of this one is the value of a pair.
  fileprivate func isValue(_ index: Int) -> Bool { kind == .map && !index.isMultiple(of: 2) }
}
