/// Makes a new document of one change, or adds one change to a document.
package struct AutomergeBuilder {
  private var history: AutomergeHistory
  private let actor: UInt32
  private let firstCounter: UInt32
  private let first: Int
  private let dependencies: [ChangeHash]

  /// Begins a change by an actor that has made none yet, upon everything that is there; without a
  /// history a new document.
  package init(by actor: [UInt8], upon history: AutomergeHistory? = nil) {
    var history = history ?? AutomergeHistory.empty
    let table = ActorTable(history.actors.actors + [actor])
    history.renumberActors(table)
    dependencies = history.heads
    let highest = history.order.map { history.changes[$0].lastCounter }.max() ?? 0
    self.history = history
    self.actor = table[actor]
    firstCounter = highest + 1
    first = history.store.operations.count
  }

  /// The root map.
  package static let root = OperationID.none

  /// A key of a map, or an element of a list or text.
  package enum Slot: ExpressibleByStringLiteral {
    case key(String)
    case element(OperationID)

    package init(stringLiteral key: String) { self = .key(key) }
  }

  /// Writes a value or a new object at a key or an element, in the place of the operations that are
  /// shown there, and returns its name.
  @discardableResult
  package mutating func put(
    _ content: AutomergeValue, at slot: Slot, of object: OperationID,
    replacing replaced: [OperationID] = []
  ) -> OperationID {
    append(content.action, content, at: slot, of: object, replacing: replaced)
  }

  /// Inserts a value or a new object into a list or text behind an element, and returns the new
  /// element's name.
  package mutating func insert(
    _ content: AutomergeValue, into list: OperationID, after element: OperationID = .none
  ) -> OperationID {
    append(content.action, content, at: .element(element), of: list, isInsertion: true)
  }

  /// Inserts a text's scalars into a text behind an element.
  package mutating func insert(
    _ text: String, into object: OperationID, after element: OperationID = .none
  ) {
    var last = element
    for scalar in text.unicodeScalars {
      last = insert(.string(String(scalar)), into: object, after: last)
    }
  }

  /// Does something at a key or an element to the operations that are shown there, and returns the
  /// operation's name.
  @discardableResult
  package mutating func append(
    _ action: Operation.Action, _ value: AutomergeValue = .null, at slot: Slot,
    of object: OperationID, isInsertion: Bool = false, replacing replaced: [OperationID] = []
  ) -> OperationID {
    var operation = Operation(
      object: object, element: .none, key: -1, action: action, isInsertion: isInsertion,
      expands: false)
    switch slot {
    case .key(let key): operation.key = history.store.texts.number(of: Array(key.utf8))
    case .element(let element): operation.element = element
    }
    let (type, bytes) = value.encoded
    operation.valueType = type
    let counter = firstCounter + UInt32(history.store.operations.count - first)
    history.store.append(operation, value: bytes, references: replaced.sorted())
    return OperationID(counter: counter, actor: actor)
  }

  /// The name in this builder of an operation in the state that it was begun with.
  package func name(of place: Int32, in state: AutomergeState) -> OperationID {
    let name = state.names[Int(place)]
    return OperationID(
      counter: name.counter, actor: history.actors[state.history.actors.actors[Int(name.actor)]])
  }

  /// The document with the change, made in a second since 1970; the same as before if nothing was done.
  package consuming func finish(time: Int64, message: String = "") throws(AutomergeError)
    -> AutomergeHistory
  {
    guard history.store.operations.count > first || history.changes.isEmpty else { return history }
    var change = Change(
      actor: actor, sequence: 1, firstCounter: firstCounter,
      operations: first..<history.store.operations.count, time: time,
      message: Array(message.utf8), dependencies: dependencies)
    var writer = ChangeWriter(actorCount: history.actors.actors.count)
    let body = writer.body(of: change, in: history.store, actors: history.actors.actors)
    change.hash = ChangeHash(ofChunk: Chunk.Kind.change.rawValue, body: body[...])
    _ = history.add(change)
    try history.arrange()
    return history
  }
}

extension AutomergeValue {
  /// What an operation does that writes it.
  fileprivate var action: Operation.Action {
    switch self {
    case .object(.map): .makeMap
    case .object(.list): .makeList
    case .object(.text): .makeText
    case _: .set
    }
  }
}

extension AutomergeHistory {
  /// No changes.
  static var empty: AutomergeHistory {
    AutomergeHistory(actors: ActorTable([[UInt8]]()))
  }

  /// Numbers the actors as another table does, which has all of them.
  fileprivate mutating func renumberActors(_ table: ActorTable) {
    let numbers = actors.actors.map { table[$0] }
    func renumbered(_ id: OperationID) -> OperationID {
      id == .none ? id : OperationID(counter: id.counter, actor: numbers[Int(id.actor)])
    }
    for place in store.operations.indices {
      store.operations[place].object = renumbered(store.operations[place].object)
      store.operations[place].element = renumbered(store.operations[place].element)
    }
    for place in store.references.indices {
      store.references[place] = renumbered(store.references[place])
    }
    for number in changes.indices { changes[number].actor = numbers[Int(changes[number].actor)] }
    actors = table
    groupByActor()
  }
}
