extension Objects {
  mutating func insertElements(_ operation: Operation) throws(HistoryError) {
    try insertSlots(of: operation) { .init(operation.content + $0) }
  }

  mutating func moveElement(_ operation: Operation) throws(HistoryError) {
    let element = try element(named: operation)
    let slot = slots.endIndex
    try insertSlots(of: operation) { _ in .init(element) }
    slots[element: element].touch.lastMove = append(
      operation.first, .init(slot), after: slots[element: element].touch.lastMove)
  }

  /// Makes a slot for each event of an operation, one after the other, which is filled by its number.
  private mutating func insertSlots(
    of operation: Operation, filling: (Int32) -> Write.Written
  ) throws(HistoryError) {
    let first = slots.endIndex
    let before = try slot(operation.left, of: operation)
    let right = try slot(operation.right, of: operation)
    try checkNeighbours(left: before, right: right, in: operation.container, of: operation.first)
    var left = before
    for offset in 0..<operation.length {
      let slot = slots.endIndex
      try link(
        Slot(
          event: operation.first + offset, list: operation.container, filling: filling(offset),
          originLeft: left, originRight: right))
      left = slot
    }
    recordNeighbours(
      left: before, right: right, in: operation.container, new: first..<slots.endIndex)
  }

  /// The first slot of the element that an operation names by its insertion.
  package func element(named operation: Operation) throws(HistoryError) -> SlotIndex {
    guard let slot = try slot(Neighbour(operation.element), of: operation),
      slots.firstSlot(of: slot) == slot
    else { throw HistoryError(.unknownElement, event: operation.first) }
    return slot
  }

  /// The slot that an event made; `nil` for the list's start or end; O(log slots).
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

  package func slotIndex(madeBy event: LocalVersion) -> SlotIndex? {
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

  /// What is known of the slots that the events of one chain have seen, while these are replayed.
  struct SeenSlots {
    fileprivate var chain: ChainIndex?
    /// Its first event.
    fileprivate var start = LocalVersion.first
    /// The last event that it can have seen of other chains; ``LocalVersion/beforeAll`` if none.
    fileprivate var newest = LocalVersion.beforeAll
    /// The slot that follows another one among those seen, where others stand between the two, by
    /// the former or ``start(of:)``; none at the end.
    fileprivate var following: [SlotIndex: Compact<SlotIndex>] = [:]
    /// The last event of another chain that is known to be seen, and the first known not to be.
    fileprivate var horizons: [ChainIndex: (seen: LocalVersion, unseen: LocalVersion)] = [:]

    /// What stands for the start of a list.
    fileprivate static func start(of list: ContainerIndex) -> SlotIndex {
      SlotIndex(rawValue: -2 - list.rawValue)
    }
  }

  /// Checks that a new slot comes between two that followed each other for its author.
  ///
  /// What an author had not seen may stand between them. It is passed once for each chain that
  /// inserts there, so that this takes O(1) where nothing is concurrent, and else, for all slots of
  /// a chain together, O(slots that it has not seen), and asking for each if it has.
  ///
  /// `left` is `nil` for the list's start, `right` for its end. `event` makes the slot. Throws if
  /// they did not follow each other, or if finding out takes too much work.
  mutating func checkNeighbours(
    left: SlotIndex?, right: SlotIndex?, in list: ContainerIndex, of event: LocalVersion
  ) throws(HistoryError) {
    var next = slot(after: left, in: list)
    if next == right { return }
    let chain = log.graph.chainIndex(of: event)
    if seenSlots.chain != chain {
      seenSlots = SeenSlots()
      seenSlots.chain = chain
      seenSlots.start = log.graph.chains[chain].start
      seenSlots.newest = log.graph.parents(ofChain: chain).max() ?? .beforeAll
    }
    if let known = seenSlots.following[left ?? SeenSlots.start(of: list)] {
      next = known.wrappedValue
    } else {
      while let slot = next, try !isSeen(slot: slot, by: event, in: chain) {
        next = slots[slot].next
      }
    }
    if next == right { return }
    // Whoever names what they had not seen is found out for that.
    for case let origin? in [left, right] {
      guard try isSeen(slot: origin, by: event, in: chain) else {
        throw HistoryError(.unknownElement, event: event)
      }
    }
    throw HistoryError(.notNeighbours, event: event)
  }

  /// Notes between which slots new ones came, where something stands between them that their author
  /// has not seen.
  mutating func recordNeighbours(
    left: SlotIndex?, right: SlotIndex?, in list: ContainerIndex, new: Range<SlotIndex>
  ) {
    guard let chain = seenSlots.chain, let first = new.first, let last = new.last,
      log.graph.chainIndex(of: slots.event(of: first)) == chain
    else { return }
    let key = left ?? SeenSlots.start(of: list)
    seenSlots.following[key] =
      slot(after: left, in: list) == first ? nil : Compact(wrappedValue: first)
    seenSlots.following[last] =
      slots[last].next == right ? nil : Compact(wrappedValue: right)
  }

  /// The slot after another one, or the first of a list.
  func slot(after left: SlotIndex?, in list: ContainerIndex) -> SlotIndex? {
    guard let left else { return firstSlot[list] }
    return slots[left].next
  }

  /// Whether the chain of an event has seen a slot; O(log c), and what asking the graph takes where
  /// the answer does not follow from another one.
  private mutating func isSeen(
    slot: SlotIndex, by event: LocalVersion, in chain: ChainIndex
  ) throws(HistoryError) -> Bool {
    let other = slots.event(of: slot)
    steps += 4
    guard steps <= workLimit else { throw HistoryError(.tooMuchWork, event: event) }
    if other >= seenSlots.start { return other < event }
    if other > seenSlots.newest { return false }
    let graph = log.graph
    let otherChain = graph.chainIndex(of: other)
    var horizon = seenSlots.horizons[otherChain] ?? (seen: .least, unseen: .afterAll)
    if other <= horizon.seen { return true }
    if other >= horizon.unseen { return false }
    let isSeen = graph.isAncestor(other, ofChain: chain, &steps)
    if isSeen { horizon.seen = other } else { horizon.unseen = other }
    seenSlots.horizons[otherChain] = horizon
    return isSeen
  }
}
