extension Tracker {
  /// The slot of an item in the pool.
  @inline(__always)
  func slot(_ leaf: Int32, _ item: Int32) -> Int32 { leaves[leaf].base + item }

  // MARK: Finding

  /// Where the item stands that holds a scalar, in O(log n).
  @inline(__always)
  func find(scalar: LocalVersion) -> Cursor {
    find(scalar: scalar, in: index.leaf(of: scalar))
  }

  /// The item that holds a scalar, in O(log n).
  func item(holding scalar: LocalVersion) -> Item {
    let cursor = find(scalar: scalar)
    return items[slot(cursor.leaf, cursor.item)]
  }

  /// Where the item stands that holds a scalar, in the leaf where that is.
  @inline(__always)
  func find(scalar: LocalVersion, in leaf: Int32) -> Cursor {
    let first = leaves[leaf].base
    let end = first + leaves[leaf].count
    var slot = first
    while true {
      precondition(slot < end, "the index names the leaf of every scalar")
      let offset = scalar.rawValue &- items[slot].first.rawValue
      // A scalar before the item is far beyond its end, seen without a sign.
      if UInt32(bitPattern: offset) < UInt32(bitPattern: items[slot].length) {
        return Cursor(leaf: leaf, item: slot - first, offset: offset)
      }
      slot += 1
    }
  }

  /// The cursor at the start of the item at or after a cursor that may stand past a leaf's items;
  /// `nil` at the end of the sequence.
  @inline(__always)
  func normalized(_ cursor: Cursor) -> Cursor? {
    var cursor = cursor
    while cursor.item >= leaves[cursor.leaf].count {
      let next = leaves[cursor.leaf].next
      if next < 0 { return nil }
      cursor = Cursor(leaf: next, item: 0, offset: 0)
    }
    return cursor
  }

  // MARK: Changing

  /// Inserts an item before the item of a cursor whose offset is 0, and records it in the index.
  mutating func insert(_ item: Item, at cursor: Cursor, of sequence: SequenceHandle) {
    let cursor = makeRoom(at: cursor, of: sequence)
    place(item, at: cursor)
    addVisible(item.visible, to: cursor.leaf, of: sequence)
    if isIndexed {
      index.insert(.init(first: item.first, length: item.length, leaf: cursor.leaf))
    }
  }

  /// Splits the item of a cursor, if that is inside, so that the second part begins there; returns
  /// the place of that part.
  mutating func split(at cursor: Cursor, of sequence: SequenceHandle) -> Cursor {
    if cursor.offset == 0 { return cursor }
    let next = Cursor(leaf: cursor.leaf, item: cursor.item + 1, offset: 0)
    if cursor.offset == items[slot(cursor.leaf, cursor.item)].length { return next }
    // The item stands before the place, in the same leaf, wherever that is now.
    let place = makeRoom(at: next, of: sequence)
    let first = slot(place.leaf, place.item - 1)
    let second = items[first].suffix(from: cursor.offset)
    if isIndexed { index.split(at: second.first) }
    recordChange(at: place.item - 1, in: place.leaf)
    items[first].length = cursor.offset
    self.place(second, at: place)
    return place
  }

  /// Makes some scalars of an item, from a cursor on, an item of their own, which is to change.
  mutating func isolate(
    _ count: Int32, at cursor: Cursor, of sequence: SequenceHandle
  ) -> (leaf: Int32, slot: Int32) {
    let start = split(at: cursor, of: sequence)
    let end = split(
      at: Cursor(leaf: start.leaf, item: start.item, offset: count), of: sequence)
    recordChange(at: end.item - 1, in: end.leaf)
    return (end.leaf, slot(end.leaf, end.item - 1))
  }

