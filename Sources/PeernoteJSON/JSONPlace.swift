/// The way to a part of a JSON value: names and indices from the root down; two are equal only if
/// they are so byte by byte.
package struct JSONPlace: Hashable, Sendable, CustomStringConvertible {
  /// The names and indices.
  package private(set) var tokens: [String] = []

  package init(_ tokens: [String] = []) { self.tokens = tokens }

  package static func == (left: Self, right: Self) -> Bool {
    left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens {
      hasher.combine(token.utf8.count)
      for byte in token.utf8 { hasher.combine(byte) }
    }
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

  /// Reads a JSON Pointer; `nil` unless it is empty or begins with `/`, each `~` as `~0` or `~1`.
  package init?(_ pointer: String) {
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

  /// The index of an array's element that a token names, without sign or leading zeros (RFC 6901,
  /// section 4); `nil` if it is none.
  package static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      token == "0" || !token.hasPrefix("0")
    else { return nil }
    return Int(token)
  }
}
