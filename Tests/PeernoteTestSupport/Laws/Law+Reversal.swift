import Peernote
import PeernoteEngine

extension Law {
  /// What taking changes back does.
  static let reversalLaws: [Law] = [
    Law("reverting the last change leads to the content before it") { lawCase in
      var random = lawCase.random(20)
      for _ in 0..<3 {
        let last = random.below(lawCase.oracle.changes.count)
        let past = lawCase.oracle.pasts[last]
        var document = try lawCase.document(of: past)
        try document.revert([lawCase.oracle.changes[last].id], by: session(&random))
        var before = OracleVersion()
        for change in past.changes where change != last { before.insert(change) }
        try expectEqual(
          OracleNode(document.root), lawCase.oracle.view(at: before).root,
          "content after reverting \(lawCase.oracle.changes[last].id)")
      }
    },
    Law("reverting a reversal leads to the content before it, and again back") { lawCase in
      var random = lawCase.random(21)
      for replica in lawCase.replicas.prefix(2) {
        var document = replica.document
        let before = try OracleNode(document.root)
        let ids = some(document.changes.map(\.id), &random)
        guard let reversal = try document.revert(ids, by: session(&random)) else { continue }
        let after = try OracleNode(document.root)
        let again = try document.revert([reversal], by: session(&random))
        try expectEqual(OracleNode(document.root), before, "content after reverting a reversal")
        guard let again else { continue }
        try document.revert([again], by: session(&random))
        try expectEqual(OracleNode(document.root), after, "content after reverting that")
      }
    },
    Law("a reversal takes back all that is left of changes, and nothing that others did") {
      lawCase in
      var random = lawCase.random(22)
      for replica in lawCase.replicas.prefix(2) {
        var document = replica.document
        let reverted = Set(some(document.changes.map(\.id), &random))
        try document.revert(reverted, by: session(&random))
        let oracle = try Oracle(changes: document.exportedChanges)
        try expectEqual(OracleNode(document.root), oracle.view.root, "content of the reversal")
        let shown = Set(oracle.view.containers.map(\.id))
        let before = Remainder(lawCase.oracle, in: replica.version, without: reverted)
        for container in lawCase.oracle.view(at: replica.version).containers {
          if shown.contains(container.id) {
            try before.check(container, in: oracle)
          } else {
            try expect(
              !before.isEditedByOthers(container.id), "\(container.id), which others edited, stays")
          }
        }
      }
    },
    Law("reversals are the same for the same changes, and merge like any change") { lawCase in
      var random = lawCase.random(23)
      for (one, other) in lawCase.pairs.prefix(2) {
        let ids = some(one.document.changes.map(\.id), &random)
        let session = session(&random)
        var document = one.document
        try document.revert(ids, by: session)
        var again = try Document(bytes: one.document.encoded())
        try again.revert(ids.reversed(), by: session)
        try expectSameBytes(document.encoded(), again.encoded(), "the same reversal")
        let both = try merged(document, other.document)
        try expectSameBytes(
          both.encoded(), merged(other.document, document).encoded(), "both merges")
        let rebuilt = try Document(id: both.id, changes: both.exportedChanges)
        try expectSameBytes(both.encoded(), rebuilt.encoded(), "the merge of a reversal")
        let view = try Oracle(changes: both.exportedChanges).view
        try expectEqual(OracleNode(both.root), view.root, "content of the merge")
      }
    },
  ]

  private static func some(_ ids: [ChangeID], _ random: inout SplitMix64) -> [ChangeID] {
    let share = random.pick([10, 50, 100])
    return ids.filter { _ in random.chance(share) }
  }

  private static func session(_ random: inout SplitMix64) -> Session {
    Session(
      agent: AgentID(rawValue: random.next()), author: "who reverts",
      time: Timestamp(milliseconds: Int64(random.below(5))))
  }
}

/// What is left of a version without some of its changes, worked out in the plainest way.
private struct Remainder {
  private let oracle: Oracle
  private let version: OracleVersion
  private let isReverted: [Bool]

  init(_ oracle: Oracle, in version: OracleVersion, without changes: Set<ChangeID>) {
    self.oracle = oracle
    self.version = version
    isReverted = oracle.events.map { changes.contains($0.id.change) }
  }

  /// Whether something that is not reverted was done to a container.
  func isEditedByOthers(_ container: ContainerID) -> Bool {
    oracle.events(on: container, in: version).contains { !isReverted[$0] }
  }

  /// Checks what a container holds after the reversal.
  func check(_ container: OracleContainer, in after: Oracle) throws {
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
      try checkMap(container.id, left, in: after)
    case .list:
      try checkList(container.id, in: after)
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

  /// What others wrote, and is shown, stays; a key that showed a value that was reverted shows the
  /// latest of what others wrote.
  private func checkMap(_ map: ContainerID, _ left: [Int], in after: Oracle) throws {
    let before = oracle.registers(of: map, in: version)
    let now = after.registers(of: map, in: after.everything)
    for (key, register) in before {
      guard let shown = register.shown else { continue }
      let entry = now[key]?.shown
      if !isReverted[shown] {
        try expectEqual(
          entry.map { after.events[$0].id }, oracle.events[shown].id, "what others put under \(key)"
        )
        continue
      }
      guard case .value = oracle.events[shown].content, register.kept.isEmpty else { continue }
      let writes = left.filter { oracle.events[$0].action.key == key }
      let found = oracle.register(
        entries: writes.filter { oracle.events[$0].content != nil }, overwrites: writes,
        hiders: writes, in: version)
      guard found.kept.isEmpty else { continue }
      try expectEqual(
        entry.flatMap { after.events[$0].content },
        found.shown.flatMap { oracle.events[$0].content },
        "what is under \(key)")
    }
  }

  /// Elements that others inserted and nobody else removed are there, in the order of their slots.
  private func checkList(_ list: ContainerID, in after: Oracle) throws {
    let before = oracle.elements(of: list, in: version)
    let now = after.elements(of: list, in: after.everything).filter(\.isShown)
      .map { after.events[$0.element].id }
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

extension OracleEvent.Action {
  /// The key that an event on a map writes or removes.
  fileprivate var key: ExactString? {
    switch self {
    case .put(let key, _), .remove(let key): key
    case .insertScalar, .deleteScalar, .insertElement, .putElement, .moveElement, .removeElement,
      .add, .discard, .increment:
      nil
    }
  }
}
