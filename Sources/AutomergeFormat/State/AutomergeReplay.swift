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
    case set([String], Content)
    /// Inserts an element before the one at the index that the path ends with.
    case insert([String], Content)
    /// Removes a key or an element.
    case remove([String])
    /// Replaces some Unicode scalars of a text.
    case splice([String], Range<Int>, String)
    /// Adds to a counter.
    case increment([String], Int64)
  }

  /// What an edit writes.
  package enum Content: Sendable {
    case scalar(ScalarValue)
    /// A new object without anything in it.
    case object(AutomergeState.ObjectKind)
  }

  /// All changes, of which only the order of elements is used.
  private let state: AutomergeState
  private var history: AutomergeHistory { state.history }
  /// The numbers of the changes that are made.
  package private(set) var isMade: [Bool]
  /// The place that each operation is about: that of the inserted element, or behind those one for
  /// each key of each map.
  private var slots: [Int32]
  /// What is shown and what is in conflict at each place, the shown operation last.
  private var visible: [[Int32]]
  /// How many operations replace each one.
  private var replacedBy: [Int32]
  /// What was added to each counter.
  private var sums: [Int32: Int64] = [:]
  /// How many scalars or elements are shown, by position.
  private var counts: FenwickTree

  /// Begins before the first change.
  package init(_ state: AutomergeState) {
    self.state = state
    let count = state.history.store.operations.count
    isMade = Array(repeating: false, count: state.history.changes.count)
    replacedBy = Array(repeating: 0, count: count)
    counts = FenwickTree(count: count)
    slots = Array(repeating: 0, count: count)
    var keys: [KeyPlace: Int32] = [:]
    for number in state.history.order {
      for place in state.history.changes[number].operations {
        let operation = state.history.store.operations[place]
        guard operation.key >= 0 else {
          slots[place] = state.element(of: Int32(place))
          continue
        }
        let key = KeyPlace(object: operation.object, key: operation.key)
        let slot = keys[key] ?? Int32(count + keys.count)
        keys[key] = slot
        slots[place] = slot
      }
    }
    visible = Array(repeating: [], count: count + keys.count)
  }

  private struct KeyPlace: Hashable {
    let object: OperationID
    let key: Int32
  }

  // MARK: Going through the changes

  /// Goes to the version of which the given changes are the heads.
  ///
  /// O(changes), and O(log n) for each operation that is taken back or made.
  package mutating func go(to heads: [Int32]) {
    var isWanted = [Bool](repeating: false, count: isMade.count)
    for head in heads { isWanted[Int(head)] = true }
    for number in history.order.reversed() where isWanted[number] {
      for parent in history.parents[number] { isWanted[Int(parent)] = true }
    }
    for number in history.order.reversed() where isMade[number] && !isWanted[number] {
      for place in history.changes[number].operations.reversed() { takeBack(Int32(place)) }
      isMade[number] = false
    }
    for number in history.order where isWanted[number] && !isMade[number] {
      make(number) { _ in }
    }
  }

  /// Makes a change, and tells of each edit.
  package mutating func make(_ number: Int, _ tell: (Edit) -> Void) {
    isMade[number] = true
    for place in history.changes[number].operations { make(Int32(place), tell) }
  }

  private mutating func make(_ place: Int32, _ tell: (Edit) -> Void) {
    let operation = history.store.operations[Int(place)]
    let slot = Int(slots[Int(place)])
    let before = visible[slot].last
    for reference in history.store.references(of: operation) {
      guard let other = history.place(of: reference) else { continue }
      if adds(operation, to: other) {
        add(amount(of: operation), to: Int32(other), tell)
        continue
      }
      replacedBy[other] += 1
      if replacedBy[other] == 1 { visible[slot].removeAll { $0 == Int32(other) } }
    }
    if operation.action.writes {
      let name = state.names[Int(place)]
      let index = visible[slot].lastIndex { state.names[Int($0)] < name }.map { $0 + 1 } ?? 0
      visible[slot].insert(place, at: index)
    }
    guard visible[slot].last != before else { return }
    show(slot: slot, of: operation, before, tell, isNew: visible[slot].last == place)
  }

  private mutating func takeBack(_ place: Int32) {
    let operation = history.store.operations[Int(place)]
    let slot = Int(slots[Int(place)])
    let before = visible[slot].last
    if operation.action.writes { visible[slot].removeAll { $0 == place } }
    for reference in history.store.references(of: operation) {
      guard let other = history.place(of: reference) else { continue }
      if adds(operation, to: other) {
        sums[Int32(other), default: 0] &-= amount(of: operation)
        continue
      }
      replacedBy[other] -= 1
      guard replacedBy[other] == 0, history.store.operations[other].action.writes else { continue }
      let name = state.names[other]
      let index = visible[slot].lastIndex { state.names[Int($0)] < name }.map { $0 + 1 } ?? 0
      visible[slot].insert(Int32(other), at: index)
    }
    count(slot, of: operation, before)
  }

  /// Whether an operation adds to a counter that another one wrote.
  private func adds(_ operation: Operation, to other: Int) -> Bool {
    operation.action == .increment && history.store.operations[other].action == .set
      && history.store.operations[other].valueType == ScalarValue.counterType
  }

  private func amount(of operation: Operation) -> Int64 {
    guard
      case .integer(let amount) = ScalarValue(
        operation.valueType, history.store.value(of: operation))
    else { return 0 }
    return amount
  }

  private mutating func add(_ amount: Int64, to counter: Int32, _ tell: (Edit) -> Void) {
    sums[counter, default: 0] &+= amount
    guard amount != 0, visible[Int(slots[Int(counter)])].last == counter,
      let path = path(to: counter)
    else { return }
    tell(.increment(path, amount))
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
    let operation = history.store.operations[Int(place)]
    guard operation.action == .set, operation.valueType == ScalarValue.stringType else {
      return "\u{FFFC}"
    }
    return String(decoding: history.store.value(of: operation), as: UTF8.self)
  }

  /// The index in its list, or the scalar of its text, that an element has or would have.
  private func index(_ slot: Int, in object: Int) -> Int {
    counts.sum(below: Int(state.positions[slot]))
      - counts.sum(below: Int(state.firstPositions[object]))
  }

  /// Where an object stands; `nil` if it is not shown.
  private func path(ofObject object: Int) -> [String]? {
    var path: [String] = []
    var object = object
    while object > 0 {
      let maker = state.objects[object].maker
      guard visible[Int(slots[Int(maker)])].last == maker else { return nil }
      path.append(token(maker))
      object = state.object(of: maker)
    }
    return path.reversed()
  }

  private func token(_ place: Int32) -> String {
    let operation = history.store.operations[Int(place)]
    guard operation.key < 0 else {
      return String(decoding: history.store.texts[operation.key], as: UTF8.self)
    }
    return String(index(Int(slots[Int(place)]), in: state.object(of: place)))
  }

  /// Where what an operation wrote stands, which is shown if its object is.
  private func path(to place: Int32) -> [String]? {
    path(ofObject: state.object(of: place)).map { $0 + [token(place)] }
  }

  /// Tells that another operation is shown at a place than before.
  private mutating func show(
    slot: Int, of operation: Operation, _ before: Int32?, _ tell: (Edit) -> Void, isNew: Bool
  ) {
    let object = state.number(ofObject: operation.object)
    let after = visible[slot].last
    if let path = path(ofObject: object) {
      if state.kind(ofObject: object) == .text {
        let index = index(slot, in: object)
        let old = size(before, isText: true)
        let new = after.map { text($0) } ?? ""
        if old > 0 || !new.isEmpty { tell(.splice(path, index..<index + old, new)) }
      } else {
        let token =
          operation.key >= 0
          ? String(decoding: history.store.texts[operation.key], as: UTF8.self)
          : String(index(slot, in: object))
        let place = path + [token]
        if let after {
          let isInsertion = operation.key < 0 && before == nil
          let content = content(after)
          tell(isInsertion ? .insert(place, content) : .set(place, content))
          if !isNew, let inner = state.object(madeBy: after) { fill(inner, at: place, tell) }
        } else {
          tell(.remove(place))
        }
      }
    }
    count(slot, of: operation, before)
  }

  private func content(_ place: Int32) -> Content {
    if let object = state.object(madeBy: place) { return .object(state.kind(ofObject: object)) }
    let operation = history.store.operations[Int(place)]
    let value = ScalarValue(operation.valueType, history.store.value(of: operation))
    guard case .counter(let start) = value else { return .scalar(value) }
    return .scalar(.counter(start &+ (sums[place] ?? 0)))
  }

  /// Tells of all that is in an object, which is shown again and was written empty.
  private func fill(_ object: Int, at path: [String], _ tell: (Edit) -> Void) {
    var open: [(object: Int, path: [String])] = [(object, path)]
    while let (object, path) = open.popLast() {
      let shown = shown(inObject: object)
      if state.kind(ofObject: object) == .text {
        let content = shown.map { text($0) }.joined()
        if !content.isEmpty { tell(.splice(path, 0..<0, content)) }
        continue
      }
      for (index, place) in shown.enumerated() {
        let operation = history.store.operations[Int(place)]
        let isKey = operation.key >= 0
        let token =
          isKey
          ? String(decoding: history.store.texts[operation.key], as: UTF8.self) : String(index)
        tell(isKey ? .set(path + [token], content(place)) : .insert(path + [token], content(place)))
        if let inner = state.object(madeBy: place) { open.append((inner, path + [token])) }
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
