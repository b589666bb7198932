package import Peernote

/// What a set of changes means, worked out in the plainest way there is.
///
/// Every change and event is kept for ever; causality is a table of who has seen whom; every
/// sequence is an explicit tree (``FugueTree``); content at a version is computed from the events
/// of that version each time it is asked for. Nothing is fast, nothing is undone or transformed.
/// The engine must agree with it always.
///
/// Changes and events are numbered in the order they were added. Malformed changes trap.
package struct Oracle {
  /// The changes, by number.
  ///
  /// Parents come before children.
  package private(set) var changes: [Change] = []
  /// The events of all changes, by number.
  package private(set) var events: [OracleEvent] = []
  /// For each change: itself and all its ancestors.
  package private(set) var pasts: [OracleVersion] = []
  /// For each change: the Lamport time of its first event.
  package private(set) var lamports: [Int] = []
  /// The kinds of all containers ever created.
  package private(set) var kinds: [ContainerID: ContainerKind] = [.root: .map]

  private var changeNumbers: [ChangeID: Int] = [:]
  private var eventNumbers: [EventID: Int] = [:]
  private var eventCounts: [Int] = []
  private var eventsByContainer: [ContainerID: [Int]] = [:]
  private var trees: [ContainerID: FugueTree] = [:]
  /// For each event that inserted a scalar: the events that deleted it.
  private var deletions: [Int: [Int]] = [:]

  /// An oracle that knows no change.
  package init() {}

  /// An oracle that knows a causally closed set of changes, given in any order.
  package init(changes: some Sequence<Change>) {
    var pending = Array(changes)
    while !pending.isEmpty {
      let ready = pending.filter { $0.parents.allSatisfy { changeNumbers[$0] != nil } }
      guard !ready.isEmpty else { fatalError("a set of changes is causally closed") }
      pending.removeAll { change in !change.parents.contains { changeNumbers[$0] == nil } }
      for change in ready { add(change) }
    }
  }
}

// MARK: - Queries

extension Oracle {
  /// All changes.
  package var everything: OracleVersion {
    var version = OracleVersion()
    for change in changes.indices { version.insert(change) }
    return version
  }

  /// The number of a change that was added.
  package func number(of id: ChangeID) -> Int {
    guard let number = changeNumbers[id] else { fatalError("change \(id) was added") }
    return number
  }

  /// The number of an event that was added.
  package func number(of id: EventID) -> Int {
    guard let number = eventNumbers[id] else { fatalError("event \(id) was added") }
    return number
  }

  /// These changes and all their ancestors.
  package func version(of ids: some Sequence<ChangeID>) -> OracleVersion {
    ids.reduce(into: OracleVersion()) { $0.formUnion(pasts[number(of: $1)]) }
  }

  /// The changes of a version that no other change of it descends from, ascending.
  package func heads(of version: OracleVersion) -> [ChangeID] {
    let held = version.changes
    return held.filter { change in
      !held.contains { $0 != change && pasts[$0].contains(change) }
    }.map { changes[$0].id }.sorted()
  }

  /// Whether the event numbered `later` was made by someone who knew the one numbered `earlier`.
  package func hasSeen(_ later: Int, _ earlier: Int) -> Bool {
    let (later, earlier) = (events[later], events[earlier])
    return later.change == earlier.change
      ? earlier.id.index < later.id.index : pasts[later.change].contains(earlier.change)
  }

  /// Whether a version holds the event with this number.
  package func holds(_ version: OracleVersion, _ event: Int) -> Bool {
    version.contains(events[event].change)
  }

  /// The events on one container in a version, in the order they were added.
  package func events(on container: ContainerID, in version: OracleVersion) -> [Int] {
    (eventsByContainer[container] ?? []).filter { holds(version, $0) }
  }

  /// The root and all containers created in a version, shown or not, in the order of creation.
  package func containers(in version: OracleVersion) -> [OracleContainer] {
    var depths: [ContainerID: Int] = [.root: 0]
    var found = [OracleContainer(id: .root, kind: .map, depth: 0)]
    for event in events where version.contains(event.change) {
      guard let created = event.created, let around = depths[event.container] else { continue }
      depths[created.id] = around + 1
      found.append(OracleContainer(id: created.id, kind: created.kind, depth: around + 1))
    }
    return found
  }

  /// The order of a text's scalars or a list's slots as far as a version knows them, those that
  /// are not shown included.
  package func sequence(of container: ContainerID, in version: OracleVersion) -> [Int] {
    (trees[container]?.order ?? []).filter { holds(version, $0) }
  }

  /// The events that inserted a text's visible scalars, in order.
  package func visibleScalars(of text: ContainerID, in version: OracleVersion) -> [Int] {
    sequence(of: text, in: version).filter { scalar in
      !(deletions[scalar] ?? []).contains { holds(version, $0) }
    }
  }

  /// The tree of a text's scalars or a list's slots; `nil` before the first.
  package func tree(of container: ContainerID) -> FugueTree? { trees[container] }

  /// Traps unless every tree's order is the one a walk over the whole tree finds.
  package func checkInvariants() {
    for (container, tree) in trees {
      precondition(tree.order == tree.traversal(), "the order of \(container) is its traversal")
    }
  }
}

