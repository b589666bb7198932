import PeernoteCBOR

extension Objects {
  /// What a register shows and what else it holds.
  package struct Resolved: Sendable {
    /// The entry shown; `nil` if the register is empty.
    package var shown: Entry?
    /// The other entries that no later write replaced, the latest event first.
    package var others: [Entry]
    /// The removals that no later write has seen, the latest event first.
    package var removals: [LocalVersion]

    /// Whether some entry is there only for the sake of edits inside.
    package var hasKeptEntry: Bool { shown?.isKept ?? false || others.contains(where: \.isKept) }
  }

  /// A write that still counts.
  package struct Entry: Hashable, Sendable {
    package var event: LocalVersion
    package var content: ContentIndex
    /// Replaced or removed, but kept because of edits inside that whoever did so had not seen.
    package var isKept = false
  }

  package struct Child: Sendable {
    /// The key; ``KeyIndex/absent`` in a list.
    package var key: KeyIndex
    /// The insertion of the element; ``LocalVersion/beforeAll`` in a map.
    package var element: LocalVersion
    /// The last removal of an element that is kept because of what its removers had not seen;
    /// `nil` once someone who has seen the removals has written the element again.
    package var overriddenRemoval: LocalVersion?
    package var resolved: Resolved

    package var isElement: Bool { element.isEvent }
  }

  /// The keys of a map that show something, in the order of the file: by the length of the key in
  /// UTF-8, then by its bytes; O(n log n).
  package func children(ofMap map: ContainerIndex) -> [Child] {
    var keys = Array(mapKeys.keys(ofMap: map))
    sort(&keys, by: \.key)
    return keys.compactMap { child($0) }
  }

  /// What the keys of a map show, in the order of the file; as ``children(ofMap:)``, without what
  /// else the keys hold.
  func entries(ofMap map: ContainerIndex) -> [(key: KeyIndex, entry: Entry)] {
    var result: [(key: KeyIndex, entry: Entry)] = []
    result.reserveCapacity(Self.usualCount)
    for key in mapKeys.keys(ofMap: map) {
      if let entry = shownEntry(of: key.register) { result.append((key.key, entry)) }
    }
    sort(&result, by: \.key)
    return result
  }

  /// What the elements of a list show, in order; ``children(ofList:)`` without what else they hold.
  func entries(ofList list: ContainerIndex) -> [Entry] {
    let shown = shownSlots(ofList: list)
    var result: [Entry] = []
    result.reserveCapacity(shown.count)
    // Without a closure, which would hold all of the objects: dozens of references for each list.
    for slot in shown {
      if let entry = shownEntry(of: slots[element: slot].register) { result.append(entry) }
    }
    return result
  }

  /// Room for as many keys and elements as most maps and lists have.
  private static var usualCount: Int { 8 }

  /// Sorts what belongs to keys in the order of the file.
  private func sort<Element>(_ elements: inout [Element], by key: (Element) -> KeyIndex) {
    // The closures hold names or ranks alone: to hold all of the objects takes dozens of references.
    if keyRanks.count == log.keys.count {
      let ranks = keyRanks
      elements.sort { ranks[key($0)] < ranks[key($1)] }
    } else {
      let names = log.keys
      elements.sort { MapKeyOrder.precedes(names[key($0)], names[key($1)]) }
    }
  }

  /// Finds the place of each key in the order of the file, so that maps are sorted by numbers;
  /// O(n log n) for n keys; O(1) if none came in since.
  mutating func rankKeys() {
    if keyRanks.count == log.keys.count { return }
    let names = log.keys
    let order = names.indices.sorted { MapKeyOrder.precedes(names[$0], names[$1]) }
    keyRanks = [Int32](repeating: 0, count: names.count)
    for (rank, key) in order.enumerated() { keyRanks[key] = Int32(rank) }
  }

  /// What a map shows under a key; O(log n + writes).
  package func child(_ key: KeyIndex, ofMap map: ContainerIndex) -> Child? {
    guard let number = mapKeys.number(of: key, in: map) else { return nil }
    return child(mapKeys[number])
  }

  /// The same by the name of the key, which is found as ``number(ofKey:)`` says.
  package func child(_ key: String, ofMap map: ContainerIndex) -> Child? {
    number(ofKey: key).flatMap { child($0, ofMap: map) }
  }

  private func child(_ key: MapKey) -> Child? {
    let resolved = resolve(key.register)
    if resolved.shown == nil { return nil }
    return Child(key: key.key, element: .beforeAll, overriddenRemoval: nil, resolved: resolved)
  }

  /// The elements that a list shows, in order; O(slots + writes); each is looked at when asked for.
  package func children(ofList list: ContainerIndex) -> LazyMapCollection<[SlotIndex], Child> {
    shownSlots(ofList: list).lazy.map { slot in
      guard let child = child(shownAt: slot) else {
        preconditionFailure("an element that is shown is not removed")
      }
      return child
    }
  }

  /// The element at an index of a list; `nil` outside; O(writes to the element) where the slots of
  /// the list have been noted, else O(slots + writes).
  func child(at index: Int, ofList list: ContainerIndex) -> Child? {
    let shown = shownSlots[list] ?? shownSlots(ofList: list)
    return shown.indices.contains(index) ? child(shownAt: shown[index]) : nil
  }

