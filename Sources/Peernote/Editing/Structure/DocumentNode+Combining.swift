extension DocumentNode {
  /// One element that stands in several places, with what was changed of it in each, and what of
  /// the others is left out.
  ///
  /// What only some changed is as they have it, and what some removed and others edited stays. Where
  /// two changed one value, text or list, that of the place that stays does. Sets and counters take
  /// the changes of all.
  ///
  /// O(n) for the size of the contents, times their depth. The path leads to the place that is
  /// kept. If nobody knows what the element was before, all that one of the contents lacks was
  /// added to the others.
  package static func combined(
    _ contents: [DocumentNode], keeping kept: Int, since earlier: DocumentNode?,
    at path: JSONPointer
  ) -> (content: DocumentNode, dropped: [DroppedValue]) {
    var content = contents[kept]
    var dropped: [DroppedValue] = []
    for (number, other) in contents.enumerated() where number != kept {
      content = content.combined(with: other, since: earlier, at: path, &dropped)
    }
    return (content, dropped)
  }

  private func combined(
    with other: DocumentNode, since earlier: DocumentNode?, at path: JSONPointer,
    _ dropped: inout [DroppedValue]
  ) -> DocumentNode {
    if isExactly(other) { return self }
    if let earlier {
      if earlier.isExactly(other) { return self }
      if earlier.isExactly(self) { return other }
    }
    switch (self, other) {
    case (.map(let ours), .map(let theirs)):
      var past: [Value: DocumentNode] = [:]
      if case .map(let entries)? = earlier { past = entries.nodesByKey }
      // What only one has stays, unless the other one removed it as it was.
      func left(_ entries: [MapEntry], _ others: [Value: DocumentNode]) -> [MapEntry] {
        entries.filter { entry in
          let key = Value.string(entry.key)
          return others[key] != nil || past[key].map { !$0.isExactly(entry.node) } ?? true
        }
      }
      let known = (ours.nodesByKey, theirs.nodesByKey)
      return .map(
        left(ours, known.1).joined(with: left(theirs, known.0)) { key, node, other in
          node.combined(
            with: other, since: past[.string(key)], at: path.appending(key), &dropped)
        })
    case (.set(let ours), .set(let theirs)):
      var past: [Value] = []
      if case .set(let members)? = earlier { past = members }
      let removed = Set(past).subtracting(Set(ours).intersection(theirs))
      return .set(members: Set(ours).union(theirs).subtracting(removed))
    case (.counter(let ours), .counter(let theirs)):
      guard case .counter(let past)? = earlier else { break }
      return .counter(ours &+ theirs &- past)
    case (_, _): break
    }
    let value = DroppedValue(path: path, kept: self, dropped: other)
    if !dropped.contains(value) { dropped.append(value) }
    return self
  }
}

extension DocumentNode {
  /// The first element of a list in this content that has the identity of another one; `nil` if none
  /// has, or the other one has no identity.
  ///
  /// O(n).
  package func element(identifiedAs other: DocumentNode, identityKeys keys: [String])
    -> DocumentNode?
  {
    guard let identity = other.identity(keys) else { return nil }
    return element(with: identity, keys)
  }

  private func element(with identity: ListIdentity, _ keys: [String]) -> DocumentNode? {
    if case .list(let elements) = self,
      let element = elements.first(where: { $0.identity(keys) == identity })
    {
      return element
    }
    return children.lazy.compactMap { $0.node.element(with: identity, keys) }.first
  }
}

extension [DocumentNode.MapEntry] {
  /// What stands under each key, which are told apart by their bytes.
  var nodesByKey: [Value: DocumentNode] {
    Dictionary(map { (.string($0.key), $0.node) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entries of two maps in their order; where both have a key, what the two become together.
  func joined(
    with others: Self,
    _ join: (_ key: String, _ node: DocumentNode, _ other: DocumentNode) -> DocumentNode
  ) -> Self {
    var result = self
    var places: [Value: Int] = [:]
    for (index, entry) in enumerated() { places[.string(entry.key)] = index }
    for entry in others {
      if let place = places[.string(entry.key)] {
        result[place].node = join(entry.key, result[place].node, entry.node)
      } else {
        result.append(entry)
      }
    }
    return result.sorted(by: DocumentNode.MapEntry.precedes)
  }
}
