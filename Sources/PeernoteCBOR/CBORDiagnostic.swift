import PeernoteJSON

/// Shows encoded items to people, in diagnostic notation (RFC 8949, section 8).
///
/// A container that fits on a line stands on one; of any other each element or pair stands on a
/// line of its own, indented by two spaces. What is left out or wrong is said in comments between
/// slashes (RFC 8610, appendix G.6). Control characters and those that change the direction of
/// writing are escaped, so that printing a document cannot command a terminal.
package struct CBORDiagnostic {
  /// How many bytes of a byte string are shown; a comment counts the rest.
  private static let byteStringLength = 64
  /// How many arrays, maps and tags may be open at once before writing stops.
  private static let depthLimit = 64
  /// The length, in UTF-8 bytes, up to which a line may hold a whole container.
  private static let lineLength = 80

  /// A line that should hold a whole item has no room for it.
  private struct LineIsFull: Error {}

  private var reader: CBORReader
  private var output: [UInt8] = []
  private var lineStart = 0
  private var indentation = 0

  /// Shows all items in `bytes`, each followed by a line feed.
  ///
  /// Bytes outside of `CBORReader`'s profile are no reason to trap: a comment names the fault and
  /// its place, and writing stops there. A text that is not UTF-8 is shown as a byte string with
  /// a comment, and writing goes on. Takes time linear in what is written.
  package static func describe(_ bytes: [UInt8]) -> String {
    var notation = CBORDiagnostic(reader: CBORReader(bytes))
    do {
      while !notation.reader.isAtEnd {
        try notation.writeItem(depth: 0)
        notation.breakLine()
      }
    } catch {
      notation.put("\n/ \(error) /\n")
    }
    return String(decoding: notation.output, as: UTF8.self)
  }

  /// Writes the next item with all that is inside it: on this line, or if it is not to reach over a
  /// `limit` of the output and does not have to, on lines of its own.
  ///
  /// With a limit, it throws as soon as that is reached, so it takes time linear in a line's length.
  /// Recursion is as deep as `depthLimit` at most.
  private mutating func writeItem(depth: Int, limit: Int? = nil) throws {
    if limit == nil, writeOnLine(depth: depth) { return }
    let start = reader.offset
    let item = try reader.nextItem()
    if let limit, case .text(let range) = item, range.count > limit - output.count {
      throw LineIsFull()
    }
    if let (open, close, count) = item.inside {
      guard depth < Self.depthLimit else {
        throw CBORError("nested deeper than \(Self.depthLimit) levels", at: start)
      }
      let breaksLines = limit == nil && item.kind != .tag
      put(open)
      if breaksLines { indentation += 1 }
      for index in 0..<count {
        if item.isValue(index) {
          put(": ")
        } else if index > 0 {
          put(breaksLines ? "," : ", ")
        }
        if breaksLines, !item.isValue(index) { breakLine() }
        try writeItem(depth: depth + 1, limit: limit)
      }
      if breaksLines {
        indentation -= 1
        breakLine()
      }
      put(close)
    } else {
      put(try notation(of: item, showsFaults: limit == nil))
    }
    if let limit, output.count > limit { throw LineIsFull() }
  }

  /// Writes the next item if all of it fits on the current line and has no fault; else leaves the
  /// reader alone.
  private mutating func writeOnLine(depth: Int) -> Bool {
    let (before, size) = (reader, output.count)
    do {
      // Room for a comma or bracket after it.
      try writeItem(depth: depth, limit: lineStart + Self.lineLength - 1)
      return true
    } catch {
      reader = before
      output.removeLast(output.count - size)
      return false
    }
  }

  private mutating func put(_ text: String) { output += text.utf8 }

  /// Ends the line and indents the next.
  private mutating func breakLine() {
    put("\n")
    lineStart = output.count
    put(String(repeating: "  ", count: indentation))
  }

  /// What stands for an item that holds no others; a text that is not UTF-8 stands as bytes with a
  /// comment if that `showsFaults`; else this throws.
  private func notation(of item: CBORItem, showsFaults: Bool) throws(CBORError) -> String {
    switch item {
    case .bytes(let range): return Self.notation(ofBytes: reader.bytes[range])
    case .text(let range):
      do throws(CBORError) {
        // As in JSON, with escapes for whatever a terminal could obey.
        return String(decoding: JSON.string(try reader.string(range)).bytes(), as: UTF8.self)
      } catch {
        guard showsFaults else { throw error }
        return "\(Self.notation(ofBytes: reader.bytes[range])) / \(error) /"
      }
    case .unsigned(let number): return "\(number)"
    case .negative(let argument):
      // The least of them, -2^64, has a magnitude of 65 bits.
      return argument == .max ? "-18446744073709551616" : "-\(argument + 1)"
    case .bool(let value): return "\(value)"
    case .null: return "null"
    case .double(let number): return Self.notation(of: number)
    case .array, .map, .tag: return ""
    }
  }

  private static func notation(ofBytes bytes: ArraySlice<UInt8>) -> String {
    let result = "h'\(hexadecimal(bytes.prefix(byteStringLength)))'"
    if bytes.count <= byteStringLength { return result }
    return result + " / the first \(byteStringLength) of \(bytes.count) bytes /"
  }

  private static func notation(of value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    let digits = "\(value)"
    // A point tells it from an integer.
    guard !digits.contains("."), let exponent = digits.firstIndex(of: "e") else { return digits }
    return digits[..<exponent] + ".0" + digits[exponent...]
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
