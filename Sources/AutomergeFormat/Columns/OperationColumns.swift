/// Reads the columns of operations, row by row.
struct OperationReader {
  private var objectActor: RunReader<UInt64>
  private var objectCounter: RunReader<UInt64>
  private var keyActor: RunReader<UInt64>
  private var keyCounter: DeltaReader
  private var keyString: TextReader
  private var insert: BooleanReader
  private var action: RunReader<UInt64>
  private var valueMetadata: RunReader<UInt64>
  private var value: ByteReader
  private var expand: BooleanReader
  private var markName: TextReader
  private var referenceCount: RunReader<UInt64>
  private var referenceActor: RunReader<UInt64>
  private var referenceCounter: DeltaReader
  /// The numbers in the history of the chunk's actors.
  private let actors: [UInt32]
  private let limits: AutomergeLimits

  /// Takes the columns of a change chunk, or of a document chunk.
  init(
    _ columns: inout ColumnSet, ofDocument: Bool, actors: [UInt32], limits: AutomergeLimits
  ) {
    objectActor = RunReader(columns.take(.objectActor))
    objectCounter = RunReader(columns.take(.objectCounter))
    keyActor = RunReader(columns.take(.keyActor))
    keyCounter = DeltaReader(columns.take(.keyCounter))
    keyString = TextReader(columns.take(.keyString))
    insert = BooleanReader(columns.take(.insert))
    action = RunReader(columns.take(.action))
    valueMetadata = RunReader(columns.take(.valueMetadata))
    value = columns.take(.value)
    expand = BooleanReader(columns.take(.expand))
    markName = TextReader(columns.take(.markName))
    let references = ofDocument ? ColumnSpec.successors : ColumnSpec.predecessors
    referenceCount = RunReader(columns.take(references.count))
    referenceActor = RunReader(columns.take(references.actor))
    referenceCounter = DeltaReader(columns.take(references.counter))
    self.actors = actors
    self.limits = limits
  }

  /// Whether there is no further row.
  var isAtEnd: Bool { action.isAtEnd }

  /// Reads a row into a store; its references come behind those that are there.
  mutating func next(into store: inout OperationStore) throws(AutomergeError) -> Operation {
    guard store.operations.count < limits.operations else {
      throw AutomergeError(.limit, "more than \(limits.operations) operations")
    }
    let number = try action.next()
    guard let number else { throw action.error("an operation without an action") }
    guard let action = UInt8(exactly: number).flatMap(Operation.Action.init) else {
      throw AutomergeError(
        .newerFormat, at: action.error("").offset, "an operation of the unknown kind \(number)")
    }
    let object = try object()
    let (key, element) = try key(&store.texts)
    var operation = Operation(
      object: object, element: element, key: key, action: action,
      isInsertion: try insert.next(), expands: try expand.next())
    operation.markName = try markName.next(&store.texts) ?? -1
    if operation.isInsertion && key >= 0 {
      throw keyString.error("an insertion into a map")
    }
    try readValue(of: &operation, into: &store.values)
    operation.referenceStart = Int32(store.references.count)
    try readReferences(into: &store.references)
    operation.referenceCount = Int32(store.references.count) - operation.referenceStart
    return operation
  }

  /// Throws if any column has further rows.
  func finish() throws(AutomergeError) {
    try objectActor.finish("objects")
    try objectCounter.finish("objects")
    try keyActor.finish("elements")
    try keyCounter.finish("elements")
    try keyString.finish("keys")
    try insert.finish("insertions")
    try valueMetadata.finish("values")
    try expand.finish("marks")
    try markName.finish("marks")
    try referenceCount.finish("counts of references")
    try referenceActor.finish("references")
    try referenceCounter.finish("references")
    guard value.isAtEnd else { throw value.error("values that belong to no operation") }
  }

  private mutating func object() throws(AutomergeError) -> OperationID {
    let actor = try objectActor.next()
    let counter = try objectCounter.next()
    guard let counter else {
      guard actor == nil else { throw objectActor.error("an object without a counter") }
      return .none
    }
    guard let actor else { throw objectCounter.error("an object without an actor") }
    return try actors.identifier(actor, Int64(clamping: counter)) { objectCounter.error($0) }
  }

