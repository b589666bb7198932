package import Peernote

extension Oracle {
  /// Whether each removal at a place that no writer there has seen is by one of some changes, or by one
  /// that put the same elsewhere.
  package func areRemovals(
    at place: OracleConflict.Place, in version: OracleVersion, movesOrBy removers: Set<ChangeID>
  ) -> Bool {
    let (writes, removals) = history(of: place, in: version)
    return removals.allSatisfy { removal in
      removers.contains(changes[events[removal].change].id) || isMove(removal, of: writes)
    }
  }

  /// What was written at a place, and the removals there that no writer or remover has seen.
  private func history(
    of place: OracleConflict.Place, in version: OracleVersion
  ) -> (writes: [Int], removals: [Int]) {
    var writes: [Int] = []
    var removals: [Int] = []
    switch place {
    case .key(let map, let key):
      for event in events(on: map, in: version) {
        switch events[event].action {
        case .put(key, _): writes.append(event)
        case .remove(key): removals.append(event)
        default: break
        }
      }
    case .element(let list, let insertion):
      writes.append(insertion)
      for event in events(on: list, in: version) {
        switch events[event].action {
        case .putElement(insertion, _): writes.append(event)
        case .removeElement(insertion): removals.append(event)
        default: break
        }
      }
    }
    return (
      writes,
      removals.filter { removal in !(writes + removals).contains { hasSeen($0, removal) } }
    )
  }

  /// Whether the change of a removal put what it removed elsewhere, as it left it.
  private func isMove(_ removal: Int, of writes: [Int]) -> Bool {
    let change = events[removal].change
    let removed = writes.filter { hasSeen(removal, $0) && events[$0].change != change }
      .map { content(ofEntry: $0, in: pasts[change]) }
    return events.indices.contains { event in
      events[event].change == change && events[event].content != nil && !writes.contains(event)
        && removed.contains(content(ofEntry: event, in: pasts[change]))
    }
  }
}
