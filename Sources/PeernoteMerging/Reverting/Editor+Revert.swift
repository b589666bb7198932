import PeernoteEngine

extension Editor {
  /// Takes back what some changes did that were there before this one; see
  /// ``Document/revert(_:by:message:)``.
  ///
  /// Container by container, from the root down, each place gets what it would hold without the
  /// changes. All stays that would be the same if only the cancelled ones were reverted. A list
  /// element stays whole if others edited inside, except for its texts, for nobody wrote what would
  /// be left of it. Containers that stay out of sight are left alone.
  ///
  /// The same state and changes lead to the same edits. O(n log n), n being the size of the objects,
  /// plus a walk from the last critical version before the changes.
  ///
  /// The closure has to pass on what this throws, since some of it may be done.
  mutating func revert(_ changes: [ChangeID], cancelled: [ChangeID]) throws(RevertError) {
    let events = try editor.objects.log.events(of: changes)
    let others = try editor.objects.log.events(of: cancelled)
    if events.isEmpty { return }
    let reversal = try Reversal(
      of: events, cancelled: others, in: editor.objects, texts: editor.texts)
    for container in reversal.touched.keys.sorted()
    where editor.objects.isShown(container) && !reversal.keepsWhole(container) {
      guard let touched = reversal.touched[container] else { continue }
      for spot in touched.spots { try revert(spot, in: container, reversal) }
      switch kind(of: container) {
      case .map: break
      case .list: try move(reversal.movedElements(among: touched.spots), in: container, reversal)
      case .text: try revertText(container, reversal)
      case .set: try revert(touched.members, ofSet: container, reversal)
      case .counter:
        if touched.amountLeft == 0 { continue }
        try Self.limited(editor.increment(container, by: 0 &- touched.amountLeft))
      }
    }
  }

  /// Reverts a key or an element: it shows again what it would without the events, or nothing.
  private mutating func revert(
    _ spot: Objects.Spot, in container: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    let wanted = reversal.wanted(at: spot, without: reversal.withdrawn)
    if reversal.isSame(reversal.shown(at: spot), wanted) || reversal.isLeft(spot) { return }
    let node = try wanted.map { (entry) throws(RevertError) in try reversal.node(of: entry) }
    switch spot {
    case .key(_, let number):
      let key = reversal.objects.log.keys[number]
      if let node { return try write(node, in: Spot(container: container, key: key)) }
      try Self.limited(editor.remove(map: container, key: key))
    case .element(let element):
      if let node { return try write(node, in: Spot(container: container, element: element)) }
      try Self.limited(editor.removeElement(list: container, element: element))
    }
  }

  private mutating func write(_ node: DocumentNode, in spot: Spot) throws(RevertError) {
    do throws(EditError) {
      try write(node, in: spot, at: JSONPointer())
    } catch {
      guard case .limit(_, let reason) = error else {
        preconditionFailure("a place that was there is written unless a limit is met: \(error)")
      }
      throw .limit(reason: reason)
    }
  }

  /// Moves elements to the slots, among those that stand still, in which they should stand.
  private mutating func move(
    _ moved: [LocalVersion: SlotIndex], in list: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    if moved.isEmpty { return }
    let objects = reversal.objects
    var order = editor.elements(ofList: list)
    let present = Set(order)
    var wanted: [LocalVersion] = []
    objects.forEachSlot(ofList: list) { slot in
      let element = objects.slots[element: slot]
      if present.contains(element.event),
        slot == moved[element.event] ?? objects.shownSlot(of: element)
      {
        wanted.append(element.event)
      }
    }
    // From the front: all before an element stand in their order when its turn comes.
    for (index, event) in wanted.enumerated() where moved[event] != nil {
      guard let from = order.firstIndex(of: event) else { continue }
      order.remove(at: from)
      let to = index == 0 ? 0 : (order.firstIndex(of: wanted[index - 1]) ?? -1) + 1
      order.insert(event, at: to)
      if from == to { continue }
      try Self.limited(editor.moveElement(list: list, element: event, to: to, from: from))
    }
  }

  private mutating func revertText(
    _ text: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    let edits = try reversal.edits(of: text, onlyLeft: true)
    try editRaw { (editor) throws(RevertError) in
      try Self.limited(editor.editText(text, by: edits))
    }
  }

  private mutating func revert(
    _ members: [Value], ofSet set: ContainerIndex, _ reversal: Reversal
  ) throws(RevertError) {
    for value in members {
      let isIn = reversal.objects.contains(value, set: set)
      let isWanted = reversal.objects.contains(value, set: set, without: reversal.excluded)
      let wouldBeIn = reversal.objects.contains(value, set: set, without: reversal.cancelled)
      if isIn == isWanted || wouldBeIn == isWanted { continue }
      try Self.limited(
        isWanted ? editor.add(value, toSet: set) : editor.discard(value, fromSet: set))
    }
  }

  /// Makes an edit whose refusal is one of the reversal.
  static func limited<Result>(
    _ edit: @autoclosure () throws(HistoryError) -> Result
  ) throws(RevertError) -> Result {
    do throws(HistoryError) {
      return try edit()
    } catch {
      throw .limit(reason: error.reason.description)
    }
  }
}

extension Reversal {
  /// What an entry should hold, all that is in it included.
  fileprivate func node(of entry: Objects.Entry) throws(RevertError) -> DocumentNode {
    guard let container = objects.container(createdBy: entry.event) else {
      guard case .value(let value) = objects.log.contents[entry.content] else {
        preconditionFailure("what creates no container is a value")
      }
      return .value(value)
    }
    switch objects.log.containers[container].kind {
    case .map:
      var entries: [DocumentNode.MapEntry] = []
      for key in objects.mapKeys.keys(ofMap: container) {
        guard let entry = wanted(at: .key(container, key.key), without: withdrawn) else { continue }
        entries.append(.init(key: objects.log.keys[key.key], node: try node(of: entry)))
      }
      return .map(entries)
    case .list:
      var entries: [Objects.Entry] = []
      objects.forEachSlot(ofList: container) { slot in
        let element = objects.slots[element: slot]
        guard let entry = wanted(at: .element(element.event), without: withdrawn),
          wantedSlot(of: element, without: excluded) == slot
        else { return }
        entries.append(entry)
      }
      return .list(try entries.map { (entry) throws(RevertError) in try node(of: entry) })
    case .text:
      return .text(texts[container].applying(try edits(of: container, onlyLeft: false)).string)
    case .set:
      return .set(
        objects.everyMember(ofSet: container).filter {
          objects.contains($0, set: container, without: excluded)
        })
    case .counter:
      return .counter(
        objects.value(ofCounter: container) &- (touched[container]?.amount ?? 0))
    }
  }
}
