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
      "/" + token.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : "\($0)" }.joined()
    }.joined()
  }

  /// Reads a JSON Pointer; `nil` unless it is empty or begins with `/`, each `~` as `~0` or `~1`.
  package init?(_ pointer: String) {
    guard let first = pointer.utf8.first else { return }
    guard first == UInt8(ascii: "/") else { return nil }
    let scalars = pointer.unicodeScalars.dropFirst()
    for var rest in scalars.split(separator: "/", omittingEmptySubsequences: false) {
      var token = ""
      while let scalar = rest.popFirst() {
        guard scalar == "~" else {
          token.unicodeScalars.append(scalar)
          continue
        }
        switch rest.popFirst() {
        case "0": token += "~"
        case "1": token += "/"
        case _: return nil
        }
      }
      tokens.append(token)
    }
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
