/// Writes changes in the one form that their hashes are taken of.
///
/// Keeps its buffers from one change to the next.
struct ChangeWriter {
  private var objectActor = RunWriter<UInt64>()
  private var objectCounter = RunWriter<UInt64>()
  private var keyActor = RunWriter<UInt64>()
  private var keyCounter = DeltaWriter()
  private var keyString = RunWriter<TextBytes>()
  private var insert = BooleanWriter()
  private var action = RunWriter<UInt64>()
  private var valueMetadata = RunWriter<UInt64>()
  private var values: [UInt8] = []
  private var referenceCount = RunWriter<UInt64>()
  private var referenceActor = RunWriter<UInt64>()
  private var referenceCounter = DeltaWriter()
  private var expand = BooleanWriter()
  private var markName = RunWriter<TextBytes>()

  private var columns: [UInt8] = []
  private var sizes: [(spec: ColumnSpec, size: Int)] = []
  private var body: [UInt8] = []
  /// The chunk's number of each actor, by the history's number; valid where ``stamps`` says so.
  private var localNumbers: [UInt32] = []
  private var stamps: [UInt32] = []
  private var stamp: UInt32 = 0
  private var others: [UInt32] = []

  init(actorCount: Int) {
    localNumbers = Array(repeating: 0, count: actorCount)
    stamps = Array(repeating: 0, count: actorCount)
  }

  /// Writes the body of a change chunk.
  ///
  /// The change's dependencies may stand in any order, the history's actors in that of their bytes.
  mutating func body(
    of change: Change, in store: borrowing OperationStore, actors: [[UInt8]]
  ) -> [UInt8] {
    numberActors(change, store)
    body.removeAll(keepingCapacity: true)
    body.append(unsigned: UInt64(change.dependencies.count))
    for hash in change.dependencies.count > 1 ? change.dependencies.sorted() : change.dependencies {
      hash.append(to: &body)
    }
    body.append(counted: actors[Int(change.actor)])
    body.append(unsigned: UInt64(change.sequence))
    body.append(unsigned: UInt64(change.firstCounter))
    body.append(signed: change.time)
    body.append(counted: change.message)
    body.append(unsigned: UInt64(others.count))
    for actor in others { body.append(counted: actors[Int(actor)]) }
    writeOperations(change.operations, store)
    body.append(contentsOf: change.extra)
    return body
  }

  private mutating func record(_ actor: UInt32) {
    guard stamps[Int(actor)] != stamp else { return }
    stamps[Int(actor)] = stamp
    others.append(actor)
  }

  /// Gives the actors that a change names their numbers in its chunk: the author is 0.
  private mutating func numberActors(_ change: Change, _ store: borrowing OperationStore) {
    stamp += 1
    others.removeAll(keepingCapacity: true)
    stamps[Int(change.actor)] = stamp
    localNumbers[Int(change.actor)] = 0
    for place in change.operations {
      let operation = store.operations[place]
      if operation.object != .none { record(operation.object.actor) }
      if operation.element != .none { record(operation.element.actor) }
      for reference in store.references(of: operation) { record(reference.actor) }
    }
    if others.count > 1 { others.sort() }
    for (number, actor) in others.enumerated() { localNumbers[Int(actor)] = UInt32(number) + 1 }
  }

  private func local(_ id: OperationID) -> UInt64 { UInt64(localNumbers[Int(id.actor)]) }

  private mutating func writeOperations(_ places: Range<Int>, _ store: borrowing OperationStore) {
    for place in places {
      let operation = store.operations[place]
      let isInRoot = operation.object == .none
      objectActor.append(isInRoot ? nil : local(operation.object))
      objectCounter.append(isInRoot ? nil : UInt64(operation.object.counter))
      if operation.key >= 0 {
        keyActor.append(nil)
        keyCounter.append(nil)
        keyString.append(TextBytes(bytes: store.texts[operation.key]))
      } else {
        keyActor.append(operation.element == .none ? nil : local(operation.element))
        keyCounter.append(Int64(operation.element.counter))
        keyString.append(nil)
      }
      insert.append(operation.isInsertion)
      action.append(UInt64(operation.action.rawValue))
      valueMetadata.append(UInt64(operation.valueSize) << 4 | UInt64(operation.valueType))
      values.append(contentsOf: store.value(of: operation))
      referenceCount.append(UInt64(operation.referenceCount))
      for reference in store.references(of: operation) {
        referenceActor.append(local(reference))
        referenceCounter.append(Int64(reference.counter))
      }
      expand.append(operation.expands)
      markName.append(
        operation.markName < 0 ? nil : TextBytes(bytes: store.texts[operation.markName]))
    }

    columns.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    add(.objectActor, objectActor.finish(into: &columns))
    add(.objectCounter, objectCounter.finish(into: &columns))
    add(.keyActor, keyActor.finish(into: &columns))
    add(.keyCounter, keyCounter.finish(into: &columns))
    add(.keyString, keyString.finish(into: &columns))
    add(.insert, insert.finish(into: &columns))
    add(.action, action.finish(into: &columns))
    add(.valueMetadata, valueMetadata.finish(into: &columns))
    columns.append(contentsOf: values)
    add(.value, values.count)
    values.removeAll(keepingCapacity: true)
    add(.predecessorCount, referenceCount.finish(into: &columns))
    add(.predecessorActor, referenceActor.finish(into: &columns))
    add(.predecessorCounter, referenceCounter.finish(into: &columns))
    add(.expand, expand.finish(into: &columns, omittingFalse: true))
    add(.markName, markName.finish(into: &columns))
    body.append(columnSizes: sizes)
    body.append(contentsOf: columns)
  }

  private mutating func add(_ spec: ColumnSpec, _ size: Int) {
    if size > 0 { sizes.append((spec, size)) }
  }
}

extension [UInt8] {
  /// Appends the table in front of columns.
  mutating func append(columnSizes sizes: [(spec: ColumnSpec, size: Int)]) {
    append(unsigned: UInt64(sizes.count))
    for (spec, size) in sizes {
      append(unsigned: UInt64(spec.number))
      append(unsigned: UInt64(size))
    }
  }
}
