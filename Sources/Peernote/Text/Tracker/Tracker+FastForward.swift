/// Editing at a critical version: what comes next has seen everything, so positions count the text
/// as it is, and nothing that was deleted matters any more.
///
/// Gentle & Kleppmann, section 3.5. Only in a tracker that nothing is retreated in.
extension Tracker {
  /// How many scalars of a text are visible.
  package func length(of sequence: SequenceHandle) -> Int32 { sequencePool[sequence.index].visible }

  /// Inserts scalars at a position; false if that is not in the text.
  ///
  /// O(log n).
  package mutating func insertForward(
    _ first: LocalVersion, length: Int32, at position: Int32, of sequence: SequenceHandle
  ) -> Bool {
    guard position <= self.length(of: sequence) else { return false }
    let item = Item(first: first, length: length, prepareState: 1, insertedBy: [])
    var cursor = Cursor(leaf: sequencePool[sequence.index].firstLeaf, item: 0, offset: 0)
    if position > 0 {
      cursor = find(position - 1, in: sequence)
      cursor.offset += 1
      let left = slot(cursor.leaf, cursor.item)
      if cursor.offset == items[left].length, items[left].end == first {
        items[left].length += length
        addVisible(length, to: cursor.leaf, of: sequence)
        return true
      }
      cursor = split(at: cursor, of: sequence)
    }
    insert(item, at: cursor, of: sequence)
    return true
  }

  /// Removes scalars from a position on, and calls `body` with the runs of names that they had;
  /// false if they are not all in the text.
  ///
  /// O(p log n) for p pieces.
  package mutating func removeForward(
    _ length: Int32, at position: Int32, of sequence: SequenceHandle,
    _ body: (_ first: LocalVersion, _ length: Int32) -> Void
  ) -> Bool {
    guard position <= self.length(of: sequence) - length else { return false }
    var left = length
    while left > 0 {
      let cursor = find(position, in: sequence)
      let place = slot(cursor.leaf, cursor.item)
      let item = items[place]
      let count = min(left, item.length - cursor.offset)
      body(item.first + cursor.offset, count)
      left -= count
      if count == item.length {
        removeItem(at: cursor)
      } else if cursor.offset == 0 {
        items[place].first += count
        items[place].length -= count
      } else {
        // The rest behind the removed scalars becomes an item of its own.
        items[place].length = cursor.offset
        let rest = item.length - cursor.offset - count
        if rest > 0 {
          addVisible(-rest, to: cursor.leaf, of: sequence)
          var tail = item
          tail.first += cursor.offset + count
          tail.length = rest
          // What is removed is still counted; `insert` may split the leaf by the counts.
          addVisible(-count, to: cursor.leaf, of: sequence)
          insert(
            tail, at: Cursor(leaf: cursor.leaf, item: cursor.item + 1, offset: 0), of: sequence)
          continue
        }
      }
      addVisible(-count, to: cursor.leaf, of: sequence)
    }
    return true
  }

  private mutating func removeItem(at cursor: Cursor) {
    let count = leaves[cursor.leaf].count
    items.move(
      from: slot(cursor.leaf, cursor.item) + 1, to: slot(cursor.leaf, cursor.item),
      length: count - cursor.item - 1)
    leaves[cursor.leaf].count = count - 1
    itemCount -= 1
    if count == 1 { updateAbsence(in: cursor.leaf) }
  }
}
