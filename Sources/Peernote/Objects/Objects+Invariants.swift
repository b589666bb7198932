extension Objects {
  /// Traps unless the lists' slots are linked both ways, each element's slots are its own, what was
  /// written is listed from the last to the first, and what was noted to find things is what there
  /// is.
  ///
  /// O(n log n); for tests.
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
        precondition(here.list == ContainerIndex(list), "a slot is of its list")
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
    for (list, shown) in shownSlots {
      precondition(shown == shownSlots(ofList: list), "the slots that were noted are those shown")
    }
    checkMembers()
    edits?.checkInvariants(of: log)
  }

  private func checkMembers() {
    members.checkInvariants(log.contents)
    var contents: [ContainerIndex: [ContentIndex]] = [:]
    for member in members.members {
      precondition(log.containers[member.set].kind == .set, "members are in sets")
      precondition(member.lastWrite.number < writes.count, "a member was written")
      contents[member.set, default: []].append(member.content)
    }
    precondition(contents == membersOfSet, "each set has its members")
  }
}