  /// The element that stands in a slot; `nil` if none does; O(writes to the element).
  func child(at slot: SlotIndex) -> Child? {
    let element = slots[element: slot]
    return shownSlot(of: element) == slot ? child(shownAt: slot) : nil
  }

  private func child(shownAt slot: SlotIndex) -> Child? {
    let element = slots[element: slot]
    let state = state(of: element)
    if state == .removed { return nil }
    return Child(
      key: .absent, element: element.event,
      overriddenRemoval: state == .kept ? openRemovals(of: element).first : nil,
      resolved: resolve(element.register))
  }

  /// The slots of a list in which an element is shown, or would be without some events, in order;
  /// O(slots + writes).
  func shownSlots(
    ofList list: ContainerIndex, without excluded: [Range<LocalVersion>] = []
  ) -> [SlotIndex] {
    var result: [SlotIndex] = []
    result.reserveCapacity(Self.usualCount)
    // The slots of moved elements that were asked for already, by their first ones.
    var known: [SlotIndex: SlotIndex] = [:]
    var next = firstSlot[list]
    while let slot = next {
      next = slots[slot].next
      if !excluded.isEmpty, excluded.holds(slots.event(of: slot)) { continue }
      let element = slots[element: slot]
      // Most elements were never moved.
      if element.touch.lastMove != nil {
        let shown = known[element.slot] ?? shownSlot(of: element, without: excluded)
        known[element.slot] = shown
        if shown != slot { continue }
      }
      if state(of: element, without: excluded) != .removed { result.append(slot) }
    }
    return result
  }

  package func forEachSlot(ofList list: ContainerIndex, _ body: (SlotIndex) -> Void) {
    var next = firstSlot[list]
    while let slot = next {
      body(slot)
      next = slots[slot].next
    }
  }

  /// The values of a set that are in it, in the order of their first addition; O(members).
  package func members(ofSet set: ContainerIndex) -> [Value] {
    everyMember(ofSet: set).filter { contains($0, set: set) }
  }

  /// How many values are in a set; O(members).
  package func memberCount(ofSet set: ContainerIndex) -> Int {
    everyMember(ofSet: set).count { contains($0, set: set) }
  }

  /// The values that were ever in a set, in the order of their first addition or discard.
  package func everyMember(ofSet set: ContainerIndex) -> some Sequence<Value> {
    (membersOfSet[set] ?? []).lazy.map { log.contents.value($0) }
  }

  /// Whether a value is in a set, or would be without some events; O(writes of the value).
  package func contains(
    _ value: Value, set: ContainerIndex, without excluded: [Range<LocalVersion>] = []
  ) -> Bool {
    guard let number = members.number(of: value, in: set, log.contents) else { return false }
    // Whatever has seen an addition that counts is an addition too, up to the latest ones.
    return latestWrites(of: Writes(last: members[number]), without: excluded)
      .contains { $0.content != nil }
  }

  /// The sum of a counter's increments.
  package func value(ofCounter counter: ContainerIndex) -> Int64 { counters[counter] ?? 0 }

  /// The container that an entry is; `nil` for a value.
  func container(of entry: Entry) -> ContainerIndex? {
    log.contents.containerKind(ofContent: entry.content) == nil
      ? nil : container(createdBy: entry.event)
  }

  /// The container that a write created; `nil` if it wrote a value; O(log n).
  package func container(createdBy event: LocalVersion) -> ContainerIndex? {
    log.container(createdBy: event)
  }
}

extension Log {
  /// The number of the container that an event created; `nil` if it created none; O(log n).
  package func container(createdBy event: LocalVersion) -> ContainerIndex? {
    let number = containers.indices.partitionPoint { containers[$0].created >= event }
    return number < containers.count && containers[number].created == event
      ? ContainerIndex(number) : nil
  }
}

extension Objects {
  /// Finds what the content does not show, but for values of counters, of which only the sum means
  /// anything; O(n log n).
  ///
  /// Values that were replaced or removed, or that lost against a concurrent write, and the texts
  /// that stand in no container that is shown, ascending.
  package func hidden() -> (values: [Value], texts: [ContainerIndex]) {
    let shown = shownContent()
    let texts = log.containers(of: .text).filter { !shown.containers[$0] }
    var values: [Value] = []
    for index in log.objectOperations {
      let operation = log.operations[Int(index)]
      // The values of sets come below.
      guard [.map, .list].contains(operation.kind.containerKind) else { continue }
      for number in operation.contents where !shown.contents[number] {
        if case .value(let value) = log.contents[number] { values.append(value) }
      }
    }
    for set in log.containers(of: .set) {
      values += everyMember(ofSet: set).filter {
        !shown.containers[set] || !contains($0, set: set)
      }
    }
    return (values, texts)
  }

  /// Which containers are shown, and which contents, by number in the log.
  private func shownContent() -> (containers: [Bool], contents: [Bool]) {
    var containers = [Bool](repeating: false, count: log.containers.count)
    var contents = [Bool](repeating: false, count: log.contents.count)
    var waiting = [ContainerIndex.root]
    while let container = waiting.popLast() {
      containers[container] = true
      let shown =
        switch log.containers[container].kind {
        case .map: entries(ofMap: container).map(\.entry)
        case .list: entries(ofList: container)
        case _: [Entry]()
        }
      for entry in shown {
        contents[entry.content] = true
        if let created = self.container(createdBy: entry.event) { waiting.append(created) }
      }
    }
    return (containers, contents)
  }
}
