/// What a document holds at one place: a value, or a container with all that is in it.
public enum Node: Hashable, Sendable {
  /// A register.
  case value(Value)
  /// A map, its entries in the order of the file: by the length of the key in UTF-8, then by its
  /// bytes.
  case map([MapEntry])
  /// A list, its elements in order.
  case list([Node])
  /// A text.
  case text(String)
  /// A set, its members in the order of the file: by their encoded bytes.
  case set([Value])
  /// A counter.
  case counter(Int64)

  /// One key of a map and what it holds.
  public struct MapEntry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// What stands under it.
    public var node: Node

    /// An entry of a map.
    public init(key: String, node: Node) {
      self.key = key
      self.node = node
    }
  }

  /// What a map holds under a key; `nil` for another key or if this is no map.
  ///
  /// O(entries).
  public subscript(key: String) -> Node? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.node
  }
}
