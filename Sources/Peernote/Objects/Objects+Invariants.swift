extension Objects {
  /// Traps unless the lists' slots are linked both ways, each element's slots are its own, and what
  /// was written is listed from the last to the first.
  ///
  /// O(n); for tests.
  package func checkInvariants() {
    for (index, write) in writes.enumerated() {
      precondition(write.previous < index, "a write follows earlier ones")
      precondition(write.event < log.graph.eventCount, "a write is an event of the log")
    }
    var seen = 0
    for (list, first) in firstSlot {
      precondition(log.containers[Int(list)].kind == .list, "slots stand in lists")
      var (slot, previous): (Int32, Int32) = (first, -1)
      while slot >= 0 {
        let here = slots[Int(slot)]
        precondition(here.previous == previous, "slots are linked both ways")
        precondition(elements[Int(here.element)].list == list, "a slot is of its list")
        (previous, slot) = (slot, here.next)
        seen += 1
        precondition(seen <= slots.count, "slots are not linked in a circle")
      }
    }
    precondition(seen == slots.count, "every slot stands in a list")
    for (number, key) in mapKeys.enumerated() {
      let name = KeyName(container: key.map, key: key.key)
      precondition(keyNumbers[name] == Int32(number), "keys are found by name")
    }
  }
}
