import PeernoteJSON

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

  /// The index of a list element that a token names, without sign or leading zeros (RFC 6901,
  /// section 4); `nil` if it is none.
  package static func index(_ token: String) -> Int? { JSONPlace.index(token) }
}

extension JSONPointer {
  /// Whether two paths have the same tokens, byte for byte.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    JSONPlace(left.tokens) == JSONPlace(right.tokens)
  }

  /// Feeds the bytes of the tokens to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(JSONPlace(tokens))
  }

  /// The path in a sentence, where that of the whole document would not be seen.
  package var words: String { tokens.isEmpty ? "the whole document" : description }
}

extension JSONPointer: CustomStringConvertible, LosslessStringConvertible {
  /// The path as text: `/` before each token, `~` as `~0`, `/` as `~1`.
  public var description: String { JSONPlace(tokens).description }

  /// Reads a path; `nil` unless it is empty or begins with `/`, with every `~` as `~0` or `~1`.
  public init?(_ description: String) {
    guard let place = JSONPlace(description) else { return nil }
    self.init(place.tokens)
  }
}

extension JSONPointer: ExpressibleByArrayLiteral {
  /// The path made of these keys and indices; the root if there are none.
  public init(arrayLiteral tokens: String...) { self.init(tokens) }
}
