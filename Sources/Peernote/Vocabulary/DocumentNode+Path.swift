extension DocumentNode {
  /// What stands at a path below this content; `nil` if nothing does.
  ///
  /// O(depth) steps down, each O(children).
  public subscript(path: JSONPointer) -> DocumentNode? {
    var node = self
    for token in path.tokens {
      if case .list(let elements) = node {
        guard let index = JSONPointer.index(token), elements.indices.contains(index) else {
          return nil
        }
        node = elements[index]
      } else {
        guard let child = node[token] else { return nil }
        node = child
      }
    }
    return node
  }
}
