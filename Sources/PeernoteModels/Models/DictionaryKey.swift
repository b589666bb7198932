import PeernoteEngine

/// How keys of dictionaries stand in a map, if they are neither `String` nor `Int`.
///
/// Such a dictionary codes itself as a list of keys and values by turns, which no merge could keep in
/// order.
enum DictionaryKey {
  /// The string that stands for a value as a key; `nil` if there is none.
  static func string(for value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .uuid(let id): id.description
    case .null, .bool, .double, .bytes, .timestamp: nil
    }
  }

  /// The values that a string may stand for as a key.
  static func values(for string: String) -> [Value] {
    [.string(string)]
      + [UniqueID(string).map { .uuid($0) }, Int64(string).map { .integer($0) }]
      .compactMap(\.self)
  }
}

/// Dictionaries of the standard library, whatever they hold.
protocol AnyDictionary {
  /// The entries, if the keys do not code themselves as keys; `nil` if they do.
  var entriesWithOtherKeys: [(key: any Encodable, value: any Encodable)]? { get }
}

extension Dictionary: AnyDictionary {
  var entriesWithOtherKeys: [(key: any Encodable, value: any Encodable)]? {
    guard Self.hasOtherKeys else { return nil }
    var result: [(key: any Encodable, value: any Encodable)] = []
    for (key, value) in self {
      guard let key = key as? any Encodable, let value = value as? any Encodable else { return nil }
      result.append((key, value))
    }
    return result
  }

  fileprivate static var hasOtherKeys: Bool {
    Key.self != String.self && Key.self != Int.self
      && !(Key.self is any CodingKeyRepresentable.Type)
  }
}

/// Dictionaries of the standard library that can be read.
protocol DecodableDictionary {
  /// Reads the entries of a map; `nil` if the keys decode themselves from keys, or the content is
  /// no map.
  static func decoded(by decoder: TreeDecoder) throws -> Self?
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
  static func decoded(by decoder: TreeDecoder) throws -> Self? {
    guard hasOtherKeys, case .map(let entries) = decoder.node else { return nil }
    var result: Self = [:]
    for entry in entries {
      let place = PlaceKey(stringValue: entry.key)
      let keys = DictionaryKey.values(for: entry.key).lazy
        .compactMap { try? decoder.child(.value($0), place).decode(Key.self) }
      guard let key = keys.first else {
        throw decoder.child(.value(.string(entry.key)), place).mismatch(Key.self, "a key")
      }
      result[key] = try decoder.child(entry.node, place).decode(Value.self)
    }
    return result
  }
}
