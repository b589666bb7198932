/// One CBOR data item (RFC 8949, section 3) without the items inside it; strings are ranges of
/// absolute byte offsets into the array that was read, so that reading copies nothing.
package enum CBORItem: Hashable, Sendable {
  case unsigned(UInt64)
  /// The number -1 - n, for the n given.
  case negative(UInt64)
  case bytes(Range<Int>)
  /// A text; `CBORReader.nextItem()` does not look whether its bytes are UTF-8.
  case text(Range<Int>)
  /// The head of an array; that many items follow.
  case array(count: Int)
  /// The head of a map; that many pairs of a key and a value follow.
  case map(count: Int)
  /// A tag; the item that it applies to follows.
  case tag(UInt64)
  case bool(Bool)
  case null
  case double(Double)

  /// Names the kind of this item.
  package var kind: CBORKind {
    switch self {
    case .unsigned: .unsigned
    case .negative: .negative
    case .bytes: .bytes
    case .text: .text
    case .array: .array
    case .map: .map
    case .tag: .tag
    case .bool: .bool
    case .null: .null
    case .double: .double
    }
  }
}

/// The kinds of items that the profile of `CBORReader` allows, as nouns for sentences.
package enum CBORKind: String, Hashable, Sendable, CaseIterable {
  case unsigned = "an unsigned integer"
  case negative = "a negative integer"
  case bytes = "a byte string"
  case text = "a text"
  case array = "an array"
  case map = "a map"
  case tag = "a tag"
  case bool = "a boolean"
  case null = "null"
  case double = "a floating-point number"
}
