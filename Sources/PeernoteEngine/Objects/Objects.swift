/// The containers of a document but for the content of texts: what each key, element, set and
/// counter holds after all operations of a log.
///
/// A straightforward replay: one pass over the operations in canonical order files every write
/// under the register, list slot or set member that it concerns; what is shown is then decided
/// from the writes that no later write has seen. O(n) plus the concurrency at each register.
package struct Objects: Sendable {
  /// One write to a register, a set member or an element's place, linked to the one before it.
  package struct Write: BitwiseCopyable {
    /// What is written, in as many bytes as an index takes: a content, nothing, or the slot that an
    /// element is moved to.
    struct Written: BitwiseCopyable {
      /// The place of a content; -1 for nothing; -2 less the place of a slot.
      private let number: Int32

      /// A content; `nil` for nothing.
      @inline(__always)
      init(_ content: ContentIndex?) { number = content?.rawValue ?? -1 }

      @inline(__always)
      init(_ slot: SlotIndex) { number = -2 - slot.rawValue }

      /// The content; `nil` for nothing and for a slot.
      @inline(__always)
      var content: ContentIndex? { number < 0 ? nil : ContentIndex(rawValue: number) }

      /// The slot; `nil` for anything else.
      @inline(__always)
      var slot: SlotIndex? { number < -1 ? SlotIndex(rawValue: -2 - number) : nil }
    }

    package let event: LocalVersion
    let written: Written
    /// The write before it in canonical order; `nil` for the first.
    @Compact var previous: WriteIndex? = nil

    /// The content written; `nil` for a removal, and for a move.
    var content: ContentIndex? { written.content }
  }

  /// All writes of one kind to one thing.
  package struct Writes: BitwiseCopyable {
    /// The last one; `nil` for none.
    @Compact var last: WriteIndex?
    /// The one before those, which stands nowhere else.
    var first: Write?
    /// The last removal of the element that they are to; `nil` for none, and for anything else.
    @Compact var lastRemoval: WriteIndex? = nil
  }

  package struct MapKey: BitwiseCopyable {
    var map: ContainerIndex
    package var key: KeyIndex
    @Compact var lastWrite: WriteIndex? = nil
    /// The next key of the same map; `nil` at the end.
    @Compact var next: MapKeyIndex? = nil

    var register: Writes { Writes(last: lastWrite) }
  }

  package struct Element: BitwiseCopyable {
    /// Its first slot, which its insertion made.
    var slot: SlotIndex
    var list: ContainerIndex
    package var event: LocalVersion
    /// What it was inserted with.
    var content: ContentIndex
    /// What became of it later.
    var touch = Touch()

    /// Whether it was written, moved or removed after it was inserted.
    var isTouched: Bool {
      touch.lastWrite != nil || touch.lastMove != nil || touch.lastRemoval != nil
    }

    /// All that was written to it.
    package var register: Writes {
      Writes(
        last: touch.lastWrite, first: Write(event: event, written: .init(content)),
        lastRemoval: touch.lastRemoval)
    }
  }

  /// What became of an element after it was inserted.
  struct Touch: BitwiseCopyable {
    @Compact var lastWrite: WriteIndex? = nil
    /// The slots it was moved to.
    @Compact var lastMove: WriteIndex? = nil
    @Compact var lastRemoval: WriteIndex? = nil
  }

  /// A place in a list's order, made by an insertion or a move.
  package struct Slot: BitwiseCopyable {
    package var event: LocalVersion
    var list: ContainerIndex
    /// What was inserted there, or the first slot of the element that was moved there.
    var filling: Write.Written
    /// The slots on both sides when it was made; `nil` at the list's ends.
    @Compact var originLeft: SlotIndex?
    @Compact var originRight: SlotIndex?
    /// The slot after it; `nil` at the end.
    @Compact var next: SlotIndex? = nil
    /// The slot before it; `nil` at the start.
    @Compact var previous: SlotIndex? = nil
  }

  /// How deep containers may be nested, the root included.
  package static let depthLimit = 64

  package internal(set) var log: Log
  /// The critical versions of the history, before the edits of a ``ChangeEditor`` at work.
  package var critical: CriticalVersions
  var writes: [Write] = []
  /// How many concurrent slots were passed to find places in lists; see ``Log/workLimit``.
  var steps = 0
  let workLimit: Int
  package var mapKeys = KeyTable()
  /// The place of each key of the log in the order of the file; see ``rankKeys()``.
  var keyRanks: [Int32] = []
  /// Ascending by event, with the elements.
  package var slots = SlotTable()
  /// The slots from which the place of some slot is found, as what was inserted right before them.
  var slotsWithLeftChild: Set<SlotIndex> = []
  /// The first slot of each list; `nil` if it is empty.
  var firstSlot = ContainerNumbers<SlotIndex>()
  /// What is known of the slots that the events now replayed have seen.
  var seenSlots = SeenSlots()
  /// The values that were ever in a set.
  var members = MemberTable()
  /// The values that were ever in each set, by the contents that named them first.
  var membersOfSet: [ContainerIndex: [ContentIndex]] = [:]
  var counters: [ContainerIndex: Int64] = [:]
  /// Which events edit each container; made if some container was replaced or removed.
  package var edits: EditedRanges?
  /// The slots that are shown of the lists that a ``ChangeEditor`` edited, in order.
  var shownSlots: [ContainerIndex: [SlotIndex]] = [:]
  /// The numbers of the first keys, by name; see ``nameKeys()``.
  private var keysByName: [ExactString: KeyIndex] = [:]

  /// Replays all operations but those on texts; throws if one names something that is not there.
  ///
  /// The replay may take `workLimit` steps, ``Log/workLimit`` if `nil`. The containers that are not
  /// `needed`, by number, count for nothing, and what they hold is not known then; `nil` stands for
  /// all.
  package init(
    of log: Log, workLimit: Int? = nil, only needed: [Bool]? = nil
  ) throws(HistoryError) {
    self.log = log
    self.workLimit = workLimit ?? log.workLimit
    critical = CriticalVersions(of: log.graph)
    try Self.checkDepth(of: log)
    if needed == nil { reserve() }
    var mayHideContainers = false
    for index in log.objectOperations {
      if let needed, !needed[log.operations.container(of: Int(index))] { continue }
      let operation = log.operations[Int(index)]
      try apply(operation)
      mayHideContainers = mayHideContainers || mayHideContainer(operation)
    }
    seenSlots = SeenSlots()
    if mayHideContainers { edits = EditedRanges(of: log) }
    rankKeys()
    try checkWork()
  }

  private mutating func reserve() {
    var (insertionCount, elementCount, moveCount, writeCount) = (0, 0, 0, 0)
    var keyCount = 0
    for index in log.objectOperations {
      let operation = log.operations[Int(index)]
      let operands = operation.kind.operands
      if operation.kind == .insertElements {
        insertionCount += 1
        elementCount += Int(operation.length)
      } else if operation.kind != .increment {
        writeCount += 1
        if operands.contains(.slots) { moveCount += 1 }
        if operands.contains(.key) { keyCount += 1 }
      }
    }
    mapKeys.reserveCapacity(min(keyCount, log.containers.count * log.keys.count))
    slots.reserveCapacity(elementCount + moveCount, runs: insertionCount + moveCount)
    writes.reserveCapacity(writeCount)
  }

  /// Records the names of all keys, so that they are found at once from then on;
  /// O(keys that were not noted yet).
  package mutating func nameKeys() {
    while keysByName.count < log.keys.count {
      let number = keysByName.count
      keysByName[ExactString(log.keys[number])] = KeyIndex(number)
    }
  }

  /// The number of a key; `nil` if it was never used; O(length) if all keys have been noted, else
  /// O(keys).
  package func number(ofKey key: String) -> KeyIndex? {
    keysByName.count == log.keys.count
      ? keysByName[ExactString(key)]
      : log.keys.firstIndex { $0.utf8.elementsEqual(key.utf8) }.map { KeyIndex($0) }
  }

  /// Whether an operation that has just been applied could take a container out of sight.
  func mayHideContainer(_ operation: Operation) -> Bool {
    if log.containers.count == 1 { return false }
    switch operation.kind {
    case .put, .remove:
      guard let previous = writes.last?.previous else { return false }
      return log.container(createdBy: writes[previous].event) != nil
    case .putElement:
      let previous = writes.last?.previous
      return log.container(
        createdBy: previous.map { writes[$0].event } ?? operation.element) != nil
    case .removeElement:
      return true
    case .insertText, .deleteForward, .deleteBackward, .insertElements, .moveElement, .add,
      .discard, .increment:
      return false
    }
  }

  /// Records how many bytes a file takes that holds the document.
  package mutating func record(fileSize: Int) {
    log.fileSize = fileSize
  }

  /// Has further edits and merges keep other limits.
  package mutating func keep(_ limits: Limits) {
    log.limits = limits
  }

  /// The objects of a document without any change.
  package static let empty = Objects()

  private init() {
    log = Log()
    workLimit = log.workLimit
    critical = CriticalVersions(of: log.graph)
  }

  private static func checkDepth(of log: Log) throws(HistoryError) {
    var depths: [Int] = []
    for container in log.containers {
      let depth = (container.parent.map { depths[$0] } ?? 0) + 1
      guard depth <= depthLimit else { throw HistoryError(.tooDeep, event: container.created) }
      depths.append(depth)
    }
  }

  /// Files an operation, which comes after all before.
  mutating func apply(_ operation: Operation) throws(HistoryError) {
    switch operation.kind {
    case .insertText, .deleteForward, .deleteBackward:
      preconditionFailure("texts are walked, not replayed")
    case .put:
      write(operation, content: operation.content)
    case .remove:
      write(operation, content: nil)
    case .insertElements:
      try insertElements(operation)
    case .putElement:
      let element = try element(named: operation)
      slots[element: element].touch.lastWrite = append(
        operation.first, .init(operation.content), after: slots[element: element].touch.lastWrite)
    case .moveElement:
      try moveElement(operation)
    case .removeElement:
      let element = try element(named: operation)
      slots[element: element].touch.lastRemoval = append(
        operation.first, .init(nil), after: slots[element: element].touch.lastRemoval)
    case .add:
      fileMember(operation, content: operation.content)
    case .discard:
      fileMember(operation, content: nil)
    case .increment:
      guard case .value(.integer(let amount)) = log.contents[operation.content] else {
        preconditionFailure("a log's increments are integers")
      }
      counters[operation.container, default: 0] &+= amount
    }
  }

  /// Appends a write to a linked list; returns its index.
  mutating func append(
    _ event: LocalVersion, _ written: Write.Written, after previous: WriteIndex?
  ) -> WriteIndex {
    writes.append(Write(event: event, written: written, previous: previous))
    return WriteIndex(writes.count - 1)
  }

  /// Files what is put under a key, or its removal.
  private mutating func write(_ operation: Operation, content: ContentIndex?) {
    let number = mapKeys.insert(operation.key, in: operation.container)
    mapKeys[number].lastWrite = append(
      operation.first, .init(content), after: mapKeys[number].lastWrite)
  }

  private mutating func fileMember(_ operation: Operation, content: ContentIndex?) {
    let value = log.contents.value(operation.content)
    let set = operation.container
    if let number = members.number(of: value, in: set, log.contents) {
      members[number] = append(operation.first, .init(content), after: members[number])
    } else {
      let write = append(operation.first, .init(content), after: nil)
      members.append(
        .init(set: set, content: operation.content, lastWrite: write), value: value, log.contents)
      membersOfSet[set, default: []].append(operation.content)
    }
  }

  /// The writes to one thing, the last one first.
  package func history(of list: Writes) -> some Sequence<Write> {
    sequence(state: list) { list -> Write? in
      if let last = list.last {
        let write = self.writes[last]
        list.last = write.previous
        return write
      }
      defer { list.first = nil }
      return list.first
    }
  }

  /// Whether an event comes causally before another one.
  func isSeen(_ earlier: LocalVersion, by later: LocalVersion) -> Bool {
    earlier < later
      && (critical.separate(earlier, from: later)
        || log.graph.isAncestor(earlier, orSelf: later))
  }
}