  /// Puts an item into a leaf that has room.
  private mutating func place(_ item: Item, at cursor: Cursor) {
    recordChange(at: cursor.item, in: cursor.leaf)
    let count = leaves[cursor.leaf].count
    items.move(
      from: slot(cursor.leaf, cursor.item), to: slot(cursor.leaf, cursor.item) + 1,
      length: count - cursor.item)
    items[slot(cursor.leaf, cursor.item)] = item
    leaves[cursor.leaf].count = count + 1
    itemCount += 1
    if item.prepareState != 0 { markPresent(in: cursor.leaf) }
  }

  /// Makes the leaf of a cursor larger, moves up to half of its items to the next one, or splits it,
  /// if it is full; returns where the cursor stands then.
  ///
  /// Moving them leaves full leaves behind where people type backward, and so does splitting at the
  /// cursor where they type forward.
  private mutating func makeRoom(at cursor: Cursor, of sequence: SequenceHandle) -> Cursor {
    let count = leaves[cursor.leaf].count
    if count < leaves[cursor.leaf].capacity { return cursor }
    if count < Self.leafCapacity {
      grow(cursor.leaf)
      return cursor
    }
    settle()
    let next = leaves[cursor.leaf].next
    let kept = max(count / 2, min(cursor.item, count - 2))
    let target: Int32
    if next >= 0, cursor.item <= kept,
      leaves[next].count <= Self.leafCapacity - (count - kept)
    {
      target = next
      let moved = move(from: cursor.leaf, after: kept, to: target)
      tellVisible(-moved, in: cursor.leaf)
      tellVisible(moved, in: target)
      updateAbsence(in: cursor.leaf)
      if hasPresentItem(target) { markPresent(in: target) }
    } else {
      target = appendLeaf(capacity: Self.leafCapacity, next: next, of: sequence)
      leaves[cursor.leaf].next = target
      let moved = move(from: cursor.leaf, after: kept, to: target)
      leaves[cursor.leaf].hasPresent = hasPresentItem(cursor.leaf)
      leaves[target].hasPresent = hasPresentItem(target)
      addChild(target, visible: moved, isLeaf: true, after: cursor.leaf, of: sequence)
    }
    return cursor.item <= kept
      ? cursor : Cursor(leaf: target, item: cursor.item - kept, offset: cursor.offset)
  }

  /// Moves a leaf's items, but for the first `kept`, to the start of the next leaf, which has room
  /// for them; returns how many of their scalars are visible.
  ///
  /// The nodes above, which are settled, are not told.
  private mutating func move(from leaf: Int32, after kept: Int32, to next: Int32) -> Int32 {
    let number = leaves[leaf].count - kept
    items.move(from: slot(next, 0), to: slot(next, number), length: leaves[next].count)
    items.move(from: slot(leaf, kept), to: slot(next, 0), length: number)
    leaves[leaf].count = kept
    leaves[next].count += number
    var visible: Int32 = 0
    for item in 0..<number {
      visible += items[slot(next, item)].visible
      if isIndexed { index.setLeaf(of: items[slot(next, item)].first, to: next) }
    }
    recordChange(at: 0, in: next)
    recordChange(at: kept, in: leaf)
    if finger.leaf == leaf {
      finger.visible -= visible
    } else if finger.leaf == next {
      finger.start -= visible
      finger.visible += visible
    }
    return visible
  }

  /// Gives a leaf four times the room.
  private mutating func grow(_ leaf: Int32) {
    let capacity = min(leaves[leaf].capacity * 4, Self.leafCapacity)
    let base = items.append(Self.blankItem, repetitions: Int(capacity))
    items.move(from: leaves[leaf].base, to: base, length: leaves[leaf].count)
    leaves[leaf].base = base
    leaves[leaf].capacity = capacity
  }

