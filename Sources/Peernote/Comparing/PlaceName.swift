/// A place in a document as a person would name it.
package struct PlaceName: Hashable, Sendable {
  /// A part of the name, from the outside in.
  package enum Part: Hashable, Sendable {
    /// A key of a map.
    case key(String)
    /// An element by its title, or by what else names it.
    case titled(String)
    /// An element that says nothing of itself, counted from 1.
    case element(Int)
  }

  /// The parts; none for the whole document.
  package var parts: [Part]

  package init(_ parts: [Part] = []) {
    self.parts = parts
  }

  /// The name of a place of some content; what lies beyond that is named by its keys.
  ///
  /// O(depth) steps, each O(children).
  package init(of path: JSONPointer, in root: DocumentNode) {
    var node: DocumentNode? = root
    parts = path.tokens.map { token in
      let parent = node
      node = parent?[JSONPointer([token])]
      guard case .list = parent, let index = JSONPointer.index(token) else { return .key(token) }
      return Self.part(node, at: index)
    }
  }

  /// The keys whose value names the map that has it, in order of preference.
  static let namingKeys = ["title", "name", "label", "heading", "subject", "summary", "key", "id"]

  /// How an element of a list is named.
  package static func part(_ element: DocumentNode?, at index: Int) -> Part {
    for key in namingKeys {
      let value = element?[key]
      if let name = value?.string, !name.isEmpty { return .titled(name) }
      if case .value(.integer(let number)) = value { return .titled(String(number)) }
    }
    return .element(index + 1)
  }
}
