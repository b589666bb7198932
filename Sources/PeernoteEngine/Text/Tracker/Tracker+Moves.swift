extension Tracker {
  /// Takes events out of the prepare version, which holds them and nothing that comes after them.
  mutating func retreat(_ events: Range<LocalVersion>) { move(events, by: -1) }

  /// Puts events back into the prepare version, which holds all that comes before them, none of
  /// them.
  mutating func advance(_ events: Range<LocalVersion>) { move(events, by: 1) }

  /// Adds to the prepare state of what events inserted or deleted, in any order: a state is a sum.
  private mutating func move(_ events: Range<LocalVersion>, by step: Int32) {
    buildIndex()
    var next = index.place(atOrBefore: events.lowerBound) ?? index.firstPlace
    var start = events.lowerBound
    while start < events.upperBound, let place = next {
      let entry = index[place]
      if entry.first >= events.upperBound { return }
      let part = (entry.first..<entry.end).clamped(to: start..<events.upperBound)
      let changes = index.changeCount
      if !part.isEmpty {
        move(part, of: entry, by: step)
        start = part.upperBound
      }
      // Splitting items may have moved entries.
      next =
        index.changeCount == changes
        ? index.place(after: place) : index.place(atOrBefore: start)
    }
  }

  /// Changes the prepare state of what a part of an entry's events inserted or deleted.
  private mutating func move(
    _ events: Range<LocalVersion>, of entry: VersionIndex.Entry, by step: Int32
  ) {
    if entry.kind == .insertion {
      // Its item stands in the leaf that the entry names.
      changeState(
        at: find(scalar: events.lowerBound, in: entry.leaf),
        count: events.upperBound - events.lowerBound, by: step)
    } else {
      changeState(of: entry.part(events).deleted, by: step)
    }
  }

  /// Adds to the prepare state of a run of scalars.
  private mutating func changeState(of scalars: Range<LocalVersion>, by step: Int32) {
    var scalar = scalars.lowerBound
    while scalar < scalars.upperBound {
      let cursor = find(scalar: scalar)
      let count = min(
        items[slot(cursor.leaf, cursor.item)].length - cursor.offset,
        scalars.upperBound - scalar)
      changeState(at: cursor, count: count, by: step)
      scalar += count
    }
  }

  /// Adds to the prepare state of some scalars of an item, from a cursor on.
  private mutating func changeState(at cursor: Cursor, count: Int32, by step: Int32) {
    steps += 1
    let sequence = SequenceHandle(index: leaves[cursor.leaf].sequence)
    let (leaf, here) = isolate(count, at: cursor, of: sequence)
    let before = items[here].visible
    let state = items[here].prepareState + step
    precondition(state >= 0, "an event is retreated only while it is applied")
    items[here].prepareState = state
    addVisible(items[here].visible - before, to: leaf, of: sequence)
    if state == 0 { updateAbsence(in: leaf) } else if state == step { markPresent(in: leaf) }
  }

  /// Takes all applied events out of the prepare version, which is that before the walk then, in
  /// O(n) for n items; the index is not needed.
  mutating func retreatAll() {
    settle()
    finger = Finger()
    for leaf in 0..<Int32(leaves.count) {
      var change: Int32 = 0
      for item in slot(leaf, 0)..<slot(leaf, leaves[leaf].count) {
        change -= items[item].visible
        // What was there before the walk was visible.
        items[item].prepareState = items[item].first.isEvent ? 0 : 1
        change += items[item].visible
      }
      tellVisible(change, in: leaf)
      sequencePool[leaves[leaf].sequence].visible += change
      if leaves[leaf].hasPresent { updateAbsence(in: leaf) }
      steps += Int(leaves[leaf].count)
    }
  }

  /// Whether taking all events out of the prepare version is less work than taking out those of
  /// some operations, if they are all.
  func isRetreatingAllFaster(than operations: Int) -> Bool { operations >= 4 * leaves.count }
}
