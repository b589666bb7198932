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
  package func forEachPlace<Failure: Error>(
    _ visit: (Place) throws(Failure) -> Void
  ) throws(Failure) {
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
}

/// Where the objects stand that are shown.
///
/// Takes 8 bytes for an object, however deep it stands.
package struct ObjectPlaces: Sendable {
  private let state: AutomergeState
  /// By object, the one that it stands in; -1 for the root and for what is not shown.
  private var parents: [Int32]
  /// By object, its slot.
  private var slots: [Int32]

  /// Finds all objects of a state; O(n).
  package init(_ state: AutomergeState) {
    self.state = state
    parents = Array(repeating: -1, count: state.objects.count)
    slots = Array(repeating: -1, count: state.objects.count)
    // Each object is made after the one that it is in.
    for object in state.objects.indices where contains(object) {
      for slot in state.objects[object].slots {
        guard let inner = state.object(madeBy: state.shown(state.slots[slot])) else { continue }
        parents[inner] = Int32(object)
        slots[inner] = Int32(slot)
      }
    }
  }

  /// Whether an object is shown.
  package func contains(_ object: Int) -> Bool { object == 0 || parents[object] >= 0 }

  /// The keys and indices that lead to an object; `nil` if it is not shown.
  ///
  /// O(depth).
  package func path(of object: Int) -> [String]? {
    guard contains(object) else { return nil }
    var path: [String] = []
    var object = object
    while object > 0 {
      let (parent, slot) = (Int(parents[object]), Int(slots[object]))
      let isList = state.kind(ofObject: parent) == .list
      path.append(
        isList
          ? String(slot - state.objects[parent].slots.lowerBound)
          : String(decoding: state.key(state.slots[slot]), as: UTF8.self))
      object = parent
    }
    return path.reversed()
  }
}
