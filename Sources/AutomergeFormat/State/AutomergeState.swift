/// What a document shows at a version: objects, and what stands at each place in them.
///
/// Computed from the operations of all changes up to there. Ordered as a document chunk is: the
/// root first, then objects by the operation that made them; maps by key, lists by element.
package struct AutomergeState: Sendable {
  /// A map, list or text.
  package struct Object: Sendable {
    /// The place of the operation that made it; -1 for the root.
    package let maker: Int32
    /// Where it is shown among ``slots``; -1 for the root, and if it is not.
    var slot: Int32 = -1
    /// Its places among ``slots``.
    package internal(set) var slots: Range<Int> = 0..<0
    /// Its operations among ``rows``.
    var rows: Range<Int> = 0..<0
    /// Its keys or elements by number, deleted ones too.
    var cells: Range<Int> = 0..<0
  }

  /// A key or an element with something to see.
  package struct Slot: Sendable {
    /// Of a map: the number of the key; else -1.
    package let key: Int32
    /// Of a list: the place of the operation that inserted the element; else -1.
    package let element: Int32
    /// The operations that compete for the place, among ``visible``; the last one is shown.
    package let operations: Range<Int>
  }

  package let history: AutomergeHistory
  /// The root first.
  package internal(set) var objects: [Object] = []
  package internal(set) var slots: [Slot] = []
  /// The places of operations that are shown, or would be if others were not.
  package internal(set) var visible: [Int32] = []
  /// The places of all operations but deletions, in the order of a document chunk.
  var rows: [Int32] = []
  /// The number of the object that an operation made, by its place; -1 for all others.
  private(set) var objectNumbers: [Int32] = []
  /// By place, the operation's name.
  package let names: [OperationID]
  /// The operations that replace each one, ascending, by its place.
  package let successors: Groups
  /// The number of the key or element that each operation is about, by place: all are numbered in the
  /// order of a document chunk, deleted ones too.
  package private(set) var cells: [Int32] = []

  /// Computes what a history shows: all changes of which the earlier ones are there, or those that are
  /// included, by their numbers, with all that these were made upon.
  ///
  /// O(n log a) for n operations of a actors, and O(k log k) for k different keys.
  package init(_ history: AutomergeHistory, including included: [Bool]? = nil) {
    self.history = history
    names = history.names()
    var places = Self.lamportOrder(history, names, including: included)
    if included != nil { places = Self.withoutStrays(places, in: history) }
    successors = Self.successors(history, places)
    numberObjects(places)
    arrange(places)
  }

  /// The places of all operations in the order of their names.
  private static func lamportOrder(
    _ history: AutomergeHistory, _ names: [OperationID], including included: [Bool]?
  ) -> [Int32] {
    var places: [Int32] = []
    places.reserveCapacity(history.store.operations.count)
    // Those of each actor are in order, which is what is merged.
    for changes in history.changesByActor {
      for number in changes where included.map({ $0[Int(number)] }) ?? true {
        for place in history.changes[Int(number)].operations { places.append(Int32(place)) }
      }
    }
    places.sort { names[Int($0)] < names[Int($1)] }
    return places
  }

  /// Leaves out operations on objects and elements that are not there: a forged change may name what
  /// it was not made upon.
  private static func withoutStrays(
    _ places: [Int32], in history: AutomergeHistory
  ) -> [Int32] {
    var isThere = [Bool](repeating: false, count: history.store.operations.count)
    return places.filter { place in
      let operation = history.store.operations[Int(place)]
      let subject = operation.element == .none ? operation.object : operation.element
      let isFound = subject == .none || history.place(of: subject).map { isThere[$0] } ?? false
      isThere[Int(place)] = isFound
      return isFound
    }
  }

  private static func successors(_ history: AutomergeHistory, _ places: [Int32]) -> Groups {
    let store = history.store
    var replaced: [(of: Int32, member: Int32)] = []
    for place in places {
      for reference in store.references(of: store.operations[Int(place)]) {
        // All references are checked to be there.
        guard let other = history.place(of: reference) else { continue }
        replaced.append((Int32(other), place))
      }
    }
    return Groups(count: store.operations.count, replaced)
  }

  private mutating func numberObjects(_ places: [Int32]) {
    let operations = history.store.operations
    objectNumbers = Array(repeating: -1, count: operations.count)
    objects = [Object(maker: -1)]
    for place in places where operations[Int(place)].action.makesObject {
      objectNumbers[Int(place)] = Int32(objects.count)
      objects.append(Object(maker: place))
    }
  }

  /// The number of an object; the root for none.
  func number(ofObject id: OperationID) -> Int {
    guard id != .none, let place = history.place(of: id) else { return 0 }
    return Int(objectNumbers[place])
  }

  /// The number of the object that an operation made; `nil` if it made none.
  package func object(madeBy place: Int32) -> Int? {
    let number = objectNumbers[Int(place)]
    return number < 0 ? nil : Int(number)
  }

  /// The place of each list element in the order of all, by its operation: elements hang on those that
  /// they were inserted behind, later ones first.
  private func positions(_ places: [Int32], objectOf: [Int32]) -> [Int32] {
    let operations = history.store.operations
    let count = operations.count
    // Heads of lists stand behind the operations.
    var firstChild = [Int32](repeating: -1, count: count + objects.count)
    var nextSibling = [Int32](repeating: -1, count: count)
    for place in places where operations[Int(place)].isInsertion {
      let element = operations[Int(place)].element
      let parent =
        element == .none
        ? count + Int(objectOf[Int(place)]) : history.place(of: element) ?? count
      nextSibling[Int(place)] = firstChild[parent]
      firstChild[parent] = place
    }
    var positions = [Int32](repeating: 0, count: count)
    var position: Int32 = 0
    var open: [Int32] = []
    for object in objects.indices {
      var place = firstChild[count + object]
      while place >= 0 {
        positions[Int(place)] = position
        position += 1
        if nextSibling[Int(place)] >= 0 { open.append(nextSibling[Int(place)]) }
        place = firstChild[Int(place)]
        if place < 0, let next = open.popLast() { place = next }
      }
    }
    return positions
  }

  /// Orders the operations: by name already, then by key or element, then by object; and finds which
  /// of them are shown.
  private mutating func arrange(_ places: [Int32]) {
    let operations = history.store.operations
    var objectOf = [Int32](repeating: 0, count: operations.count)
    var last = (id: OperationID.none, number: 0)
    for place in places {
      let object = operations[Int(place)].object
      if object != last.id { last = (object, number(ofObject: object)) }
      objectOf[Int(place)] = Int32(last.number)
    }
    var placeIn = positions(places, objectOf: objectOf)
    let ranks = history.store.texts.ranks()
    for place in places where !operations[Int(place)].isInsertion {
      let key = operations[Int(place)].key
      placeIn[Int(place)] = key >= 0 ? ranks[Int(key)] : placeIn[Int(max(0, element(of: place)))]
    }
    let sorted =
      places
      .stablySorted(keyLimit: max(ranks.count, operations.count) + 1) { placeIn[$0] }
      .stablySorted(keyLimit: objects.count) { objectOf[$0] }
    cells = Array(repeating: 0, count: operations.count)
    rows.reserveCapacity(sorted.count)
    var next = 0
    var cell = 0
    for object in objects.indices {
      let (firstRow, firstSlot, firstCell) = (rows.count, slots.count, cell)
      while next < sorted.count, Int(objectOf[Int(sorted[next])]) == object {
        let first = sorted[next]
        let start = visible.count
        while next < sorted.count, Int(objectOf[Int(sorted[next])]) == object,
          placeIn[Int(sorted[next])] == placeIn[Int(first)]
        {
          let place = sorted[next]
          cells[Int(place)] = Int32(cell)
          if operations[Int(place)].action != .delete { rows.append(place) }
          if isVisible(place) { visible.append(place) }
          next += 1
        }
        cell += 1
        if let shown = visible[start...].last {
          // Each object is made after the one that it is in.
          let inner = Int(objectNumbers[Int(shown)])
          if inner >= 0, isShown(object: object) { objects[inner].slot = Int32(slots.count) }
          let key = operations[Int(first)].key
          slots.append(
            Slot(key: key, element: key < 0 ? first : -1, operations: start..<visible.count))
        }
      }
      objects[object].rows = firstRow..<rows.count
      objects[object].slots = firstSlot..<slots.count
      objects[object].cells = firstCell..<cell
    }
  }

  /// Whether nothing replaces an operation that writes; a counter is not replaced by increments.
  private func isVisible(_ place: Int32) -> Bool {
    let operation = history.store.operations[Int(place)]
    guard operation.action.writes else { return false }
    let replacing = successors[Int(place)]
    if replacing.isEmpty { return true }
    return operation.action == .set && operation.valueType == AutomergeValue.counterType
      && replacing.allSatisfy { history.store.operations[Int($0)].action == .increment }
  }
}

extension [Int32] {
  /// Sorts by small keys, keeping the order of equal ones: O(n + k).
  func stablySorted(keyLimit: Int, key: (Int) -> Int32) -> [Int32] {
    withoutActuallyEscaping(key) { key in
      Groups(count: keyLimit, lazy.map { (of: key(Int($0)), member: $0) }).members
    }
  }
}
