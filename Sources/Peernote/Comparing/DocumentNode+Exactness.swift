extension DocumentNode {
  /// Whether two contents are the same to the byte.
  ///
  /// `==` takes texts and keys for equal that are canonically equivalent. O(n).
  func isExactly(_ other: DocumentNode) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.list(let left), .list(let right)):
      left.elementsEqual(right) { $0.isExactly($1) }
    case (.map(let left), .map(let right)):
      left.elementsEqual(right) {
        $0.key.utf8.elementsEqual($1.key.utf8) && $0.node.isExactly($1.node)
      }
    case (_, _): self == other
    }
  }
}

extension PlaceChange {
  /// Whether two copies did the same at one place, to the byte.
  package func isSame(as other: PlaceChange) -> Bool {
    guard steps == other.steps else { return false }
    return switch (action, other.action) {
    case (.added(let left), .added(let right)), (.removed(let left), .removed(let right)):
      left.isExactly(right)
    case (.replaced(_, let left), .replaced(_, let right)): left.isExactly(right)
    case (.moved, .moved): path == other.path
    case (.text(_, let left), .text(_, let right)): left.utf8.elementsEqual(right.utf8)
    case (.memberAdded(let left), .memberAdded(let right)),
      (.memberRemoved(let left), .memberRemoved(let right)):
      left == right
    // What two count adds up.
    case (.counted, _), (.added, _), (.removed, _), (.replaced, _), (.moved, _), (.text, _),
      (.memberAdded, _), (.memberRemoved, _):
      false
    }
  }
}
