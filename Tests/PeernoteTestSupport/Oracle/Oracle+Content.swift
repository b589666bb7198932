package import Peernote

/// What a version shows, and what in it is undecided.
package struct OracleView: Equatable {
  /// The root map and all below it.
  package var root: OracleNode
  /// The conflicts on the way to what is shown.
  package var conflicts: Set<OracleConflict> { Set(conflictPlaces.values) }
  /// The conflicts by the map and key, or the list and element, that they are about.
  package var conflictPlaces: [OracleConflict.Place: OracleConflict] = [:]
  /// Where the first of some equal elements stands that were inserted on several sides.
  package var equalElements: Set<OracleConflict> = []
  /// The containers shown, with the number of containers around each.
  package var containers: [OracleContainer]
}

/// A container that a version shows.
package struct OracleContainer: Equatable {
  /// The container.
  package var id: ContainerID
  /// Its kind.
  package var kind: ContainerKind
  /// The number of containers around it: 0 for the root.
  package var depth: Int
}

extension Oracle {
  /// The content of all changes.
  package var view: OracleView { view(at: everything) }

  /// The content of a version.
  package func view(at version: OracleVersion) -> OracleView {
    var view = OracleView(root: .map([:]), containers: [])
    view.root = show(.root, at: [], in: version, view: &view)
    return view
  }

  private func show(
    _ container: ContainerID, at path: [ExactString], in version: OracleVersion,
    view: inout OracleView
  ) -> OracleNode {
    guard let kind = kinds[container] else { fatalError("container \(container) was created") }
    view.containers.append(OracleContainer(id: container, kind: kind, depth: path.count))
    switch kind {
    case .map:
      let registers = registers(of: container, in: version).sorted { $0.key < $1.key }
      var shown: [ExactString: OracleNode] = [:]
      for (key, register) in registers {
        let place = path + [key]
        if let kind = conflict(register, register.conflict, in: version) {
          view.conflictPlaces[.key(container, key)] = OracleConflict(path: place, kind: kind)
        }
        shown[key] = show(register, at: place, in: version, view: &view)
      }
      return .map(shown)
    case .list:
      var shown: [OracleNode] = []
      var writes: [(insertion: Int, write: Int)] = []
      for element in elements(of: container, in: version) where element.isShown {
        let place = path + [ExactString("\(shown.count)")]
        if let kind = conflict(element.register, element.conflict, in: version) {
          let element = OracleConflict.Place.element(container, element.element)
          view.conflictPlaces[element] = OracleConflict(path: place, kind: kind)
        }
        if let node = show(element.register, at: place, in: version, view: &view) {
          shown.append(node)
          writes.append((element.element, element.register.shown ?? element.element))
        }
      }
      for group in equalElements(shown, writes) where group.count > 1 {
        let place = path + [ExactString("\(group[0])")]
        view.equalElements.insert(OracleConflict(path: place, kind: .sameContent))
      }
      return .list(shown)
    case .text:
      return .text(text(container, in: version))
    case .set:
      return .set(values(of: container, in: version))
    case .counter:
      return .counter(count(of: container, in: version))
    }
  }

  /// The conflict of a register: entries whose content is equal are in none.
  private func conflict(
    _ register: OracleRegister, _ kind: OracleConflict.Kind?, in version: OracleVersion
  ) -> OracleConflict.Kind? {
    guard kind == .register, let shown = register.shown else { return kind }
    let isDecided = register.current.allSatisfy {
      content(ofEntry: $0, in: version) == content(ofEntry: shown, in: version)
    }
    if isDecided { return register.removals.isEmpty ? nil : .deleteEdit }
    return kind
  }

  /// What a write put somewhere, as it is in a version.
  func content(ofEntry entry: Int, in version: OracleVersion) -> OracleNode? {
    var view = OracleView(root: .map([:]), containers: [])
    let alone = OracleRegister(current: [entry], readings: 1, kept: [], removals: [], shown: entry)
    return show(alone, at: [], in: version, view: &view)
  }

  /// The elements of a list in groups of equal ones of which nobody who wrote one had seen another
  /// one inserted; each belongs to the first group that it fits in.
  private func equalElements(
    _ shown: [OracleNode], _ writes: [(insertion: Int, write: Int)]
  ) -> [[Int]] {
    var groups: [[Int]] = []
    for (index, (insertion, write)) in writes.enumerated() {
      let fitting = groups.firstIndex { group in
        group.allSatisfy { other in
          shown[other] == shown[index] && !hasSeen(write, writes[other].insertion)
            && !hasSeen(writes[other].write, insertion)
        }
      }
      if let fitting { groups[fitting].append(index) } else { groups.append([index]) }
    }
    return groups
  }

  private func show(
    _ register: OracleRegister, at path: [ExactString], in version: OracleVersion,
    view: inout OracleView
  ) -> OracleNode? {
    guard let entry = register.shown else { return nil }
    switch events[entry].content {
    case .value(let value): return .value(value)
    case .container: return show(.created(events[entry].id), at: path, in: version, view: &view)
    case nil: fatalError("entries hold content")
    }
  }

  /// The visible scalars of a text.
  package func text(_ text: ContainerID, in version: OracleVersion) -> [Unicode.Scalar] {
    visibleScalars(of: text, in: version).compactMap { event in
      if case .insertScalar(let scalar) = events[event].action { scalar } else { nil }
    }
  }

  /// The values of a set: those that someone added, unseen by all who discarded them.
  package func values(of set: ContainerID, in version: OracleVersion) -> Set<Value> {
    var adds: [(value: Value, event: Int)] = []
    var discards: [(value: Value, event: Int)] = []
    for event in events(on: set, in: version) {
      if case .add(let value) = events[event].action { adds.append((value, event)) }
      if case .discard(let value) = events[event].action { discards.append((value, event)) }
    }
    let present = adds.filter { add in
      !discards.contains { $0.value == add.value && hasSeen($0.event, add.event) }
    }
    return Set(present.map(\.value))
  }

  /// The sum of all increments of a counter.
  package func count(of counter: ContainerID, in version: OracleVersion) -> Int64 {
    events(on: counter, in: version).reduce(0) { sum, event in
      if case .increment(let amount) = events[event].action { sum &+ amount } else { sum }
    }
  }
}
