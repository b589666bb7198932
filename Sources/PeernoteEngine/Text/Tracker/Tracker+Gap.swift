/// Where nothing of the prepare version stands between two scalars of it there may be a gap: the
/// items that were inserted between them concurrently.
extension Tracker {
  /// An insertion on the way to its place in a gap, where there is an ``insertionTree``.
  struct PendingInsertion {
    /// What is inserted.
    var item: Item
    /// The item with its right origin; `nil` at the end.
    var right: Cursor?
    /// Whether it is a child of its right origin, instead of its left one (``InsertionTree``).
    var isLeftChild: Bool
    /// The scalar that it is a child of, or the start of the text.
    var parent: Neighbour { isLeftChild ? item.originRight : item.originLeft }
    /// The node that holds its parent.
    var parentNode: Int32
    /// The right origin of the run that holds its parent.
    var parentOriginRight: Neighbour
  }

  /// The node of the item at a slot; that of the start of the text for `nil`.
  func node(at slot: Int32?) -> Int32 {
    guard let slot else { return InsertionTree.root }
    return items[slot].node
  }

  /// The first item of the prepare version, deleted ones included, from a cursor on, in O(log n).
  func firstPresent(from cursor: Cursor) -> Cursor? {
    if let item = firstPresent(in: leaves[cursor.leaf], from: cursor.item) {
      return Cursor(leaf: cursor.leaf, item: item, offset: 0)
    }
    var child = cursor.leaf
    var node = leaves[child].parent
    while node >= 0 {
      let right = inners[node].present & ~((2 << UInt16(childPlace(child, in: node))) &- 1)
      if right != 0 {
        return firstPresent(
          below: inners[node].children[right.trailingZeroBitCount],
          isLeaf: inners[node].childrenAreLeaves)
      }
      child = node
      node = inners[node].parent
    }
    return nil
  }

  /// The first item of the prepare version below a node that has one.
  private func firstPresent(below top: Int32, isLeaf: Bool) -> Cursor {
    var child = top
    var isLeaf = isLeaf
    while !isLeaf {
      let node = inners[child]
      child = node.children[node.present.trailingZeroBitCount]
      isLeaf = node.childrenAreLeaves
    }
    guard let item = firstPresent(in: leaves[child], from: 0) else {
      preconditionFailure("a node knows which of its children have items of the prepare version")
    }
    return Cursor(leaf: child, item: item, offset: 0)
  }

  private func firstPresent(in leaf: Leaf, from first: Int32) -> Int32? {
    if !leaf.hasPresent { return nil }
    return (first..<max(first, leaf.count)).first { items[leaf.base + $0].prepareState != 0 }
  }

  /// Where an insertion stands in a gap: a cursor at an item's start or past a leaf's last item;
  /// O(log² n): a binary search from where the gap begins, since all items before the place come
  /// before the insertion and all others after it.
  mutating func search(
    for insertion: PendingInsertion, from start: Cursor, order: EventOrder
  ) -> Cursor {
    var leaf = start.leaf
    var known = start.item
    var top = start.leaf
    var isLeaf = true
    var child = start.leaf
    var node =
      firstPresent(in: leaves[child], from: known) == nil ? leaves[child].parent : -1
    while node >= 0 {
      let place = childPlace(child, in: node)
      let right = inners[node].present & ~((2 << UInt16(place)) &- 1)
      let last = lastChild(
        of: node, from: place, present: right, before: insertion, order: order)
      if last > place {
        top = inners[node].children[last]
        isLeaf = inners[node].childrenAreLeaves
      }
      if right != 0 || last < Int(inners[node].count) - 1 { break }
      child = node
      node = inners[node].parent
    }
    if top != start.leaf || !isLeaf {
      while !isLeaf {
        let below = lastChild(
          of: top, from: 0, present: inners[top].present, before: insertion, order: order)
        isLeaf = inners[top].childrenAreLeaves
        top = inners[top].children[below]
      }
      leaf = top
      known = 1
    }
    var low = known
    var high = firstPresent(in: leaves[leaf], from: known) ?? leaves[leaf].count
    while low < high {
      let middle = (low + high) / 2
      let item = items[slot(leaf, middle)]
      if stands(item, before: insertion, order: order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return Cursor(leaf: leaf, item: low, offset: 0)
  }

  /// The last child of a node that begins with an item of the gap before the insertion.
  ///
  /// `first` is a child that does, or in which the gap begins. `present` are the children that have
  /// items of the prepare version behind where the gap begins; the gap ends in the first of them,
  /// or before it.
  private mutating func lastChild(
    of node: Int32, from first: Int, present: UInt16, before insertion: PendingInsertion,
    order: EventOrder
  ) -> Int {
    var low = first
    var high = min(Int(inners[node].count), present.trailingZeroBitCount + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      let item = firstItem(
        below: inners[node].children[middle], isLeaf: inners[node].childrenAreLeaves)
      if item.prepareState == 0, stands(item, before: insertion, order: order) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }

  private func firstItem(below top: Int32, isLeaf: Bool) -> Item {
    var child = top
    var isLeaf = isLeaf
    while !isLeaf {
      isLeaf = inners[child].childrenAreLeaves
      child = inners[child].children[0]
    }
    return items[slot(child, 0)]
  }

  // MARK: What has items of the prepare version

  /// Records that a leaf holds an item of the prepare version, in O(1) if that is known, else
  /// O(log n).
  @inline(__always)
  mutating func markPresent(in leaf: Int32) {
    if !leaves[leaf].hasPresent { propagatePresence(in: leaf) }
  }

  private mutating func propagatePresence(in leaf: Int32) {
    leaves[leaf].hasPresent = true
    var child = leaf
    var node = leaves[leaf].parent
    while node >= 0 {
      let before = inners[node].present
      inners[node].present |= 1 << UInt16(childPlace(child, in: node))
      if before != 0 { return }
      child = node
      node = inners[node].parent
    }
  }

  /// Records that an item of a leaf is not part of the prepare version any more, in O(1) if the
  /// leaf has others, else O(log n).
  @inline(__always)
  mutating func updateAbsence(in leaf: Int32) {
    if items[leaves[leaf].base].prepareState == 0 || leaves[leaf].count == 0 {
      propagateAbsence(in: leaf)
    }
  }

  private mutating func propagateAbsence(in leaf: Int32) {
    if hasPresentItem(leaf) { return }
    leaves[leaf].hasPresent = false
    var child = leaf
    var node = leaves[leaf].parent
    while node >= 0 {
      inners[node].present &= ~(1 << UInt16(childPlace(child, in: node)))
      if inners[node].present != 0 { return }
      child = node
      node = inners[node].parent
    }
  }

  /// Whether one of a leaf's items is part of the prepare version.
  func hasPresentItem(_ leaf: Int32) -> Bool {
    (slot(leaf, 0)..<slot(leaf, leaves[leaf].count)).contains { items[$0].prepareState != 0 }
  }

  /// Records of a child of a node whether it has items of the prepare version, as it knows itself.
  mutating func updatePresence(ofChild place: Int, in node: Int32) {
    let child = inners[node].children[place]
    let isPresent =
      inners[node].childrenAreLeaves ? leaves[child].hasPresent : inners[child].present != 0
    let bit: UInt16 = 1 << UInt16(place)
    inners[node].present = isPresent ? inners[node].present | bit : inners[node].present & ~bit
  }
}
