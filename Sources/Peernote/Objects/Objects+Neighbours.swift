extension Objects {
  /// What is known of the slots that the events of one chain have seen, while these are replayed.
  struct SeenSlots {
    /// The chain.
    fileprivate var chain: ChainIndex?
    /// Its first event.
    fileprivate var start = LocalVersion.first
    /// The last event that it can have seen of other chains; ``LocalVersion/beforeAll`` for
    /// none.
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

  /// Whether the chain of an event has seen a slot.
  ///
  /// O(log c), and what asking the graph takes where the answer does not follow from another one.
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
