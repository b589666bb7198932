/// What a document shows at a version: objects, and what stands at each place in them.
///
/// All that the history ever wrote stands in cells: keys of maps and elements of lists, deleted ones
/// too. They are the same at every version, in the order of a document chunk: the root first, then
/// objects by the operation that made them; maps by key, lists by element. A version is which changes
/// are made; making an operation, or taking it back, decides anew what its cell shows.
package struct AutomergeState: Sendable {
  /// A map, list or text.
  package struct Object: Sendable {
    /// The place of the operation that made it; -1 for the root.
    package let maker: Int32
    /// Its cells.
    package internal(set) var cells: Range<Int> = 0..<0
  }

  package let history: AutomergeHistory
  /// The root first.
  package private(set) var objects: [Object] = []
  /// The places of all operations in the order of a document chunk, which has none for deletions.
  private(set) var rows: [Int32] = []
  /// The number of the object that an operation made, by its place; -1 for all others.
  private var objectNumbers: [Int32] = []
  /// By place, the operation's name.
  package let names: [OperationID]
  /// The keys, by number: each is one string, however often a path names it.
  private let keys: [String]
  /// The cell that each operation is about, by its place.
  private var cells: [Int32]
  /// The object that each cell is in.
  private var owners: [Int32] = []
  /// Where each cell's operations begin among the rows.
  private var starts: [Int32] = []

  // The version.

  /// Which changes are made, by their numbers.
  package internal(set) var isMade: [Bool] = []
  /// The operation that each cell shows: of several the one with the greatest name, -1 for none.
  private var shown: [Int32] = []
  /// The operations that compete for a cell, in the order of their names, where they are several.
  private var rivals: [Int: [Int32]] = [:]
  /// How many operations replace each one, by its place.
  private var replacedBy: [Int32] = []
  /// What was added to each counter, by its place.
  private var sums: [Int32: Int64] = [:]
  /// How many elements, of a text scalars, each cell of a list shows.
  private var counts = FenwickTree(count: 0)
  /// Elementary steps so far, in which many operations are moved that compete for a cell.
  private(set) var steps = 0

  /// Computes what a history shows: all changes of which the earlier ones are there, or those that are
  /// included, by their numbers, with all that these were made upon.
  ///
  /// O(n log n) for n operations, and O(k log k) for k different keys.
  package init(_ history: AutomergeHistory, including included: [Bool]? = nil) {
    self.history = history
    names = history.names()
    keys = history.store.texts.texts.map { String(decoding: $0, as: UTF8.self) }
    cells = Array(repeating: 0, count: history.store.operations.count)
    arrange()
    show(included ?? Array(repeating: true, count: history.changes.count))
  }

  /// Likewise the same history at another version.
  package func including(_ included: [Bool]) -> AutomergeState {
    var state = self
    state.show(included)
    return state
  }

  // MARK: Cells

  /// Orders the operations: by name, then by key or element, then by object.
  private mutating func arrange() {
    let operations = history.store.operations
    var places: [Int32] = []
    places.reserveCapacity(operations.count)
    // Those of each actor are in order, which is what is merged.
    for number in history.changesByActor.joined() {
      for place in history.changes[Int(number)].operations { places.append(Int32(place)) }
    }
    places.sort { [names] in names[Int($0)] < names[Int($1)] }
    let objectOf = numberObjects(places)
    var placeIn = positions(places, objectOf)
    let ranks = history.store.texts.ranks()
    for place in places where !operations[Int(place)].isInsertion {
      let operation = operations[Int(place)]
      placeIn[Int(place)] =
        operation.key >= 0
        ? ranks[Int(operation.key)] : history.place(of: operation.element).map { placeIn[$0] } ?? 0
    }
    rows =
      places
      .stablySorted(keyLimit: max(ranks.count, operations.count) + 1) { placeIn[$0] }
      .stablySorted(keyLimit: objects.count) { objectOf[$0] }
    var last = (object: Int32(-1), place: Int32(-1))
    for (row, place) in rows.enumerated() {
      let here = (object: objectOf[Int(place)], place: placeIn[Int(place)])
      if here != last {
        let object = Int(here.object)
        let start = here.object == last.object ? objects[object].cells.lowerBound : cellCount
        starts.append(Int32(row))
        owners.append(here.object)
        objects[object].cells = start..<cellCount
        last = here
      }
      cells[Int(place)] = Int32(cellCount - 1)
    }
  }

  /// Numbers the objects in the order of their names, and gives the one that each operation changes,
  /// by its place.
  private mutating func numberObjects(_ places: [Int32]) -> [Int32] {
    let operations = history.store.operations
    objectNumbers = Array(repeating: -1, count: operations.count)
    objects = [Object(maker: -1)]
    var objectOf = [Int32](repeating: 0, count: operations.count)
    var last = (id: OperationID.none, number: Int32(0))
    // Each object is made before what is in it.
    for place in places {
      let operation = operations[Int(place)]
      if operation.object != last.id {
        let maker = history.place(of: operation.object)
        last = (operation.object, maker.map { objectNumbers[$0] } ?? 0)
      }
      objectOf[Int(place)] = last.number
      guard operation.action.makesObject else { continue }
      objectNumbers[Int(place)] = Int32(objects.count)
      objects.append(Object(maker: place))
    }
    return objectOf
  }

  /// The place of each list element in the order of all, by its operation: in the order of their names
  /// each is put right behind the one that it was inserted behind.
  private func positions(_ places: [Int32], _ objectOf: [Int32]) -> [Int32] {
    let operations = history.store.operations
    let count = operations.count
    // The one behind each; heads of lists stand behind the operations.
    var next = [Int32](repeating: -1, count: count + objects.count)
    for place in places where operations[Int(place)].isInsertion {
      let element = history.place(of: operations[Int(place)].element)
      let previous = element ?? count + Int(objectOf[Int(place)])
      next[Int(place)] = next[previous]
      next[previous] = place
    }
    var positions = [Int32](repeating: 0, count: count)
    var position: Int32 = 0
    for object in objects.indices {
      var place = next[count + object]
      while place >= 0 {
        positions[Int(place)] = position
        position += 1
        place = next[Int(place)]
      }
    }
    return positions
  }

  /// The number of the object that an operation made; `nil` if it made none.
  package func object(madeBy place: Int32) -> Int? {
    let number = objectNumbers[Int(place)]
    return number < 0 ? nil : Int(number)
  }

  var cellCount: Int { starts.count }

  /// The cell that an operation is about.
  package func cell(of place: Int32) -> Int { Int(cells[Int(place)]) }

  /// The object that a cell is in.
  package func object(ofCell cell: Int) -> Int { Int(owners[cell]) }

  /// The key of a cell of a map; `nil` in a list.
  package func key(_ cell: Int) -> String? {
    let key = history.store.operations[Int(insertion(cell))].key
    return key < 0 ? nil : keys[Int(key)]
  }

  /// The operations about a cell, made or not, in the order of their names.
  package func operations(ofCell cell: Int) -> ArraySlice<Int32> {
    rows[Int(starts[cell])..<(cell + 1 < cellCount ? Int(starts[cell + 1]) : rows.count)]
  }

  /// The first of them, which in a list inserted the element.
  package func insertion(_ cell: Int) -> Int32 { rows[Int(starts[cell])] }

  // MARK: The version

  /// The operation that a cell shows; -1 if nothing stands there.
  package func shown(_ cell: Int) -> Int32 { shown[cell] }

  /// The operations that compete for a cell, in the order of their names; the last one is shown.
  package func visible(_ cell: Int) -> [Int32] {
    rivals[cell] ?? (shown[cell] < 0 ? [] : [shown[cell]])
  }

  /// What was added to a counter.
  func sum(_ place: Int32) -> Int64 { sums[place] ?? 0 }

  /// The index in its list, or the scalar of its text, that an element has or would have.
  func index(_ cell: Int) -> Int {
    counts.sum(below: cell) - counts.sum(below: objects[object(ofCell: cell)].cells.lowerBound)
  }

  /// Begins without any change, and makes those that are included.
  private mutating func show(_ included: [Bool]) {
    isMade = Array(repeating: false, count: history.changes.count)
    shown = Array(repeating: -1, count: cellCount)
    rivals = [:]
    replacedBy = Array(repeating: 0, count: names.count)
    sums = [:]
    counts = FenwickTree(count: cellCount)
    steps = 0
    go(to: included)
  }

  /// Takes changes back and makes others, until those that are wanted are made: O(changes), and
  /// O(log n) for each operation; what is there after more than so many ``steps`` is no version.
  mutating func go(to isWanted: [Bool], stepLimit: Int = .max) {
    for number in history.order.reversed() where isMade[number] && !isWanted[number] {
      for place in history.changes[number].operations.reversed() where steps <= stepLimit {
        make(Int32(place), isTakenBack: true)
      }
      isMade[number] = false
    }
    for number in history.order where isWanted[number] && !isMade[number] {
      isMade[number] = true
      for place in history.changes[number].operations where steps <= stepLimit {
        make(Int32(place))
      }
    }
  }

  /// Makes an operation, or takes it back; gives what its cell showed before, and what was added to
  /// that if it is a counter.
  @discardableResult
  mutating func make(
    _ place: Int32, isTakenBack: Bool = false
  ) -> (before: Int32, added: Int64) {
    let operation = history.store.operations[Int(place)]
    let cell = cell(of: place)
    let before = shown[cell]
    var added: Int64 = 0
    if isTakenBack, operation.action.writes { hide(place, at: cell) }
    for reference in history.store.references(of: operation) {
      guard let other = history.place(of: reference) else { continue }
      if let amount = amount(of: operation, addedTo: history.store.operations[other]) {
        let amount = isTakenBack ? 0 &- amount : amount
        sums[Int32(other), default: 0] &+= amount
        if other == before { added = amount }
        continue
      }
      replacedBy[other] += isTakenBack ? -1 : 1
      if !isTakenBack, replacedBy[other] == 1 {
        hide(Int32(other), at: cell)
      } else if replacedBy[other] == 0, history.store.operations[other].action.writes,
        isMade[change(ofOperation: Int32(other))]
      {
        show(Int32(other), at: cell)
      }
    }
    if !isTakenBack, operation.action.writes, replacedBy[Int(place)] == 0 { show(place, at: cell) }
    if operation.key < 0, shown[cell] != before {
      let isText = kind(ofObject: object(ofCell: cell)) == .text
      func size(_ place: Int32) -> Int { place < 0 ? 0 : isText ? scalarCount(place) : 1 }
      counts.add(size(shown[cell]) - size(before), at: cell)
    }
    return (before, added)
  }

  /// What an operation adds to a counter that another one wrote; `nil` if it does not.
  private func amount(of operation: Operation, addedTo other: Operation) -> Int64? {
    guard operation.action == .increment, other.action == .set,
      other.valueType == AutomergeValue.counterType,
      case .integer(let amount) = history.store.scalar(of: operation)
    else { return nil }
    return amount
  }

  private mutating func show(_ place: Int32, at cell: Int) {
    changeRivals(at: cell, by: place) { rivals, index in rivals.insert(place, at: index) }
  }

  private mutating func hide(_ place: Int32, at cell: Int) {
    changeRivals(at: cell, by: place) { rivals, index in
      if index < rivals.count, rivals[index] == place { rivals.remove(at: index) }
    }
  }

  /// Changes what competes for a cell where an operation stands, or would, among it.
  private mutating func changeRivals(
    at cell: Int, by place: Int32, _ change: (inout [Int32], Int) -> Void
  ) {
    // Taken out, they are changed in place.
    var all = rivals.removeValue(forKey: cell) ?? visible(cell)
    let name = names[Int(place)]
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if names[Int(all[middle])] < name { low = middle + 1 } else { high = middle }
    }
    steps += (all.count - low) / 64
    change(&all, low)
    shown[cell] = all.last ?? -1
    if all.count > 1 { rivals[cell] = all }
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

/// Counts by place, and their sums (Fenwick, "A New Data Structure for Cumulative Frequency Tables",
/// 1994).
private struct FenwickTree {
  private var sums: [Int]

  init(count: Int) { sums = Array(repeating: 0, count: count + 1) }

  mutating func add(_ amount: Int, at place: Int) {
    var index = place + 1
    while index < sums.count {
      sums[index] += amount
      index += index & -index
    }
  }

  func sum(below place: Int) -> Int {
    var index = place
    var sum = 0
    while index > 0 {
      sum += sums[index]
      index -= index & -index
    }
    return sum
  }
}
