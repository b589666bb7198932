package import Peernote

/// One element of a list at a version.
package struct OracleElement {
  /// The event that inserted it.
  package var element: Int
  /// The event that made the slot in which it stands: its insertion or a move.
  package var slot: Int
  /// What stands in it.
  package var register: OracleRegister
  /// Whether someone removed it, and nobody who has seen that wrote it again.
  ///
  /// An element that is shown all the same is in conflict.
  package var wasRemoved: Bool
  /// Whether it is shown.
  package var isShown: Bool

  /// The conflict that stands open here, if it is shown.
  package var conflict: OracleConflict.Kind? { wasRemoved ? .deleteEdit : register.conflict }
}

extension Oracle {
  /// All elements of a list that a version knows, shown or not, in the order of their slots.
  ///
  /// Or as they would be without some of its events; elements that nothing else wrote are left out
  /// then.
  package func elements(
    of list: ContainerID, in version: OracleVersion,
    without isLeftOut: (Int) -> Bool = { _ in false }
  ) -> [OracleElement] {
    let all = events(on: list, in: version)
    let slots = sequence(of: list, in: version)
    let inserted = all.filter { event in
      if case .insertElement = events[event].action { true } else { false }
    }
    let left = all.filter { !isLeftOut($0) }
    let elements = inserted.compactMap {
      element(insertedBy: $0, among: left, in: version, without: isLeftOut)
    }
    return slots.compactMap { slot in elements.first { $0.slot == slot } }
  }

  private func element(
    insertedBy insertion: Int, among all: [Int], in version: OracleVersion,
    without isLeftOut: (Int) -> Bool
  ) -> OracleElement? {
    var puts: [Int] = []
    var moves: [Int] = []
    var removals: [Int] = []
    for event in all {
      switch events[event].action {
      case .putElement(insertion, _): puts.append(event)
      case .moveElement(insertion): moves.append(event)
      case .removeElement(insertion): removals.append(event)
      case .insertElement, .putElement, .moveElement, .removeElement: break
      case .insertScalar, .deleteScalar, .put, .remove, .add, .discard, .increment:
        fatalError("events on a list insert, put, move and remove elements")
      }
    }
    let slots = ([insertion] + moves).filter { slot in !moves.contains { hasSeen($0, slot) } }
    let entries = (isLeftOut(insertion) ? [] : [insertion]) + puts
    if entries.isEmpty { return nil }
    let register = register(
      entries: entries, overwrites: puts, hiders: puts + removals, in: version, without: isLeftOut)
    // Whatever some removal has not seen holds the element in the list.
    let inside = entries.flatMap { edits(insideEntry: $0, in: version) }
    let holders = puts + inside.filter { !isLeftOut($0) }
    let isHeld = holders.contains { holder in !removals.contains { hasSeen($0, holder) } }
    return OracleElement(
      element: insertion, slot: latest(of: slots) ?? insertion, register: register,
      wasRemoved: removals.contains { removal in !puts.contains { hasSeen($0, removal) } },
      isShown: removals.isEmpty || isHeld)
  }
}
