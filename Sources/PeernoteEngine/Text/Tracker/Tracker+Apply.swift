extension Tracker {
  /// Inserts `length` scalars at a position of the prepare version; false if that is not in the
  /// text; O(log n); O(log² n) among concurrent insertions at the same place.
  mutating func insert(
    event: LocalVersion, length: Int32, at position: Int32, of sequence: SequenceHandle,
    by side: Sides, order: EventOrder
  ) -> Bool {
    guard position <= sequencePool[sequence.index].visible else { return false }
    var item = Item(first: event, length: length, prepareState: 1, insertedBy: side)
    // Where the item is that it is a child of; `nil` for the start of the text.
    var parent: Int32?
    var cursor = Cursor(leaf: sequencePool[sequence.index].firstLeaf, item: 0, offset: 0)
    if position > 0 {
      let left = find(position - 1, in: sequence)
      let place = slot(left.leaf, left.item)
      let neighbour = items[place]
      parent = place
      let scalar = neighbour.first + left.offset
      item.originLeft = Neighbour(scalar)
      if left.offset + 1 < neighbour.length {
        item.originRight = Neighbour(scalar + 1)
        addToTree(&item, below: parent, isLeftChild: true)
        let inside = Cursor(leaf: left.leaf, item: left.item, offset: left.offset + 1)
        insert(item, at: split(at: inside, of: sequence), of: sequence)
        return true
      }
      cursor = Cursor(leaf: left.leaf, item: left.item + 1, offset: 0)
    }
    var passed = 0
    var isLeftChild = false
    var next = normalized(cursor)
    while let here = next {
      let place = slot(here.leaf, here.item)
      let neighbour = items[place]
      if neighbour.prepareState != 0 {
        item.originRight = Neighbour(neighbour.first)
        isLeftChild = neighbour.originLeft == item.originLeft
        if isLeftChild { parent = place }
        break
      }
      passed += 1
      next = normalized(Cursor(leaf: here.leaf, item: here.item + 1, offset: 0))
      if passed == scanLimit + 1, let further = next { next = firstPresent(from: further) }
    }
    steps += passed
    if passed > scanLimit {
      buildInsertionTree()
      let pending = PendingInsertion(
        item: item, right: next, isLeftChild: isLeftChild, parentNode: node(at: parent),
        parentOriginRight: parent.map { items[$0].originRight } ?? .edge)
      cursor = search(for: pending, from: normalized(cursor) ?? cursor, order: order)
    } else if passed > 0 {
      cursor = scan(
        from: cursor, left: item.originLeft, right: item.originRight, name: event, order: order)
    }
    addToTree(&item, below: parent, isLeftChild: isLeftChild)
    insert(item, at: cursor, of: sequence)
    return true
  }

  /// Adds an insertion to the tree of insertions, if there is one, as a child of the item at a slot.
  private mutating func addToTree(_ item: inout Item, below parent: Int32?, isLeftChild: Bool) {
    guard hasInsertionTree else { return }
    item.node = insertionTree.add(
      item.first, below: node(at: parent), isLeftChild: isLeftChild)
  }

  /// Deletes `length` scalars from a position of the prepare version on; false if they are not all
  /// in the text.
  ///
  /// O(p log n) for p pieces that they lie in. Each has an event, from `event` on; if `backward`,
  /// the first event deletes the last scalar and so on down.
  mutating func delete(
    event: LocalVersion, length: Int32, at position: Int32, backward: Bool,
    of sequence: SequenceHandle, by side: Sides
  ) -> Bool {
    guard position <= sequencePool[sequence.index].visible - length else { return false }
    let firstDeletion = deletions.count
    var done: Int32 = 0
    while done < length {
      let cursor = find(position, in: sequence)
      let count = min(
        length - done, items[slot(cursor.leaf, cursor.item)].length - cursor.offset)
      let (leaf, here) = isolate(count, at: cursor, of: sequence)
      let piece = items[here]
      if !piece.deletedBy.isEmpty { deletedAgain.append(piece.first..<piece.end) }
      items[here].prepareState = 2
      items[here].addDeletion(by: side)
      addVisible(-count, to: leaf, of: sequence)
      deletions.append(
        .init(
          of: piece.first..<piece.end, after: done, by: event..<event + length, backward: backward))
      done += count
    }
    if backward, done > deletions.last?.length ?? 0 { deletions[firstDeletion...].reverse() }
    if isIndexed { for deletion in deletions[firstDeletion...] { index.insert(deletion) } }
    return true
  }
}

/// Editing at a critical version: what comes next has seen everything, so positions count the text
/// as it is, and nothing that was deleted matters any more.
///
/// Gentle & Kleppmann, section 3.5. Only in a tracker that nothing is retreated in.
extension Tracker {
  /// How many scalars of a text are visible.
  package func length(of sequence: SequenceHandle) -> Int32 { sequencePool[sequence.index].visible }

  /// Inserts scalars at a position; false if that is not in the text; O(log n).
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
  /// false if they are not all in the text; O(p log n) for p pieces.
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
      if cursor.offset > 0, cursor.offset + count < item.length {
        _ = isolate(count, at: cursor, of: sequence)
        continue
      }
      body(item.first + cursor.offset, count)
      left -= count
      if count == item.length {
        removeItem(at: cursor)
      } else {
        if cursor.offset == 0 { items[place].first += count }
        items[place].length -= count
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