extension Objects {
  /// About how many bytes everything but the log takes; hash tables are counted as if they were
  /// half full; O(sets).
  package var byteCount: Int {
    let lists = slots.byteCount + slotsWithLeftChild.count * 2 * 4
    let places = firstSlot.byteCount + (membersOfSet.count + counters.count) * 2 * 16
    let numbers = membersOfSet.values.reduce(0) { $0 + Self.arrayByteCount($1) }
    return writes.count * MemoryLayout<Write>.stride + mapKeys.byteCount + lists
      + members.byteCount + places + numbers + (edits?.byteCount ?? 0)
  }

  /// What an array of numbers takes: a header, and up to twice the room that it needs.
  private static func arrayByteCount(_ numbers: [ContentIndex]) -> Int { 48 + 8 * numbers.count }

  /// Traps unless the lists' slots are linked both ways, each element's slots are its own, what was
  /// written is listed from the last to the first, and what was noted to find things is what there
  /// is; O(n log n); for tests.
  package func checkInvariants() {
    for (index, write) in writes.enumerated() {
      precondition(
        write.previous.map { $0.number < index } ?? true, "a write follows earlier ones")
      precondition(write.event < log.graph.end, "a write is an event of the log")
    }
    var seen = 0
    for list in log.containers.indices {
      var (next, previous): (SlotIndex?, SlotIndex?) = (firstSlot[ContainerIndex(list)], nil)
      precondition(next == nil || log.containers[list].kind == .list, "slots stand in lists")
      while let slot = next {
        let here = slots[slot]
        precondition(here.previous == previous, "slots are linked both ways")
        precondition(here.list == ContainerIndex(list), "a slot is of its list")
        (previous, next) = (slot, here.next)
        seen += 1
        precondition(seen <= slots.count, "slots are not linked in a circle")
      }
    }
    precondition(seen == slots.count, "every slot stands in a list")
    precondition(keepsBoundOfWork, "deciding what is shown takes no more steps than is said")
    for number in mapKeys.indices {
      let key = mapKeys[number]
      precondition(mapKeys.number(of: key.key, in: key.map) == number, "keys are found by name")
    }
    for (list, shown) in shownSlots {
      precondition(shown == shownSlots(ofList: list), "the slots that were noted are those shown")
    }
    checkMembers()
    edits?.checkInvariants(of: log)
  }

  private func checkMembers() {
    members.checkInvariants(log.contents)
    var contents: [ContainerIndex: [ContentIndex]] = [:]
    for member in members.members {
      precondition(log.containers[member.set].kind == .set, "members are in sets")
      precondition(member.lastWrite.number < writes.count, "a member was written")
      contents[member.set, default: []].append(member.content)
    }
    precondition(contents == membersOfSet, "each set has its members")
  }
}

struct WriteIndex: LogIndex {
  let rawValue: Int32
}

/// The place of a key of a map in ``Objects/mapKeys``.
package struct MapKeyIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a slot in ``Objects/slots``.
package struct SlotIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a member of a set in ``Objects/members``.
struct MemberIndex: LogIndex {
  let rawValue: Int32
}
