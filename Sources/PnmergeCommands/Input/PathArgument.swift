import ArgumentParser
import Peernote

/// An argument that is a path into a document (RFC 6901), such as `/agenda/0/title`.
struct PathArgument: ExpressibleByArgument, Sendable {
  var path: JSONPointer

  init(_ path: JSONPointer) {
    self.path = path
  }

  init?(argument: String) {
    guard let text = String(validating: ArgumentText.bytes(for: argument), as: UTF8.self),
      let path = JSONPointer(text)
    else { return nil }
    self.path = path
  }
}

extension JSONPointer {
  /// The path as it is shown to people.
  var visible: String { tokens.isEmpty ? "the whole document" : visibleText(description) }

  /// Whether the path leads to what another one does, or into it.
  func isInside(_ other: JSONPointer) -> Bool {
    tokens.count >= other.tokens.count
      && JSONPointer(Array(tokens.prefix(other.tokens.count))) == other
  }
}
