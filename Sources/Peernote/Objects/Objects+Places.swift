/// Where containers stand in what is shown.
extension Objects {
  /// Which containers hold anything that may be undecided, or some containers, at any depth.
  ///
  /// O(keys + elements), times O(log c) for c cuts. The answers are by container number. With cuts,
  /// the critical versions of the history, elements count that were inserted where it is
  /// concurrent.
  func wayTo(_ wanted: Set<ContainerIndex>, and cuts: CriticalVersions?) -> [Bool] {
    var isOnTheWay = [Bool](repeating: false, count: log.containers.count)
    isOnTheWay[0] = true
    func mark(_ container: ContainerIndex) {
      var above: ContainerIndex? = container
      while let container = above, !isOnTheWay[container] {
        isOnTheWay[container] = true
        above = log.containers[container].parent
      }
    }
    for container in wanted { mark(container) }
    for key in mapKeys {
      if let last = key.lastWrite, writes[last].previous != nil { mark(key.map) }
    }
    for element in slots.elements where element.isTouched || cuts?.isAlone(element.event) == false {
      mark(element.list)
    }
    return isOnTheWay
  }

  /// Whether a container is in the content that is shown.
  ///
  /// O(depth log n + writes).
  func isShown(_ container: ContainerIndex) -> Bool {
    guard let parent = log.containers[container].parent else { return true }
    return isShown(parent) && place(of: container, in: parent) != nil
  }

  /// The keys and indices that lead to a container; `nil` if it isn't shown.
  ///
  /// O(depth log n + writes + slots of the lists on the way).
  package func path(to container: ContainerIndex) -> [String]? {
    guard let parent = log.containers[container].parent else { return [] }
    guard let path = path(to: parent), let place = place(of: container, in: parent) else {
      return nil
    }
    switch place {
    case .key(let key):
      return path + [log.keys[key]]
    case .slot(let slot):
      return shownSlots(ofList: parent).firstIndex(of: slot).map { path + [String($0)] }
    }
  }

  /// The keys and indices that lead to a list's element, named by its insertion; `nil` if it isn't
  /// shown.
  ///
  /// O(depth log n + writes + slots of the lists on the way).
  func path(toElement insertion: LocalVersion, of list: ContainerIndex) -> [String]? {
    guard log.containers[list].kind == .list, let element = element(insertedBy: insertion),
      let path = path(to: list)
    else { return nil }
    let slot = shownSlot(of: element)
    return shownSlots(ofList: list).firstIndex(of: slot).map { path + [String($0)] }
  }

  private enum Place {
    case key(KeyIndex)
    case slot(SlotIndex)
  }

  /// Where in its parent a container stands; `nil` if something else stands there, or nothing.
  private func place(of container: ContainerIndex, in parent: ContainerIndex) -> Place? {
    let created = log.containers[container].created
    switch creationSpot(of: container) {
    case .key(_, let key):
      return child(key, ofMap: parent)?.resolved.shown?.event == created ? .key(key) : nil
    case .element(let insertion):
      guard let element = element(insertedBy: insertion) else { return nil }
      let slot = shownSlot(of: element)
      return child(at: slot)?.resolved.shown?.event == created ? .slot(slot) : nil
    case nil:
      return nil
    }
  }

  /// Where in its parent a container was created; `nil` for the root.
  ///
  /// O(log n).
  func creationSpot(of container: ContainerIndex) -> Spot? {
    if container == .root { return nil }
    let created = log.containers[container].created
    let operation = log.operations[log.operationIndex(endingAfter: created)]
    if operation.kind == .put { return .key(operation.container, operation.key) }
    return .element(operation.kind == .putElement ? operation.element : created)
  }

  /// The places of a list's slots in its order.
  ///
  /// O(slots).
  func slotRanks(ofList list: ContainerIndex) -> [SlotIndex: Int] {
    var ranks: [SlotIndex: Int] = [:]
    forEachSlot(ofList: list) { ranks[$0] = ranks.count }
    return ranks
  }
}
