extension Objects {
  /// Traps unless the lists' slots are linked both ways, each element's slots are its own, and what
  /// was written is listed from the last to the first.
  ///
  /// O(n); for tests.
  package func checkInvariants() {
    for (index, write) in writes.enumerated() {
      precondition(
        write.previous.map { $0.number < index } ?? true, "a write follows earlier ones")
      precondition(write.event < log.graph.end, "a write is an event of the log")
    }
    var seen = 0
    for list in log.containers.indices {
      var (next, previous): (SlotIndex?, SlotIndex?) = (firstSlot[ContainerIndex(list)], nil)
      precondition(next == nil || log.containers[list].kind == .list, "slots stand in lists")
      while let slot = next {
        let here = slots[slot]
        precondition(here.previous == previous, "slots are linked both ways")
        precondition(elements[here.element].list == ContainerIndex(list), "a slot is of its list")
        (previous, next) = (slot, here.next)
        seen += 1
        precondition(seen <= slots.count, "slots are not linked in a circle")
      }
    }
    precondition(seen == slots.count, "every slot stands in a list")
    precondition(keepsBoundOfWork, "deciding what is shown takes no more steps than is said")
    for number in mapKeys.indices {
      let key = mapKeys[number]
      precondition(mapKeys.number(of: key.key, in: key.map) == number, "keys are found by name")
    }
  }
}
