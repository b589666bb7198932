import ArgumentParser
import Peernote
import PeernoteJSON

/// Arguments that are paths into a document (RFC 6901), such as `/agenda/0/title`.
enum PathArgument {
  /// Reads an argument; the error says what is wrong with it.
  static func parse(_ argument: String) throws -> JSONPointer {
    guard let text = String(validating: ArgumentText.bytes(for: argument), as: UTF8.self) else {
      throw ValidationError("It is not UTF-8.")
    }
    guard let path = JSONPointer(text) else {
      throw ValidationError(
        text.hasPrefix("/")
          ? "In a path write ~0 for ~ and ~1 for / in a name."
          : "A path begins with /, as in /title; the empty path is the whole document.")
    }
    return path
  }

  /// Reads an argument in which `*` stands for any name or index.
  static func parsePattern(_ argument: String) throws -> JSONPointer {
    let pattern = try parse(argument)
    // It would match nothing but such a name.
    if pattern.tokens.contains("**") {
      throw ValidationError(
        "** is no pattern; * stands for one name or index, as in /items/*/title")
    }
    return pattern
  }
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