// MARK: - Adding changes

extension Oracle {
  /// Adds one change, whose parents must have been added.
  ///
  /// Returns its number.
  @discardableResult
  package mutating func add(_ change: Change) -> Int {
    var header = change
    header.edits = []
    let number = begin(header)
    for edit in change.edits { append(edit) }
    return number
  }

  /// Begins a change without edits; ``append(_:)`` adds them.
  ///
  /// Returns its number.
  package mutating func begin(_ change: Change) -> Int {
    precondition(changeNumbers[change.id] == nil, "change \(change.id) is added once")
    precondition(change.edits.isEmpty, "edits are appended")
    let number = changes.count
    var past = version(of: change.parents)
    past.insert(number)
    let ends = change.parents.map {
      lamports[self.number(of: $0)] + eventCounts[self.number(of: $0)]
    }
    changes.append(change)
    changeNumbers[change.id] = number
    pasts.append(past)
    lamports.append(ends.max() ?? 1)
    eventCounts.append(0)
    return number
  }

  /// Adds one edit to the change that was begun last.
  package mutating func append(_ edit: Edit) {
    let (container, position) = (edit.container, edit.position)
    let key = ExactString(edit.key.string)
    switch edit.kind {
    case .insertText:
      for (offset, scalar) in (edit.text?.string ?? "").unicodeScalars.enumerated() {
        insert(scalar, into: container, at: position + offset)
      }
    case .deleteForward, .deleteBackward:
      let doomed = visibleScalars(of: container, in: now)[position..<position + edit.count]
      let scalars = edit.text?.string.unicodeScalars.map { $0 } ?? doomed.map(scalar)
      precondition(scalars == doomed.map(scalar), "a deletion names what it deletes")
      for scalar in edit.kind == .deleteBackward ? doomed.reversed() : Array(doomed) {
        deletions[scalar, default: []].append(record(.deleteScalar(scalar), on: container))
      }
    case .put: record(.put(key: key, edit.contents[0]), on: container)
    case .remove: record(.remove(key: key), on: container)
    case .insertElements:
      var left = edit.place.left
      for content in edit.contents {
        let event = record(.insertElement(content), on: container)
        addSlot(event, to: container, at: ListPlace(left: left, right: edit.place.right))
        left = events[event].id
      }
    case .putElement:
      record(.putElement(number(of: edit.named), edit.contents[0]), on: container)
    case .moveElement:
      let event = record(.moveElement(number(of: edit.named)), on: container)
      addSlot(event, to: container, at: edit.place)
    case .removeElement: record(.removeElement(number(of: edit.named)), on: container)
    case .add: record(.add(edit.value), on: container)
    case .discard: record(.discard(edit.value), on: container)
    case .increment: record(.increment(edit.amount), on: container)
    }
    changes[changes.count - 1].edits.append(edit)
  }

  /// All that the change begun last has seen, its own events so far included.
  private var now: OracleVersion { pasts[pasts.count - 1] }

  private func scalar(_ event: Int) -> Unicode.Scalar {
    guard case .insertScalar(let scalar) = events[event].action else {
      fatalError("event \(events[event].id) inserted a scalar")
    }
    return scalar
  }

  /// Inserts one scalar where it stands in the text as visible at what its event has seen.
  private mutating func insert(
    _ scalar: Unicode.Scalar, into text: ContainerID, at position: Int
  ) {
    let visible = visibleScalars(of: text, in: now)
    let left = position == 0 ? nil : visible[position - 1]
    let right = follower(of: left, in: sequence(of: text, in: now))
    let event = record(.insertScalar(scalar), on: text)
    place(event, in: text, left: left, right: right)
  }

  private mutating func addSlot(_ event: Int, to list: ContainerID, at target: ListPlace) {
    place(
      event, in: list, left: target.left.map { number(of: $0) },
      right: target.right.map { number(of: $0) })
  }

  private mutating func place(_ event: Int, in container: ContainerID, left: Int?, right: Int?) {
    let seen = now
    let changeOf = events.map(\.change)
    trees[container, default: FugueTree()].insert(
      event, id: events[event].id, left: left, right: right
    ) { seen.contains(changeOf[$0]) }
  }

  @discardableResult
  private mutating func record(_ action: OracleEvent.Action, on container: ContainerID) -> Int {
    let change = changes.count - 1
    let id = EventID(change: changes[change].id, index: eventCounts[change])
    let event = OracleEvent(id: id, change: change, container: container, action: action)
    let number = events.count
    precondition(kinds[container] == event.kindEdited, "\(id) edits a container of its kind")
    events.append(event)
    eventNumbers[id] = number
    eventCounts[change] += 1
    eventsByContainer[container, default: []].append(number)
    if let created = event.created { kinds[created.id] = created.kind }
    return number
  }
}

/// The item after `item` (`nil`: the first) in a sequence, `nil` at its end.
package func follower(of item: Int?, in sequence: [Int]) -> Int? {
  guard let item else { return sequence.first }
  guard let position = sequence.firstIndex(of: item) else {
    fatalError("item \(item) is in the sequence")
  }
  return position + 1 < sequence.count ? sequence[position + 1] : nil
}