  private mutating func key(
    _ texts: inout TextTable
  ) throws(AutomergeError) -> (key: Int32, element: OperationID) {
    let actor = try keyActor.next()
    let counter = try keyCounter.next()
    if let key = try keyString.next(&texts) {
      guard actor == nil, counter == nil else {
        throw keyString.error("an operation on a key and on an element")
      }
      return (key, .none)
    }
    guard let counter else { throw keyCounter.error("an operation without a key or an element") }
    guard let actor else {
      guard counter == 0 else { throw keyActor.error("an element without an actor") }
      return (-1, .none)
    }
    return (-1, try actors.identifier(actor, counter) { keyCounter.error($0) })
  }

  private mutating func readValue(
    of operation: inout Operation, into values: inout [UInt8]
  ) throws(AutomergeError) {
    let metadata = try valueMetadata.next() ?? 0
    operation.valueType = UInt8(metadata & 15)
    let size = metadata >> 4
    guard size <= UInt64(value.remaining) else {
      throw value.error("a value of \(size) bytes where \(value.remaining) are left")
    }
    let range = try value.range(Int(size))
    guard values.count + range.count <= Int(Int32.max) else {
      throw AutomergeError(.limit, "more than 2,147,483,647 bytes of values")
    }
    try ScalarValue.check(operation.valueType, value, range)
    operation.valueStart = Int32(values.count)
    operation.valueSize = Int32(range.count)
    if range.count == 1 {
      values.append(value.bytes[range.lowerBound])
    } else if !range.isEmpty {
      values.append(contentsOf: value.bytes[range])
    }
    if operation.action == .increment {
      guard case .integer = ScalarValue(operation.valueType, value.bytes[range]) else {
        throw value.error("an increment that is no integer", at: range.lowerBound)
      }
    }
  }

  /// Appends what the next row refers to: what it replaces, or is replaced by.
  private mutating func readReferences(
    into references: inout [OperationID]
  ) throws(AutomergeError) {
    let count = try referenceCount.next() ?? 0
    guard count > 0 else { return }
    let limit = limits.operations
    guard count <= UInt64(limit), references.count + Int(count) <= limit else {
      throw AutomergeError(
        .limit, at: referenceCount.error("").offset, "more than \(limit) references to operations")
    }
    var last: OperationID?
    for _ in 0..<count {
      guard let actor = try referenceActor.next(), let counter = try referenceCounter.next() else {
        throw referenceCount.error("more references are announced than there are")
      }
      let id = try actors.identifier(actor, counter) { referenceCounter.error($0) }
      if let last, id <= last {
        throw referenceCounter.error("references to operations that are out of order")
      }
      last = id
      references.append(id)
    }
  }
}

extension [UInt32] {
  /// The name of an operation as a chunk tells it.
  @inline(__always)
  func identifier(
    _ actor: UInt64, _ counter: Int64, error: (String) -> AutomergeError
  ) throws(AutomergeError) -> OperationID {
    guard actor < UInt64(count) else { throw error("actor \(actor) of \(count)") }
    guard counter > 0, counter <= AutomergeLimits.counter else {
      throw error("an operation with the number \(counter)")
    }
    return OperationID(counter: UInt32(counter), actor: self[Int(actor)])
  }
}

/// Columns as they are written, one behind the other.
struct WrittenColumns {
  private(set) var bytes: [UInt8] = []
  fileprivate private(set) var sizes: [(spec: ColumnSpec, size: Int)] = []

  /// Adds a column; one without bytes is left out.
  mutating func add(_ spec: ColumnSpec, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    if bytes.count > start { sizes.append((spec, bytes.count - start)) }
  }

  /// Begins anew, with the memory it has.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
  }
}

extension [UInt8] {
  /// Appends the table in front of columns.
  mutating func append(sizesOf columns: WrittenColumns) {
    append(unsigned: UInt64(columns.sizes.count))
    for (spec, size) in columns.sizes {
      append(unsigned: UInt64(spec.number))
      append(unsigned: UInt64(size))
    }
  }
}

