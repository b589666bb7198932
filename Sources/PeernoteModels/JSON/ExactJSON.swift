package import PeernoteJSON
package import PeernoteEngine

/// JSON that says of which type everything is, so that a content can be written and read without
/// loss; ``JSONForm/exact``, and pnmerge-json(5), "CONTENT OF DOCUMENTS".
///
/// Maps, lists, registers with null, truth values, numbers and strings are what they are in JSON.
/// All else is an object with one member, whose name tells the type (``Tag``). A map that would
/// look like that, having one key that is a tag after any number of further `$` signs in front, is
/// written with one more `$` before its key.
package enum ExactJSON {
  /// The names that mark a type.
  package enum Tag: String, CaseIterable, Sendable {
    /// A text, as a string.
    case text = "$text"
    /// A set, as an array.
    case set = "$set"
    /// A counter, as an integer.
    case counter = "$counter"
    /// Bytes, in base 64.
    case bytes = "$bytes"
    /// A point in time, as in ISO 8601.
    case timestamp = "$timestamp"
    /// A UUID.
    case uuid = "$uuid"
    /// A double that is no number in JSON: `NaN`, `Infinity` or `-Infinity`.
    case double = "$double"
  }

  /// Whether a key would be taken for a tag, or for a tag with `$` signs in front, if it stood
  /// alone in an object.
  static func isTagLike(_ key: String) -> Bool {
    guard key.utf8.first == UInt8(ascii: "$") else { return false }
    return Tag(rawValue: "$" + key.drop { $0 == "$" }) != nil
  }
}

// MARK: - Writing

extension DocumentNode {
  /// The content as JSON that ``DocumentNode/init(_:as:)`` reads back; ``JSONForm/exact``; O(n).
  package var exactJSON: JSON {
    switch self {
    case .map(let entries):
      if entries.count == 1, let entry = entries.first, ExactJSON.isTagLike(entry.key) {
        .object([JSON.Member(name: "$" + entry.key, value: entry.node.exactJSON)])
      } else {
        .object(entries.map { JSON.Member(name: $0.key, value: $0.node.exactJSON) })
      }
    case .list(let elements): .array(elements.map(\.exactJSON))
    case .set(let values):
      ExactJSON.tagged(.set, .array(values.map { DocumentNode.value($0).exactJSON }))
    case .value(.double(let value)) where value.isFinite: .double(value)
    case .value(.double(let value)):
      ExactJSON.tagged(
        .double, .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"))
    case .value, .text, .counter: ExactJSON.Tag(of: self).map { ExactJSON.tagged($0, json) } ?? json
    }
  }
}

extension ExactJSON.Tag {
  /// The type of a content, if plain JSON does not tell it.
  init?(of node: DocumentNode) {
    switch node {
    case .text: self = .text
    case .set: self = .set
    case .counter: self = .counter
    case .value(.bytes): self = .bytes
    case .value(.timestamp): self = .timestamp
    case .value(.uuid): self = .uuid
    case .value(.double): self = .double
    case .value, .map, .list: return nil
    }
  }

  /// The content of this type that plain JSON stands for; `nil` for other JSON, and for sets.
  func node(for json: JSON) -> DocumentNode? {
    switch (self, json) {
    case (.text, .string(let text)): .text(text)
    case (.counter, .integer(let count)): .counter(count)
    case (.bytes, .string(let text)): Base64.decoded(text).map { .value(.bytes($0)) }
    case (.timestamp, .string(let text)): Timestamp(iso8601: text).map { .value(.timestamp($0)) }
    case (.uuid, .string(let text)): UniqueID(text).map { .value(.uuid($0)) }
    case (.double, .string("NaN")): .value(.double(.nan))
    case (.double, .string("Infinity")): .value(.double(.infinity))
    case (.double, .string("-Infinity")): .value(.double(-.infinity))
    case (.text, _), (.counter, _), (.bytes, _), (.timestamp, _), (.uuid, _), (.double, _),
      (.set, _):
      nil
    }
  }

