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
    /// The last removal of an element that is kept because of what its removers had not seen.
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
    var slot = firstSlot[list] ?? -1
    while slot >= 0 {
      let here = slots[Int(slot)]
      let element = elements[Int(here.element)]
      if shownSlot(of: element) == slot {
        let state = state(of: element)
        if state != .removed {
          result.append(
            Child(
              key: -1, element: element.event,
              keptAgainst: state == .kept ? writes[Int(element.lastRemoval)].event : nil,
              resolved: resolve(registers[Int(element.register)])))
        }
      }
      slot = here.next
    }
    return result
  }

  /// The slots of a list in order: the event that made each, and the element that it shows, `nil`
  /// for an empty one.
  ///
  /// O(slots).
  package func slots(ofList list: Int32) -> [(slot: LocalVersion, shows: LocalVersion?)] {
    var result: [(slot: LocalVersion, shows: LocalVersion?)] = []
    var slot = firstSlot[list] ?? -1
    while slot >= 0 {
      let here = slots[Int(slot)]
      let element = elements[Int(here.element)]
      let isShown = shownSlot(of: element) == slot && state(of: element) != .removed
      result.append((here.event, isShown ? element.event : nil))
      slot = here.next
    }
    return result
  }

  /// The values of a set that are in it, in the order of their first addition.
  ///
  /// O(members).
  package func members(ofSet set: Int32) -> [Value] {
    (membersOfSet[set] ?? []).filter { contains($0, set: set) }
  }

  private func contains(_ value: Value, set: Int32) -> Bool {
    guard let last = members[MemberName(container: set, value: value)] else { return false }
    var discards: [LocalVersion] = []
    for write in history(from: last) {
      if write.content == Self.removal {
        discards.append(write.event)
      } else if !discards.contains(where: { isSeen(write.event, by: $0) }) {
        return true
      }
    }
    return false
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
    var live: [Entry] = []
    var removals: [LocalVersion] = []
    var newer: [LocalVersion] = []
    for write in history(from: register.lastWrite) {
      let seenBy = newer.filter { isSeen(write.event, by: $0) }
      newer.append(write.event)
      if write.content == Self.removal {
        if seenBy.isEmpty { removals.append(write.event) }
        continue
      }
      if seenBy.isEmpty {
        live.append(Entry(event: write.event, content: write.content, isKept: false))
      } else if let container = container(createdBy: write.event),
        isKept(container, against: seenBy + elementRemovals(of: register, seeing: write.event))
      {
        live.append(Entry(event: write.event, content: write.content, isKept: true))
      }
    }
    return Resolved(shown: latest(of: live), live: live, removals: removals)
  }

  /// The removals of the list element that a register belongs to, as far as they have seen a write.
  private func elementRemovals(of register: Register, seeing event: LocalVersion) -> [LocalVersion]
  {
    guard log.containers[Int(register.container)].kind == .list else { return [] }
    return history(from: elements[Int(register.name)].lastRemoval).map(\.event)
      .filter { isSeen(event, by: $0) }
  }

  private func latest(of live: [Entry]) -> Entry? {
    live.max { left, right in
      left.isKept != right.isKept
        ? left.isKept : log.isLaterWrite(right.event, than: left.event)
    }
  }

  /// Whether some edit inside a container was seen by none of the writes that replaced it.
  func isKept(_ container: Int32, against writes: [LocalVersion]) -> Bool {
    guard let edits else { preconditionFailure("hidden containers have their edits listed") }
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
    let removals = history(from: element.lastRemoval).map(\.event)
    let seen = log.graph.closure(of: removals)
    for write in history(from: registers[Int(element.register)].lastWrite) {
      if !seen.covers(write.event..<write.event + 1) { return .kept }
      if let edits, let container = container(createdBy: write.event),
        !edits.areAll(inside: container, in: seen)
      {
        return .kept
      }
    }
    return .removed
  }

  /// The slot that an element stands in: of those that no later move has seen, the latest.
  func shownSlot(of element: Element) -> Int32 {
    var best: Write?
    var newer: [LocalVersion] = []
    for write in history(from: element.lastMove) {
      let isSuperseded = newer.contains { isSeen(write.event, by: $0) }
      newer.append(write.event)
      if isSuperseded { continue }
      if let known = best, log.isLaterWrite(known.event, than: write.event) { continue }
      best = write
    }
    guard let best else { preconditionFailure("an element has the slot of its insertion") }
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
