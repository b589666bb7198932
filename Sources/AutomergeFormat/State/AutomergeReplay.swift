/// Makes the changes of a history one after the other, and tells what each does to the content that
/// is shown.
///
/// The order of a list's elements is the same at every version, so that an element's index is the
/// number of elements before it that are shown: a Fenwick tree (Fenwick, "A New Data Structure for
/// Cumulative Frequency Tables", 1994) over all elements counts them. Going to another version
/// takes changes back and makes others, without telling of it.
package struct AutomergeReplay {
  /// Something that is done to the content; each sees those before it.
  package enum Edit: Sendable {
    /// Writes a key, or an element that is there.
    case set([String], AutomergeState.Content)
    /// Inserts an element before the one at the index that the path ends with.
    case insert([String], AutomergeState.Content)
    /// Removes a key or an element.
    case remove([String])
    /// Replaces some Unicode scalars of a text.
    case splice([String], Range<Int>, String)
    /// Adds to a counter.
    case increment([String], Int64)
  }

  /// All changes, of which only the order of elements is used.
  private let state: AutomergeState
  private var history: AutomergeHistory { state.history }
  /// The keys, by number: each is one string, however often a path names it.
  private let keys: [String]
  /// The numbers of the changes that are made.
  package private(set) var isMade: [Bool]
  /// Those changes, each after the ones that it was made upon.
  private var made: [Int32] = []
  /// The place of each change in the history's order.
  private var ranks: [Int32]
  /// Elementary steps so far of what may take more than a few for an operation: names in paths,
  /// their bytes, what competes for one place, and objects that stood there before.
  package private(set) var steps = 0
  /// After how many steps nothing more is made; what is there then is no version.
  private let stepLimit: Int
  /// Whether the edits that are made are told of.
  private var isTold = true
  /// The place that each operation is about: that of the inserted element, or behind those one for
  /// each key of each map.
  private var slots: [Int32]
  /// What is shown and what is in conflict at each place, the shown operation last.
  private var visible: [[Int32]]
  /// How often an object was shown at each place.
  private var objectsShown: [Int32]
  /// How many operations replace each one.
  private var replacedBy: [Int32]
  /// What was added to each counter.
  private var sums: [Int32: Int64] = [:]
  /// How many scalars or elements are shown, by position.
  private var counts: FenwickTree

  /// Begins before the first change; stops after so many ``steps``, in the midst of a change.
  package init(_ state: AutomergeState, stepLimit: Int = .max) {
    self.state = state
    self.stepLimit = stepLimit
    let count = state.history.store.operations.count
    keys = state.history.store.texts.texts.map { String(decoding: $0, as: UTF8.self) }
    ranks = Array(repeating: 0, count: state.history.changes.count)
    for (rank, number) in state.history.order.enumerated() { ranks[number] = Int32(rank) }
    isMade = Array(repeating: false, count: state.history.changes.count)
    replacedBy = Array(repeating: 0, count: count)
    counts = FenwickTree(count: count)
    slots = Array(repeating: 0, count: count)
    var places: [KeyPlace: Int32] = [:]
    for number in state.history.order {
      for place in state.history.changes[number].operations {
        let operation = state.history.store.operations[place]
        guard operation.key >= 0 else {
          slots[place] = state.element(of: Int32(place))
          continue
        }
        let key = KeyPlace(object: operation.object, key: operation.key)
        let slot = places[key] ?? Int32(count + places.count)
        places[key] = slot
        slots[place] = slot
      }
    }
    visible = Array(repeating: [], count: count + places.count)
    objectsShown = Array(repeating: 0, count: visible.count)
  }

  private struct KeyPlace: Hashable {
    let object: OperationID
    let key: Int32
  }

  // MARK: Going through the changes

  /// Goes to the version of which the given changes are the heads.
  ///
  /// O(k log k) for k changes that are made before or after, and O(log n) for each operation that is
  /// taken back or made.
  package mutating func go(to heads: [Int32]) {
    var isWanted = Set<Int32>()
    var open = heads
    while let number = open.popLast() {
      if isWanted.insert(number).inserted { open += history.parents[Int(number)] }
    }
    isTold = false
    for number in made.reversed() where !isWanted.contains(number) {
      for place in history.changes[Int(number)].operations.reversed() {
        make(Int32(place), isTakenBack: true) { _ in }
      }
      isMade[Int(number)] = false
    }
    made.removeAll { !isMade[Int($0)] }
    let missing = isWanted.filter { !isMade[Int($0)] }.sorted { ranks[Int($0)] < ranks[Int($1)] }
    for number in missing { make(Int(number)) { _ in } }
    isTold = true
  }

  /// Makes a change, and tells of each edit.
  ///
  /// Once `tell` throws, the replay is of no use.
  package mutating func make(_ number: Int, _ tell: (Edit) throws -> Void) rethrows {
    isMade[number] = true
    made.append(Int32(number))
    for place in history.changes[number].operations where steps <= stepLimit {
      try make(Int32(place), tell)
    }
  }

  /// Makes an operation, or takes it back.
  private mutating func make(
    _ place: Int32, isTakenBack: Bool = false, _ tell: (Edit) throws -> Void
  ) rethrows {
    let operation = history.store.operations[Int(place)]
    let slot = Int(slots[Int(place)])
    let before = visible[slot].last
    if isTakenBack, operation.action.writes { hide(place, at: slot) }
    for reference in history.store.references(of: operation) {
      guard let other = history.place(of: reference) else { continue }
      if adds(operation, to: other) {
        let amount = amount(of: operation)
        try add(isTakenBack ? 0 &- amount : amount, to: Int32(other), tell)
        continue
      }
      replacedBy[other] += isTakenBack ? -1 : 1
      if !isTakenBack, replacedBy[other] == 1 {
        hide(Int32(other), at: slot)
      } else if replacedBy[other] == 0, history.store.operations[other].action.writes {
        show(Int32(other), at: slot)
      }
    }
    if !isTakenBack, operation.action.writes { show(place, at: slot) }
    guard visible[slot].last != before else { return }
    try tellChange(slot: slot, of: operation, before, tell, isNew: visible[slot].last == place)
  }

  // What competes for a place is in the order of the names.

  /// Where an operation stands, or would, among those that compete for its place.
  private func index(of place: Int32, at slot: Int) -> Int {
    let name = state.names[Int(place)]
    var (low, high) = (0, visible[slot].count)
    while low < high {
      let middle = (low + high) / 2
      if state.names[Int(visible[slot][middle])] < name {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func show(_ place: Int32, at slot: Int) {
    let index = index(of: place, at: slot)
    countSteps(moving: visible[slot].count - index)
    visible[slot].insert(place, at: index)
  }

  private mutating func hide(_ place: Int32, at slot: Int) {
    let index = index(of: place, at: slot)
    guard index < visible[slot].count, visible[slot][index] == place else { return }
    countSteps(moving: visible[slot].count - index)
    visible[slot].remove(at: index)
  }

  /// Counts that numbers in memory are moved, of which many go in one step.
  private mutating func countSteps(moving count: Int) { steps += count / 64 }

  /// Whether an operation adds to a counter that another one wrote.
  private func adds(_ operation: Operation, to other: Int) -> Bool {
    operation.action == .increment && history.store.operations[other].action == .set
      && history.store.operations[other].valueType == ScalarValue.counterType
  }

  private func amount(of operation: Operation) -> Int64 {
    if case .integer(let amount) = history.store.scalar(of: operation) { amount } else { 0 }
  }

  private mutating func add(
    _ amount: Int64, to counter: Int32, _ tell: (Edit) throws -> Void
  ) rethrows {
    sums[counter, default: 0] &+= amount
    guard isTold, amount != 0, visible[Int(slots[Int(counter)])].last == counter,
      let path = path(to: counter)
    else { return }
    try tell(.increment(path, amount))
  }

  // MARK: What is shown

  /// Counts what is shown at a place of a list anew.
  private mutating func count(_ slot: Int, of operation: Operation, _ before: Int32?) {
    guard operation.key < 0 else { return }
    let object = state.number(ofObject: operation.object)
    let isText = state.kind(ofObject: object) == .text
    let change =
      size(visible[slot].last, isText: isText) - size(before, isText: isText)
    if change != 0 { counts.add(change, at: Int(state.positions[slot])) }
  }

  /// How many scalars or elements an operation shows.
  private func size(_ place: Int32?, isText: Bool) -> Int {
    guard let place else { return 0 }
    return isText ? text(place).unicodeScalars.count : 1
  }

  private func text(_ place: Int32) -> String {
    let bytes = history.store.text(of: history.store.operations[Int(place)])
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "\u{FFFC}"
  }

  /// The index in its list, or the scalar of its text, that an element has or would have.
  private func index(_ slot: Int, in object: Int) -> Int {
    counts.sum(below: Int(state.positions[slot]))
      - counts.sum(below: Int(state.firstPositions[object]))
  }

  /// Where an object stands; `nil` if it is not shown.
  private mutating func path(ofObject object: Int) -> [String]? {
    var path: [String] = []
    var object = object
    while object > 0 {
      let maker = state.objects[object].maker
      guard visible[Int(slots[Int(maker)])].last == maker else { return nil }
      let token = token(maker)
      steps += 4 + token.utf8.count / 4
      path.append(token)
      object = state.object(of: maker)
    }
    return path.reversed()
  }

  private func token(_ place: Int32) -> String {
    let operation = history.store.operations[Int(place)]
    guard operation.key < 0 else { return keys[Int(operation.key)] }
    return String(index(Int(slots[Int(place)]), in: state.object(of: place)))
  }

  /// Where what an operation wrote stands, which is shown if its object is.
  private mutating func path(to place: Int32) -> [String]? {
    let parent = path(ofObject: state.object(of: place))
    return parent.map { $0 + [token(place)] }
  }

  /// Tells that another operation is shown at a place than before.
  private mutating func tellChange(
    slot: Int, of operation: Operation, _ before: Int32?,
    _ tell: (Edit) throws -> Void, isNew: Bool
  ) rethrows {
    let object = state.number(ofObject: operation.object)
    let after = visible[slot].last
    if isTold, let path = path(ofObject: object) {
      steps += 8 * Int(objectsShown[slot])
      if after.flatMap({ state.object(madeBy: $0) }) != nil { objectsShown[slot] += 1 }
      if state.kind(ofObject: object) == .text {
        let index = index(slot, in: object)
        let old = size(before, isText: true)
        let new = after.map { text($0) } ?? ""
        if old > 0 || !new.isEmpty { try tell(.splice(path, index..<index + old, new)) }
      } else {
        let token =
          operation.key >= 0 ? keys[Int(operation.key)] : String(index(slot, in: object))
        let place = path + [token]
        if let after {
          let isInsertion = operation.key < 0 && before == nil
          let content = content(after)
          try tell(isInsertion ? .insert(place, content) : .set(place, content))
          if !isNew, let inner = state.object(madeBy: after) { try fill(inner, at: place, tell) }
        } else {
          try tell(.remove(place))
        }
      }
    }
    count(slot, of: operation, before)
  }

  private func content(_ place: Int32) -> AutomergeState.Content {
    if let object = state.object(madeBy: place) { return .object(state.kind(ofObject: object)) }
    let value = history.store.scalar(of: history.store.operations[Int(place)])
    guard case .counter(let start) = value else { return .scalar(value) }
    return .scalar(.counter(start &+ (sums[place] ?? 0)))
  }

  /// Tells of all that is in an object, which is shown again and was written empty.
  private mutating func fill(
    _ object: Int, at path: [String], _ tell: (Edit) throws -> Void
  ) rethrows {
    var open: [(object: Int, path: [String])] = [(object, path)]
    while let (object, path) = open.popLast() {
      let all = shown(inObject: object)
      if state.kind(ofObject: object) == .text {
        let content = all.map { text($0) }.joined()
        if !content.isEmpty { try tell(.splice(path, 0..<0, content)) }
        continue
      }
      for (index, shown) in all.enumerated() {
        let operation = history.store.operations[Int(shown)]
        let isKey = operation.key >= 0
        let token = isKey ? keys[Int(operation.key)] : String(index)
        let place = path + [token]
        steps += place.count + token.utf8.count / 4
        try tell(isKey ? .set(place, content(shown)) : .insert(place, content(shown)))
        if let inner = state.object(madeBy: shown) { open.append((inner, place)) }
      }
    }
  }

  /// The operations shown in an object, in the order of its keys or elements.
  private func shown(inObject object: Int) -> [Int32] {
    var result: [Int32] = []
    var last: Int32 = -1
    for row in state.rows[state.objects[object].rows] where slots[Int(row)] != last {
      last = slots[Int(row)]
      if let place = visible[Int(last)].last { result.append(place) }
    }
    return result
  }
}

/// Counts by place, and their sums.
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
