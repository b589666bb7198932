import PeernoteCBOR

/// What a document holds at one place: a value, or a container with all that is in it.
///
/// Two are equal if they are the same to the byte: texts and keys compare by their scalars, not by
/// canonical equivalence.
public enum DocumentNode: Sendable {
  /// A register.
  case value(Value)
  /// A map, its entries in the order of the file: by the length of the key in UTF-8, then by its
  /// bytes.
  case map([MapEntry])
  /// A list, its elements in order.
  case list([DocumentNode])
  /// A text.
  case text(String)
  /// A set, its members in the order of the file: by their encoded bytes.
  case set([Value])
  /// A counter.
  case counter(Int64)

  /// One key of a map and what it holds.
  public struct MapEntry: Sendable {
    /// The key.
    public var key: String
    /// What stands under it.
    public var node: DocumentNode

    /// An entry of a map.
    public init(key: String, node: DocumentNode) {
      self.key = key
      self.node = node
    }

    /// The order of maps: by the length of the key in UTF-8, then by its bytes.
    package static func precedes(_ left: Self, _ right: Self) -> Bool {
      MapKeyOrder.precedes(left.key, right.key)
    }
  }

  /// The content with all maps in their order.
  package var sorted: DocumentNode {
    let inner = mapChildren { $1.sorted }
    guard case .map(let entries) = inner else { return inner }
    return .map(entries.sorted(by: MapEntry.precedes))
  }

  /// What a map holds under a key; `nil` for another key or if this is no map.
  ///
  /// O(entries).
  public subscript(key: String) -> DocumentNode? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.node
  }
}

extension DocumentNode: Hashable {
  /// Whether two have the same type and the same bytes.
  ///
  /// O(n).
  public static func == (left: DocumentNode, right: DocumentNode) -> Bool {
    switch (left, right) {
    case (.value(let left), .value(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.text(let left), .text(let right)): ExactString(left) == ExactString(right)
    case (.set(let left), .set(let right)): left == right
    case (.counter(let left), .counter(let right)): left == right
    case (.value, _), (.map, _), (.list, _), (.text, _), (.set, _), (.counter, _): false
    }
  }

  /// Feeds the type and the bytes to the hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .value(let value): hasher.combine(value)
    case .map(let entries): hasher.combine(entries)
    case .list(let elements): hasher.combine(elements)
    case .text(let text): hasher.combine(ExactString(text))
    case .set(let members): hasher.combine(members)
    case .counter(let count): hasher.combine(count)
    }
  }
}

extension DocumentNode.MapEntry: Hashable {
  /// Whether two have the same key, to the byte, and the same content.
  public static func == (left: Self, right: Self) -> Bool {
    ExactString(left.key) == ExactString(right.key) && left.node == right.node
  }

  /// Feeds key and content to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(key))
    hasher.combine(node)
  }
}

extension DocumentNode {
  /// A set with these members, in the order of the file.
  ///
  /// O(n log n).
  public static func set(members: Set<Value>) -> DocumentNode {
    .set(Array(members).sortedByEncoding())
  }

  /// The title of a note, or of anything that has one at its top; O(entries).
  package var title: String? { self["title"]?.string }

  /// What a text or a string reads; `nil` for anything else.
  public var string: String? {
    switch self {
    case .text(let string), .value(.string(let string)): string
    case _: nil
    }
  }

  /// The values of a map with their keys, or the elements of a list with their indices, in order;
  /// none of anything else; O(children).
  package var children: [(token: String, node: DocumentNode)] {
    switch self {
    case .map(let entries): entries.map { ($0.key, $0.node) }
    case .list(let elements): elements.enumerated().map { (String($0.offset), $0.element) }
    case _: []
    }
  }

  /// The content with other nodes in the places of its ``children``; O(children).
  package func mapChildren(
    _ change: (_ token: String, _ node: DocumentNode) -> DocumentNode
  ) -> DocumentNode {
    switch self {
    case .map(let entries):
      .map(entries.map { .init(key: $0.key, node: change($0.key, $0.node)) })
    case .list(let elements):
      .list(elements.enumerated().map { change(String($0.offset), $0.element) })
    case _: self
    }
  }

  /// What one write puts down of the content: a value whole, of a container only the kind.
  package var shell: Content {
    switch self {
    case .value(let value): .value(value)
    case .map: .container(.map)
    case .list: .container(.list)
    case .text: .container(.text)
    case .set: .container(.set)
    case .counter: .container(.counter)
    }
  }

  /// Content as JSON has it.
  package enum Form {
    /// What nothing stands in.
    case value(Value)
    case list([DocumentNode])
    case map([MapEntry])
  }

  /// How JSON writes the content: a text as a string, a set as a list, a counter as an integer;
  /// O(1), but for sets O(members).
  package var form: Form {
    switch self {
    case .value(let value): .value(value)
    case .text(let text): .value(.string(text))
    case .counter(let count): .value(.integer(count))
    case .set(let members): .list(members.map { .value($0) })
    case .list(let elements): .list(elements)
    case .map(let entries): .map(entries)
    }
  }

  /// The content as one of another kind that JSON writes alike; `nil` if there is none; O(1), but
  /// for sets O(n log n).
  package func converted(to kind: ContainerKind) -> DocumentNode? {
    switch (kind, form) {
    case (.text, .value(.string(let text))): return .text(text)
    case (.counter, .value(.integer(let count))): return .counter(count)
    case (.list, .list(let nodes)): return .list(nodes)
    case (.map, .map(let entries)): return .map(entries)
    case (.set, .list(let nodes)):
      var members: Set<Value> = []
      for node in nodes {
        guard case .value(let value) = node else { return nil }
        members.insert(value)
      }
      return .set(members: members)
    case (_, _): return nil
    }
  }

  /// What stands at a path below this content; `nil` if nothing does.
  ///
  /// O(depth) steps down, each O(children).
  public subscript(path: JSONPointer) -> DocumentNode? {
    var node = self
    for token in path.tokens {
      if case .list(let elements) = node {
        guard let index = JSONPointer.index(token), elements.indices.contains(index) else {
          return nil
        }
        node = elements[index]
      } else {
        guard let child = node[token] else { return nil }
        node = child
      }
    }
    return node
  }
}
