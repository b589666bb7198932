/// Hands a model's coding over to an ``EncodingTree``.
struct TreeEncoder: Encoder {
  let tree: EncodingTree
  let codingPath: [any CodingKey]
  let options: CodingOptions

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    tree.becomeMap(keyedBy: type)
    return KeyedEncodingContainer(KeyedTreeEncoder(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    tree.becomeList()
    return UnkeyedTreeEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleTreeEncoder(encoder: self)
  }

  fileprivate func child(_ tree: EncodingTree, _ key: any CodingKey) -> TreeEncoder {
    TreeEncoder(tree: tree, codingPath: codingPath + [key], options: options)
  }
}

private struct KeyedTreeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func child(_ key: any CodingKey) -> TreeEncoder {
    encoder.child(encoder.tree.child(key.stringValue), key)
  }

  func encodeNil(forKey key: Key) {
    child(key).tree.become(.value(.null))
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let child = child(key)
    try child.tree.encode(value, options: encoder.options, codingPath: child.codingPath)
  }

  private func encodeOrNote<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value {
      try encode(value, forKey: key)
    } else {
      encoder.tree.markAbsent(key.stringValue)
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
  var count: Int { encoder.tree.count }

  private func next() -> TreeEncoder {
    let key = PlaceKey(intValue: count)
    return encoder.child(encoder.tree.appendElement(), key)
  }

  func encodeNil() {
    next().tree.become(.value(.null))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    let element = next()
    try element.tree.encode(value, options: encoder.options, codingPath: element.codingPath)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    next().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  func superEncoder() -> any Encoder { next() }
}

private struct SingleTreeEncoder: SingleValueEncodingContainer {
  let encoder: TreeEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() {
    encoder.tree.become(.value(.null))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.tree.encode(value, options: encoder.options, codingPath: codingPath)
  }
}
