/// Breaks ties between concurrent insertions at one place: orders two events by agent, sequence
/// number and place in their change, the same in every copy.
package protocol EventOrder {
  /// Whether the first event's name comes before the second's.
  func precedes(_ left: LocalVersion, _ right: LocalVersion) -> Bool
}

extension Tracker {
  /// Finds where an insertion between two neighbours stands among the concurrent ones that are
  /// there already.
  ///
  /// This is the only place where the order of concurrent insertions is decided.
  ///
  /// FugueMax (Weidner & Kleppmann, "The Art of the Fugue", section 5), in the form that scans the
  /// items between the two origins instead of keeping a tree: of two insertions with one left
  /// origin, the one whose right origin is further right comes first; equal right origins leave it
  /// to the order of names. An insertion whose left origin is further left than ours ends the scan,
  /// since all after it belongs to that one's side.
  ///
  /// What lies between our origins is what is scanned. So the right origin of one of these items
  /// is further left than ours if it is one of them itself, and its left origin is further left
  /// than ours if it is none of them.
  ///
  /// O(k log k) for k such items.
  ///
  /// - Parameters:
  ///   - first: the cursor right after the left origin, at an item's start.
  ///   - left: the left origin; `.none` at the sequence's start.
  ///   - right: the right origin; `.none` at its end.
  ///   - name: the event that inserts.
  ///   - order: breaks ties.
  /// - Returns: a cursor at an item's start or past a leaf's last item.
  mutating func placeAmongConcurrent(
    from first: Cursor, left: LocalVersion, right: LocalVersion, name: LocalVersion,
    order: some EventOrder
  ) -> Cursor {
    var destination = first
    var scanning = false
    var between = Names()
    var cursor = first
    while let here = normalized(cursor) {
      let other = items[slot(here.leaf, here.item)]
      if other.prepareState != 0 { break }
      steps += 1
      if !scanning { destination = here }
      if other.originLeft == left {
        if other.originRight == right {
          if order.precedes(name, other.first) { return destination }
          scanning = false
        } else {
          if between.isEmpty { between = concurrentNames(from: first) }
          scanning = between.contains(other.originRight)
        }
      } else {
        if between.isEmpty { between = concurrentNames(from: first) }
        if !between.contains(other.originLeft) { return destination }
      }
      cursor = Cursor(leaf: here.leaf, item: here.item + 1, offset: 0)
      if !scanning { destination = cursor }
    }
    return destination
  }

  /// The names in the items from a cursor on that are not in the prepare version.
  private func concurrentNames(from first: Cursor) -> Names {
    var names = Names()
    var cursor = first
    while let here = normalized(cursor) {
      let item = items[slot(here.leaf, here.item)]
      if item.prepareState != 0 { break }
      names.append(item.first..<item.end)
      cursor = Cursor(leaf: here.leaf, item: here.item + 1, offset: 0)
    }
    names.sort()
    return names
  }

  /// A set of scalars by name.
  private struct Names {
    private var runs: [Range<LocalVersion>] = []

    var isEmpty: Bool { runs.isEmpty }

    mutating func append(_ run: Range<LocalVersion>) { runs.append(run) }

    mutating func sort() { runs.sort { $0.lowerBound < $1.lowerBound } }

    /// O(log n), once sorted.
    func contains(_ name: LocalVersion) -> Bool {
      var low = 0
      var high = runs.count
      while low < high {
        let middle = (low + high) / 2
        if runs[middle].upperBound <= name { low = middle + 1 } else { high = middle }
      }
      return low < runs.count && runs[low].contains(name)
    }
  }
}
