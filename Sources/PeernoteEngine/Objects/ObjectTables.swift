/// The slots of all lists by number, ascending by event, in runs: what one operation inserted stands
/// one right of the other, with events and contents that follow one another.
///
/// An element is named by its first slot, which its insertion made. Sixteen bytes a slot, twenty-four
/// a run, and more for elements that were written, moved or removed later.
package struct SlotTable: Sendable {
  /// Elements that were inserted each right of the one before, or a place that one was moved to.
  private struct Run: BitwiseCopyable {
    var firstNumber: SlotIndex
    var event: LocalVersion
    var list: ContainerIndex
    var filling: Objects.Write.Written
    @Compact var originLeft: SlotIndex?
    @Compact var originRight: SlotIndex?
  }

  private struct Place: BitwiseCopyable {
    var run: RunIndex
    /// The slots on both sides now; `nil` at the ends.
    @Compact var next: SlotIndex?
    @Compact var previous: SlotIndex?
    /// What became of the element that was inserted here; `nil` if nothing did.
    @Compact var touch: TouchIndex? = nil
  }

  /// The place of a run in ``runs``.
  private struct RunIndex: LogIndex {
    let rawValue: Int32
  }

  /// The place in ``touches`` of what became of an element.
  private struct TouchIndex: LogIndex {
    let rawValue: Int32
  }

  private var places: [Place] = []
  private var runs: [Run] = []
  private var touches: [Objects.Touch] = []

  /// Makes room for this many slots in all, in so many runs.
  mutating func reserveCapacity(_ count: Int, runs runCount: Int) {
    places.reserveCapacity(count)
    runs.reserveCapacity(runCount)
  }

  var byteCount: Int {
    places.count * MemoryLayout<Place>.stride + runs.count * MemoryLayout<Run>.stride
      + touches.count * MemoryLayout<Objects.Touch>.stride
  }

  /// Appends a slot; amortized O(1).
  mutating func append(_ slot: Objects.Slot) {
    let number = endIndex
    if !continues(slot, number) {
      runs.append(
        Run(
          firstNumber: number, event: slot.event, list: slot.list, filling: slot.filling,
          originLeft: slot.originLeft, originRight: slot.originRight))
    }
    places.append(
      Place(run: RunIndex(runs.count - 1), next: slot.next, previous: slot.previous))
  }

  private func continues(_ slot: Objects.Slot, _ number: SlotIndex) -> Bool {
    guard let run = runs.last, let content = slot.filling.content else { return false }
    let offset = number - run.firstNumber
    return run.event + offset == slot.event && run.filling.content.map { $0 + offset } == content
      && slot.originLeft == number - 1 && run.originRight == slot.originRight
  }

  package func event(of number: SlotIndex) -> LocalVersion {
    let run = runs[places[number].run]
    return run.event + (number - run.firstNumber)
  }

  func list(of number: SlotIndex) -> ContainerIndex { runs[places[number].run].list }

  /// The first slot of the element that a slot was made for.
  func firstSlot(of number: SlotIndex) -> SlotIndex {
    runs[places[number].run].filling.slot ?? number
  }

  /// The elements, in the order of their insertion.
  var elements: some Sequence<Objects.Element> {
    indices.lazy.filter { firstSlot(of: $0) == $0 }.map { self[element: $0] }
  }

  /// The element that a slot was made for; only what was done to it can be changed.
  package subscript(element number: SlotIndex) -> Objects.Element {
    get {
      let number = firstSlot(of: number)
      let place = places[number]
      let run = runs[place.run]
      let offset = number - run.firstNumber
      guard let content = run.filling.content else {
        preconditionFailure("the first slot of an element is that of its insertion")
      }
      var element = Objects.Element(
        slot: number, list: run.list, event: run.event + offset, content: content + offset)
      if let number = place.touch { element.touch = touches[number] }
      return element
    }
    set {
      let number = firstSlot(of: number)
      if let known = places[number].touch {
        touches[known] = newValue.touch
      } else {
        places[number].touch = TouchIndex(touches.count)
        touches.append(newValue.touch)
      }
    }
  }
}

