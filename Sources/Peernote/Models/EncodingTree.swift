/// What a model encodes itself as, while it does so.
final class EncodingTree {
  private enum Content {
    case none
    case node(DocumentNode)
    case map
    case list
  }

  private var content = Content.none
  private var elements: [EncodingTree] = []
  private var children: [String: EncodingTree] = [:]
  /// The keys in the order of their encoding.
  private var keys: [String] = []
  /// The keys that a structure knows.
  private var knownKeys = KnownKeys()
  /// Whether all keys are known, as in a dictionary.
  private var isClosed = false
  /// Whether it is an enumeration, whose cases are keys.
  private var isEnumeration = false

  /// How many elements a list has.
  var count: Int { elements.count }

  func becomeMap<Key: CodingKey>(keyedBy type: Key.Type) {
    content = .map
    knownKeys.note(type)
  }

  func becomeList() {
    content = .list
  }

  func become(_ node: DocumentNode) {
    content = .node(node)
  }

  /// The child under a key, which may be new.
  func child(_ key: String) -> EncodingTree {
    if let known = children[key] { return known }
    let child = EncodingTree()
    children[key] = child
    keys.append(key)
    knownKeys.note(key)
    return child
  }

  func markAbsent(_ key: String) {
    knownKeys.note(key)
  }

  /// A new element at the end of a list.
  func appendElement() -> EncodingTree {
    let element = EncodingTree()
    elements.append(element)
    return element
  }

  /// Encodes a value as its representation, as content of its own kind, or by its own coding.
  func encode(
    _ value: some Encodable, options: CodingOptions, codingPath: [any CodingKey]
  ) throws {
    if let representation = options.representations[ObjectIdentifier(type(of: value))] {
      guard let value = representation.encode(value) else {
        throw invalid(value, codingPath, "the representation has no value for it")
      }
      return become(.value(value))
    }
    if let node = try Self.node(for: value, codingPath: codingPath) { return become(node) }
    if let set = value as? any EncodableSet {
      let trees = try set.members.map { member in
        let tree = EncodingTree()
        try tree.encode(member, options: options, codingPath: codingPath)
        return tree
      }
      var members: Set<Value> = []
      for tree in trees {
        guard case .node(.value(let member)) = tree.content else {
          throw invalid(value, codingPath, "a set holds values only")
        }
        members.insert(member)
      }
      return become(.set(members: members))
    }
    if let dictionary = value as? any AnyDictionary {
      isClosed = true
      if let entries = dictionary.entriesWithOtherKeys {
        return try encode(entries, of: value, options: options, codingPath: codingPath)
      }
    }
    isEnumeration = Mirror(reflecting: value).displayStyle == .enum
    try value.encode(
      to: TreeEncoder(tree: self, codingPath: codingPath, options: options))
    if case .none = content { content = .map }
  }

  /// Encodes a dictionary whose keys are neither strings nor numbers, but values that strings can
  /// stand for.
  private func encode(
    _ entries: [(key: any Encodable, value: any Encodable)], of dictionary: some Encodable,
    options: CodingOptions, codingPath: [any CodingKey]
  ) throws {
    content = .map
    for entry in entries {
      let tree = EncodingTree()
      try tree.encode(entry.key, options: options, codingPath: codingPath)
      guard case .node(.value(let value)) = tree.content, let key = DictionaryKey.string(for: value)
      else {
        throw invalid(
          dictionary, codingPath, "the keys of a dictionary have to be strings, numbers or UUIDs")
      }
      guard children[key] == nil else {
        throw invalid(dictionary, codingPath, "two keys of a dictionary are written alike")
      }
      try child(key).encode(
        entry.value, options: options, codingPath: codingPath + [PlaceKey(stringValue: key)])
    }
  }

  private func invalid(
    _ value: Any, _ codingPath: [any CodingKey], _ reason: String
  ) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
  }

  /// The content of a type that the document model knows; `nil` for others.
  private static func node(for value: Any, codingPath: [any CodingKey]) throws -> DocumentNode? {
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
      return value.documentValue.map { .value($0) }
    case let value as any FixedWidthInteger:
      guard let integer = Int64(exactly: value) else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: codingPath, debugDescription: "does not fit into 64 bits"))
      }
      return .value(.integer(integer))
    default: return nil
    }
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
      let entries = keys.map { key in
        DocumentNode.MapEntry(
          key: key,
          node: children[key]?.node(at: path.appending(key), &maps) ?? .value(.null))
      }
      return .map(entries.sorted(by: DocumentNode.MapEntry.precedes))
    }
  }
}

/// Sets of the standard library, whatever their elements.
protocol EncodableSet {
  var members: [any Encodable] { get }
}

extension Set: EncodableSet where Element: Encodable {
  var members: [any Encodable] { Array(self) }
}
