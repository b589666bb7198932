import PeernoteCBOR

/// What a document holds at one place: a value, or a container with all that is in it.
public enum DocumentNode: Hashable, Sendable {
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
  public struct MapEntry: Hashable, Sendable {
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
