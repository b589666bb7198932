extension Objects {
  /// Inserts a run of elements, one after the other.
  mutating func insertElements(_ operation: Operation) throws(HistoryError) {
    let first = slots.endIndex
    let before = try slot(operation.left, of: operation)
    let right = try slot(operation.right, of: operation)
    try checkNeighbours(left: before, right: right, in: operation.container, of: operation.first)
    var left = before
    for offset in 0..<operation.length {
      let slot = slots.endIndex
      try link(
        Slot(
          event: operation.first + offset, list: operation.container,
          filling: .init(operation.content + offset), originLeft: left, originRight: right))
      left = slot
    }
    recordNeighbours(
      left: before, right: right, in: operation.container, new: first..<slots.endIndex)
  }

  /// Gives an element a new slot.
  mutating func moveElement(_ operation: Operation) throws(HistoryError) {
    let element = try element(named: operation)
    let left = try slot(operation.left, of: operation)
    let right = try slot(operation.right, of: operation)
    try checkNeighbours(left: left, right: right, in: operation.container, of: operation.first)
    slots[element: element].lastMove = append(
      Write(
        event: operation.first, .init(slots.endIndex), previous: slots[element: element].lastMove))
    hasRepeatedWrites = true
    try link(
      Slot(
        event: operation.first, list: operation.container, filling: .init(element),
        originLeft: left, originRight: right))
    recordNeighbours(
      left: left, right: right, in: operation.container,
      new: slots.endIndex - 1..<slots.endIndex)
  }

  /// The first slot of the element that an operation names by its insertion.
  func element(named operation: Operation) throws(HistoryError) -> SlotIndex {
    guard let slot = try slot(Neighbour(operation.element), of: operation),
      slots.firstSlot(of: slot) == slot
    else { throw HistoryError(.unknownElement, event: operation.first) }
    return slot
  }

  /// The slot that an event made; `nil` for the list's start or end.
  ///
  /// O(log slots).
  private func slot(
    _ neighbour: Neighbour, of operation: Operation
  ) throws(HistoryError) -> SlotIndex? {
    guard let event = neighbour.event else { return nil }
    guard let index = slotIndex(madeBy: event) else {
      throw HistoryError(.unknownElement, event: operation.first)
    }
    guard slots.list(of: index) == operation.container else {
      throw HistoryError(.elementOfOtherList, event: operation.first)
    }
    return index
  }

  func slotIndex(madeBy event: LocalVersion) -> SlotIndex? {
    let index = slots.indices.partitionPoint { slots.event(of: $0) >= event }
    return index < slots.endIndex && slots.event(of: index) == event ? index : nil
  }

  /// Appends a slot and links it into its list's order.
  private mutating func link(_ slot: Slot) throws(HistoryError) {
    let number = slots.endIndex
    let before = try slotBefore(slot)
    var slot = slot
    slot.previous = before
    slot.next = self.slot(after: before, in: slot.list)
    slots.append(slot)
    if let next = slot.next { slots[next].previous = number }
    if let before {
      slots[before].next = number
    } else {
      firstSlot[slot.list] = number
    }
    if let right = slot.originRight, isLeftChild(slot) { slotsWithLeftChild.insert(right) }
  }

  /// Whether a slot is a left child of the one right of it: the two have the same slot on their left.
  ///
  /// Fugue's tree (Weidner & Kleppmann, "The Art of the Fugue", section 4): the right one then
  /// descends from the left one, directly after which it stood, and what is new comes in between.
  private func isLeftChild(_ slot: Slot) -> Bool {
    guard let right = slot.originRight else { return false }
    return slots[right].originLeft == slot.originLeft
  }

  /// The slot that a new one comes right after; `nil` for the list's start.
  ///
  /// All slots between the two origins are concurrent to the new one. The rule among them is
  /// ``Tracker/scan(from:left:right:name:order:)``'s, over a linked list. O(1)
  /// where nothing is concurrent, or where it is the first left child of its right origin (as when
  /// several people insert one element after the other at the start); else O(slots between the
  /// origins).
  private mutating func slotBefore(_ new: Slot) throws(HistoryError) -> SlotIndex? {
    let left = new.originLeft
    let right = new.originRight
    guard let first = slot(after: left, in: new.list), first != right,
      slots[first].originLeft == left
    else { return left }
    if let right, isLeftChild(new), !slotsWithLeftChild.contains(right) {
      return slots[right].previous
    }
    var between: Set<SlotIndex> = []
    var gap: [SlotIndex] = []
    var next = Optional(first)
    while let slot = next, slot != right {
      between.insert(slot)
      gap.append(slot)
      next = slots[slot].next
    }
    // A slot takes about as long as four items of a text.
    steps += 4 * gap.count
    guard steps <= workLimit else { throw HistoryError(.tooMuchWork, event: new.event) }
    var destination = left
    var scanning = false
    for (place, number) in gap.enumerated() {
      let other = slots[number]
      if !scanning { destination = place == 0 ? left : gap[place - 1] }
      if other.originLeft == left {
        if other.originRight == right {
          if EventOrder(of: log).precedes(new.event, other.event) { return destination }
          scanning = false
        } else {
          // A right origin that does not lie between ours lies beyond our right one.
          scanning = other.originRight.map { between.contains($0) } ?? false
        }
      } else if other.originLeft.map({ between.contains($0) }) != true {
        return destination
      }
      if !scanning { destination = number }
    }
    return destination
  }
}
