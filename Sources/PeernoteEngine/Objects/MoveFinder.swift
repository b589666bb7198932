/// Things that somebody moved, and that somebody who did not know of that removed, edited where they
/// were, or moved elsewhere. They are contested until somebody who knows all of that writes, removes
/// or moves one.
///
/// Inside a list a move is an operation. Any other one shows in a change that removes something and
/// puts the same elsewhere: a map with the same identity, or what has the same content.
extension Objects {
  /// A key of a map, or an element of a list by its insertion.
  package enum Spot: Hashable {
    case key(ContainerIndex, KeyIndex)
    case element(LocalVersion)
  }

  /// What became of something that is contested.
  package struct Fate: Hashable {
    package enum Place: Hashable {
      case here(Spot)
      /// An element is not in this slot of its list, into which somebody moved it.
      case slot(LocalVersion, SlotIndex)
      case nowhere
    }

    package var place: Place
    /// What brought it there, keeps it there, or removed it.
    package var event: LocalVersion
    /// The latest events there: what these have seen was known.
    var latest: [LocalVersion]
    /// Whether somebody moved it there.
    package var isMoved: Bool
    /// Whether all who removed it from where it stands moved it elsewhere, or are told with it.
    package var areRemovalsTold = false

    /// Where it stands; `nil` if it does not.
    package var spot: Spot? { if case .here(let spot) = place { spot } else { nil } }
  }

  /// An element by its insertion; `nil` if there is none; O(log slots).
  package func element(insertedBy event: LocalVersion) -> Element? {
    slotIndex(madeBy: event).map { slots[element: $0] }
  }

  /// The list that an element is in, by its insertion.
  package func list(ofElement insertion: LocalVersion) -> ContainerIndex? {
    element(insertedBy: insertion)?.list
  }

  /// What was ever written in a spot; `nil` if nothing was.
  package func register(at spot: Spot) -> Writes? {
    switch spot {
    case .key(let map, let key): mapKeys.number(of: key, in: map).map { mapKeys[$0].register }
    case .element(let insertion): element(insertedBy: insertion)?.register
    }
  }

  package func container(of spot: Spot) -> ContainerIndex? {
    switch spot {
    case .key(let map, _): map
    case .element(let insertion): list(ofElement: insertion)
    }
  }

  /// Where that stands which a spot is in; `nil` in the document itself.
  func spot(around spot: Spot) -> Spot? {
    container(of: spot).flatMap { creationSpot(of: $0) }
  }

  /// At which index an element would stand that was moved into a slot, if it was not in the list
  /// otherwise; O(slots).
  package func index(ofSlot slot: SlotIndex, in list: ContainerIndex) -> Int {
    indices(ofSlots: [slot], in: list, without: slots.firstSlot(of: slot))[slot] ?? 0
  }

  /// Before which of the elements that are shown, maybe without one, some slots of a list are;
  /// O(slots of the list).
  package func indices(
    ofSlots wanted: Set<SlotIndex>, in list: ContainerIndex, without element: SlotIndex? = nil
  ) -> [SlotIndex: Int] {
    let shown = Set(shownSlots(ofList: list))
    var indices: [SlotIndex: Int] = [:]
    var index = 0
    forEachSlot(ofList: list) { slot in
      if wanted.contains(slot) { indices[slot] = index }
      if shown.contains(slot), slots.firstSlot(of: slot) != element { index += 1 }
    }
    return indices
  }
}

