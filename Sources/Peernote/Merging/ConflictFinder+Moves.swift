/// Elements that were moved to several lists.
extension ConflictFinder {
  /// An element that may have been moved to where it is, and how many conflicts were found before it.
  struct Arrival {
    var element: Objects.Arrival
    var child: Objects.Child
    var path: JSONPointer
    var foundBefore: Int
  }

  /// Records the elements of a list that may have been moved there.
  mutating func recordArrivals(_ identified: [Objects.Identified], inList list: ContainerIndex) {
    for found in identified {
      let element = Objects.Arrival(
        list: list, insertion: found.child.element,
        write: found.child.resolved.shown?.event ?? found.child.element)
      arrivals[found.identity, default: []].append(
        Arrival(
          element: element, child: found.child,
          path: path.appending(String(found.place.index)), foundBefore: self.found.count))
    }
  }

  /// Records an element that was removed and stands there since it was edited: it may have been moved.
  mutating func recordKept(
    _ child: Objects.Child, inList list: ContainerIndex, at index: Int
  ) {
    guard child.overriddenRemoval != nil, let shown = child.resolved.shown,
      let identity = objects.identity(of: child, keys)?.identity
    else { return }
    let element = Objects.Arrival(list: list, insertion: child.element, write: shown.event)
    kept[identity, default: []].append(
      Arrival(
        element: element, child: child, path: path.appending(String(index)),
        foundBefore: found.count))
  }

  /// What may be one element, by its place: those that were inserted concurrently, and those that
  /// were removed and are still there.
  private func candidates(_ identity: ListIdentity, _ arrivals: [Arrival]) -> [Arrival] {
    let known = Set(arrivals.map(\.element.insertion))
    let kept = (kept[identity] ?? []).filter { !known.contains($0.element.insertion) }
    if kept.isEmpty { return arrivals }
    return (arrivals + kept).sorted {
      ($0.foundBefore, $0.element.insertion) < ($1.foundBefore, $1.element.insertion)
    }
  }

  /// Records the elements that were moved to several lists, each where it stands first.
  ///
  /// That one was removed where it was edited is part of that, if all who removed it moved it.
  mutating func recordMoves() {
    var moves: [(foundBefore: Int, conflict: Conflict)] = []
    var deletions: [JSONPointer: Int] = [:]
    if !kept.isEmpty {
      for (place, conflict) in found.enumerated() where conflict.kind == .deleteEdit {
        deletions[conflict.path] = place
      }
    }
    var parts: Set<Int> = []
    for (identity, arrivals) in arrivals {
      let arrivals = candidates(identity, arrivals)
      if arrivals.count < 2 { continue }
      let group = objects.movedApart(arrivals.map(\.element), identity, keys)
        .map { arrivals[$0] }
      guard let first = group.first else { continue }
      let sides = group.map { arrival in
        var side = objects.log.side(
          arrival.element.write, node: objects.node(of: arrival.child, texts: texts))
        side.path = arrival.path
        if let place = deletions[arrival.path] {
          // It is there because of the edit.
          let edited = found[place].kept
          (side.author, side.time, side.change) = (edited.author, edited.time, edited.change)
          if found[place].others.allSatisfy({ $0.node == nil }),
            objects.wasOnlyMoved(arrival.element, to: group.map(\.element), identity, keys)
          {
            parts.insert(place)
          }
        }
        return side
      }
      let writes = group.map { objects.log.eventID(of: $0.element.write) }
      moves.append(
        (
          first.foundBefore,
          Conflict(
            path: first.path, line: nil, kind: .movedApart, id: writes[0].description,
            kept: sides[0], others: Array(sides.dropFirst()),
            writes: [writes[0]] + writes.dropFirst().sorted())
        ))
    }
    // From the end, so that the places of those before stay.
    for place in parts.sorted(by: >) { forget(at: place) }
    for move in moves.sorted(by: {
      ($0.foundBefore, $0.conflict.id) > ($1.foundBefore, $1.conflict.id)
    }) {
      record(move.conflict, at: move.foundBefore - parts.count { $0 < move.foundBefore })
    }
  }
}

extension Objects {
  /// Where an element stands that was moved to several lists, in the order of the content; nothing if
  /// the one at a path is none.
  ///
  /// As `Document.conflicts`.
  func elementsMovedApart(
    with path: JSONPointer, texts: [TextBuffer], identityKeys: [String]
  ) -> [JSONPointer] {
    var finder = ConflictFinder(
      objects: self, texts: texts, passages: [:], identityKeys: identityKeys)
    finder.search()
    let groups = finder.found.lazy.filter { $0.kind == .movedApart }
      .map { ([$0.kept] + $0.others).compactMap(\.path) }
    return groups.first { $0.contains(path) } ?? []
  }
}
