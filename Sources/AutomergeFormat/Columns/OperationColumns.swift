/// Reads the columns of operations, row by row.
struct OperationReader {
  private var columns: ColumnReaders
  /// The numbers in the history of the chunk's actors.
  private let actors: [UInt32]
  private let limits: AutomergeLimits

  init(_ columns: consuming ColumnReaders, actors: [UInt32], limits: AutomergeLimits) {
    self.columns = columns
    self.actors = actors
    self.limits = limits
  }

  /// Whether there is no further row.
  var isAtEnd: Bool { columns[.action].isAtEnd }

  /// Reads a row into a store; its references come behind those that are there.
  mutating func next(into store: inout OperationStore) throws(AutomergeError) -> Operation {
    guard store.operations.count < limits.operations else {
      throw AutomergeError(.limit, "more than \(limits.operations) operations")
    }
    let number = try columns[.action].number()
    guard let number else { throw columns[.action].error("an operation without an action") }
    guard let action = UInt8(exactly: number).flatMap(Operation.Action.init) else {
      throw AutomergeError(
        .newerFormat, at: columns[.action].error("").offset,
        "an operation of the unknown kind \(number)")
    }
    let object = try object()
    let (key, element) = try key(&store.texts)
    var operation = Operation(
      object: object, element: element, key: key, action: action,
      isInsertion: try columns[.insert].flag(), expands: try columns[.expand].flag())
    operation.markName = try columns[.markName].text(&store.texts) ?? -1
    if operation.isInsertion && key >= 0 {
      throw columns[.keyString].error("an insertion into a map")
    }
    try readValue(of: &operation, into: &store.values)
    operation.referenceStart = Int32(store.references.count)
    try readReferences(into: &store.references)
    operation.referenceCount = Int32(store.references.count) - operation.referenceStart
    return operation
  }

  /// Throws if any column has further rows.
  func finish() throws(AutomergeError) { try columns.finish() }

  /// Reads the name of the row that comes next, which only those of a document chunk have.
  mutating func nextID() throws(AutomergeError) -> OperationID {
    guard let actor = try columns[.idActor].number(),
      let counter = try columns[.idCounter].total()
    else { throw columns[.idActor].error("an operation without a name") }
    return try identifier(actor, counter, in: .idCounter)
  }

  /// An error at the name that was read last.
  func errorOfName(_ reason: String) -> AutomergeError { columns[.idCounter].error(reason) }

  /// The name of an operation as the chunk tells it, the counter in a column.
  @inline(__always)
  private func identifier(
    _ actor: UInt64, _ counter: Int64, in column: Column
  ) throws(AutomergeError) -> OperationID {
    guard actor < UInt64(actors.count) else {
      throw columns[column].error("actor \(actor) of \(actors.count)")
    }
    guard counter > 0, counter <= AutomergeLimits.counter else {
      throw columns[column].error("an operation with the number \(counter)")
    }
    return OperationID(counter: UInt32(counter), actor: actors[Int(actor)])
  }

  private mutating func object() throws(AutomergeError) -> OperationID {
    let actor = try columns[.objectActor].number()
    let counter = try columns[.objectCounter].number()
    guard let counter else {
      guard actor == nil else { throw columns[.objectActor].error("an object without a counter") }
      return .none
    }
    guard let actor else { throw columns[.objectCounter].error("an object without an actor") }
    return try identifier(actor, Int64(clamping: counter), in: .objectCounter)
  }

  private mutating func key(
    _ texts: inout TextTable
  ) throws(AutomergeError) -> (key: Int32, element: OperationID) {
    let actor = try columns[.keyActor].number()
    let counter = try columns[.keyCounter].total()
    if let key = try columns[.keyString].text(&texts) {
      guard actor == nil, counter == nil else {
        throw columns[.keyString].error("an operation on a key and on an element")
      }
      return (key, .none)
    }
    guard let counter else {
      throw columns[.keyCounter].error("an operation without a key or an element")
    }
    guard let actor else {
      guard counter == 0 else { throw columns[.keyActor].error("an element without an actor") }
      return (-1, .none)
    }
    return (-1, try identifier(actor, counter, in: .keyCounter))
  }