/// Finds what was moved, and what became of it.
package struct MoveFinder {
  /// As many fates of one thing count.
  private static let fateLimit = 64

  private let objects: Objects
  private var changes: ChangeMoves

  package init(
    in objects: Objects, texts: [TextBuffer], _ keys: [(name: String, number: KeyIndex)]
  ) {
    self.objects = objects
    changes = ChangeMoves(in: objects, texts: texts, keys)
  }

  /// What became of each thing that is contested; what stands nowhere of one comes last.
  ///
  /// O(keys + elements + writes), and O(f²) for f fates of one thing. Where something was removed
  /// beside other work on it, also what the changes that did so removed and put elsewhere.
  package mutating func contested() -> [[Objects.Fate]] {
    var groups: [[Objects.Fate]] = []
    var known: [Objects.Spot: Int] = [:]
    var spots = spots()
    for removal in spots.flatMap({ removals(at: $0) }) {
      spots += changes.newParts(movedInChangeOf: removal)
    }
    for spot in spots {
      let group = group(of: spot)
      if group.isEmpty { continue }
      // What was moved on from there is one thing with it.
      let number = group.lazy.compactMap { $0.spot }.compactMap { known[$0] }.first
      if let number {
        groups[number] += group.filter { !groups[number].contains($0) }
      } else {
        groups.append(group)
      }
      for spot in group.compactMap(\.spot) { known[spot] = number ?? groups.count - 1 }
    }
    groups = groups.indices.filter { !isPart($0, of: known, groups) }.map { groups[$0] }
    for number in groups.indices {
      let events = Set(groups[number].map(\.event))
      for index in groups[number].indices {
        guard let spot = groups[number][index].spot else { continue }
        groups[number][index].areRemovalsTold = removals(at: spot).allSatisfy { removal in
          events.contains(removal) || changes.moves(inChangeOf: removal)[spot] != nil
        }
      }
    }
    return groups
  }

  /// Whether all that stands of a thing is in something else that is contested, which tells of it.
  private func isPart(
    _ number: Int, of known: [Objects.Spot: Int], _ groups: [[Objects.Fate]]
  ) -> Bool {
    var common: Set<Int>?
    for spot in groups[number].compactMap(\.spot) {
      let around = sequence(first: spot) { objects.spot(around: $0) }.dropFirst()
      let holding = Set(around.compactMap { known[$0] }).subtracting([number])
      common = common?.intersection(holding) ?? holding
    }
    return common.map { !$0.isEmpty } ?? false
  }

  /// The keys and elements that were removed, or moved in their list, where something was concurrent.
  private func spots() -> [Objects.Spot] {
    var spots: [Objects.Spot] = []
    for element in objects.slots.elements where element.isTouched {
      let touches = [element.touch.lastRemoval, element.touch.lastMove].compactMap(\.self)
      if touches.contains(where: { !objects.critical.isAlone(objects.writes[$0].event) }) {
        spots.append(.element(element.event))
      }
    }
    for key in objects.mapKeys {
      guard let last = key.lastWrite, objects.writes[last].previous != nil,
        !objects.critical.isAlone(objects.writes[last].event)
      else { continue }
      spots.append(.key(key.map, key.key))
    }
    return spots
  }

  /// What became of a thing, if that is contested; else nothing.
  private mutating func group(of spot: Objects.Spot) -> [Objects.Fate] {
    var way: Set<Objects.Spot> = []
    var fates: [Objects.Fate] = []
    addFates(of: spot, from: nil, &way, to: &fates)
    if fates.count < 2 { return [] }
    let contested = fates.filter { fate in
      fates.contains { other in
        fate != other && (fate.place != .nowhere || other.place != .nowhere)
          && isUnknown(fate, to: other) && isUnknown(other, to: fate)
      }
    }
    if !contested.contains(where: \.isMoved) { return [] }
    // Several in one list are told by what they are.
    let lists = contested.map { fate -> ContainerIndex? in
      if case .element? = fate.spot { fate.spot.flatMap(objects.container) } else { nil }
    }
    if let first = lists.first, first != nil, lists.allSatisfy({ $0 == first }) { return [] }
    return contested
  }

  /// Whether those who wrote one fate last did not know of another one.
  private func isUnknown(_ fate: Objects.Fate, to other: Objects.Fate) -> Bool {
    !other.latest.contains { $0 == fate.event || objects.isSeen(fate.event, by: $0) }
  }

  /// Adds what became of what stood somewhere, followed to where it was moved on.
  private mutating func addFates(
    of spot: Objects.Spot, from arrival: LocalVersion?, _ way: inout Set<Objects.Spot>,
    to fates: inout [Objects.Fate]
  ) {
    guard way.insert(spot).inserted, fates.count < Self.fateLimit else { return }
    let removals = removals(at: spot)
    let isReached = objects.container(of: spot).map(objects.isShown) ?? false
    let around = removals.isEmpty && isReached ? [] : self.removals(around: spot, beside: removals)
    for (place, removal) in removals.map({ (spot, $0) }) + around {
      if let next = changes.moves(inChangeOf: removal)[spot] {
        addFates(of: next.spot, from: next.event, &way, to: &fates)
      } else if place == spot || changes.moves(inChangeOf: removal)[place] == nil {
        add(.init(place: .nowhere, event: removal, latest: [removal], isMoved: false), to: &fates)
      }
    }
    guard isReached else { return }
    switch spot {
    case .key:
      // What was moved to a key does not stand there if another value is shown that nobody who knew
      // of it wrote.
      guard let register = objects.register(at: spot), let shown = objects.resolve(register).shown,
        arrival.map({ $0 == shown.event || objects.isSeen($0, by: shown.event) }) ?? true
      else { return }
      addStanding(spot, shown, register, beside: removals, from: arrival, [], to: &fates)
    case .element(let insertion):
      guard let element = objects.element(insertedBy: insertion) else { return }
      let moves = objects.latestWrites(of: .init(last: element.touch.lastMove))
      let shownSlot = objects.shownSlot(of: element)
      if objects.child(at: shownSlot) != nil, let shown = objects.shownEntry(of: element.register) {
        let move = moves.first { $0.written.slot == shownSlot }?.event
        addStanding(
          spot, shown, element.register, beside: removals, from: move ?? arrival,
          [move].compactMap(\.self), to: &fates)
        if moves.count > 1 { fates += places(moves, besides: shownSlot, of: element) }
      } else if let place = place(of: element, moves, unknownTo: removals) {
        fates.append(place)
      }
    }
  }

  /// The removals of what something is in that took it along, each with where that was.
  private func removals(
    around spot: Objects.Spot, beside removals: [LocalVersion]
  ) -> [(place: Objects.Spot, removal: LocalVersion)] {
    let places = sequence(first: spot) { objects.spot(around: $0) }.dropFirst()
    return places.flatMap { place in
      self.removals(at: place).filter { removal in
        isWritten(spot, for: removal) && !removals.contains { objects.isSeen($0, by: removal) }
      }.map { (place, $0) }
    }
  }

  /// Whether somebody knew of what stands in a spot.
  private func isWritten(_ spot: Objects.Spot, for event: LocalVersion) -> Bool {
    switch spot {
    case .element(let insertion): return objects.isSeen(insertion, by: event)
    case .key:
      guard let register = objects.register(at: spot) else { return false }
      return objects.history(of: register).contains {
        $0.content != nil && objects.isSeen($0.event, by: event)
      }
    }
  }

  private func add(_ fate: Objects.Fate, to fates: inout [Objects.Fate]) {
    if fates.count < Self.fateLimit,
      !fates.contains(where: { $0.place == fate.place && $0.event == fate.event })
    {
      fates.append(fate)
    }
  }

  /// Adds that something stands somewhere: as it was brought there, or in spite of removals.
  private func addStanding(
    _ spot: Objects.Spot, _ shown: Objects.Entry, _ register: Objects.Writes,
    beside removals: [LocalVersion], from arrival: LocalVersion?, _ moves: [LocalVersion],
    to fates: inout [Objects.Fate]
  ) {
    if fates.contains(where: { $0.spot == spot }) { return }
    var event = arrival ?? shown.event
    if !removals.isEmpty {
      event = shown.event
      if let container = objects.container(createdBy: shown.event),
        let edit = objects.latestEdit(
          inside: container, outside: objects.log.graph.closure(of: removals.sorted()))
      {
        event = edit
      }
    }
    let writes = objects.latestWrites(of: register).map(\.event)
    let latest = removals.isEmpty ? writes + moves : writes + [event]
    fates.append(
      .init(
        place: .here(spot), event: event, latest: latest,
        isMoved: arrival != nil))
  }

  /// The other places in its list that an element was moved to, unless it stands there all the same.
  private func places(
    _ moves: [Objects.Write], besides shown: SlotIndex, of element: Objects.Element
  ) -> [Objects.Fate] {
    let index = objects.index(ofSlot: shown, in: element.list)
    return moves.compactMap { move in
      guard let slot = move.written.slot, slot != shown,
        objects.index(ofSlot: slot, in: element.list) != index
      else { return nil }
      return .init(
        place: .slot(element.event, slot), event: move.event, latest: [move.event], isMoved: true)
    }
  }

  /// The latest move of an element that was removed by those who did not know of it, if there is one.
  private func place(
    of element: Objects.Element, _ moves: [Objects.Write], unknownTo removals: [LocalVersion]
  ) -> Objects.Fate? {
    let open = moves.filter { move in
      !removals.contains {
        objects.isSeen(move.event, by: $0) || objects.isSeen($0, by: move.event)
      }
    }
    let latest = open.max { objects.log.isLaterWrite($1.event, than: $0.event) }
    guard let latest, let slot = latest.written.slot else { return nil }
    return .init(
      place: .slot(element.event, slot), event: latest.event, latest: [latest.event], isMoved: true)
  }

  /// The removals at a place that nobody who wrote there since has seen.
  private func removals(at spot: Objects.Spot) -> [LocalVersion] {
    switch spot {
    case .key: return objects.register(at: spot).map { objects.resolve($0).removals } ?? []
    case .element(let insertion):
      return objects.element(insertedBy: insertion).map { objects.openRemovals(of: $0) } ?? []
    }
  }
}
