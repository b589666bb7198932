extension Objects {
  /// What a register shows and what else it holds.
  package struct Resolved: Sendable {
    /// The entry shown; `nil` if the register is empty.
    package var shown: Entry?
    /// All entries that no later write replaced, the shown one included, the latest event first.
    package var live: [Entry]
    /// The removals that no later write has seen, the latest event first.
    package var removals: [LocalVersion]
  }

  /// A write that still counts.
  package struct Entry: Hashable, Sendable {
    package var event: LocalVersion
    /// Its number in ``Log/contents``.
    package var content: Int32
    /// Replaced or removed, but kept because of edits inside that whoever did so had not seen.
    package var isKept: Bool
  }

  /// A child of a map or list as it is shown.
  package struct Child: Sendable {
    /// The key's number; -1 in a list.
    package var key: Int32
    /// The insertion of the element; -1 in a map.
    package var element: LocalVersion
    /// The last removal of an element that is kept because of what its removers had not seen;
    /// `nil` once someone who has seen the removals has written the element again.
    package var keptAgainst: LocalVersion?
    package var resolved: Resolved
  }

  /// The keys of a map that show something, in the order of the file: by the length of the key in
  /// UTF-8, then by its bytes.
  ///
  /// O(n log n).
  package func children(ofMap map: Int32) -> [Child] {
    var result: [Child] = []
    for number in registersOfMap[map] ?? [] {
      let register = registers[Int(number)]
      let resolved = resolve(register)
      if resolved.shown != nil {
        result.append(
          Child(key: register.name, element: -1, keptAgainst: nil, resolved: resolved))
      }
    }
    return result.sorted { precedes(key: $0.key, $1.key) }
  }

  private func precedes(key left: Int32, _ right: Int32) -> Bool {
    let first = log.keys[Int(left)].utf8
    let second = log.keys[Int(right)].utf8
    if first.count != second.count { return first.count < second.count }
    return first.lexicographicallyPrecedes(second)
  }

  /// What a map shows under a key.
  ///
  /// O(log n + writes).
  package func child(_ key: Int32, ofMap map: Int32) -> Child? {
    guard let number = registerNumbers[RegisterName(container: map, key: key)] else { return nil }
    let resolved = resolve(registers[Int(number)])
    if resolved.shown == nil { return nil }
    return Child(key: key, element: -1, keptAgainst: nil, resolved: resolved)
  }

  /// The elements of a list that are shown, in order.
  ///
  /// O(slots + writes).
  package func children(ofList list: Int32) -> [Child] {
    var result: [Child] = []
    forEachSlot(ofList: list) { slot in
      if let child = child(at: slot) { result.append(child) }
    }
    return result
  }

  /// The element that stands in a slot; `nil` if none does.
  ///
  /// O(writes to the element).
  func child(at slot: Int32) -> Child? {
    let element = elements[Int(slots[Int(slot)].element)]
    guard shownSlot(of: element) == slot else { return nil }
    let state = state(of: element)
    if state == .removed { return nil }
    return Child(
      key: -1, element: element.event,
      keptAgainst: state == .kept ? openRemoval(of: element) : nil,
      resolved: resolve(registers[Int(element.register)]))
  }

  /// The slots of a list in which an element is shown, in order.
  ///
  /// O(slots + writes).
  func shownSlots(ofList list: Int32) -> [Int32] {
    var result: [Int32] = []
    forEachSlot(ofList: list) { slot in
      let element = elements[Int(slots[Int(slot)].element)]
      if shownSlot(of: element) == slot, state(of: element) != .removed { result.append(slot) }
    }
    return result
  }

  private func forEachSlot(ofList list: Int32, _ body: (Int32) -> Void) {
    var slot = firstSlot[list] ?? -1
    while slot >= 0 {
      body(slot)
      slot = slots[Int(slot)].next
    }
  }

  /// The values of a set that are in it, in the order of their first addition.
  ///
  /// O(members).
  package func members(ofSet set: Int32) -> [Value] {
    (membersOfSet[set] ?? []).filter { contains($0, set: set) }
  }

  private func contains(_ value: Value, set: Int32) -> Bool {
    guard let last = members[MemberName(container: set, value: value)] else { return false }
    // Whatever has seen an addition that counts is an addition too, up to the latest ones.
    return latestWrites(of: last).contains { $0.content != Self.removal }
  }

  /// The sum of a counter's increments.
  package func value(ofCounter counter: Int32) -> Int64 { counters[counter] ?? 0 }

  /// The container that a write created; `nil` if it wrote a value.
  ///
  /// Containers are numbered in the order of their creation, so this is a binary search.
  package func container(createdBy event: LocalVersion) -> Int32? {
    log.container(createdBy: event)
  }

  // MARK: Deciding

  /// Decides what a register shows: of the writes that no later write has seen, the latest; see
  /// ``Log/isLaterWrite(_:than:)``.
  func resolve(_ register: Register) -> Resolved {
    var result = Resolved(shown: nil, live: [], removals: [])
    guard register.lastWrite >= 0 else { return result }
    let latest = latestWrites(of: register.lastWrite)
    var next = 0
    for write in history(from: register.lastWrite) {
      if next < latest.count, latest[next].event == write.event {
        next += 1
        if write.content == Self.removal {
          result.removals.append(write.event)
        } else {
          result.live.append(Entry(event: write.event, content: write.content, isKept: false))
        }
      } else if edits == nil {
        // Nothing that was replaced can have been a container.
        if next == latest.count { break }
      } else if let container = container(createdBy: write.event) {
        let hiders = latest.map(\.event).filter { isSeen(write.event, by: $0) }
        if isKept(
          container, against: hiders + elementRemovals(of: register, seeing: write.event))
        {
          result.live.append(Entry(event: write.event, content: write.content, isKept: true))
        }
      }
    }
    result.shown = self.latest(of: result.live)
    return result
  }

  /// The removals of the list element that a register belongs to, as far as they have seen a write.
  private func elementRemovals(of register: Register, seeing event: LocalVersion) -> [LocalVersion]
  {
    guard log.containers[Int(register.container)].kind == .list else { return [] }
    let last = elements[Int(register.name)].lastRemoval
    if last < 0 { return [] }
    return latestWrites(of: last).map(\.event).filter { isSeen(event, by: $0) }
  }

  private func latest(of live: [Entry]) -> Entry? {
    live.max { left, right in
      left.isKept != right.isKept
        ? left.isKept : log.isLaterWrite(right.event, than: left.event)
    }
  }

  /// The writes of a linked list that no other one of it has seen, the last one first.
  ///
  /// O(writes), or O(c log c) for the c chains after the last critical version that they lie in.
  private func latestWrites(of last: Int32) -> [Write] {
    let newest = writes[Int(last)]
    if newest.previous < 0 { return [newest] }
    // What a critical version lies behind, the newest one has seen.
    let cut = critical?.last(before: newest.event).last ?? -1
    var candidates: [Write] = []
    for write in history(from: last) {
      if write.event <= cut { break }
      candidates.append(write)
    }
    if candidates.count < 2 { return [newest] }
    let heads = log.graph.heads(among: candidates.map(\.event))
    var next = 0
    return candidates.filter { write in
      guard next < heads.count, heads[next] == write.event else { return false }
      next += 1
      return true
    }
  }

  /// Whether some edit inside a container was seen by none of the writes that replaced it.
  func isKept(_ container: Int32, against writes: [LocalVersion]) -> Bool {
    guard let edits, let latest = writes.max() else {
      preconditionFailure("hidden containers have their edits listed")
    }
    if let critical, edits.areAll(inside: container, upTo: critical.last(before: latest).last) {
      return false
    }
    return !edits.areAll(inside: container, in: log.graph.closure(of: writes))
  }

  enum ElementState {
    case present
    case removed
    /// Removed by people who had not seen what was written to it or edited inside.
    case kept
  }

  func state(of element: Element) -> ElementState {
    if element.lastRemoval < 0 { return .present }
    let removals = latestWrites(of: element.lastRemoval).map(\.event)
    for write in history(from: registers[Int(element.register)].lastWrite) {
      if !removals.contains(where: { isSeen(write.event, by: $0) }) { return .kept }
      if edits != nil, let container = container(createdBy: write.event),
        isKept(container, against: removals)
      {
        return .kept
      }
    }
    return .removed
  }

  /// The last removal of an element that nobody who wrote the element has seen.
  private func openRemoval(of element: Element) -> LocalVersion? {
    let writers = latestWrites(of: registers[Int(element.register)].lastWrite)
    return latestWrites(of: element.lastRemoval).first { removal in
      !writers.contains { isSeen(removal.event, by: $0.event) }
    }?.event
  }

  /// The slot that an element stands in: of those that no later move has seen, the latest.
  func shownSlot(of element: Element) -> Int32 {
    var moves = latestWrites(of: element.lastMove)[...]
    var best = moves.removeFirst()
    for move in moves where log.isLaterWrite(move.event, than: best.event) { best = move }
    return best.content
  }
}

extension Log {
  /// The number of the container that an event created; `nil` if it created none.
  ///
  /// O(log n).
  package func container(createdBy event: LocalVersion) -> Int32? {
    var low = 0
    var high = containers.count
    while low < high {
      let middle = (low + high) / 2
      if containers[middle].created < event { low = middle + 1 } else { high = middle }
    }
    return low < containers.count && containers[low].created == event ? Int32(low) : nil
  }
}

extension [Range<LocalVersion>] {
  /// Whether ascending ranges that don't touch hold all of another range.
  ///
  /// O(log n).
  func covers(_ range: Range<LocalVersion>) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].lowerBound <= range.lowerBound
      && range.upperBound <= self[low].upperBound
  }
}
