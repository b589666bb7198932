/// The containers of a document but for the content of texts: what each key, element, set and
/// counter holds after all operations of a log.
///
/// A straightforward replay: one pass over the operations in canonical order files every write
/// under the register, list slot or set member that it concerns; what is shown is then decided
/// from the writes that no later write has seen. O(n) plus the concurrency at each register.
package struct Objects: Sendable {
  /// One write to a register, a set member or an element's place, linked to the one before it.
  struct Write: BitwiseCopyable {
    var event: LocalVersion
    /// The content written, the slot moved to, or ``removal``.
    var content: Int32
    /// The write before it in canonical order; -1 for the first.
    var previous: Int32
  }

  /// A key of a map or an element of a list: what holds one content at a time.
  struct Register: BitwiseCopyable {
    /// The map or list.
    var container: Int32
    /// The key's number, or the element's index.
    var name: Int32
    var lastWrite: Int32 = -1
  }

  /// An element of a list.
  struct Element: BitwiseCopyable {
    var list: Int32
    /// The insertion, which is also the element's first slot.
    var event: LocalVersion
    /// What it holds.
    var register: Int32
    /// The slots it was moved to, as writes whose content is the slot.
    var lastMove: Int32
    /// Its removals.
    var lastRemoval: Int32 = -1
  }

  /// A place in a list's order, made by an insertion or a move.
  struct Slot: BitwiseCopyable {
    var event: LocalVersion
    var element: Int32
    /// The slots on both sides when it was made; -1 at the list's ends.
    var originLeft: Int32
    var originRight: Int32
    /// The slot after it; -1 at the end.
    var next: Int32 = -1
    /// The slot before it; -1 at the start.
    var previous: Int32 = -1
    /// Whether some slot's place is found from this one, as what was inserted right before it.
    var hasLeftChild = false
  }

  struct MemberName: Hashable {
    var container: Int32
    var value: Value
  }

  struct RegisterName: Hashable {
    var container: Int32
    var key: Int32
  }

  static let removal: Int32 = -1
  /// How deep containers may be nested, the root included.
  package static let depthLimit = 64

  package internal(set) var log: Log
  /// The critical versions of the history; only where something was written twice.
  package internal(set) var critical: CriticalVersions?
  var writes: [Write] = []
  /// How many concurrent slots were passed to find places in lists; see ``Log/workLimit``.
  var steps = 0
  private(set) var workLimit: Int
  var registers: [Register] = []
  var elements: [Element] = []
  /// Ascending by event.
  var slots: [Slot] = []
  /// The first slot of each list; -1 if it is empty.
  var firstSlot: [Int32: Int32] = [:]
  /// The registers of each map, in the order of their first write.
  var registersOfMap: [Int32: [Int32]] = [:]
  var registerNumbers: [RegisterName: Int32] = [:]
  /// For each value that was ever in a set, the last of its additions and discards.
  var members: [MemberName: Int32] = [:]
  /// The members of each set in the order of their first addition.
  var membersOfSet: [Int32: [Value]] = [:]
  var counters: [Int32: Int64] = [:]
  /// Which events edit each container; made if some container was replaced or removed.
  var edits: EditedRanges?

  /// Replays all operations but those on texts.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - workLimit: how many steps the replay may take; ``Log/workLimit`` if `nil`.
  /// - Throws: ``HistoryError`` if an operation names something that is not there.
  package init(of log: Log, workLimit: Int? = nil) throws(HistoryError) {
    self.log = log
    self.workLimit = workLimit ?? log.workLimit
    try Self.checkDepth(of: log)
    var mayHideContainers = false
    for index in log.objectOperations {
      let operation = log.operations[Int(index)]
      try apply(operation)
      mayHideContainers = mayHideContainers || mayHideContainer(operation)
    }
    if mayHideContainers { edits = EditedRanges(of: log) }
    findCriticalVersions()
  }

  /// Finds the critical versions if they help to tell which writes have seen others.
  mutating func findCriticalVersions() {
    if critical == nil, writes.contains(where: { $0.previous >= 0 }) {
      critical = CriticalVersions(of: log.graph)
    }
  }

  /// Whether an operation that has just been applied could take a container out of sight.
  func mayHideContainer(_ operation: Operation) -> Bool {
    if log.containers.count == 1 { return false }
    switch operation.kind {
    case .put, .remove, .putElement:
      guard let last = writes.last, last.previous >= 0 else { return false }
      return log.container(createdBy: writes[Int(last.previous)].event) != nil
    case .removeElement:
      return true
    case .insertText, .deleteForward, .deleteBackward, .insertElements, .moveElement, .add,
      .discard, .increment:
      return false
    }
  }

  /// The objects of a document without any change.
  package static let empty = Objects()

  private init() {
    log = Log()
    workLimit = log.workLimit
  }

  private static func checkDepth(of log: Log) throws(HistoryError) {
    var depths: [Int] = []
    for container in log.containers {
      let depth = container.parent < 0 ? 1 : depths[Int(container.parent)] + 1
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
      write(operation, content: operation.b, to: register(operation.container, key: operation.a))
    case .remove:
      write(operation, content: Self.removal, to: register(operation.container, key: operation.a))
    case .insertElements:
      try insertElements(operation)
    case .putElement:
      let element = try element(operation.a, of: operation)
      write(operation, content: operation.b, to: elements[element].register)
    case .moveElement:
      try moveElement(operation)
    case .removeElement:
      let element = try element(operation.a, of: operation)
      elements[element].lastRemoval = append(
        operation.first, Self.removal, after: elements[element].lastRemoval)
    case .add:
      fileMember(operation, content: operation.a)
    case .discard:
      fileMember(operation, content: Self.removal)
    case .increment:
      guard case .value(.integer(let amount)) = log.contents[Int(operation.a)] else {
        preconditionFailure("a log's increments are integers")
      }
      counters[operation.container, default: 0] &+= amount
    }
  }

  /// Appends a write to a linked list; returns its index.
  mutating func append(_ event: LocalVersion, _ content: Int32, after previous: Int32) -> Int32 {
    writes.append(Write(event: event, content: content, previous: previous))
    return Int32(writes.count - 1)
  }

  private mutating func write(_ operation: Operation, content: Int32, to register: Int32) {
    registers[Int(register)].lastWrite = append(
      operation.first, content, after: registers[Int(register)].lastWrite)
  }

  private mutating func register(_ map: Int32, key: Int32) -> Int32 {
    let name = RegisterName(container: map, key: key)
    if let known = registerNumbers[name] { return known }
    let number = Int32(registers.count)
    registers.append(Register(container: map, name: key))
    registerNumbers[name] = number
    registersOfMap[map, default: []].append(number)
    return number
  }

  private mutating func fileMember(_ operation: Operation, content: Int32) {
    guard case .value(let value) = log.contents[Int(operation.a)] else {
      preconditionFailure("a set's members are values")
    }
    let name = MemberName(container: operation.container, value: value)
    if let last = members[name] {
      members[name] = append(operation.first, content, after: last)
    } else {
      members[name] = append(operation.first, content, after: -1)
      membersOfSet[operation.container, default: []].append(value)
    }
  }

  /// The writes of a linked list, the last one first.
  func history(from last: Int32) -> some Sequence<Write> {
    sequence(first: last) { self.writes[Int($0)].previous }
      .lazy.prefix { $0 >= 0 }.map { self.writes[Int($0)] }
  }

  /// Whether an event comes causally before another one.
  func isSeen(_ earlier: LocalVersion, by later: LocalVersion) -> Bool {
    earlier < later
      && (critical?.separate(earlier, from: later) ?? false
        || log.graph.isAncestor(earlier, orSelf: later))
  }
}
