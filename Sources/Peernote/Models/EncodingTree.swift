/// What a model encodes itself as, while it does so.
final class EncodingTree {
  private enum Content {
    case none
    case node(Node)
    case map
    case list
  }

  private var content = Content.none
  private var elements: [EncodingTree] = []
  private var children: [String: EncodingTree] = [:]
  /// The keys in the order of their encoding.
  private var keys: [String] = []
  /// The keys of optional properties that are `nil`.
  private var absentKeys: [String] = []
  /// Whether all keys are known, as in a dictionary.
  private var isClosed = false

  /// How many elements a list has.
  var count: Int { elements.count }

  func becomeMap() {
    content = .map
  }

  func becomeList() {
    content = .list
  }

  func become(_ node: Node) {
    content = .node(node)
  }

  /// The child under a key, which may be new.
  func child(_ key: String) -> EncodingTree {
    if let known = children[key] { return known }
    let child = EncodingTree()
    children[key] = child
    keys.append(key)
    return child
  }

  func noteAbsent(_ key: String) {
    absentKeys.append(key)
  }

  /// A new element at the end of a list.
  func appendElement() -> EncodingTree {
    let element = EncodingTree()
    elements.append(element)
    return element
  }

  /// Encodes a value as its representation, as content of its own kind, or by its own coding.
  func encode(
    _ value: some Encodable, options: TreeEncoder.Options, codingPath: [any CodingKey]
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
    isClosed = value is any AnyDictionary
    try value.encode(
      to: TreeEncoder(tree: self, codingPath: codingPath, options: options))
    if case .none = content { becomeMap() }
  }

  private func invalid(
    _ value: Any, _ codingPath: [any CodingKey], _ reason: String
  ) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason))
  }

  /// The content of a type that the document model knows; `nil` for others.
  private static func node(for value: Any, codingPath: [any CodingKey]) throws -> Node? {
    // Any empty array could be cast to one of bytes.
    if type(of: value) == [UInt8].self, let bytes = value as? [UInt8] {
      return .value(.bytes(bytes))
    }
    switch value {
    case let value as Bool: return .value(.bool(value))
    case let value as String: return .value(.string(value))
    case let value as Double: return .value(.double(value))
    case let value as Float: return .value(.double(Double(value)))
    case let value as any ContentRepresentable: return value.content
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

  /// The content, and of each map that belongs to a structure the keys that it knows.
  func node(at path: JSONPointer, known: inout [JSONPointer: Set<Value>]) -> Node {
    switch content {
    case .none:
      return .value(.null)
    case .node(let node):
      return node
    case .list:
      return .list(
        elements.enumerated().map { index, element in
          element.node(at: path.appending(String(index)), known: &known)
        })
    case .map:
      if !isClosed { known[path] = Set((keys + absentKeys).map { .string($0) }) }
      let entries = keys.map { key in
        Node.MapEntry(
          key: key,
          node: children[key]?.node(at: path.appending(key), known: &known) ?? .value(.null))
      }
      return .map(entries.sorted(by: Node.MapEntry.precedes))
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

/// Dictionaries of the standard library, whatever they hold.
protocol AnyDictionary {}

extension Dictionary: AnyDictionary {}
