/// The way to a part of a JSON value: names and indices from the root down.
///
/// - Note: Two are equal only if they are so byte by byte.
package struct SchemaPlace: Hashable, Sendable, CustomStringConvertible {
  /// The names and indices.
  package private(set) var tokens: [String] = []

  init(_ tokens: [String] = []) { self.tokens = tokens }

  func appending(_ token: String) -> SchemaPlace { SchemaPlace(tokens + [token]) }

  package static func == (left: Self, right: Self) -> Bool {
    left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }

  package func hash(into hasher: inout Hasher) {
    for token in tokens { hasher.combine(Array(token.utf8)) }
  }

  /// The place as a JSON Pointer (RFC 6901), such as `/$defs/a`.
  package var description: String {
    tokens.map { token in
      var text = "/".unicodeScalars
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0".unicodeScalars
        case "/": text += "~1".unicodeScalars
        case _: text.append(scalar)
        }
      }
      return String(text)
    }.joined()
  }

  /// Reads a JSON Pointer; `nil` if it is none.
  init?(_ pointer: String) {
    guard let first = pointer.utf8.first else { return }
    guard first == UInt8(ascii: "/") else { return nil }
    var rest = pointer.unicodeScalars.dropFirst()
    var token = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "/":
        tokens.append(String(token))
        token = String.UnicodeScalarView()
      case "~":
        switch rest.popFirst() {
        case "0": token.append("~")
        case "1": token.append("/")
        case _: return nil
        }
      case _: token.append(scalar)
      }
    }
    tokens.append(String(token))
  }
}
