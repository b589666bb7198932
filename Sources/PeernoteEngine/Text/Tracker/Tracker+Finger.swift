/// Edits mostly come near the last one, so the tracker remembers its leaf: what stands before it,
/// and how its length has changed since the nodes above it were told. And the item there, since
/// what was inserted is often deleted right after.
///
/// What only looks is inlined where it is called from what changes the tracker: the compiler would
/// copy all of the tracker to hand it over for a look.
extension Tracker {
  /// The leaf of the last edit.
  struct Finger: BitwiseCopyable {
    /// The leaf; -1 for none.
    var leaf: Int32 = -1
    /// The sequence that it belongs to.
    var sequence: Int32 = -1
    /// How many scalars before it are visible in the prepare version.
    var start: Int32 = 0
    /// How many of its own are.
    var visible: Int32 = 0
    /// The part of `visible` that the nodes above have not been told.
    var pending: Int32 = 0
    /// The places of the leaf and of the nodes above it, each in the node above, four bits each
    /// from the leaf's on; `nil` if they are not known any more.
    var path: UInt64?
    /// An item of the leaf, which may be one past the last.
    var item: Int32 = 0
    /// How many scalars of the leaf before the item are visible.
    var itemStart: Int32 = 0
  }

  /// The item that holds the visible scalar at a position of the prepare version, in O(log n); O(1)
  /// near the last edit.
  ///
  /// Precondition: `0 <= position < visible`.
  mutating func find(_ position: Int32, in sequence: SequenceHandle) -> Cursor {
    let isNear =
      finger.sequence == sequence.index && position >= finger.start
      && position - finger.start < finger.visible
    if !isNear {
      settle()
      finger = descend(to: position, in: sequence)
    }
    return seek(position - finger.start)
  }

  /// Puts the finger on the item that holds the visible scalar at a position inside its leaf.
  @inline(__always)
  private mutating func seek(_ position: Int32) -> Cursor {
    let first = leaves[finger.leaf].base
    var slot = first + finger.item
    var start = finger.itemStart
    while position < start {
      slot -= 1
      start -= items[slot].visible
    }
    while true {
      let visible = items[slot].visible
      if position - start < visible { break }
      start += visible
      slot += 1
    }
    finger.item = slot - first
    finger.itemStart = start
    return Cursor(leaf: finger.leaf, item: finger.item, offset: position - start)
  }

  /// Records that an item of a leaf becomes another one, or that others are put there.
  ///
  /// What comes before the finger's item must not change without this.
  @inline(__always)
  mutating func recordChange(at item: Int32, in leaf: Int32) {
    if leaf == finger.leaf, item < finger.item { (finger.item, finger.itemStart) = (0, 0) }
  }

  /// Tells the nodes above the leaf of the last edit of its length, in O(log n).
  mutating func settle() {
    if finger.pending == 0 { return }
    if var path = finger.path {
      var node = leaves[finger.leaf].parent
      while node >= 0 {
        inners[node].visible[Int(path & 15)] += finger.pending
        path >>= 4
        node = inners[node].parent
      }
    } else {
      tellVisible(finger.pending, in: finger.leaf)
    }
    finger.pending = 0
  }

  /// Tells the nodes above a leaf that more of its scalars are visible, in O(log n).
  mutating func tellVisible(_ change: Int32, in leaf: Int32) {
    var child = leaf
    var node = leaves[child].parent
    while node >= 0 {
      inners[node].visible[childPlace(child, in: node)] += change
      child = node
      node = inners[node].parent
    }
  }

  /// Adds to the visible length of a leaf, in O(log n); O(1) for the leaf of the last edit.
  mutating func addVisible(_ change: Int32, to leaf: Int32, of sequence: SequenceHandle) {
    if change == 0 { return }
    if leaf != finger.leaf {
      settle()
      place(fingerOn: leaf, of: sequence)
    }
    finger.visible += change
    finger.pending += change
    sequencePool[sequence.index].visible += change
  }

  /// Puts the finger on a leaf of a settled tracker.
  private mutating func place(fingerOn leaf: Int32, of sequence: SequenceHandle) {
    var child = leaf
    var node = leaves[leaf].parent
    let visible =
      node < 0
      ? sequencePool[sequence.index].visible : inners[node].visible[childPlace(leaf, in: node)]
    var start: Int32 = 0
    while node >= 0 {
      var place = 0
      while inners[node].children[place] != child {
        start += inners[node].visible[place]
        place += 1
      }
      child = node
      node = inners[node].parent
    }
    finger = Finger(leaf: leaf, sequence: sequence.index, start: start, visible: visible)
  }

  /// The finger on the leaf that holds the visible scalar at a position.
  @inline(__always)
  private func descend(to position: Int32, in sequence: SequenceHandle) -> Finger {
    var left = position
    var path: UInt64 = 0
    var node = sequencePool[sequence.index].root
    if node < 0 {
      let whole = sequencePool[sequence.index]
      return Finger(
        leaf: whole.firstLeaf, sequence: sequence.index, start: 0, visible: whole.visible,
        path: path)
    }
    while true {
      var child = 0
      var visible = inners[node].visible[0]
      while left >= visible {
        left -= visible
        child += 1
        visible = inners[node].visible[child]
      }
      let below = inners[node].children[child]
      path = path << 4 | UInt64(child)
      if inners[node].childrenAreLeaves {
        return Finger(
          leaf: below, sequence: sequence.index, start: position - left, visible: visible,
          path: path)
      }
      node = below
    }
  }

  @inline(__always)
  func childPlace(_ child: Int32, in node: Int32) -> Int {
    var place = 0
    while inners[node].children[place] != child { place += 1 }
    return place
  }
}
