/// Makes the changes of a history one after the other, and tells what each does to the content that
/// is shown.
///
/// Going to another version takes changes back and makes others, without telling of it.
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

  /// What is shown at the version at hand.
  package private(set) var state: AutomergeState
  private var history: AutomergeHistory { state.history }
  /// Those ``steps`` that telling took.
  private var stepsOfTelling = 0
  /// After how many steps nothing more is made; what is there then is no version.
  private let stepLimit: Int
  /// How often an object was shown at each cell.
  private var objectsShown: [Int32]

  /// Elementary steps so far of what may take more than a few for an operation: names in paths,
  /// their bytes, what competes for one place, and objects that stood there before.
  package var steps: Int { state.steps + stepsOfTelling }

  /// Begins before the first change; stops after so many ``steps``, in the midst of a change.
  package init(_ state: AutomergeState, stepLimit: Int = .max) {
    self.state = state.including(Array(repeating: false, count: state.history.changes.count))
    self.stepLimit = stepLimit
    objectsShown = Array(repeating: 0, count: state.cellCount)
  }

  /// Goes to the version of which the given changes are the heads: O(changes), and O(log n) for each
  /// operation that is taken back or made.
  package mutating func go(to heads: [Int32]) {
    var isWanted = Array(repeating: false, count: history.changes.count)
    var open = heads
    while let number = open.popLast() {
      if !isWanted[Int(number)] { open += history.parents[Int(number)] }
      isWanted[Int(number)] = true
    }
    state.go(to: isWanted, stepLimit: stepLimit - stepsOfTelling)
  }

  /// Makes a change, and tells of each edit; once `tell` throws, the replay is of no use.
  package mutating func make(_ number: Int, _ tell: (Edit) throws -> Void) rethrows {
    state.isMade[number] = true
    for place in history.changes[number].operations where steps <= stepLimit {
      try make(Int32(place), tell)
    }
  }

  private mutating func make(_ place: Int32, _ tell: (Edit) throws -> Void) rethrows {
    let (before, added) = state.make(place)
    let cell = state.cell(of: place)
    let object = state.object(ofCell: cell)
    let after = state.shown(cell)
    guard before != after || added != 0,
      let path = state.path(ofObject: object, &stepsOfTelling)
    else { return }
    guard before != after else { return try tell(.increment(path + [state.token(cell)], added)) }
    stepsOfTelling += 8 * Int(objectsShown[cell])
    let inner = after < 0 ? nil : state.object(madeBy: after)
    if inner != nil { objectsShown[cell] += 1 }
    if state.kind(ofObject: object) == .text {
      let index = state.index(cell)
      let old = before < 0 ? 0 : state.scalarCount(before)
      let new = after < 0 ? "" : text(after)
      if old > 0 || !new.isEmpty { try tell(.splice(path, index..<index + old, new)) }
      return
    }
    let target = path + [state.token(cell)]
    guard after >= 0 else { return try tell(.remove(target)) }
    let isInsertion = state.key(cell) == nil && before < 0
    let value = state.value(after)
    try tell(isInsertion ? .insert(target, value) : .set(target, value))
    // What was written just now is empty.
    if after != place, let inner { try fill(inner, at: target, tell) }
  }

  private func text(_ place: Int32) -> String { String(decoding: state.text(place), as: UTF8.self) }

  /// Tells of all that is in an object, which is shown again and was written empty.
  private mutating func fill(
    _ object: Int, at path: [String], _ tell: (Edit) throws -> Void
  ) rethrows {
    var open: [(object: Int, path: [String])] = [(object, path)]
    while let (object, path) = open.popLast() {
      if state.kind(ofObject: object) == .text {
        let content = state.text(ofObject: object)
        if !content.isEmpty { try tell(.splice(path, 0..<0, content)) }
        continue
      }
      for (index, cell) in state.cells(ofObject: object).enumerated() {
        let key = state.key(cell)
        let token = key ?? String(index)
        let target = path + [token]
        stepsOfTelling += target.count + token.utf8.count / 4
        let value = state.value(state.shown(cell))
        try tell(key == nil ? .insert(target, value) : .set(target, value))
        if let inner = state.object(madeBy: state.shown(cell)) { open.append((inner, target)) }
      }
    }
  }
}
