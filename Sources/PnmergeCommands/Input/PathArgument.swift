import ArgumentParser
import Peernote
import PeernoteJSON

/// An argument that is a path into a document (RFC 6901), such as `/agenda/0/title`.
struct PathArgument: Sendable {
  var path: JSONPointer

  init(_ path: JSONPointer) {
    self.path = path
  }

  /// Reads an argument; the error says what is wrong with it.
  static func parse(_ argument: String) throws -> PathArgument {
    guard let text = String(validating: ArgumentText.bytes(for: argument), as: UTF8.self) else {
      throw ValidationError("It is not UTF-8.")
    }
    guard let path = JSONPointer(text) else {
      throw ValidationError(
        text.hasPrefix("/")
          ? "In a path write ~0 for ~ and ~1 for / in a name."
          : "A path begins with /, as in /title; the empty path is the whole document.")
    }
    return PathArgument(path)
  }

  /// Reads an argument in which `*` stands for any name or index.
  static func parsePattern(_ argument: String) throws -> PathArgument {
    let pattern = try parse(argument)
    if pattern.path.tokens.contains("**") { throw ValidationError(noDeepPattern) }
    return pattern
  }

  /// Why `**` is refused, which would match nothing but such a name.
  static let noDeepPattern =
    "** is no pattern; * stands for one name or index, as in /items/*/title"
}

extension JSONPointer {
  /// The path as it is shown to people.
  var visible: String { visibleText(words) }

  /// Whether the path leads to what another one does, or into it.
  func isInside(_ other: JSONPointer) -> Bool {
    tokens.count >= other.tokens.count
      && JSONPointer(Array(tokens.prefix(other.tokens.count))) == other
  }
}
