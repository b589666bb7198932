/// Elements that several people took from one place and put into other lists, each into another one,
/// without knowing of each other: then one element stands in several lists. So does one that somebody
/// moved while another one edited it where it was, which keeps it there. They are contested, until
/// somebody who knows both removes one, writes one again or moves it on.
///
/// An element is known by its identity: that it was moved shows in that one change removed it and
/// inserted one with the same identity elsewhere. It may have been moved on from there.
extension Objects {
  /// An element that may have been moved to where it is.
  struct Arrival {
    var list: ContainerIndex
    /// The insertion of the element.
    var insertion: LocalVersion
    /// What was written to it last.
    var write: LocalVersion
  }

  /// The arrivals of one element that was moved to several lists, by their places among these; none
  /// if it was not.
  ///
  /// O(a²) for a arrivals, and the operations of the changes that made them.
  ///
  /// - Parameters:
  ///   - arrivals: elements with one identity, in any lists.
  ///   - identity: what they have in common.
  ///   - keys: what tells maps apart.
  /// - Returns: those that come from one element, itself included if it is still there, none of whose
  ///   writers knew where another one went.
  func movedApart(
    _ arrivals: [Arrival], _ identity: ListIdentity, _ keys: [(name: String, number: KeyIndex)]
  ) -> [Int] {
    if arrivals.allSatisfy({ $0.list == arrivals[0].list }) { return [] }
    let ways = arrivals.map { way(to: $0, identity, keys) }
    let origins = ways.indices.map { index in
      let isLeft = ways.indices.contains {
        $0 != index && ways[$0].contains(arrivals[index].insertion)
      }
      return isLeft || ways[index].count > 1 ? ways[index].last : nil
    }
    /// Whether whoever wrote an element, or moved it where it is, did not know of another one, but for
    /// one that it was.
    func isUnknown(_ index: Int, to other: Int) -> Bool {
      let insertion = arrivals[index].insertion
      return ways[other].contains(insertion)
        || !isSeen(insertion, by: arrivals[other].write)
    }
    for first in arrivals.indices {
      guard let origin = origins[first] else { continue }
      var group = [first]
      for next in arrivals.indices.dropFirst(first + 1) where origins[next] == origin {
        if group.allSatisfy({ isUnknown($0, to: next) && isUnknown(next, to: $0) }) {
          group.append(next)
        }
      }
      if group.count > 1 { return group }
    }
    return []
  }

  /// Whether all who removed an element put it into another list by the same change.
  ///
  /// O(removals), and the operations of the changes that moved the others.
  ///
  /// - Parameters:
  ///   - arrival: the element.
  ///   - others: what it is in other lists.
  ///   - identity: what they have in common.
  ///   - keys: what tells maps apart.
  /// - Returns: whether no removal was anything else.
  func wasOnlyMoved(
    _ arrival: Arrival, to others: [Arrival], _ identity: ListIdentity,
    _ keys: [(name: String, number: KeyIndex)]
  ) -> Bool {
    guard let slot = slotIndex(madeBy: arrival.insertion) else { return false }
    let moves = Set(
      others.flatMap { way(to: $0, identity, keys).dropLast() + [$0.insertion] }
        .map { log.eventCounts.change(of: $0) })
    return history(of: Writes(last: elements[slots[slot].element].lastRemoval))
      .allSatisfy { moves.contains(log.eventCounts.change(of: $0.event)) }
  }

  /// What an element was before it was moved to its list, and before that: the insertions of all, its
  /// own first.
  private func way(
    to arrival: Arrival, _ identity: ListIdentity, _ keys: [(name: String, number: KeyIndex)]
  ) -> [LocalVersion] {
    var way = [arrival.insertion]
    var list = arrival.list
    // What a change removes was inserted before, or by an earlier operation of it.
    while let origin = origin(of: way[way.count - 1], in: list, identity, keys),
      origin < way[way.count - 1], let slot = slotIndex(madeBy: origin)
    {
      way.append(origin)
      list = elements[slots[slot].element].list
    }
    return way
  }

  /// The element of another list that was removed by the change which inserted one with its identity;
  /// `nil` if there is none.
  private func origin(
    of insertion: LocalVersion, in list: ContainerIndex, _ identity: ListIdentity,
    _ keys: [(name: String, number: KeyIndex)]
  ) -> LocalVersion? {
    operations(besides: insertion).first { operation in
      operation.kind == .removeElement && operation.container != list
        && removedIdentity(ofElement: operation.element, keys) == identity
    }?.element
  }

  /// Where an element is that was moved to another list.
  ///
  /// O(operations of the changes that removed it).
  ///
  /// - Parameters:
  ///   - insertion: of the element, which is removed.
  ///   - keys: what tells maps apart.
  /// - Returns: the list, and the element that it is there; `nil` if it was not moved, or if it is not
  ///   shown there any more.
  func destination(
    ofElement insertion: LocalVersion, _ keys: [(name: String, number: KeyIndex)]
  ) -> (list: ContainerIndex, insertion: LocalVersion)? {
    guard let identity = removedIdentity(ofElement: insertion, keys),
      let slot = slotIndex(madeBy: insertion)
    else { return nil }
    let element = elements[slots[slot].element]
    for removal in history(of: Writes(last: element.lastRemoval)) {
      for operation in operations(besides: removal.event)
      where operation.kind == .insertElements && operation.container != element.list {
        for event in operation.events
        where removedIdentity(ofElement: event, keys) == identity {
          if isShown(elementInsertedBy: event) { return (operation.container, event) }
          if let further = destination(ofElement: event, keys) { return further }
        }
      }
    }
    return nil
  }

  /// Whether an element is shown in its list.
  private func isShown(elementInsertedBy insertion: LocalVersion) -> Bool {
    guard let slot = slotIndex(madeBy: insertion) else { return false }
    return child(at: shownSlot(of: elements[slots[slot].element])) != nil
  }

  /// The operations of the change that an event belongs to.
  private func operations(besides event: LocalVersion) -> some Sequence<Operation> {
    let events = log.eventCounts.events(ofChange: log.eventCounts.change(of: event))
    let first = log.operationIndex(endingAfter: events.lowerBound)
    let end = log.operationIndex(endingAfter: events.upperBound - 1) + 1
    return (first..<min(end, log.operations.count)).lazy.map { log.operations[$0] }
  }

  /// The identity that an element had, also if it is removed.
  private func removedIdentity(
    ofElement insertion: LocalVersion, _ keys: [(name: String, number: KeyIndex)]
  ) -> ListIdentity? {
    guard let slot = slotIndex(madeBy: insertion) else { return nil }
    let register = elements[slots[slot].element].register
    for write in history(of: register.writes) where write.content != nil {
      return container(createdBy: write.event).flatMap { identity(ofMap: $0, keys)?.identity }
    }
    return nil
  }
}
