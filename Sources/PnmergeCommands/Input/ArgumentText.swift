public import ArgumentParser
public import PeernoteFiles
import PeernoteJSON

/// Command-line arguments as strings, without loss.
///
/// Arguments are bytes, the argument parser takes strings. A byte that is not part of valid UTF-8
/// becomes the private-use scalar U+10FE00 plus its value, an empty value U+10FF00; the bytes of an
/// argument that really holds such a scalar are written in the same way, so that every string stands
/// for one argument.
package enum ArgumentText {
  private static let escapes: ClosedRange<UInt32> = 0x10_FE00...0x10_FF00
  /// Stands for no byte at all, since the parser takes an empty value for a missing one.
  private static let empty: Unicode.Scalar = "\u{10FF00}"

  /// The string that stands for these bytes.
  package static func string(for bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { escapes.contains($0.value) })
    {
      return text
    }
    var result = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let length = leadingScalarLength(rest)
      if let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
        length > 0, !escapes.contains(scalar.value)
      {
        result.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        result.append(escape(first))
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// The bytes that a string stands for.
  package static func bytes(for string: String) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in string.unicodeScalars {
      if scalar == empty { continue }
      if escapes.contains(scalar.value) {
        result.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return result
  }

  /// A string that stands for the same argument, but which no parser takes for an option if it
  /// begins like a negative number.
  static func withoutSign(_ argument: String) -> String {
    guard argument.utf8.first == UInt8(ascii: "-"),
      let second = argument.utf8.dropFirst().first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
    else { return argument }
    return String(Character(escape(UInt8(ascii: "-")))) + argument.dropFirst()
  }

  /// The arguments, with an option that has an empty value, such as `--title=`, as two.
  static func withEmptyValues(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].flatMap { argument -> [String] in
      guard argument.hasPrefix("--"), argument.utf8.last == UInt8(ascii: "=") else {
        return [argument]
      }
      return [String(argument.dropLast()), String(Character(empty))]
    } + arguments[end...]
  }

  /// So many names in a row are left alone.
  private static let rowLength = 32

  /// The arguments with long rows of names as one argument each, with a zero byte between two names,
  /// which no argument holds: the parser takes time that grows with the square of their number.
  ///
  /// The first of a row may be an option's value, and is left alone; so is an empty argument, which
  /// is no name. O(n).
  package static func joiningNames(_ arguments: [String]) -> [String] {
    var result: [String] = []
    var row: [String] = []
    func endRow() {
      result += row.count <= rowLength ? row : [row[0], row[1...].joined(separator: "\0")]
      row.removeAll()
    }
    for argument in arguments {
      if argument.isEmpty || argument.hasPrefix("-") {
        endRow()
        result.append(argument)
      } else {
        row.append(argument)
      }
    }
    endRow()
    return result
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(escapes.lowerBound + UInt32(byte)) ?? "\u{FFFD}"
  }
}

extension FileName: ExpressibleByArgument {
  /// The file that an argument names; an empty argument names none.
  public init?(argument: String) {
    let bytes = ArgumentText.bytes(for: argument)
    guard !bytes.isEmpty else { return nil }
    self.init(bytes: bytes)
  }

  /// The names that ``ArgumentText/joiningNames(_:)`` made one argument of.
  var parted: [FileName] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).map { FileName(bytes: $0) }
  }

  /// Shells complete it with the names of files.
  public static var defaultCompletionKind: CompletionKind { .file() }

  /// How the help shows a file that is there by default.
  public var defaultValueDescription: String { visible }
}

/// An argument that a value can be read from, such as a change's name.
struct Parsed<Value: LosslessStringConvertible & Sendable>: ExpressibleByArgument, Sendable {
  var value: Value

  init?(argument: String) {
    guard let value = Value(argument) else { return nil }
    self.value = value
  }
}

/// An argument that becomes part of a document, and so must be valid UTF-8.
package struct TextArgument: ExpressibleByArgument, Hashable, Sendable {
  package var text: String

  package init?(argument: String) {
    guard let text = String(validating: ArgumentText.bytes(for: argument), as: UTF8.self) else {
      return nil
    }
    self.text = text
  }
}
