/// What a draft asks for, from what its model said before and after it was edited.
///
/// Where the model says the same, the document's own content stays: keys that the model does not
/// know, a number that it reads as another kind of number, and nothing at all where the model has a
/// default value.
struct DraftContent {
  private let identityKeys: [String]
  /// What is known of the maps that are wanted: all keys of those that were compared.
  private(set) var maps: ContentMatching.Maps

  init(_ identityKeys: [String], _ maps: ContentMatching.Maps) {
    self.identityKeys = identityKeys
    self.maps = maps
  }

  /// The content that is wanted at a path: what a model stands for now compared with what it stood
  /// for when it was read, and with what was present in the document then.
  ///
  /// O(size of all three). `nil` stands for nothing.
  mutating func wanted(
    _ original: DocumentNode?, _ edited: DocumentNode, _ present: DocumentNode?,
    at path: JSONPointer
  ) -> DocumentNode? {
    if edited == original { return present }
    switch (original, edited, present) {
    case (.map(let original), .map(let edited), .map(let present)):
      if maps.enumerations.contains(path), original.map(\.key) != edited.map(\.key) {
        return .map(edited)
      }
      maps.knownKeys[path] = nil
      return .map(wanted(original, edited, present, at: path))
    case (.list(let original), .list(let edited), .list(let present))
    where original.count == present.count:
      return .list(wanted(original, edited, present, at: path))
    case (_, _, _):
      return edited
    }
  }

  private mutating func wanted(
    _ original: [DocumentNode.MapEntry], _ edited: [DocumentNode.MapEntry],
    _ present: [DocumentNode.MapEntry],
    at path: JSONPointer
  ) -> [DocumentNode.MapEntry] {
    let (before, after) = (original.nodesByKey, edited.nodesByKey)
    var result = present.filter { entry in
      let key = Value.string(entry.key)
      return before[key] == nil && after[key] == nil
    }
    let there = present.nodesByKey
    for entry in edited {
      let key = Value.string(entry.key)
      let node = wanted(before[key], entry.node, there[key], at: path.appending(entry.key))
      guard let node else { continue }
      result.append(.init(key: entry.key, node: node))
    }
    return result.sorted(by: DocumentNode.MapEntry.precedes)
  }

  /// Elements are those with the same identity, else those that are equal.
  private mutating func wanted(
    _ original: [DocumentNode], _ edited: [DocumentNode], _ present: [DocumentNode],
    at path: JSONPointer
  ) -> [DocumentNode] {
    var named: [ListIdentity: Int] = [:]
    var equal: [DocumentNode: [Int]] = [:]
    for (index, node) in original.enumerated().reversed() {
      if let identity = node.identity(identityKeys) { named[identity] = index }
      equal[node, default: []].append(index)
    }
    return edited.enumerated().map { place, node in
      if let identity = node.identity(identityKeys) {
        guard let index = named.removeValue(forKey: identity) else { return node }
        return wanted(
          original[index], node, present[index], at: path.appending(String(place))) ?? node
      }
      guard let index = equal[node]?.popLast() else { return node }
      return present[index]
    }
  }
}
