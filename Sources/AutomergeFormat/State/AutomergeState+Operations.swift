extension AutomergeState {
  /// The number of the object that an operation changes.
  package func object(of place: Int32) -> Int {
    number(ofObject: history.store.operations[Int(place)].object)
  }

  /// The place of the operation that inserted the element that an operation changes; -1 if it
  /// changes none.
  package func element(of place: Int32) -> Int32 {
    let operation = history.store.operations[Int(place)]
    if operation.isInsertion { return place }
    guard operation.key < 0, operation.element != .none else { return -1 }
    return history.place(of: operation.element).map { Int32($0) } ?? -1
  }

  /// The name of an operation.
  package func operationID(_ place: Int32) -> OperationID { names[Int(place)] }

  /// The operations that replace one, ascending.
  package func replacing(_ place: Int32) -> ArraySlice<Int32> { successors[Int(place)] }

  /// The insertions of a list's or text's elements, deleted ones too, in their order.
  package func elements(ofObject object: Int) -> [Int32] {
    rows[objects[object].rows].filter { history.store.operations[Int($0)].isInsertion }
  }

  /// The number here of an object that another state of the same history knows; `nil` if it is not
  /// made yet.
  package func number(ofSame object: Int, in other: AutomergeState) -> Int? {
    let maker = other.objects[object].maker
    return maker < 0 ? 0 : self.object(madeBy: maker)
  }

  /// How many Unicode scalars an element of a text shows.
  package func scalarCount(_ slot: Slot) -> Int {
    let text = history.store.text(of: history.store.operations[Int(shown(slot))])
    return text?.count { $0 & 0xC0 != 0x80 } ?? 1
  }
}
