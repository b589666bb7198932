/// What tells a map apart from others in its list: a key, and the value under it.
package struct ListIdentity: Hashable {
  var key: String
  var value: Value

  package init(key: String, value: Value) {
    self.key = key
    self.value = value
  }
}

/// Elements of lists that are maps are told apart by a key such as `id`. Where two people insert an
/// element with one identity without knowing of each other, both stand in the merged list: they are
/// contested, until somebody who knows both removes one or writes the identity of one again. So are
/// elements without an identity that are equal, until somebody writes one again.
extension Objects {
  /// Elements of one list that were inserted on several sides, with one identity or equal ones.
  package struct ContestedElements {
    package struct Place {
      /// Where it stands among the elements that are shown.
      package var index: Int
      /// The write of its identity; without one the write of the element.
      package var write: LocalVersion
    }

    /// What they have in common; `nil` for equal ones without an identity.
    package var identity: ListIdentity?
    /// All of them, in the order of the list.
    package var places: [Place]
  }

  /// Keys that tell elements apart, and those that the document remembers, with their numbers;
  /// those that were never used are left out; O(keys of the document) for each, or O(1) where these
  /// have been noted.
  package func numbered(_ keys: [String]) -> [(name: String, number: KeyIndex)] {
    (keys + log.identityKeys.filter { !keys.contains($0) }).compactMap { name in
      number(ofKey: name).map { (name, $0) }
    }
  }

  /// As many groups of equal elements with one content, the last ones, are tried for another one.
  private static var equalGroupLimit: Int { 32 }
  /// As many equal elements are taken for one.
  private static var equalElementLimit: Int { 64 }

  /// What tells an element apart from others in its list, and the write of it; `nil` for one that is
  /// no map or has none of the keys.
  package func identity(
    of child: Child, _ keys: [(name: String, number: KeyIndex)]
  ) -> (identity: ListIdentity, write: LocalVersion)? {
    guard let shown = child.resolved.shown, let map = container(createdBy: shown.event) else {
      return nil
    }
    return identity(ofMap: map, keys)
  }

  /// What tells a map apart from others, and the write of it; `nil` for another container, or a map
  /// that has none of the keys.
  func identity(
    ofMap map: ContainerIndex, _ keys: [(name: String, number: KeyIndex)]
  ) -> (identity: ListIdentity, write: LocalVersion)? {
    guard log.containers[map].kind == .map else { return nil }
    for key in keys {
      guard let entry = self.child(key.number, ofMap: map)?.resolved.shown,
        case .value(let value) = log.contents[entry.content]
      else { continue }
      return (.init(key: key.name, value: value), entry.event)
    }
    return nil
  }

  /// The last edit inside an element because of which it is there though it was removed.
  private func keptBy(_ child: Child) -> LocalVersion? {
    guard let removal = child.overriddenRemoval, let shown = child.resolved.shown,
      let container = container(createdBy: shown.event)
    else { return nil }
    return latestEdit(inside: container, outside: log.graph.closure(of: [removal]))
  }

  /// The contested elements of a list, by where the first of each group stands: those with one
  /// identity, and equal ones that have none.
  ///
  /// Nobody who wrote one of a group of equal ones had seen another one of it inserted. Each
  /// element, in the order of the list, belongs to the first group that it fits in. O(slots),
  /// O(log n) for elements with an identity that were removed once or inserted where something was
  /// concurrent, and O(size + log n) for others that were inserted there.
  ///
  /// The keys tell maps apart, in order of preference. `texts` are what the texts show.
  package func contestedElements(
    ofList list: ContainerIndex, keys: [(name: String, number: KeyIndex)], texts: [TextBuffer]
  ) -> [ContestedElements] {
    // One chain is nobody's but its own.
    if log.graph.chains.count < 2 { return [] }
    let shownSlots = shownSlots(ofList: list)
    let beside = shownSlots.map { slots.event(of: slots.firstSlot(of: $0)) }
      .filter { !critical.isAlone($0) }.sorted()
    let areInARow = zip(beside, beside.dropFirst()).allSatisfy { isSeen($0, by: $1) }
    if areInARow, keys.isEmpty { return [] }
    var identified: [ListIdentity: [ContestedElements.Place]] = [:]
    var equal: [[(place: ContestedElements.Place, insertion: LocalVersion)]] = []
    var equalByContent: [DocumentNode: [Int]] = [:]
    for (index, slot) in shownSlots.enumerated() {
      let element = slots[element: slot]
      let isAlone = critical.isAlone(element.event)
      // One that was removed, and is there again or still, may have been inserted anew as well.
      if isAlone, keys.isEmpty || element.touch.lastRemoval == nil { continue }
      guard let child = child(at: slot), let entry = child.resolved.shown else { continue }
      if let (identity, write) = identity(of: child, keys) {
        identified[identity, default: []].append(
          .init(index: index, write: max(write, keptBy(child) ?? write)))
        continue
      }
      if isAlone || areInARow { continue }
      let content = node(of: entry, texts: texts)
      // No writer of the one knew of the other.
      let fitting = equalByContent[content]?.suffix(Self.equalGroupLimit).first { group in
        equal[group].count < Self.equalElementLimit
          && equal[group].allSatisfy { other in
            !isSeen(other.insertion, by: entry.event)
              && !isSeen(element.event, by: other.place.write)
          }
      }
      if fitting == nil {
        equalByContent[content, default: []].append(equal.count)
        equal.append([])
      }
      equal[fitting ?? equal.count - 1].append(
        (.init(index: index, write: entry.event), element.event))
    }
    var found = equal.filter { $0.count > 1 }
      .map { ContestedElements(identity: nil, places: $0.map(\.place)) }
    for (identity, places) in identified where places.count > 1 {
      let writes = places.map(\.write).sorted()
      // Each has seen the one before it, or two are apart.
      let areApart = zip(writes, writes.dropFirst()).contains { !isSeen($0, by: $1) }
      if areApart { found.append(.init(identity: identity, places: places)) }
    }
    return found.sorted { $0.places[0].index < $1.places[0].index }
  }
}

extension CriticalVersions {
  /// Whether every other event comes before an event or after it; O(log c).
  func isAlone(_ event: LocalVersion) -> Bool {
    last(before: event) == event - 1 && last(before: event + 1) == event
  }
}
