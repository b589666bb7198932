extension DocumentNode {
  /// One element that stands in several places, with what was changed of it in each.
  ///
  /// What only some changed is as they have it, and what some removed and others edited stays. Where
  /// two changed one value, text or list, that of the place that stays does. Sets and counters take
  /// the changes of all.
  ///
  /// O(n) for the size of the contents, times their depth.
  ///
  /// - Parameters:
  ///   - contents: what stands in each of the places.
  ///   - kept: the place that stays, by its number.
  ///   - earlier: what the element was before that; `nil` if nobody knows, and then all that one of
  ///     the contents lacks was added to the others.
  ///   - path: where the place that stays is.
  /// - Returns: the content, and what of the others is left out.
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
      var past: [MapEntry] = []
      if case .map(let entries)? = earlier { past = entries }
      return .map(Self.combined(ours, theirs, since: past, at: path, &dropped))
    case (.set(let ours), .set(let theirs)):
      var past: [Value] = []
      if case .set(let members)? = earlier { past = members }
      let removed = Set(past).subtracting(Set(ours).intersection(theirs))
      return .set(members: Set(ours).union(theirs).subtracting(removed))
    case (.counter(let ours), .counter(let theirs)):
      guard case .counter(let past)? = earlier else { break }
      return .counter(ours &+ theirs &- past)
    case (.value, _), (.map, _), (.list, _), (.set, _), (.counter, _), (.text, _): break
    }
    let value = DroppedValue(path: path, kept: self, dropped: other)
    if !dropped.contains(value) { dropped.append(value) }
    return self
  }

  private static func combined(
    _ ours: [MapEntry], _ theirs: [MapEntry], since past: [MapEntry], at path: JSONPointer,
    _ dropped: inout [DroppedValue]
  ) -> [MapEntry] {
    func nodes(_ entries: [MapEntry]) -> [Value: DocumentNode] {
      Dictionary(entries.map { (.string($0.key), $0.node) }) { first, _ in first }
    }
    let (known, others, earlier) = (nodes(ours), nodes(theirs), nodes(past))
    /// What only one has, unless the other one removed it as it was.
    func isLeft(_ entry: MapEntry) -> Bool {
      earlier[.string(entry.key)].map { !$0.isExactly(entry.node) } ?? true
    }
    var result: [MapEntry] = []
    for var entry in ours {
      let key = Value.string(entry.key)
      if let other = others[key] {
        entry.node = entry.node.combined(
          with: other, since: earlier[key], at: path.appending(entry.key), &dropped)
      } else if !isLeft(entry) {
        continue
      }
      result.append(entry)
    }
    result += theirs.filter { known[.string($0.key)] == nil && isLeft($0) }
    return result.sorted(by: MapEntry.precedes)
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
