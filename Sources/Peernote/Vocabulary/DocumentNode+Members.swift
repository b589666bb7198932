extension DocumentNode {
  /// A set with these members, in the order of the file.
  ///
  /// O(n log n).
  public static func set(members: Set<Value>) -> DocumentNode {
    .set(Array(members).sortedByEncoding())
  }

  /// The title of a note, or of anything that has one at its top.
  ///
  /// O(entries).
  package var title: String? { self["title"]?.string }

  /// What a text or a string reads; `nil` for anything else.
  public var string: String? {
    switch self {
    case .text(let string), .value(.string(let string)): string
    case .value, .map, .list, .set, .counter: nil
    }
  }

  /// The values of a map with their keys, or the elements of a list with their indices, in order; none
  /// of anything else.
  ///
  /// O(children).
  package var children: [(token: String, node: DocumentNode)] {
    switch self {
    case .map(let entries): entries.map { ($0.key, $0.node) }
    case .list(let elements): elements.enumerated().map { (String($0.offset), $0.element) }
    case .value, .text, .set, .counter: []
    }
  }
}
