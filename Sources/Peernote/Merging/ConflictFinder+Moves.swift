/// What was moved, and by somebody else removed, edited where it was, or moved elsewhere.
extension ConflictFinder {
  /// Where something stands that was moved, and how many conflicts were found before it.
  struct Standing {
    var child: Objects.Child
    var path: JSONPointer
    var foundBefore: Int
    /// How many were noted before it.
    var number: Int
  }

  /// Finds what is contested, and the containers that it is in.
  mutating func findMoves() {
    if objects.log.graph.isLinear { return }
    var finder = MoveFinder(in: objects, texts: texts, keys)
    moved = finder.contested()
    for fate in moved.joined() {
      switch fate.place {
      case .here(let spot):
        if let container = objects.container(of: spot) { movedLists[container] = (path, -1) }
      case .slot(let element, _):
        if let list = objects.list(ofElement: element) { movedLists[list] = (path, -1) }
      case .nowhere: break
      }
    }
  }

  /// Notes where something stands, if it is contested.
  mutating func note(_ child: Objects.Child, _ spot: Objects.Spot, at token: String) {
    guard !moved.isEmpty, let container = objects.container(of: spot),
      movedLists[container] != nil
    else { return }
    standing[spot] = Standing(
      child: child, path: path.appending(token), foundBefore: found.count, number: standing.count)
  }

  /// Records what was moved, where it stands first.
  ///
  /// That something stays since it was edited where it was is part of that.
  mutating func recordMoves() {
    // What was moved comes before what was found next.
    var all: [(place: Int, rank: Int, conflict: Conflict)] = []
    var told: Set<JSONPointer> = []
    for fates in moved {
      guard let (foundBefore, conflict) = conflict(over: fates) else { continue }
      all.append((foundBefore, 0, conflict))
      for fate in fates where fate.areRemovalsTold {
        if let path = fate.spot.flatMap({ standing[$0]?.path }) { told.insert(path) }
      }
    }
    if all.isEmpty { return }
    for (place, conflict) in found.enumerated() {
      let isTold =
        conflict.kind == .deleteEdit && told.contains(conflict.path)
        && conflict.others.allSatisfy { $0.node == nil }
      if !isTold { all.append((place, 1, conflict)) }
    }
    all.sort { ($0.place, $0.rank, $0.conflict.id) < ($1.place, $1.rank, $1.conflict.id) }
    found = all.map(\.conflict)
  }

  /// What is contested; `nil` if too little of it is in the content.
  private func conflict(
    over fates: [Objects.Fate]
  ) -> (foundBefore: Int, conflict: Conflict)? {
    var here: [(standing: Standing, fate: Objects.Fate)] = []
    var others: [Objects.Fate] = []
    for fate in fates {
      if let spot = fate.spot {
        if let standing = standing[spot] { here.append((standing, fate)) }
      } else {
        others.append(fate)
      }
    }
    here.sort { $0.standing.number < $1.standing.number }
    var sides = here.map { side($0.fate, at: $0.standing) }
    var events = here.map(\.fate.event)
    var foundBefore = here.first?.standing.foundBefore
    var path = here.first?.standing.path
    // Where nothing stands, that it was removed is what is kept.
    others.sort { ($0.place == .nowhere) && ($1.place != .nowhere) }
    for fate in others {
      guard case .slot(let element, let slot) = fate.place else {
        sides.append(objects.log.side(fate.event, node: nil))
        events.append(fate.event)
        continue
      }
      guard let list = objects.list(ofElement: element), let place = movedLists[list],
        place.foundBefore >= 0
      else { continue }
      sides.append(side(fate, at: slot, ofList: list, place.path))
      events.append(fate.event)
      // What moves in a list is named by that, so that it is settled after all that is in it.
      if place.foundBefore <= foundBefore ?? .max {
        (path, foundBefore) = (place.path, place.foundBefore)
      }
    }
    guard sides.count > 1, let path, let foundBefore else { return nil }
    return (foundBefore, objects.log.conflict(.moved, at: path, sides, by: events))
  }

  /// What stands somewhere.
  private func side(_ fate: Objects.Fate, at standing: Standing) -> Conflict.Side {
    var side = objects.log.side(
      fate.event, node: objects.node(of: standing.child, texts: texts))
    (side.path, side.isMoved) = (standing.path, fate.isMoved)
    switch fate.spot {
    case .element(let insertion)?: side.moved = .element(objects.log.eventID(of: insertion))
    case .key(let map, let key)?:
      let created = map == .root ? nil : objects.log.containers[map].created
      side.moved = .key(
        map: created.map { objects.log.eventID(of: $0) }, objects.log.keys[key])
    case nil: break
    }
    return side
  }

  /// What would stand in a slot.
  private func side(
    _ fate: Objects.Fate, at slot: SlotIndex, ofList list: ContainerIndex, _ path: JSONPointer
  ) -> Conflict.Side {
    let element = objects.slots[element: slot]
    let content = objects.resolve(element.register).shown
    var side = objects.log.side(
      fate.event, node: content.map { objects.node(of: $0, texts: texts) })
    side.path = path.appending(String(objects.index(ofSlot: slot, in: list)))
    side.isMoved = true
    side.moved = .place(
      element: objects.log.eventID(of: element.event), move: objects.log.eventID(of: fate.event))
    return side
  }
}
