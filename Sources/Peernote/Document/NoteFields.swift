/// What a note holds besides the keys of the profile, by key.
///
/// Keys are told apart by their bytes, so that two which only look the same are two.
package struct NoteFields: Hashable, Sendable {
  /// The entries, in the order of maps.
  package private(set) var entries: [DocumentNode.MapEntry] = []

  /// No fields.
  package init() {}

  /// What stands under a key; `nil` if nothing does.
  ///
  /// O(log n), and O(n) to set.
  package subscript(key: String) -> DocumentNode? {
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
  package var isEmpty: Bool { entries.isEmpty }

  /// How many there are.
  package var count: Int { entries.count }

  /// The keys that differ from those of other fields, or hold something else there.
  package func keys(differingFrom other: NoteFields) -> [String] {
    var keys: [String] = []
    for entry in entries where other[entry.key] != entry.node { keys.append(entry.key) }
    for entry in other.entries where self[entry.key] == nil { keys.append(entry.key) }
    return keys
  }

  private func place(of key: String) -> (index: Int, isThere: Bool) {
    let wanted = DocumentNode.MapEntry(key: key, node: .value(.null))
    let index = entries.partitionPoint { !DocumentNode.MapEntry.precedes($0, wanted) }
    return (index, index < entries.count && entries[index].key.utf8.elementsEqual(key.utf8))
  }
}

extension NoteFields: ExpressibleByDictionaryLiteral {
  /// Fields, the last of those with one key.
  package init(dictionaryLiteral elements: (String, DocumentNode)...) {
    for (key, node) in elements { self[key] = node }
  }
}
