/// A path into a document (RFC 6901): the keys of maps and the indices of lists from the root down.
public struct JSONPointer: Hashable, Sendable {
  /// The keys and indices, unescaped; empty for the root.
  public var tokens: [String]

  /// The path made of these keys and indices.
  public init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// The path to a child.
  public func appending(_ token: String) -> JSONPointer {
    JSONPointer(tokens + [token])
  }

  /// The path to the parent; the root's is the root.
  public var parent: JSONPointer { JSONPointer(tokens.dropLast()) }

  /// The index of a list element that a token names; `nil` if it is none.
  ///
  /// No sign, no leading zeros (RFC 6901, section 4).
  static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      token == "0" || !token.hasPrefix("0")
    else { return nil }
    return Int(token)
  }
}

extension JSONPointer {
  /// Whether two paths have the same tokens, byte for byte.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Feeds the bytes of the tokens to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens {
      hasher.combine(token.utf8.count)
      for byte in token.utf8 { hasher.combine(byte) }
    }
  }
}

extension JSONPointer {
  /// The path in a sentence, where that of the whole document would not be seen.
  package var words: String { tokens.isEmpty ? "the whole document" : description }
}

extension JSONPointer: CustomStringConvertible, LosslessStringConvertible {
  /// The path as text: `/` before each token, `~` as `~0`, `/` as `~1`.
  public var description: String {
    tokens.map { token in
      var escaped = "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": escaped += "~0"
        case "/": escaped += "~1"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }.joined()
  }

  /// Reads a path; `nil` unless it is empty or begins with `/`, with every `~` as `~0` or `~1`.
  public init?(_ description: String) {
    var tokens: [String] = []
    var scalars = description.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "/":
        tokens.append("")
        continue
      case "~":
        guard !tokens.isEmpty else { return nil }
        switch scalars.next() {
        case "0": tokens[tokens.count - 1] += "~"
        case "1": tokens[tokens.count - 1] += "/"
        default: return nil
        }
      default:
        guard !tokens.isEmpty else { return nil }
        tokens[tokens.count - 1].unicodeScalars.append(scalar)
      }
    }
    self.init(tokens)
  }
}
