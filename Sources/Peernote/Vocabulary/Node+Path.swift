extension Node {
  /// What stands at a path below this content; `nil` if nothing does.
  ///
  /// O(depth) steps down, each O(children).
  public subscript(path: JSONPointer) -> Node? {
    var node = self
    for token in path.tokens {
      switch node {
      case .map:
        guard let child = node[token] else { return nil }
        node = child
      case .list(let elements):
        guard let index = JSONPointer.index(token), elements.indices.contains(index) else {
          return nil
        }
        node = elements[index]
      case .value, .text, .set, .counter:
        return nil
      }
    }
    return node
  }
}