extension SlotTable: RandomAccessCollection {
  package var startIndex: SlotIndex { SlotIndex(0) }
  package var endIndex: SlotIndex { SlotIndex(places.count) }
  package var count: Int { places.count }

  /// A slot; only its neighbours can be changed.
  package subscript(number: SlotIndex) -> Objects.Slot {
    get {
      let place = places[number]
      let run = runs[place.run]
      let offset = number - run.firstNumber
      return Objects.Slot(
        event: run.event + offset, list: run.list,
        filling: run.filling.content.map { .init($0 + offset) } ?? run.filling,
        originLeft: offset > 0 ? number - 1 : run.originLeft,
        originRight: run.originRight, next: place.next, previous: place.previous)
    }
    set {
      places[number].next = newValue.next
      places[number].previous = newValue.previous
    }
  }
}

/// The keys of all maps by number, in the order of their first write, those of one map linked.
///
/// Sixteen bytes a key and eight a map. Most maps have few keys, which are looked at one after the
/// other; those of larger maps are found by name.
package struct KeyTable: Sendable {
  private struct Name: Hashable {
    var map: ContainerIndex
    var key: KeyIndex
  }

  /// How many keys of a map are looked at before it counts as a large one.
  private static let fewKeys = 8

  private var keys: [Objects.MapKey] = []
  /// The first key of each map, and the last one.
  private var firstKeys = ContainerNumbers<MapKeyIndex>()
  private var lastKeys = ContainerNumbers<MapKeyIndex>()
  /// The keys of maps after their first ``fewKeys``.
  private var numbers: [Name: MapKeyIndex] = [:]

  /// How many bytes the keys take; a hash table is counted as if it was half full.
  var byteCount: Int {
    keys.count * MemoryLayout<Objects.MapKey>.stride + firstKeys.byteCount + lastKeys.byteCount
      + numbers.count * 2 * 24
  }

  /// Makes room for this many keys in all.
  mutating func reserveCapacity(_ count: Int) { keys.reserveCapacity(count) }

  /// The number of a key in a map; `nil` if it was never written there; O(1).
  package func number(of key: KeyIndex, in map: ContainerIndex) -> MapKeyIndex? {
    find(key, in: map).number
  }

  /// The number of a key in a map, and whether it comes, or would come, after those that are looked
  /// at one after the other.
  private func find(
    _ key: KeyIndex, in map: ContainerIndex
  ) -> (number: MapKeyIndex?, isLate: Bool) {
    var next = firstKeys[map]
    for _ in 0..<Self.fewKeys {
      guard let number = next else { return (nil, false) }
      if keys[number].key == key { return (number, false) }
      next = keys[number].next
    }
    return (next == nil ? nil : numbers[Name(map: map, key: key)], true)
  }

  /// The number of a key in a map, which is added if it is new; amortized O(1).
  mutating func insert(_ key: KeyIndex, in map: ContainerIndex) -> MapKeyIndex {
    let (known, isLate) = find(key, in: map)
    if let known { return known }
    let number = endIndex
    keys.append(Objects.MapKey(map: map, key: key))
    if let last = lastKeys[map] { keys[last].next = number } else { firstKeys[map] = number }
    lastKeys[map] = number
    if isLate { numbers[Name(map: map, key: key)] = number }
    return number
  }

  /// The keys of a map, in the order of their first write.
  package func keys(ofMap map: ContainerIndex) -> some Sequence<Objects.MapKey> {
    sequence(state: firstKeys[map]) { next in
      guard let number = next else { return nil }
      next = keys[number].next
      return keys[number]
    }
  }
}

extension KeyTable: RandomAccessCollection {
  package var startIndex: MapKeyIndex { MapKeyIndex(0) }
  package var endIndex: MapKeyIndex { MapKeyIndex(keys.count) }
  package var count: Int { keys.count }

