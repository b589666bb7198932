import Peernote

/// What is left of a version without some of its changes, worked out in the plainest way.
struct Remainder {
  private let oracle: Oracle
  private let version: OracleVersion
  private let isReverted: [Bool]
  /// The events of the reverted changes but for the creations of containers that others edited
  /// inside, which stand.
  private let isWithdrawn: [Bool]

  init(_ oracle: Oracle, in version: OracleVersion, without changes: Set<ChangeID>) {
    self.oracle = oracle
    self.version = version
    let isReverted = oracle.events.map { changes.contains($0.id.change) }
    self.isReverted = isReverted
    isWithdrawn = oracle.events.indices.map { event in
      isReverted[event]
        && oracle.edits(insideEntry: event, in: version).allSatisfy { isReverted[$0] }
    }
  }

  /// Whether a container that the version shows is shown after the reversal.
  ///
  /// It goes if nobody else edited inside and its creation is reverted. If others did, it goes only
  /// where it was replaced or removed, and of what is left nothing keeps it in spite of that, or
  /// something else comes back to its place.
  func isShown(_ container: ContainerID) -> Bool {
    guard case .created(let id) = container else { return true }
    let creation = oracle.number(of: id)
    let parent = oracle.events[creation].container
    guard isShown(parent) else { return false }
    if keepsWhole(parent) { return true }
    switch oracle.events[creation].action {
    case .put(let key, _):
      return wanted(
        oracle.registers(of: parent, in: version)[key],
        oracle.registers(of: parent, in: version) { isWithdrawn[$0] }[key]) == creation
    case .insertElement:
      return isShown(creation, in: creation, of: parent)
    case .putElement(let element, _):
      return isShown(creation, in: element, of: parent)
    case .insertScalar, .deleteScalar, .remove, .moveElement, .removeElement, .add, .discard,
      .increment:
      fatalError("containers are created by writes")
    }
  }

  private func isShown(_ creation: Int, in element: Int, of list: ContainerID) -> Bool {
    let rest = oracle.elements(of: list, in: version) { isWithdrawn[$0] }
      .first { $0.element == element }
    guard let rest, rest.isShown else { return false }
    let now = oracle.elements(of: list, in: version).first { $0.element == element }
    return wanted(now?.register, rest.register) == creation
  }

  /// The write that a register shows after the reversal, or one of the same value: what others
  /// wrote and nobody replaced; else what is shown of the rest.
  private func wanted(_ now: OracleRegister?, _ rest: OracleRegister?) -> Int? {
    if let shown = now?.shown, now?.current.contains(shown) == true, !isWithdrawn[shown] {
      return shown
    }
    return rest?.shown
  }

  /// Whether a container other than a text holds after the reversal what it held before: a list
  /// element that is reverted and that others edited inside, or what is reverted in such an element.
  private func keepsWhole(_ container: ContainerID) -> Bool {
    guard case .created(let id) = container else { return false }
    let creation = oracle.number(of: id)
    guard isReverted[creation] else { return false }
    if keepsWhole(oracle.events[creation].container) { return true }
    switch oracle.events[creation].action {
    case .insertElement, .putElement: return !isWithdrawn[creation]
    default: return false
    }
  }

  /// Checks what a container holds after the reversal.
  func check(_ container: OracleContainer, in after: Oracle) throws {
    if container.kind != .text, keepsWhole(container.id) {
      return try checkWhole(container, in: after)
    }
    let all = oracle.events(on: container.id, in: version)
    let left = all.filter { !isReverted[$0] }
    switch container.kind {
    case .text:
      let scalars = oracle.sequence(of: container.id, in: version).filter { scalar in
        !isReverted[scalar]
          && !left.contains {
            if case .deleteScalar(scalar) = oracle.events[$0].action { true } else { false }
          }
      }
      try expectEqual(
        after.text(container.id, in: after.everything), scalars.compactMap(scalar),
        "text of \(container.id)")
    case .set:
      try expectEqual(
        after.values(of: container.id, in: after.everything), members(left), "\(container.id)")
    case .counter:
      let sum = left.reduce(Int64(0)) { sum, event in
        if case .increment(let amount) = oracle.events[event].action { sum &+ amount } else { sum }
      }
      try expectEqual(after.count(of: container.id, in: after.everything), sum, "\(container.id)")
    case .map:
      try checkMap(container.id, in: after)
    case .list:
      try checkList(container.id, in: after)
    }
  }

