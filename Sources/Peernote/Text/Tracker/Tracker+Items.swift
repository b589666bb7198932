extension Tracker {
  /// How many items a text has.
  ///
  /// O(leaves).
  func itemCount(of sequence: SequenceHandle) -> Int {
    var count = 0
    var leaf = sequencePool[sequence.index].firstLeaf
    while leaf >= 0 {
      count += Int(leaves[leaf].count)
      leaf = leaves[leaf].next
    }
    return count
  }

  /// Calls `body` with every item of a text, in order.
  ///
  /// O(n).
  @inline(__always)
  package func forEachItem(of sequence: SequenceHandle, _ body: (Item) -> Void) {
    var leaf = sequencePool[sequence.index].firstLeaf
    while leaf >= 0 {
      let first = leaves[leaf].base
      for slot in first..<first + leaves[leaf].count { body(items[slot]) }
      leaf = leaves[leaf].next
    }
  }

  /// Calls `body` with the runs of scalars that are visible at some positions of the prepare
  /// version, in order.
  ///
  /// O(log n) for each leaf that holds some of them: leaves without are passed over.
  ///
  /// Precondition: the positions lie in the text.
  package mutating func forEachVisibleRun(
    in positions: Range<Int32>, of sequence: SequenceHandle,
    _ body: (_ first: LocalVersion, _ length: Int32) -> Void
  ) {
    var position = positions.lowerBound
    while position < positions.upperBound {
      var cursor = find(position, in: sequence)
      while position < positions.upperBound, cursor.item < leaves[cursor.leaf].count {
        let item = items[slot(cursor.leaf, cursor.item)]
        if item.visible > 0 {
          let count = min(positions.upperBound - position, item.length - cursor.offset)
          body(item.first + cursor.offset, count)
          position += count
        }
        cursor = Cursor(leaf: cursor.leaf, item: cursor.item + 1, offset: 0)
      }
    }
  }

  /// All deletions, ascending by event.
  ///
  /// O(n), or O(n log n) where branches were not walked in that order.
  package var deletionsInOrder: [VersionIndex.Entry] {
    deletions.sorted { $0.first < $1.first }
  }
}