/// Writes the columns of operations, row by row.
///
/// Can be used again after ``finish(into:ofDocument:)``, with the memory it has.
struct OperationWriter {
  private var objectActor = RunWriter<UInt64>()
  private var objectCounter = RunWriter<UInt64>()
  private var keyActor = RunWriter<UInt64>()
  private var keyCounter = DeltaWriter()
  private var keyString = RunWriter<TextBytes>()
  private var idActor = RunWriter<UInt64>()
  private var idCounter = DeltaWriter()
  private var insert = BooleanWriter()
  private var action = RunWriter<UInt64>()
  private var valueMetadata = RunWriter<UInt64>()
  private var values: [UInt8] = []
  private var referenceCount = RunWriter<UInt64>()
  private var referenceActor = RunWriter<UInt64>()
  private var referenceCounter = DeltaWriter()
  private var expand = BooleanWriter()
  private var markName = RunWriter<TextBytes>()

  /// Appends an operation with what it replaces; in a document chunk with what replaces it, and its
  /// name.
  ///
  /// The numbers are those of the history's actors in the chunk.
  @inline(__always)
  mutating func append(
    _ operation: Operation, in store: borrowing OperationStore, named id: OperationID? = nil,
    references: some Collection<OperationID>, numbers: [UInt32]
  ) {
    func number(_ id: OperationID) -> UInt64 { UInt64(numbers[Int(id.actor)]) }

    let isInRoot = operation.object == .none
    objectActor.append(isInRoot ? nil : number(operation.object))
    objectCounter.append(isInRoot ? nil : UInt64(operation.object.counter))
    if operation.key >= 0 {
      keyActor.append(nil)
      keyCounter.append(nil)
      keyString.append(TextBytes(bytes: store.texts[operation.key]))
    } else {
      keyActor.append(operation.element == .none ? nil : number(operation.element))
      keyCounter.append(Int64(operation.element.counter))
      keyString.append(nil)
    }
    if let id {
      idActor.append(number(id))
      idCounter.append(Int64(id.counter))
    }
    insert.append(operation.isInsertion)
    action.append(UInt64(operation.action.rawValue))
    valueMetadata.append(UInt64(operation.valueSize) << 4 | UInt64(operation.valueType))
    values.append(contentsOf: store.value(of: operation))
    referenceCount.append(UInt64(references.count))
    for reference in references {
      referenceActor.append(number(reference))
      referenceCounter.append(Int64(reference.counter))
    }
    expand.append(operation.expands)
    markName.append(
      operation.markName < 0 ? nil : TextBytes(bytes: store.texts[operation.markName]))
  }

  /// Adds the columns of a change chunk, or of a document chunk, and begins anew.
  mutating func finish(into columns: inout WrittenColumns, ofDocument: Bool = false) {
    columns.add(.objectActor) { objectActor.finish(into: &$0) }
    columns.add(.objectCounter) { objectCounter.finish(into: &$0) }
    columns.add(.keyActor) { keyActor.finish(into: &$0) }
    columns.add(.keyCounter) { keyCounter.finish(into: &$0) }
    columns.add(.keyString) { keyString.finish(into: &$0) }
    columns.add(.idActor) { idActor.finish(into: &$0) }
    columns.add(.idCounter) { idCounter.finish(into: &$0) }
    columns.add(.insert) { insert.finish(into: &$0) }
    columns.add(.action) { action.finish(into: &$0) }
    columns.add(.valueMetadata) { valueMetadata.finish(into: &$0) }
    columns.add(.value) { $0 += values }
    values.removeAll(keepingCapacity: true)
    let references = ofDocument ? ColumnSpec.successors : ColumnSpec.predecessors
    columns.add(references.count) { referenceCount.finish(into: &$0) }
    columns.add(references.actor) { referenceActor.finish(into: &$0) }
    columns.add(references.counter) { referenceCounter.finish(into: &$0) }
    columns.add(.expand) { expand.finish(into: &$0, omittingFalse: true) }
    columns.add(.markName) { markName.finish(into: &$0) }
  }
}
