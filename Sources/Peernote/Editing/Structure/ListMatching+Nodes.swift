extension ContentMatching {
  /// For each element of a list the one of another list that it is; `nil` for a new one.
  ///
  /// O(size of the content) besides elements that are equal at both ends.
  package func partners(from old: [DocumentNode], to new: [DocumentNode]) -> [Int?] {
    let keys = identityKeys
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
    }
    let count = oldEnd - start
    let part = Array(old[start..<oldEnd]) + new[start..<newEnd]
    let matching = ListMatching(
      oldCount: count, newCount: newEnd - start,
      identity: { part[$0].identity(keys) }, content: { part[$0].comparable },
      similarity: {
        // What is common in the lists is, though they be equal but for a few elements.
        ElementSimilarity(oldCount: old.count, newCount: new.count) { place in
          (place < old.count ? old[place] : new[place - old.count]).comparable
        }
      },
      mayBecome: { part[count + $0].shell.isLike(part[$1].shell) })
    var partners: [Int?] = Array(0..<start)
    partners += matching.partners.map { $0 < 0 ? nil : start + Int($0) }
    partners += (oldEnd..<old.count).map { $0 }
    return partners
  }

  /// The new elements that moved, by the old ones that they are: all others stand in the order in
  /// which they were.
  ///
  /// O(n log n).
  package static func moved(_ partners: [Int?]) -> Set<Int> {
    let order = partners.compactMap { $0.map(Int32.init) }
    let moves = Set(ListMoves(toOrder: order).moves.map { Int($0.element) })
    if moves.isEmpty { return [] }
    return Set(partners.indices.filter { partners[$0].map(moves.contains) ?? false })
  }
}

extension DocumentNode {
  /// What tells a map apart from others in its list: the first of some keys that holds a value.
  func identity(_ keys: [String]) -> ListIdentity? {
    for key in keys {
      if case .value(let value) = self[key] { return .init(key: key, value: value) }
    }
    return nil
  }

  /// The content with all that JSON writes alike made alike, to find elements that stand for the
  /// same.
  var comparable: DocumentNode {
    switch form {
    case .value(let value): .value(value)
    case .list(let nodes): .list(nodes.map(\.comparable))
    case .map(let entries):
      .map(
        entries.map { .init(key: $0.key, node: $0.node.comparable) }
          .sorted(by: MapEntry.precedes))
    }
  }
}

extension Content {
  /// Whether one can be written in the other's place and leave it the same element: both are values
  /// or containers of one kind.
  func isLike(_ other: Content) -> Bool {
    switch (self, other) {
    case (.value, .value): true
    case (.container(let left), .container(let right)): left == right
    case (.value, .container), (.container, .value): false
    }
  }
}
