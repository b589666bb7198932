/// Edits mostly come near the last one, so the tracker remembers its leaf: what stands before it,
/// and how its length has changed since the nodes above it were told.
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
  }

  /// The item that holds the visible scalar at a position of the prepare version.
  ///
  /// O(log n); O(1) near the last edit.
  ///
  /// Precondition: `0 <= position < visible`.
  mutating func find(_ position: Int32, in sequence: SequenceHandle) -> Cursor {
    let isNear =
      finger.sequence == sequence.index && position >= finger.start
      && position - finger.start < finger.visible
    if !isNear {
      settle()
      let (leaf, start, visible) = descend(to: position, in: sequence)
      finger = Finger(leaf: leaf, sequence: sequence.index, start: start, visible: visible)
    }
    return item(at: position - finger.start, in: finger.leaf)
  }

  /// The item that holds the visible scalar at a position, in a tracker that is settled.
  ///
  /// O(log n).
  func findSettled(_ position: Int32, in sequence: SequenceHandle) -> Cursor {
    assert(finger.pending == 0, "the tracker is settled")
    let (leaf, start, _) = descend(to: position, in: sequence)
    return item(at: position - start, in: leaf)
  }

  /// Tells the nodes above the leaf of the last edit of its length.
  ///
  /// O(log n).
  package mutating func settle() {
    if finger.pending == 0 { return }
    tellVisible(finger.pending, in: finger.leaf)
    finger.pending = 0
  }

  /// Tells the nodes above a leaf that more of its scalars are visible.
  ///
  /// O(log n).
  mutating func tellVisible(_ change: Int32, in leaf: Int32) {
    var child = leaf
    var node = leaves[child].parent
    while node >= 0 {
      inners[node].visible[childPlace(child, in: node)] += change
      child = node
      node = inners[node].parent
    }
  }

  /// Adds to the visible length of a leaf.
  ///
  /// O(log n); O(1) for the leaf of the last edit.
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

  @inline(__always)
  private func descend(
    to position: Int32, in sequence: SequenceHandle
  ) -> (leaf: Int32, start: Int32, visible: Int32) {
    var left = position
    var node = sequencePool[sequence.index].root
    if node < 0 {
      let whole = sequencePool[sequence.index]
      return (whole.firstLeaf, 0, whole.visible)
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
      if inners[node].childrenAreLeaves { return (below, position - left, visible) }
      node = below
    }
  }

  /// The item that holds the visible scalar at a position inside a leaf.
  @inline(__always)
  private func item(at position: Int32, in leaf: Int32) -> Cursor {
    let first = leaves[leaf].base
    var left = position
    var slot = first
    while true {
      let visible = items[slot].visible
      if left < visible { return Cursor(leaf: leaf, item: slot - first, offset: left) }
      left -= visible
      slot += 1
    }
  }

  @inline(__always)
  func childPlace(_ child: Int32, in node: Int32) -> Int {
    var place = 0
    while inners[node].children[place] != child { place += 1 }
    return place
  }
}
