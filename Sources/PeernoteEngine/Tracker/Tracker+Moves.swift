extension Tracker {
  /// Takes applied events out of the prepare version, the last one first.
  ///
  /// Precondition: the prepare version holds them, and nothing that comes causally after them.
  mutating func retreat(_ events: Range<LocalVersion>) {
    var end = events.upperBound
    while end > events.lowerBound, let place = index.place(atOrBefore: end - 1) {
      let entry = index[place]
      let part = (entry.first..<entry.end).intersection(events.lowerBound..<end)
      if !part.isEmpty { move(part, of: entry, by: -1) }
      end = min(end - 1, entry.first)
    }
  }

  /// Puts applied events back into the prepare version, the first one first.
  ///
  /// Precondition: the prepare version holds all that comes causally before them, none of them.
  mutating func advance(_ events: Range<LocalVersion>) {
    var next = index.place(atOrBefore: events.lowerBound) ?? index.firstPlace
    var start = events.lowerBound
    while let place = next {
      let entry = index[place]
      if entry.first >= events.upperBound { return }
      let part = (entry.first..<entry.end).intersection(start..<events.upperBound)
      if part.isEmpty {
        next = index.place(after: place)
        continue
      }
      move(part, of: entry, by: 1)
      start = part.upperBound
      // Splitting items may have moved entries.
      next = index.place(atOrBefore: start).flatMap { place in
        index[place].end > start ? place : index.place(after: place)
      }
    }
  }

  /// Changes the prepare state of what a part of an entry's events inserted or deleted.
  private mutating func move(
    _ events: Range<LocalVersion>, of entry: VersionIndex.Entry, by step: Int32
  ) {
    let count = events.upperBound - events.lowerBound
    let skipped = events.lowerBound - entry.first
    switch entry.kind {
    case .insertion:
      changeState(of: events, by: step)
    case .deletionForward:
      let first = entry.target + skipped
      changeState(of: first..<first + count, by: step)
    case .deletionBackward:
      let last = entry.target - skipped
      changeState(of: last + 1 - count..<last + 1, by: step)
    }
  }

  /// Adds to the prepare state of a run of scalars.
  private mutating func changeState(of scalars: Range<LocalVersion>, by step: Int32) {
    var scalar = scalars.lowerBound
    while scalar < scalars.upperBound {
      steps += 1
      var cursor = find(scalar: scalar)
      let sequence = SequenceHandle(index: leaves[cursor.leaf].sequence)
      if cursor.offset > 0 { cursor = split(at: cursor, of: sequence) }
      var item = items[slot(cursor.leaf, cursor.item)]
      if item.end > scalars.upperBound {
        cursor.offset = scalars.upperBound - item.first
        _ = split(at: cursor, of: sequence)
        cursor = find(scalar: scalar)
        item = items[slot(cursor.leaf, cursor.item)]
      }
      let before = item.visible
      item.prepareState += step
      precondition(item.prepareState >= 0, "an event is retreated only while it is applied")
      items[slot(cursor.leaf, cursor.item)] = item
      addVisible(item.visible - before, to: cursor.leaf, of: sequence)
      scalar = item.end
    }
  }
}
