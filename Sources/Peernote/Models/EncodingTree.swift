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
