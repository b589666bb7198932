package import PeernoteJSON

extension DocumentNode {
  /// The content as JSON: texts as strings, lists and sets as arrays, counters as numbers, and
  /// values as ``Value/json`` says; ``JSONForm/plain``.
  ///
  /// O(n).
  package var json: JSON {
    switch form {
    case .value(let value): value.json
    case .map(let entries):
      .object(entries.map { JSON.Member(name: $0.key, value: $0.node.json) })
    case .list(let elements): .array(elements.map(\.json))
    }
  }
}

extension Value {
  /// The value as JSON: bytes in base 64, times as in ISO 8601, UUIDs in their usual form.
  package var json: JSON {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .bytes(let value): .string(Base64.encoded(value))
    case .timestamp(let value): .string(value.iso8601)
    case .uuid(let value): .string(value.description)
    }
  }
}
