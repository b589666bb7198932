internal import PeernoteJSON

extension AutomergeHistory {
  /// The place in the table of an operation of a change in ``order``, `nil` if there is none: O(log c)
  /// for c changes of the actor.
  func place(of id: OperationID) -> Int? {
    guard let number = change(of: id) else { return nil }
    let change = changes[number]
    let place = change.operations.lowerBound + Int(id.counter - change.firstCounter)
    return place < change.operations.upperBound ? place : nil
  }

  /// The change in ``order`` that an operation belongs to if it is there, `nil` if none can be it:
  /// O(log c) for c changes of the actor.
  func change(of id: OperationID) -> Int? {
    let changes = changesByActor[Int(id.actor)]
    // They ascend in their operations, and so do those that have none.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if self.changes[Int(changes[middle])].firstCounter <= id.counter {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low > 0 ? Int(changes[low - 1]) : nil
  }

  /// The name of each operation, by its place.
  func names() -> [OperationID] {
    var names = [OperationID](repeating: .none, count: store.operations.count)
    for number in order {
      let change = changes[number]
      for place in change.operations { names[place] = change.id(ofOperation: place) }
    }
    return names
  }

  /// Checks that what operations refer to is there, and is what they take it for: O(n log n).
  func checkOperations() throws(AutomergeError) {
    var last = (id: OperationID.none, place: 0)
    func find(_ id: OperationID, for change: Change) throws(AutomergeError) -> Int {
      if id == last.id { return last.place }
      guard let place = place(of: id) else {
        throw AutomergeError(
          "change \(change.hash.shortText)… refers to operation \(id.counter) of actor "
            + "\(hexadecimal(actors.actors[Int(id.actor)])), which is missing")
      }
      last = (id, place)
      return place
    }
    for number in order {
      let change = changes[number]
      for place in change.operations {
        let operation = store.operations[place]
        let name = change.id(ofOperation: place)
        var isList = false
        if operation.object != .none {
          let maker = store.operations[try find(operation.object, for: change)]
          guard maker.action.makesObject, operation.object < name else {
            throw contradiction(change, "changes what is no object")
          }
          isList = maker.action == .makeList || maker.action == .makeText
        }
        guard isList == (operation.key < 0) else {
          throw contradiction(change, isList ? "has a key for a list" : "has no key for a map")
        }
        if isList, operation.element != .none {
          let element = store.operations[try find(operation.element, for: change)]
          guard element.isInsertion, element.object == operation.object, operation.element < name
          else { throw contradiction(change, "changes what is no element of the list") }
        }
        guard operation.isInsertion || !isList || operation.element != .none else {
          throw contradiction(change, "changes an element that it does not name")
        }
        // A document has nothing that would tell of it.
        guard operation.action != .delete || operation.referenceCount > 0 else {
          throw contradiction(change, "deletes nothing")
        }
        for reference in store.references(of: operation) {
          let other = store.operations[try find(reference, for: change)]
          let isSamePlace =
            operation.key >= 0
            ? other.key == operation.key
            : reference == operation.element
              || (other.element == operation.element && !other.isInsertion)
          guard other.object == operation.object, isSamePlace, reference < name,
            !operation.isInsertion, other.action != .delete
          else { throw contradiction(change, "replaces what stands elsewhere") }
        }
      }
    }
  }

  /// The first change in ``order`` that builds on one which it was not made upon, as no sound program
  /// writes it: the one before it by its actor, or one that an operation refers to.
  ///
  /// O(changes · actors + n log n). `nil` also if that would take more memory than the operations.
  package func changeWithoutBase() -> (change: Change, base: Change)? {
    guard actors.actors.count * changes.count <= 8 * store.operations.count,
      let clocks = try? ChangeClocks(self)
    else { return nil }
    for number in order {
      let change = changes[number]
      if change.sequence > 1 {
        let previous = Int(changesByActor[Int(change.actor)][change.sequence - 2])
        let isNamed = parents[number].contains { clocks.isMade(Int($0), upon: previous) }
        if !isNamed { return (change, changes[previous]) }
      }
      for place in change.operations {
        let operation = store.operations[place]
        for id in [operation.object, operation.element] + store.references(of: operation)
        where id != .none {
          guard let other = self.change(of: id), !clocks.isMade(number, upon: other) else {
            continue
          }
          return (change, changes[other])
        }
      }
    }
    return nil
  }

  private func contradiction(_ change: Change, _ what: String) -> AutomergeError {
    AutomergeError("an operation of change \(change.hash.shortText)… \(what)")
  }
}
