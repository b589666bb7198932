import PeernoteCBOR

extension DocumentNode {
  /// Does to content what a patch says.
  ///
  /// O(size of the containers on the path).
  ///
  /// - Returns: `false`, with the content as it was, if the patch does not fit it.
  @discardableResult
  public mutating func apply(_ patch: Patch) -> Bool {
    guard let changed = patched(patch.path.tokens[...], patch.action) else { return false }
    self = changed
    return true
  }

  private func patched(_ path: ArraySlice<String>, _ action: Patch.Action) -> DocumentNode? {
    guard let token = path.first else { return patchedHere(action) }
    if path.count > 1 || !action.concernsParent {
      return changingChild(token) { $0?.patched(path.dropFirst(), action) }
    }
    switch (self, action) {
    case (.map(let entries), .put(let node)):
      return .map(entries.setting(token, to: node))
    case (.map(let entries), .remove):
      let left = entries.filter { !$0.key.utf8.elementsEqual(token.utf8) }
      return left.count < entries.count ? .map(left) : nil
    case (.list(var nodes), _):
      guard let index = JSONPointer.index(token) else { return nil }
      return nodes.patch(at: index, action) ? .list(nodes) : nil
    case (_, _): return nil
    }
  }

  private func changingChild(_ token: String, _ change: (DocumentNode?) -> DocumentNode?)
    -> DocumentNode?
  {
    switch self {
    case .map(let entries):
      return change(self[token]).map { .map(entries.setting(token, to: $0)) }
    case .list(var nodes):
      guard let index = JSONPointer.index(token), nodes.indices.contains(index),
        let changed = change(nodes[index])
      else { return nil }
      nodes[index] = changed
      return .list(nodes)
    case _: return nil
    }
  }

  private func patchedHere(_ action: Patch.Action) -> DocumentNode? {
    switch (self, action) {
    case (.text(let text), .splice(let replacement)):
      let scalars = text.unicodeScalars
      guard let start = scalars.offset(replacement.scalars.lowerBound),
        let end = scalars.offset(replacement.scalars.upperBound)
      else { return nil }
      var changed = String.UnicodeScalarView(scalars[..<start])
      changed.append(contentsOf: replacement.text.unicodeScalars)
      changed.append(contentsOf: scalars[end...])
      return .text(String(changed))
    case (.set(let members), .add(let value)):
      return .set(members: Set(members).union([value]))
    case (.set(let members), .discard(let value)):
      return .set(members: Set(members).subtracting([value]))
    case (.counter(let count), .increment(let amount)):
      return .counter(count &+ amount)
    case (_, .put(let node)):
      return node
    case (_, _): return nil
    }
  }
}

extension Patch.Action {
  /// Whether it changes the container around the place, not what stands there.
  fileprivate var concernsParent: Bool {
    switch self {
    case .put, .remove, .insert, .move: true
    case .splice, .add, .discard, .increment: false
    }
  }
}

extension [DocumentNode] {
  fileprivate mutating func patch(at index: Int, _ action: Patch.Action) -> Bool {
    switch action {
    case .insert(let nodes):
      guard index <= count else { return false }
      insert(contentsOf: nodes, at: index)
    case .put(let node):
      guard indices.contains(index) else { return false }
      self[index] = node
    case .remove:
      guard indices.contains(index) else { return false }
      remove(at: index)
    case .move(let target):
      guard indices.contains(index), indices.contains(target) else { return false }
      insert(remove(at: index), at: target)
    case .splice, .add, .discard, .increment:
      return false
    }
    return true
  }
}

extension [DocumentNode.MapEntry] {
  /// The entries with one more, or another node under a key, in the order of maps.
  fileprivate func setting(_ key: String, to node: DocumentNode) -> [DocumentNode.MapEntry] {
    var result = self
    if let index = firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      result[index].node = node
      return result
    }
    let place = firstIndex { MapKeyOrder.precedes(key, $0.key) } ?? count
    result.insert(.init(key: key, node: node), at: place)
    return result
  }
}

extension String.UnicodeScalarView {
  /// The index of a scalar by its offset; `nil` outside.
  fileprivate func offset(_ offset: Int) -> Index? {
    offset < 0 ? nil : index(startIndex, offsetBy: offset, limitedBy: endIndex)
  }
}
