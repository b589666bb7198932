extension ChangeEditor {
  /// Takes back what some events did, given as ascending ranges that don't touch, on the state as
  /// it is now.
  ///
  /// What was done on top by others stays, and so does all that would be the same if only the
  /// cancelled ones of the events were reverted. Container by container, from the root down:
  ///
  /// - text that the events inserted goes, if it still stands; text that they alone deleted comes
  ///   back where it stood;
  /// - a key or element that shows what they wrote, or nothing because they removed it, shows again
  ///   what it would without them;
  /// - an element that they inserted goes, unless someone else wrote it or edited inside; one that
  ///   they alone removed comes back; one that they moved goes back to where it would stand;
  /// - a value is in a set again if it would be without them; a counter loses what they added;
  /// - a container that they created goes, unless someone else edited inside; then what the events
  ///   did inside is taken back, but a list element stays whole except for its texts, for nobody
  ///   wrote what would be left of it;
  /// - a container that others replaced or removed, and that is shown only because of what the
  ///   events did inside, goes;
  /// - a container that they replaced or removed comes back as a copy, with what it would hold
  ///   without them. Containers that stay out of sight are left alone.
  ///
  /// The same state and events lead to the same edits. O(n log n), n being the size of the objects,
  /// plus a walk from the last critical version before the events.
  ///
  /// If text is not known any more, or a limit is met, this throws; the change has to be given up
  /// then.
  mutating func revert(
    _ events: [Range<LocalVersion>], cancelled: [Range<LocalVersion>]
  ) throws(RevertError) {
    let reversal = try Reversal(of: events, cancelled: cancelled, in: objects, texts: texts)
    let containers = Set(reversal.touched.keys).sorted()
    for container in containers
    where objects.isShown(container) && !reversal.keepsWhole(container) {
      guard let touched = reversal.touched[container] else { continue }
      switch objects.log.containers[container].kind {
      case .text: try revertText(container, reversal)
      case .counter: try revert(touched.amountLeft, ofCounter: container)
      case .map: try revert(touched.keys, ofMap: container, reversal)
      case .list: try revert(touched.elements, ofList: container, reversal)
      case .set: try revert(touched.members, ofSet: container, reversal)
      }
    }
  }

  // MARK: Maps

  private mutating func revert(
    _ keys: [KeyIndex], ofMap map: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    for key in keys {
      guard let number = reversal.objects.mapKeys.number(of: key, in: map) else { continue }
      let register = reversal.objects.mapKeys[number].register
      let shown = reversal.objects.resolve(register).shown
      let wanted = reversal.wanted(register, without: reversal.withdrawn)
      if reversal.isSame(shown, wanted) || reversal.isLeft(register) { continue }
      let key = objects.log.keys[key]
      guard let wanted else {
        try Self.limited(remove(map: map, key: key))
        continue
      }
      let content = objects.log.contents[wanted.content]
      let created = try Self.limited(put(map: map, key: key, content: content))
      try fill(created, from: wanted, reversal)
    }
  }

  // MARK: Lists

  private mutating func revert(
    _ elements: [LocalVersion], ofList list: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    var moved: [Objects.Element] = []
    // The order is that of the whole list.
    var isOrderLeft = true
    for event in elements {
      guard let element = reversal.objects.element(insertedBy: event) else { continue }
      let isShown = reversal.objects.state(of: element) != .removed
      let wouldBeShown = reversal.isWanted(element, without: reversal.withdrawnCancelled)
      guard reversal.isWanted(element, without: reversal.withdrawn) else {
        guard wouldBeShown else { continue }
        isOrderLeft = false
        if isShown { try Self.limited(removeElement(list: list, element: event)) }
        continue
      }
      if !wouldBeShown || !reversal.isLeft(element.register) {
        try revertContent(of: element, isShown: isShown, list, reversal)
      }
      let slot = reversal.wantedSlot(of: element, without: reversal.excluded)
      if !wouldBeShown || slot != reversal.wantedSlot(of: element, without: reversal.cancelled) {
        isOrderLeft = false
      }
      if slot != reversal.objects.shownSlot(of: element) { moved.append(element) }
    }
    if !isOrderLeft, !moved.isEmpty { try moveBack(moved, list, reversal) }
  }

  private mutating func revertContent(
    of element: Objects.Element, isShown: Bool, _ list: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    let register = element.register
    let shown = isShown ? reversal.objects.resolve(register).shown : nil
    guard let wanted = reversal.wanted(register, without: reversal.withdrawn),
      !reversal.isSame(shown, wanted)
    else { return }
    let content = objects.log.contents[wanted.content]
    let created = try Self.limited(putElement(list: list, element: element.event, content: content))
    try fill(created, from: wanted, reversal)
  }

  /// Moves elements to the places, among those that stand still, that their slots have.
  private mutating func moveBack(
    _ moved: [Objects.Element], _ list: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    let ranks = reversal.objects.slotRanks(ofList: list)
    var places: [LocalVersion: Int] = [:]
    for element in moved {
      places[element.event] = ranks[reversal.wantedSlot(of: element, without: reversal.excluded)]
    }
    var order = elements(ofList: list)
    var wanted = order
    for event in order where places[event] == nil {
      if let element = reversal.objects.element(insertedBy: event) {
        places[event] = ranks[reversal.objects.shownSlot(of: element)]
      }
    }
    wanted.sort { (places[$0] ?? 0) < (places[$1] ?? 0) }
    let isMoved = Set(moved.map(\.event))
    // From the front: all before an element stand in their order when its turn comes.
    for (index, event) in wanted.enumerated() where isMoved.contains(event) {
      guard let from = order.firstIndex(of: event) else { continue }
      order.remove(at: from)
      let to = index == 0 ? 0 : (order.firstIndex(of: wanted[index - 1]) ?? -1) + 1
      order.insert(event, at: to)
      if from == to { continue }
      try Self.limited(moveElement(list: list, element: event, to: to, from: from))
    }
  }

  // MARK: Texts, sets and counters

  private mutating func revertText(
    _ text: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    guard let edits = reversal.textReversal.edits(of: text, onlyLeft: true) else {
      throw redacted(text)
    }
    try Self.limited(editText(text, by: edits))
  }

  private mutating func revert(
    _ members: [Value], ofSet set: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    for value in members {
      let isIn = reversal.objects.contains(value, set: set)
      let isWanted = reversal.objects.contains(value, set: set, without: reversal.excluded)
      let wouldBeIn = reversal.objects.contains(value, set: set, without: reversal.cancelled)
      if isIn == isWanted || wouldBeIn == isWanted { continue }
      try Self.limited(isWanted ? add(value, toSet: set) : discard(value, fromSet: set))
    }
  }

  private mutating func revert(
    _ amount: Int64, ofCounter counter: ContainerIndex
  ) throws(RevertError) {
    if amount == 0 { return }
    try Self.limited(increment(counter, by: 0 &- amount))
  }

  // MARK: Copies

  /// Fills a new container with what the one that a write created would hold without the events.
  private mutating func fill(
    _ new: ContainerIndex?, from entry: Objects.Entry, _ reversal: Reversal
  ) throws(RevertError) {
    guard let new, let old = reversal.objects.container(createdBy: entry.event) else { return }
    let objects = reversal.objects
    switch objects.log.containers[old].kind {
    case .map:
      for mapKey in objects.mapKeys.keys(ofMap: old) {
        guard let wanted = reversal.wanted(mapKey.register, without: reversal.withdrawn) else {
          continue
        }
        let key = objects.log.keys[mapKey.key]
        let content = objects.log.contents[wanted.content]
        let created = try Self.limited(put(map: new, key: key, content: content))
        try fill(created, from: wanted, reversal)
      }
    case .list:
      try fillList(new, from: old, reversal)
    case .text:
      guard let edits = reversal.textReversal.edits(of: old, onlyLeft: false) else {
        throw redacted(old)
      }
      let text = reversal.texts[old].applying(edits)
      try Self.limited(spliceText(0..<0, of: new, with: text))
    case .set:
      for value in objects.everyMember(ofSet: old)
      where objects.contains(value, set: old, without: reversal.excluded) {
        try Self.limited(add(value, toSet: new))
      }
    case .counter:
      let amount = objects.value(ofCounter: old) &- (reversal.touched[old]?.amount ?? 0)
      if amount == 0 { return }
      try Self.limited(increment(new, by: amount))
    }
  }

  private mutating func fillList(
    _ new: ContainerIndex, from old: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    let ranks = reversal.objects.slotRanks(ofList: old)
    var wanted: [(rank: Int, entry: Objects.Entry)] = []
    for slot in ranks.keys {
      let element = reversal.objects.slots[element: slot]
      // Each element once, by the slot that it was inserted in.
      guard element.slot == slot,
        reversal.isWanted(element, without: reversal.withdrawn),
        let entry = reversal.wanted(element.register, without: reversal.withdrawn)
      else { continue }
      let place = reversal.wantedSlot(of: element, without: reversal.excluded)
      wanted.append((ranks[place] ?? 0, entry))
    }
    wanted.sort { $0.rank < $1.rank }
    let contents = wanted.map { objects.log.contents[$0.entry.content] }
    let created = try Self.limited(insertElements(list: new, at: 0, contents: contents))
    var next = created.makeIterator()
    for (wanted, content) in zip(wanted, contents) {
      guard case .container = content else { continue }
      try fill(next.next(), from: wanted.entry, reversal)
    }
  }

  /// Says that the text which some of the events deleted from a container is not known any more.
  private func redacted(_ container: ContainerIndex) -> RevertError {
    .redacted(objects.path(to: container).map { JSONPointer($0) })
  }

  /// Makes an edit whose refusal is one of the reversal.
  @discardableResult
  private static func limited<Result>(
    _ edit: @autoclosure () throws(HistoryError) -> Result
  ) throws(RevertError) -> Result {
    do throws(HistoryError) {
      return try edit()
    } catch {
      throw RevertError(error)
    }
  }
}
