import PeernoteEngine
import PeernoteMerging

/// Hands a model's coding over to an ``EncodingTree``.
struct TreeEncoder: Encoder, SingleValueEncodingContainer {
  let tree: EncodingTree
  let codingPath: [any CodingKey]
  let options: CodingOptions

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    tree.content = .map
    tree.knownKeys.note(type)
    return KeyedEncodingContainer(KeyedTreeEncoder(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    tree.content = .list
    return UnkeyedTreeEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  fileprivate func child(_ tree: EncodingTree, _ key: any CodingKey) -> TreeEncoder {
    TreeEncoder(tree: tree, codingPath: codingPath + [key], options: options)
  }

  func encodeNil() {
    tree.content = .node(.value(.null))
  }

  /// Encodes a value as its representation, as content of its own kind, or by its own coding.
  func encode<Value: Encodable>(_ value: Value) throws {
    if let representation = options.representations[ObjectIdentifier(type(of: value))] {
      guard let value = representation.encode(value) else {
        throw invalid(value, "the representation has no value for it")
      }
      tree.content = .node(.value(value))
    } else if let node = try node(for: value) {
      tree.content = .node(node)
    } else if let set = value as? any EncodableSet {
      let members = try set.members.map { member in
        guard let member = try self.value(for: member) else {
          throw invalid(value, "a set holds values only")
        }
        return member
      }
      tree.content = .node(.set(members: Set(members)))
    } else if let entries = (value as? any AnyDictionary)?.entriesWithOtherKeys {
      try encode(entries, of: value)
    } else {
      if value is any AnyDictionary { tree.isClosed = true }
      tree.isEnumeration = Mirror(reflecting: value).displayStyle == .enum
      try value.encode(to: self)
      if case .none = tree.content { tree.content = .map }
    }
  }

  /// Encodes a dictionary whose keys are neither strings nor `Int`, but values that strings can stand
  /// for.
  private func encode(
    _ entries: [(key: any Encodable, value: any Encodable)], of dictionary: some Encodable
  ) throws {
    tree.content = .map
    tree.isClosed = true
    for entry in entries {
      guard let key = try value(for: entry.key).flatMap(DictionaryKey.string) else {
        throw invalid(
          dictionary, "the keys of a dictionary have to be strings, integers or UUIDs")
      }
      guard tree.children[key] == nil else {
        throw invalid(dictionary, "two keys of a dictionary are written alike")
      }
      try child(tree.child(key), PlaceKey(stringValue: key)).encode(entry.value)
    }
  }

  /// The value that something is encoded as; `nil` if it is other content.
  private func value(for part: some Encodable) throws -> Value? {
    let encoder = TreeEncoder(tree: EncodingTree(), codingPath: codingPath, options: options)
    try encoder.encode(part)
    guard case .node(.value(let value)) = encoder.tree.content else { return nil }
    return value
  }

  private func invalid(_ value: Any, _ reason: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
  }

  /// The content of a type that the document model knows; `nil` for others.
  private func node(for value: Any) throws -> DocumentNode? {
    // Any empty array could be cast to one of bytes.
    if type(of: value) == [UInt8].self, let bytes = value as? [UInt8] {
      return .value(.bytes(bytes))
    }
    switch value {
    case let value as Bool: return .value(.bool(value))
    case let value as String: return .value(.string(value))
    case let value as Double: return .value(.double(value))
    case let value as Float: return .value(.double(Double(value)))
    case let value as MergeableText: return .text(value.wrappedValue)
    case let value as MergeableCounter: return .counter(Int64(value.wrappedValue))
    case let value as Timestamp: return .value(.timestamp(value))
    case let value as UniqueID: return .value(.uuid(value))
    case let value as any ValueRepresentable:
      guard let known = value.documentValue else {
        // The type stands for the value, which may not be printable: Foundation stops at infinite dates.
        throw invalid(type(of: value), "there is no value for such a \(type(of: value))")
      }
      return .value(known)
    case let value as any FixedWidthInteger:
      guard let integer = Int64(exactly: value) else {
        throw invalid(value, "does not fit into 64 bits")
      }
      return .value(.integer(integer))
    default: return nil
    }
  }
}

private struct KeyedTreeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func child(_ key: any CodingKey) -> TreeEncoder {
    encoder.child(encoder.tree.child(key.stringValue), key)
  }

  func encodeNil(forKey key: Key) {
    child(key).encodeNil()
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try child(key).encode(value)
  }

  private func encodeOrNote<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value {
      try encode(value, forKey: key)
    } else {
      encoder.tree.knownKeys.note(key.stringValue)
    }
  }

  // The standard library calls the one that fits the type.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrNote(value, key) }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try encodeOrNote(value, key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    child(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    child(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { child(PlaceKey(stringValue: "super")) }

  func superEncoder(forKey key: Key) -> any Encoder { child(key) }
}

private struct UnkeyedTreeEncoder: UnkeyedEncodingContainer {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.tree.elements.count }

  private func next() -> TreeEncoder {
    let key = PlaceKey(intValue: count)
    return encoder.child(encoder.tree.appendElement(), key)
  }

  func encodeNil() {
    next().encodeNil()
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try next().encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    next().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  func superEncoder() -> any Encoder { next() }
}

/// Sets of the standard library, whatever their elements.
protocol EncodableSet {
  var members: [any Encodable] { get }
}

extension Set: EncodableSet where Element: Encodable {
  var members: [any Encodable] { Array(self) }
}

/// What a model encodes itself as, while it does so.
final class EncodingTree {
  enum Content {
    case none
    case node(DocumentNode)
    case map
    case list
  }

  var content = Content.none
  private(set) var elements: [EncodingTree] = []
  private(set) var children: [String: EncodingTree] = [:]
  /// The keys that a structure knows.
  var knownKeys = KnownKeys()
  /// Whether all keys are known, as in a dictionary.
  var isClosed = false
  /// Whether it is an enumeration, whose cases are keys.
  var isEnumeration = false

  /// The child under a key, which may be new.
  func child(_ key: String) -> EncodingTree {
    if let known = children[key] { return known }
    let child = EncodingTree()
    children[key] = child
    knownKeys.note(key)
    return child
  }

  /// A new element at the end of a list.
  func appendElement() -> EncodingTree {
    let element = EncodingTree()
    elements.append(element)
    return element
  }

  /// The content, and what is known of the maps in it.
  func node(at path: JSONPointer, _ maps: inout ContentMatching.Maps) -> DocumentNode {
    switch content {
    case .none:
      return .value(.null)
    case .node(let node):
      return node
    case .list:
      return .list(
        elements.enumerated().map { index, element in
          element.node(at: path.appending(String(index)), &maps)
        })
    case .map:
      if !isClosed { maps.knownKeys[path] = knownKeys }
      if isEnumeration { maps.enumerations.insert(path) }
      let entries = children.map { key, child in
        DocumentNode.MapEntry(key: key, node: child.node(at: path.appending(key), &maps))
      }
      return .map(entries.sorted(by: DocumentNode.MapEntry.precedes))
    }
  }
}

/// The key of a list element, or of a superclass.
struct PlaceKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
