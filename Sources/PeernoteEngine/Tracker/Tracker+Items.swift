extension Tracker {
  /// Calls `body` with every item of a text, in order.
  ///
  /// O(n).
  package func forEachItem(of sequence: SequenceHandle, _ body: (Item) -> Void) {
    var leaf = sequencePool[sequence.index].firstLeaf
    while leaf >= 0 {
      for item in 0..<leaves[leaf].count { body(items[slot(leaf, item)]) }
      leaf = leaves[leaf].next
    }
  }

  /// Calls `body` with every run of deletions: the first event, the scalar that it deleted, how
  /// many, and whether the following events delete downwards.
  ///
  /// Ascending by event. O(n).
  package func forEachDeletion(
    _ body: (_ event: LocalVersion, _ target: LocalVersion, _ length: Int32, _ backward: Bool)
      -> Void
  ) {
    var next = index.firstPlace
    while let place = next {
      let entry = index[place]
      switch entry.kind {
      case .insertion: break
      case .deletionForward: body(entry.first, entry.target, entry.length, false)
      case .deletionBackward: body(entry.first, entry.target, entry.length, true)
      }
      next = index.place(after: place)
    }
  }
}
