/// What a note holds besides the keys of the profile, by key.
///
/// Keys are told apart by their bytes, so that two which only look the same are two.
public struct NoteFields: Hashable, Sendable {
  /// The entries, in the order of maps.
  public private(set) var entries: [Node.MapEntry] = []

  /// No fields.
  public init() {}

  /// What stands under a key; `nil` if nothing does.
  ///
  /// O(log n), and O(n) to set.
  public subscript(key: String) -> Node? {
    get {
      let place = place(of: key)
      return place.isThere ? entries[place.index].node : nil
    }
    set {
      let place = place(of: key)
      switch (newValue, place.isThere) {
      case (let node?, true): entries[place.index].node = node
      case (let node?, false): entries.insert(.init(key: key, node: node), at: place.index)
      case (nil, true): entries.remove(at: place.index)
      case (nil, false): break
      }
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { entries.isEmpty }

  /// How many there are.
  public var count: Int { entries.count }

  /// The keys that differ from those of other fields, or hold something else there.
  public func keys(differingFrom other: NoteFields) -> [String] {
    var keys: [String] = []
    for entry in entries where other[entry.key] != entry.node { keys.append(entry.key) }
    for entry in other.entries where self[entry.key] == nil { keys.append(entry.key) }
    return keys
  }

  private func place(of key: String) -> (index: Int, isThere: Bool) {
    let wanted = Node.MapEntry(key: key, node: .value(.null))
    let index = entries.partitionPoint { !Node.MapEntry.precedes($0, wanted) }
    return (index, index < entries.count && entries[index].key.utf8.elementsEqual(key.utf8))
  }
}

extension NoteFields: ExpressibleByDictionaryLiteral {
  /// Fields, the last of those with one key.
  public init(dictionaryLiteral elements: (String, Node)...) {
    for (key, node) in elements { self[key] = node }
  }
}
