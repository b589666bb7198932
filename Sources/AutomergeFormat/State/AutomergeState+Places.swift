extension AutomergeState {
  /// An object whose places are being visited.
  private struct OpenObject {
    var slots: ArraySlice<Slot>
    var index = 0
    let isList: Bool
  }

  /// A place in the content with what is shown there.
  package struct Place: Sendable {
    /// Keys, and indices of list elements in decimal, from the root.
    package let path: [String]
    package let slot: Slot
  }

  /// Visits every key and list element that is shown, in the order of the content; texts are not
  /// looked into.
  ///
  /// O(n), and memory for the depth. Each object is visited before what is in it.
  package func forEachPlace(_ visit: (Place) throws -> Void) rethrows {
    var path: [String] = []
    var open = [OpenObject(slots: slots(ofObject: 0), isList: false)]
    while let level = open.indices.last {
      guard let slot = open[level].slots.popFirst() else {
        open.removeLast()
        if !path.isEmpty { path.removeLast() }
        continue
      }
      let token =
        open[level].isList ? String(open[level].index) : String(decoding: key(slot), as: UTF8.self)
      open[level].index += 1
      path.append(token)
      try visit(Place(path: path, slot: slot))
      if let object = object(madeBy: shown(slot)), kind(ofObject: object) != .text {
        open.append(
          OpenObject(slots: slots(ofObject: object), isList: kind(ofObject: object) == .list))
      } else {
        path.removeLast()
      }
    }
  }

  /// The places where several operations compete, in the order of the content.
  package var conflicts: [Place] {
    var result: [Place] = []
    forEachPlace { place in if place.slot.operations.count > 1 { result.append(place) } }
    return result
  }

  /// Whether an object is shown.
  package func isShown(object: Int) -> Bool { object == 0 || objects[object].slot >= 0 }

  /// The keys and indices that lead to an object; `nil` if it is not shown.
  ///
  /// O(depth).
  package func path(ofObject object: Int) -> [String]? {
    guard isShown(object: object) else { return nil }
    var path: [String] = []
    var object = object
    while object > 0 {
      let parent = self.object(of: objects[object].maker)
      let number = Int(objects[object].slot)
      let slot = slots[number]
      path.append(
        slot.key < 0
          ? String(number - objects[parent].slots.lowerBound)
          : String(decoding: key(slot), as: UTF8.self))
      object = parent
    }
    return path.reversed()
  }
}
