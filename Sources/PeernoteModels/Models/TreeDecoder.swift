import PeernoteEngine
import PeernoteMerging

/// Hands content over to a model's coding.
struct TreeDecoder: Decoder, SingleValueDecodingContainer {
  let node: DocumentNode
  let codingPath: [any CodingKey]
  let options: CodingOptions

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let entries) = node else {
      throw mismatch([String: Any].self, "a map")
    }
    return KeyedDecodingContainer(
      KeyedTreeDecoder(decoder: self, keys: entries.map(\.key), nodes: entries.nodesByKey))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch node {
    case .list(let nodes):
      return UnkeyedTreeDecoder(decoder: self, nodes: nodes)
    case .set(let members):
      return UnkeyedTreeDecoder(decoder: self, nodes: members.map { .value($0) })
    case _: throw mismatch([Any].self, "a list")
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func child(_ node: DocumentNode, _ key: any CodingKey) -> TreeDecoder {
    TreeDecoder(node: node, codingPath: codingPath + [key], options: options)
  }

  func decodeNil() -> Bool {
    if case .value(.null) = node { true } else { false }
  }

  func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
    .typeMismatch(
      type,
      .init(codingPath: codingPath, debugDescription: "\(wanted) is wanted, not \(node.kindName)"))
  }

  /// Reads the content as a type: by its representation, as content of its own kind, or by its own
  /// coding.
  func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    if let representation = options.representations[ObjectIdentifier(type)] {
      guard case .value(let value) = node, let model = representation.decode(value) as? Model
      else { throw mismatch(type, "a value that stands for \(type)") }
      return model
    }
    // Unwrapped first: nothing at all could be cast to an optional type.
    if let known = try known(type), let model = known as? Model { return model }
    if let type = type as? any DecodableDictionary.Type,
      let model = try type.decoded(by: self) as? Model
    {
      return model
    }
    do {
      return try Model(from: self)
    } catch is DecodingError where type is any ValueRepresentable.Type {
      throw corrupted("\(node.kindName) that stands for no \(type)")
    }
  }

  private func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }

  /// The content as a type that the document model knows; `nil` for other types.
  private func known(_ type: Any.Type) throws -> Any? {
    if type == [UInt8].self {
      guard case .value(.bytes(let value)) = node else { throw mismatch(type, "bytes") }
      return value
    }
    switch type {
    case is Bool.Type:
      guard case .value(.bool(let value)) = node else { throw mismatch(type, "a truth value") }
      return value
    case is String.Type:
      guard let value = node.string else { throw mismatch(type, "a string") }
      return value
    case is Double.Type: return try double(type)
    case is Float.Type: return Float(try double(type))
    case let type as any FixedWidthInteger.Type:
      return try integer(type)
    case is Timestamp.Type:
      guard case .value(.timestamp(let value)) = node else { throw mismatch(type, "a timestamp") }
      return value
    case is UniqueID.Type:
      guard case .value(.uuid(let value)) = node else { throw mismatch(type, "a UUID") }
      return value
    case let type as any ValueRepresentable.Type:
      guard case .value(let value) = node else { return nil }
      return type.init(documentValue: value)
    default:
      return nil
    }
  }

  private func double(_ type: Any.Type) throws -> Double {
    switch node {
    case .value(.double(let value)): return value
    case .value(.integer(let value)):
      if let exact = Double(exactly: value) { return exact }
      throw corrupted("\(value) does not fit into \(type)")
    case _: throw mismatch(type, "a number")
    }
  }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    guard case .value(.integer(let value)) = node.form else { throw mismatch(type, "an integer") }
    if let integer = Integer(exactly: value) { return integer }
    throw corrupted("\(value) does not fit into \(type)")
  }
}

extension DocumentNode {
  /// What it is, for people.
  fileprivate var kindName: String {
    switch shell {
    case .value(.null): "null"
    case .value(.bool): "a truth value"
    case .value(.integer): "an integer"
    case .value(.double): "a double"
    case .value(.string): "a string"
    case .value(.bytes): "bytes"
    case .value(.timestamp): "a timestamp"
    case .value(.uuid): "a UUID"
    case .container(let kind): "a \(kind)"
    }
  }
}

private struct KeyedTreeDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: TreeDecoder
  let keys: [String]
  /// The nodes by key, told apart by its bytes.
  let nodes: [Value: DocumentNode]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { nodes[.string(key.stringValue)] != nil }

  private func child(_ key: any CodingKey) throws -> TreeDecoder {
    guard let node = nodes[.string(key.stringValue)] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "there is nothing under the key"))
    }
    return decoder.child(node, key)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try child(key).decodeNil()
  }

  func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model {
    try child(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try child(PlaceKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try child(key) }
}

private struct UnkeyedTreeDecoder: UnkeyedDecodingContainer {
  let decoder: TreeDecoder
  let nodes: [DocumentNode]
  var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex == nodes.count }

  /// Reads the next element as a type; one that cannot be read is not passed.
  private mutating func next<Result>(
    _ type: Any.Type, _ read: (TreeDecoder) throws -> Result
  ) throws -> Result {
    let key = PlaceKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [key], debugDescription: "the list is at its end"))
    }
    let result = try read(decoder.child(nodes[currentIndex], key))
    currentIndex += 1
    return result
  }

  mutating func decodeNil() throws -> Bool {
    let isNil = try next(Any?.self) { $0.decodeNil() }
    if !isNil { currentIndex -= 1 }
    return isNil
  }

  mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next(type) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next((any Decoder).self) { $0 }
  }
}