  private func checkWhole(_ container: OracleContainer, in after: Oracle) throws {
    let id = container.id
    func shown(_ oracle: Oracle, _ version: OracleVersion) -> [ExactString: EventID] {
      oracle.registers(of: id, in: version).compactMapValues { register in
        register.shown.map { oracle.events[$0].id }
      }
    }
    func elements(_ oracle: Oracle, _ version: OracleVersion) -> [EventID] {
      oracle.elements(of: id, in: version).filter(\.isShown).flatMap { element in
        [element.element, element.register.shown].compactMap(\.self).map { oracle.events[$0].id }
      }
    }
    let what = "\(id), which is kept whole"
    switch container.kind {
    case .text: break
    case .set:
      try expectEqual(
        after.values(of: id, in: after.everything), oracle.values(of: id, in: version), what)
    case .counter:
      try expectEqual(
        after.count(of: id, in: after.everything), oracle.count(of: id, in: version), what)
    case .map:
      try expectEqual(shown(after, after.everything), shown(oracle, version), what)
    case .list:
      try expectEqual(elements(after, after.everything), elements(oracle, version), what)
    }
  }

  private func scalar(_ event: Int) -> Unicode.Scalar? {
    if case .insertScalar(let scalar) = oracle.events[event].action { scalar } else { nil }
  }

  private func members(_ events: [Int]) -> Set<Value> {
    var found: Set<Value> = []
    for event in events {
      guard case .add(let value) = oracle.events[event].action else { continue }
      let isDiscarded = events.contains { other in
        if case .discard(value) = oracle.events[other].action {
          oracle.hasSeen(other, event)
        } else {
          false
        }
      }
      if !isDiscarded { found.insert(value) }
    }
    return found
  }

  /// Each key shows what it should, and nothing was written where it did already.
  private func checkMap(_ map: ContainerID, in after: Oracle) throws {
    let before = oracle.registers(of: map, in: version)
    let rest = oracle.registers(of: map, in: version) { isWithdrawn[$0] }
    let now = after.registers(of: map, in: after.everything)
    for key in Set(before.keys).union(rest.keys).union(now.keys).sorted() {
      try check(now[key], wanted(before[key], rest[key]), before[key], in: after, "under \(key)")
    }
  }

  /// Checks what a register shows after the reversal.
  private func check(
    _ now: OracleRegister?, _ wanted: Int?, _ before: OracleRegister?, in after: Oracle,
    _ place: String
  ) throws {
    let shown = now?.shown.map { after.events[$0] }
    try expectEqual(
      shown?.content, wanted.flatMap { oracle.events[$0].content }, "what is \(place)")
    if let wanted, wanted == before?.shown {
      try expectEqual(shown?.id, oracle.events[wanted].id, "the write \(place)")
    }
  }

  /// The elements that there would be are there; those that others inserted and nobody else removed
  /// stand in the order of their slots.
  private func checkList(_ list: ContainerID, in after: Oracle) throws {
    let before = oracle.elements(of: list, in: version)
    let rest = oracle.elements(of: list, in: version) { isWithdrawn[$0] }.filter(\.isShown)
    let shown = after.elements(of: list, in: after.everything).filter(\.isShown)
    let now = shown.map { after.events[$0.element].id }
    let ids = Set(rest.map { oracle.events[$0.element].id })
    try expectEqual(Set(now), ids, "which elements of \(list) are shown")
    for element in rest {
      let id = oracle.events[element.element].id
      let old = before.first { $0.element == element.element }
      try check(
        shown.first { after.events[$0.element].id == id }?.register,
        wanted(old?.register, element.register), old?.isShown == true ? old?.register : nil,
        in: after, "in \(id)")
    }
    let events = oracle.events(on: list, in: version)
    func latestSlot(_ element: Int) -> Int? {
      let moves = events.filter { event in
        if case .moveElement(element) = oracle.events[event].action {
          !isReverted[event]
        } else {
          false
        }
      }
      let slots = ([element] + moves).filter { slot in
        !moves.contains { oracle.hasSeen($0, slot) }
      }
      return oracle.latest(of: slots)
    }
    let order = oracle.sequence(of: list, in: version)
    let wanted = before.filter { element in
      !isReverted[element.element]
        && !events.contains { event in
          if case .removeElement(element.element) = oracle.events[event].action {
            !isReverted[event]
          } else {
            false
          }
        }
    }
    let others = wanted.filter { !isReverted[$0.slot] || !isReverted[$0.element] }
      .compactMap { element in
        latestSlot(element.element).flatMap { slot in
          order.firstIndex(of: isReverted[element.slot] ? slot : element.slot).map {
            (id: oracle.events[element.element].id, place: $0)
          }
        }
      }.sorted { $0.place < $1.place }.map(\.id)
    try expectEqual(now.filter { others.contains($0) }, others, "elements of \(list)")
  }
}
