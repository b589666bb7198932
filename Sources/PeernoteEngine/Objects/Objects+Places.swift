/// Where containers stand in what is shown.
extension Objects {
  /// Which containers hold anything that may be undecided, or some containers, at any depth.
  ///
  /// O(keys + elements), times O(log c) for c critical versions. The answers are by container
  /// number. Elements count that were inserted where the history is concurrent.
  package func wayTo(_ wanted: Set<ContainerIndex>) -> [Bool] {
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
    for element in slots.elements where element.isTouched || !critical.isAlone(element.event) {
      mark(element.list)
    }
    return isOnTheWay
  }

  /// Whether a container is in the content that is shown; O(depth log n + writes).
  package func isShown(_ container: ContainerIndex) -> Bool {
    guard let spot = creationSpot(of: container) else { return true }
    return self.container(of: spot).map(isShown) == true && stands(container, at: spot)
  }

  /// The keys and indices that lead to a container; `nil` if it isn't shown;
  /// O(depth log n + writes + slots of the lists on the way).
  package func path(to container: ContainerIndex) -> [String]? {
    guard let spot = creationSpot(of: container) else { return [] }
    return stands(container, at: spot) ? path(to: spot) : nil
  }

  /// The keys and indices that lead to a spot, in which something stands if it is a key; `nil` if
  /// it isn't shown; as for a container.
  package func path(to spot: Spot) -> [String]? {
    guard let container = container(of: spot), let path = path(to: container) else { return nil }
    switch spot {
    case .key(_, let key): return path + [log.keys[key]]
    case .element(let insertion):
      let slot = element(insertedBy: insertion).map { shownSlot(of: $0) }
      return shownSlots(ofList: container).firstIndex { $0 == slot }.map { path + [String($0)] }
    }
  }

  /// What stands in a spot; `nil` if nothing does.
  func child(at spot: Spot) -> Child? {
    switch spot {
    case .key(let map, let key): child(key, ofMap: map)
    case .element(let insertion):
      element(insertedBy: insertion).flatMap { child(at: shownSlot(of: $0)) }
    }
  }

  /// Whether a container stands where it was created, and nothing else.
  private func stands(_ container: ContainerIndex, at spot: Spot) -> Bool {
    child(at: spot)?.resolved.shown?.event == log.containers[container].created
  }

  /// Where in its parent a container was created; `nil` for the root; O(log n).
  package func creationSpot(of container: ContainerIndex) -> Spot? {
    if container == .root { return nil }
    let created = log.containers[container].created
    let operation = log.operations[log.operationIndex(endingAfter: created)]
    if operation.kind == .put { return .key(operation.container, operation.key) }
    return .element(operation.kind == .putElement ? operation.element : created)
  }
}
