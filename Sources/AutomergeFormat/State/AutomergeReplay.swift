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
    case set([String], AutomergeValue)
    /// Inserts an element before the one at the index that the path ends with.
    case insert([String], AutomergeValue)
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
  /// Elementary steps so far of what may take more than a few for an operation: names in paths,
  /// their bytes, what competes for one place, and objects that stood there before.
  package private(set) var steps = 0
  /// After how many steps nothing more is made; what is there then is no version.
  private let stepLimit: Int
  /// Whether the edits that are made are told of.
  private var isTold = true
  /// What is shown and what is in conflict at each key and element, the shown operation last.
  private var visible: [[Int32]]
  /// How often an object was shown at each key and element.
  private var objectsShown: [Int32]
  /// How many operations replace each one.
  private var replacedBy: [Int32]
  /// What was added to each counter.
  private var sums: [Int32: Int64] = [:]
  /// How many scalars or elements are shown, by element.
  private var counts: FenwickTree

  /// Begins before the first change; stops after so many ``steps``, in the midst of a change.
  package init(_ state: AutomergeState, stepLimit: Int = .max) {
    self.state = state
    self.stepLimit = stepLimit
    keys = state.history.store.texts.texts.map { String(decoding: $0, as: UTF8.self) }
    isMade = Array(repeating: false, count: state.history.changes.count)
    replacedBy = Array(repeating: 0, count: state.cells.count)
    let count = state.objects.last?.cells.upperBound ?? 0
    visible = Array(repeating: [], count: count)
    objectsShown = Array(repeating: 0, count: count)
    counts = FenwickTree(count: count)
  }

  // MARK: Going through the changes

  /// Goes to the version of which the given changes are the heads: O(changes), and O(log n) for each
  /// operation that is taken back or made.
  package mutating func go(to heads: [Int32]) {
    var isWanted = Array(repeating: false, count: isMade.count)
    var open = heads
    while let number = open.popLast() {
      if !isWanted[Int(number)] { open += history.parents[Int(number)] }
      isWanted[Int(number)] = true
    }
    isTold = false
    for number in history.order.reversed() where isMade[number] && !isWanted[number] {
      for place in history.changes[number].operations.reversed() {
        make(Int32(place), isTakenBack: true) { _ in }
      }
      isMade[number] = false
    }
    for number in history.order where isWanted[number] && !isMade[number] { make(number) { _ in } }
    isTold = true
  }

  /// Makes a change, and tells of each edit; once `tell` throws, the replay is of no use.
  package mutating func make(_ number: Int, _ tell: (Edit) throws -> Void) rethrows {
    isMade[number] = true
    for place in history.changes[number].operations where steps <= stepLimit {
      try make(Int32(place), tell)
    }
  }

  /// Makes an operation, or takes it back.
  private mutating func make(
    _ place: Int32, isTakenBack: Bool = false, _ tell: (Edit) throws -> Void
  ) rethrows {
    let operation = history.store.operations[Int(place)]
    let cell = cell(of: place)
    let before = visible[cell].last
    if isTakenBack, operation.action.writes { hide(place, at: cell) }
    for reference in history.store.references(of: operation) {
      guard let other = history.place(of: reference) else { continue }
      if adds(operation, to: other) {
        let amount = amount(of: operation)
        try add(isTakenBack ? 0 &- amount : amount, to: Int32(other), tell)
        continue
      }
      replacedBy[other] += isTakenBack ? -1 : 1
      if !isTakenBack, replacedBy[other] == 1 {
        hide(Int32(other), at: cell)
      } else if replacedBy[other] == 0, history.store.operations[other].action.writes {
        show(Int32(other), at: cell)
      }
    }
    if !isTakenBack, operation.action.writes { show(place, at: cell) }
    guard visible[cell].last != before else { return }
    try tellChange(cell: cell, of: operation, before, tell, isNew: visible[cell].last == place)
  }

  /// The key or element that an operation is about.
  private func cell(of place: Int32) -> Int { Int(state.cells[Int(place)]) }

  // What competes for a place is in the order of the names.

  /// Where an operation stands, or would, among those that compete for its place.
  private func index(of place: Int32, at cell: Int) -> Int {
    let name = state.names[Int(place)]
    var (low, high) = (0, visible[cell].count)
    while low < high {
      let middle = (low + high) / 2
      if state.names[Int(visible[cell][middle])] < name {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func show(_ place: Int32, at cell: Int) {
    let index = index(of: place, at: cell)
    countSteps(moving: visible[cell].count - index)
    visible[cell].insert(place, at: index)
  }

  private mutating func hide(_ place: Int32, at cell: Int) {
    let index = index(of: place, at: cell)
    guard index < visible[cell].count, visible[cell][index] == place else { return }
    countSteps(moving: visible[cell].count - index)
    visible[cell].remove(at: index)
  }

  /// Counts that numbers in memory are moved, of which many go in one step.
  private mutating func countSteps(moving count: Int) { steps += count / 64 }

  /// Whether an operation adds to a counter that another one wrote.
  private func adds(_ operation: Operation, to other: Int) -> Bool {
    operation.action == .increment && history.store.operations[other].action == .set
      && history.store.operations[other].valueType == AutomergeValue.counterType
  }

  private func amount(of operation: Operation) -> Int64 {
    if case .integer(let amount) = history.store.scalar(of: operation) { amount } else { 0 }
  }

  private mutating func add(
    _ amount: Int64, to counter: Int32, _ tell: (Edit) throws -> Void
  ) rethrows {
    sums[counter, default: 0] &+= amount
    guard isTold, amount != 0, visible[cell(of: counter)].last == counter,
      let path = path(to: counter)
    else { return }
    try tell(.increment(path, amount))
  }

  // MARK: What is shown

  /// Counts what is shown at a place of a list anew.
  private mutating func count(_ cell: Int, of operation: Operation, _ before: Int32?) {
    guard operation.key < 0 else { return }
    let object = state.number(ofObject: operation.object)
    let isText = state.kind(ofObject: object) == .text
    let change =
      size(visible[cell].last, isText: isText) - size(before, isText: isText)
    if change != 0 { counts.add(change, at: cell) }
  }

  /// How many scalars or elements an operation shows.
  private func size(_ place: Int32?, isText: Bool) -> Int {
    guard let place else { return 0 }
    return isText ? text(place).unicodeScalars.count : 1
  }

  private func text(_ place: Int32) -> String { String(decoding: state.text(place), as: UTF8.self) }

  /// The index in its list, or the scalar of its text, that an element has or would have.
  private func index(_ cell: Int, in object: Int) -> Int {
    counts.sum(below: cell) - counts.sum(below: state.objects[object].cells.lowerBound)
  }

  /// Where an object stands; `nil` if it is not shown.
  private mutating func path(ofObject object: Int) -> [String]? {
    var path: [String] = []
    var object = object
    while object > 0 {
      let maker = state.objects[object].maker
      guard visible[cell(of: maker)].last == maker else { return nil }
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
    return String(index(cell(of: place), in: state.object(of: place)))
  }

  /// Where what an operation wrote stands, which is shown if its object is.
  private mutating func path(to place: Int32) -> [String]? {
    let parent = path(ofObject: state.object(of: place))
    return parent.map { $0 + [token(place)] }
  }

  /// Tells that another operation is shown at a place than before.
  private mutating func tellChange(
    cell: Int, of operation: Operation, _ before: Int32?,
    _ tell: (Edit) throws -> Void, isNew: Bool
  ) rethrows {
    let object = state.number(ofObject: operation.object)
    let after = visible[cell].last
    if isTold, let path = path(ofObject: object) {
      steps += 8 * Int(objectsShown[cell])
      if after.flatMap({ state.object(madeBy: $0) }) != nil { objectsShown[cell] += 1 }
      if state.kind(ofObject: object) == .text {
        let index = index(cell, in: object)
        let old = size(before, isText: true)
        let new = after.map { text($0) } ?? ""
        if old > 0 || !new.isEmpty { try tell(.splice(path, index..<index + old, new)) }
      } else {
        let token =
          operation.key >= 0 ? keys[Int(operation.key)] : String(index(cell, in: object))
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
    count(cell, of: operation, before)
  }

  private func content(_ place: Int32) -> AutomergeValue {
    if let object = state.object(madeBy: place) { return .object(state.kind(ofObject: object)) }
    let value = history.store.scalar(of: history.store.operations[Int(place)])
    guard case .counter(let start) = value else { return value }
    return .counter(start &+ (sums[place] ?? 0))
  }

  /// Tells of all that is in an object, which is shown again and was written empty.
  private mutating func fill(
    _ object: Int, at path: [String], _ tell: (Edit) throws -> Void
  ) rethrows {
    var open: [(object: Int, path: [String])] = [(object, path)]
    while let (object, path) = open.popLast() {
      let all = state.objects[object].cells.compactMap { visible[$0].last }
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