  /// What must follow the tag.
  var expectation: String {
    switch self {
    case .text: "a string"
    case .set: "an array"
    case .counter: "an integer of 64 bits"
    case .bytes: "a string in base 64"
    case .timestamp: "a time such as \"2026-11-20T14:02:11Z\""
    case .uuid: "a UUID such as \"6f9c1de2-0b5f-4f27-8e2c-6d1a0f3b9c55\""
    case .double: "\"NaN\", \"Infinity\" or \"-Infinity\""
    }
  }
}

extension ExactJSON {
  fileprivate static func tagged(_ tag: Tag, _ value: JSON) -> JSON {
    .object([JSON.Member(name: tag.rawValue, value: value)])
  }
}

// MARK: - Reading

extension DocumentNode {
  /// The content that JSON of a form stands for: objects become maps, their members in the order
  /// of the text, but those with a tag what it says; arrays lists, all else registers.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(_ json: JSON, as form: JSONForm) throws(JSONError) {
    var path = JSONPointer()
    self = try ExactJSON.node(json, at: &path, readsTags: form == .exact)
  }

  /// The content, which has to be a map to be that of a whole document; else this throws.
  package func checkedAsRoot() throws(JSONError) -> DocumentNode {
    guard case .map = self else {
      throw .noContent([], reason: "a document is an object, as in {\"title\": …}")
    }
    return self
  }
}

extension ExactJSON {
  /// What JSON stands for; the path is again what it was afterwards.
  fileprivate static func node(
    _ json: JSON, at path: inout JSONPointer, readsTags: Bool
  ) throws(JSONError) -> DocumentNode {
    switch json {
    case .null: return .value(.null)
    case .bool(let value): return .value(.bool(value))
    case .integer(let value): return .value(.integer(value))
    case .double(let value): return .value(.double(value))
    case .string(let value): return .value(.string(value))
    case .array(let elements):
      var nodes: [DocumentNode] = []
      nodes.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        path.tokens.append(String(index))
        nodes.append(try node(element, at: &path, readsTags: readsTags))
        path.tokens.removeLast()
      }
      return .list(nodes)
    case .object(let members):
      if readsTags, members.count == 1, let member = members.first, isTagLike(member.name) {
        if let tag = Tag(rawValue: member.name) { return try node(tag, member.value, at: &path) }
        let name = String(member.name.unicodeScalars.dropFirst())
        return .map([.init(key: name, node: try node(member.value, at: &path, readsTags: true))])
      }
      var entries: [DocumentNode.MapEntry] = []
      entries.reserveCapacity(members.count)
      for member in members {
        path.tokens.append(member.name)
        let value = try node(member.value, at: &path, readsTags: readsTags)
        path.tokens.removeLast()
        entries.append(.init(key: member.name, node: value))
      }
      return .map(entries)
    }
  }

  /// The content that an object with one tag stands for.
  private static func node(
    _ tag: Tag, _ json: JSON, at path: inout JSONPointer
  ) throws(JSONError) -> DocumentNode {
    if tag == .set, case .array(let elements) = json {
      return .set(members: try members(elements, at: &path))
    }
    if let node = tag.node(for: json) { return node }
    throw .noContent(
      path, reason: "\"\(tag.rawValue)\" must be followed by \(tag.expectation)")
  }

  private static func members(
    _ elements: [JSON], at path: inout JSONPointer
  ) throws(JSONError) -> Set<Value> {
    var values: Set<Value> = []
    for element in elements {
      guard case .value(let value) = try node(element, at: &path, readsTags: true) else {
        throw .noContent(path, reason: "a set holds values only, no arrays or objects")
      }
      values.insert(value)
    }
    return values
  }
}

// MARK: - Plain JSON

extension DocumentNode {
  /// The content as JSON: texts as strings, lists and sets as arrays, counters as numbers, and
  /// values as ``Value/json`` says; ``JSONForm/plain``; O(n).
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