  /// Puts a node that was split off `sibling` into the tree, right after it.
  private mutating func addChild(
    _ new: Int32, visible: Int32, isLeaf: Bool, after sibling: Int32, of sequence: SequenceHandle
  ) {
    finger.path = nil
    var node = isLeaf ? leaves[sibling].parent : inners[sibling].parent
    if node < 0 {
      // The root was split: a new root holds both halves.
      let total = sequencePool[sequence.index].visible
      var root = Inner(
        count: 1, parent: -1, childrenAreLeaves: isLeaf, children: .init(repeating: -1),
        visible: .init(repeating: 0), present: 0)
      root.children[0] = sibling
      root.visible[0] = total
      node = inners.append(root)
      if isLeaf { leaves[sibling].parent = node } else { inners[sibling].parent = node }
      sequencePool[sequence.index].root = node
    } else if inners[node].count == Self.innerCapacity {
      splitInner(node, of: sequence)
      node = isLeaf ? leaves[sibling].parent : inners[sibling].parent
    }
    let place = childPlace(sibling, in: node)
    let below: UInt16 = (1 << UInt16(place + 1)) &- 1
    inners[node].present = inners[node].present & below | (inners[node].present & ~below) << 1
    var last = Int(inners[node].count)
    while last > place + 1 {
      inners[node].children[last] = inners[node].children[last - 1]
      inners[node].visible[last] = inners[node].visible[last - 1]
      last -= 1
    }
    inners[node].children[place + 1] = new
    inners[node].visible[place + 1] = visible
    inners[node].visible[place] -= visible
    inners[node].count += 1
    if isLeaf { leaves[new].parent = node } else { inners[new].parent = node }
    updatePresence(ofChild: place, in: node)
    updatePresence(ofChild: place + 1, in: node)
  }

  /// Moves the upper half of a full node's children to a new node.
  private mutating func splitInner(_ node: Int32, of sequence: SequenceHandle) {
    let count = Int(inners[node].count)
    let kept = count / 2
    var upper = Inner(
      count: Int32(count - kept), parent: -1, childrenAreLeaves: inners[node].childrenAreLeaves,
      children: .init(repeating: -1), visible: .init(repeating: 0),
      present: inners[node].present >> UInt16(kept))
    inners[node].present &= (1 << UInt16(kept)) &- 1
    var moved: Int32 = 0
    for child in kept..<count {
      upper.children[child - kept] = inners[node].children[child]
      upper.visible[child - kept] = inners[node].visible[child]
      moved += inners[node].visible[child]
    }
    let new = inners.append(upper)
    inners[node].count = Int32(kept)
    for child in 0..<count - kept {
      if upper.childrenAreLeaves {
        leaves[upper.children[child]].parent = new
      } else {
        inners[upper.children[child]].parent = new
      }
    }
    addChild(new, visible: moved, isLeaf: false, after: node, of: sequence)
  }
}

extension Tracker {
  /// How many items a text has, in O(leaves).
  func itemCount(of sequence: SequenceHandle) -> Int {
    var count = 0
    var leaf = sequencePool[sequence.index].firstLeaf
    while leaf >= 0 {
      count += Int(leaves[leaf].count)
      leaf = leaves[leaf].next
    }
    return count
  }

  /// Calls `body` with every item of a text, in order, in O(n).
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
  /// version, in order, in O(log n) for each leaf that holds some of them: leaves without are
  /// passed over.
  ///
  /// Precondition: the positions lie in the text.
  package mutating func forEachVisibleRun(
    in positions: Range<Int32>, of sequence: SequenceHandle,
    _ body: (_ first: LocalVersion, _ length: Int32) -> Void
  ) {
    var position = positions.lowerBound
    while position < positions.upperBound {
      let cursor = find(position, in: sequence)
      let item = items[slot(cursor.leaf, cursor.item)]
      let count = min(positions.upperBound - position, item.length - cursor.offset)
      body(item.first + cursor.offset, count)
      position += count
    }
  }

  /// All deletions, ascending by event, in O(n), or O(n log n) where branches were not walked in
  /// that order.
  package var deletionsInOrder: [VersionIndex.Entry] {
    deletions.sorted { $0.first < $1.first }
  }
}