  private mutating func readValue(
    of operation: inout Operation, into values: inout [UInt8]
  ) throws(AutomergeError) {
    let metadata = try columns[.valueMetadata].number() ?? 0
    operation.valueType = UInt8(metadata & 15)
    let size = metadata >> 4
    guard size <= UInt64(columns[.value].bytes.remaining) else {
      throw columns[.value].bytes.error(
        "a value of \(size) bytes where \(columns[.value].bytes.remaining) are left")
    }
    let range = try columns[.value].bytes.range(Int(size))
    guard values.count + range.count <= Int(Int32.max) else {
      throw AutomergeError(.limit, "more than 2,147,483,647 bytes of values")
    }
    let value = columns[.value].bytes
    let scalar = try AutomergeValue(operation.valueType, value, range)
    operation.valueStart = Int32(values.count)
    operation.valueSize = Int32(range.count)
    if range.count == 1 {
      values.append(value.bytes[range.lowerBound])
    } else if !range.isEmpty {
      values.append(contentsOf: value.bytes[range])
    }
    if operation.action == .increment {
      guard case .integer = scalar else {
        throw value.error("an increment that is no integer", at: range.lowerBound)
      }
    }
  }

  /// Appends what the next row refers to: what it replaces, or is replaced by.
  private mutating func readReferences(
    into references: inout [OperationID]
  ) throws(AutomergeError) {
    let count = try columns[.referenceCount].number() ?? 0
    guard count > 0 else { return }
    let limit = limits.operations
    guard count <= UInt64(limit), references.count + Int(count) <= limit else {
      throw AutomergeError(
        .limit, at: columns[.referenceCount].error("").offset,
        "more than \(limit) references to operations")
    }
    var last: OperationID?
    for _ in 0..<count {
      guard let actor = try columns[.referenceActor].number(),
        let counter = try columns[.referenceCounter].total()
      else {
        throw columns[.referenceCount].error("more references are announced than there are")
      }
      let id = try identifier(actor, counter, in: .referenceCounter)
      if let last, id <= last {
        throw columns[.referenceCounter].error("references to operations that are out of order")
      }
      last = id
      references.append(id)
    }
  }
}

extension ColumnWriters {
  /// Appends an operation with what it replaces, or in a document chunk with what replaces it, and its
  /// name; the numbers are those of the history's actors in the chunk.
  @inline(__always)
  mutating func append(
    _ operation: Operation, in store: borrowing OperationStore, named id: OperationID? = nil,
    references: some Collection<OperationID>, numbers: [UInt32]
  ) {
    func number(_ id: OperationID) -> UInt64 { UInt64(numbers[Int(id.actor)]) }

    let isInRoot = operation.object == .none
    self[.objectActor].append(isInRoot ? nil : number(operation.object))
    self[.objectCounter].append(isInRoot ? nil : UInt64(operation.object.counter))
    if operation.key >= 0 {
      self[.keyActor].append(nil)
      self[.keyCounter].append(total: nil)
      self[.keyString].append(text: store.texts[operation.key])
    } else {
      self[.keyActor].append(operation.element == .none ? nil : number(operation.element))
      self[.keyCounter].append(total: Int64(operation.element.counter))
      self[.keyString].append(nil)
    }
    if let id {
      self[.idActor].append(number(id))
      self[.idCounter].append(total: Int64(id.counter))
    }
    self[.insert].append(flag: operation.isInsertion, staysFalse: true)
    self[.action].append(UInt64(operation.action.rawValue))
    self[.valueMetadata].append(UInt64(operation.valueSize) << 4 | UInt64(operation.valueType))
    self[.value].append(bytes: store.value(of: operation))
    self[.referenceCount].append(UInt64(references.count))
    for reference in references {
      self[.referenceActor].append(number(reference))
      self[.referenceCounter].append(total: Int64(reference.counter))
    }
    self[.expand].append(flag: operation.expands, staysFalse: false)
    self[.markName].append(text: operation.markName < 0 ? nil : store.texts[operation.markName])
  }
}