  package subscript(number: MapKeyIndex) -> Objects.MapKey {
    get { keys[number] }
    set { keys[number] = newValue }
  }
}

/// An index for each container; `nil` for those that were given none.
struct ContainerNumbers<Index: LogIndex>: Sendable {
  private var numbers: [Compact<Index>] = []

  var byteCount: Int { numbers.count * MemoryLayout<Compact<Index>>.stride }

  package subscript(container: ContainerIndex) -> Index? {
    get { container < ContainerIndex(numbers.count) ? numbers[container].wrappedValue : nil }
    set {
      while ContainerIndex(numbers.count) <= container {
        numbers.append(Compact(wrappedValue: nil))
      }
      numbers[container].wrappedValue = newValue
    }
  }
}

/// What was ever added to a set or discarded from it, found by set and value: the value itself is
/// in the log's contents, here its number and an open hash table, twenty bytes a member or so.
struct MemberTable: Sendable {
  package struct Member: BitwiseCopyable {
    var set: ContainerIndex
    /// The content that named the value first.
    var content: ContentIndex
    /// The last of its additions and discards.
    var lastWrite: WriteIndex
  }

  /// In the order in which they were first named.
  private(set) var members: [Member] = []
  /// Numbers of members, each at or after the place that its hash gives it.
  private var slots: [Compact<MemberIndex>] = []

  var byteCount: Int {
    members.count * MemoryLayout<Member>.stride
      + slots.count * MemoryLayout<Compact<MemberIndex>>.stride
  }

  /// The number of a member; `nil` if a set never had the value; O(1).
  func number(of value: Value, in set: ContainerIndex, _ contents: ContentTable) -> MemberIndex? {
    slots.isEmpty ? nil : slots[slot(of: value, in: set, contents)].wrappedValue
  }

  /// The last write of a member.
  package subscript(number: MemberIndex) -> WriteIndex {
    get { members[number].lastWrite }
    set { members[number].lastWrite = newValue }
  }

  /// Appends a member that is not there yet; amortized O(1).
  mutating func append(_ member: Member, value: Value, _ contents: ContentTable) {
    if 4 * (members.count + 1) > 3 * slots.count { grow(contents) }
    slots[slot(of: value, in: member.set, contents)].wrappedValue = MemberIndex(members.count)
    members.append(member)
  }

  /// Where a member stands, or would stand.
  private func slot(of value: Value, in set: ContainerIndex, _ contents: ContentTable) -> Int {
    var place = hash(of: value, in: set) & (slots.count - 1)
    while let number = slots[place].wrappedValue {
      let member = members[number]
      if member.set == set, contents[member.content] == .value(value) { return place }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private func hash(of value: Value, in set: ContainerIndex) -> Int {
    var hasher = Hasher()
    hasher.combine(set)
    hasher.combine(value)
    return hasher.finalize()
  }

  private mutating func grow(_ contents: ContentTable) {
    slots = Array(repeating: Compact(wrappedValue: nil), count: max(8, slots.count * 2))
    for (number, member) in members.enumerated() {
      let value = contents.value(member.content)
      var place = hash(of: value, in: member.set) & (slots.count - 1)
      while slots[place].wrappedValue != nil { place = (place + 1) & (slots.count - 1) }
      slots[place].wrappedValue = MemberIndex(number)
    }
  }

  /// Traps unless every member is found by its value, and nothing else is there; O(n); for tests.
  func checkInvariants(_ contents: ContentTable) {
    let count = slots.count { $0.wrappedValue != nil }
    precondition(count == members.count, "every member has a place in the hash table")
    precondition(
      slots.count & (slots.count - 1) == 0 && 4 * count <= 3 * slots.count,
      "the hash table is a power of two long, and a quarter of it is free")
    for (index, member) in members.enumerated() {
      precondition(
        number(of: contents.value(member.content), in: member.set, contents) == MemberIndex(index),
        "members are found by value")
    }
  }
}
