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
