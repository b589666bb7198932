extension Objects {
  /// Inserts a run of elements, one after the other.
  mutating func insertElements(_ operation: Operation) throws(HistoryError) {
    let first = Int32(slots.count)
    let before = try slot(operation.left, of: operation)
    let right = try slot(operation.right, of: operation)
    try checkNeighbours(left: before, right: right, in: operation.container, of: operation.first)
    var left = before
    for offset in 0..<operation.length {
      let event = operation.first + offset
      let element = Int32(elements.count)
      let slot = Int32(slots.count)
      elements.append(
        Element(list: operation.container, event: event, content: operation.content + offset))
      try link(
        Slot(event: event, element: element, originLeft: left, originRight: right),
        into: operation.container)
      left = slot
    }
    noteNeighbours(
      left: before, right: right, in: operation.container, new: first..<Int32(slots.count))
  }

  /// Gives an element a new slot.
  mutating func moveElement(_ operation: Operation) throws(HistoryError) {
    let element = try element(named: operation)
    let left = try slot(operation.left, of: operation)
    let right = try slot(operation.right, of: operation)
    try checkNeighbours(left: left, right: right, in: operation.container, of: operation.first)
    elements[element].lastMove = append(

      Write(
        event: operation.first, slot: Int32(slots.count), previous: elements[element].lastMove))
    hasRepeatedWrites = true
    try link(
      Slot(
        event: operation.first, element: Int32(element), originLeft: left, originRight: right),
      into: operation.container)
    noteNeighbours(
      left: left, right: right, in: operation.container,
      new: Int32(slots.count - 1)..<Int32(slots.count))
  }

  /// The element that an operation names by its insertion.
  func element(named operation: Operation) throws(HistoryError) -> Int {
    let event = operation.element
    let slot = try self.slot(Neighbour(event), of: operation)
    guard slot >= 0, elements[Int(slots[Int(slot)].element)].event == event else {
      throw HistoryError(.unknownElement, event: operation.first)
    }
    return Int(slots[Int(slot)].element)
  }

  /// The slot that an event made; -1 for the list's start or end.
  ///
  /// O(log slots).
  private func slot(_ neighbour: Neighbour, of operation: Operation) throws(HistoryError) -> Int32 {
    guard let event = neighbour.event else { return -1 }
    guard let index = slotIndex(madeBy: event) else {
      throw HistoryError(.unknownElement, event: operation.first)
    }
    guard elements[Int(slots[index].element)].list == operation.container else {
      throw HistoryError(.elementOfOtherList, event: operation.first)
    }
    return Int32(index)
  }

  func slotIndex(madeBy event: LocalVersion) -> Int? {
    let index = (0..<slots.count).partitionPoint { slots.event(of: $0) >= event }
    return index < slots.count && slots.event(of: index) == event ? index : nil
  }

  /// Appends a slot and links it into its list's order.
  private mutating func link(_ slot: Slot, into list: ContainerIndex) throws(HistoryError) {
    let number = Int32(slots.count)
    let before = try slotBefore(slot, in: list)
    var slot = slot
    slot.previous = before
    slot.next = before < 0 ? firstSlot[list] : slots[Int(before)].next
    slots.append(slot)
    if slot.next >= 0 { slots[Int(slot.next)].previous = number }
    if before < 0 {
      firstSlot[list] = number
    } else {
      slots[Int(before)].next = number
    }
    if isLeftChild(slot) { slotsWithLeftChild.insert(slot.originRight) }
  }

  /// Whether a slot hangs on the one right of it: the two have the same slot on their left.
  ///
  /// Fugue's tree (Weidner & Kleppmann, "The Art of the Fugue", section 4): the right one then
  /// descends from the left one, directly after which it stood, and what is new comes in between.
  private func isLeftChild(_ slot: Slot) -> Bool {
    slot.originRight >= 0 && slots[Int(slot.originRight)].originLeft == slot.originLeft
  }

  /// The slot that a new one comes right after; -1 for the list's start.
  ///
  /// All slots between the two origins are concurrent to the new one. The rule among them is
  /// ``Tracker/scan(from:left:right:name:order:)``'s, over a linked list. O(1)
  /// where nothing is concurrent, or where it is the first to hang on its right origin (as when
  /// several people insert one element after the other at the start); else O(slots between the
  /// origins).
  private mutating func slotBefore(
    _ new: Slot, in list: ContainerIndex
  ) throws(HistoryError) -> Int32 {
    let left = new.originLeft
    let right = new.originRight
    let first = left < 0 ? firstSlot[list] : slots[Int(left)].next
    if first == right || first < 0 || slots[Int(first)].originLeft != left { return left }
    if isLeftChild(new), !slotsWithLeftChild.contains(right) { return slots[Int(right)].previous }
    var between: [Int32: Int] = [:]
    var gap: [Int32] = []
    var slot = first
    while slot >= 0, slot != right {
      between[slot] = gap.count
      gap.append(slot)
      slot = slots[Int(slot)].next
    }
    // A slot takes about as long as four items of a text.
    steps += 4 * gap.count
    guard steps <= workLimit else { throw HistoryError(.tooMuchWork, event: new.event) }
    var destination = left
    var scanning = false
    for (place, number) in gap.enumerated() {
      let other = slots[Int(number)]
      if !scanning { destination = place == 0 ? left : gap[place - 1] }
      if other.originLeft == left {
        if other.originRight == right {
          if EventOrder(of: log).precedes(new.event, other.event) { return destination }
          scanning = false
        } else {
          // A right origin that does not lie between ours lies beyond our right one.
          scanning = between[other.originRight] != nil
        }
      } else if between[other.originLeft] == nil {
        return destination
      }
      if !scanning { destination = number }
    }
    return destination
  }
}
