/// Writes changes in the one form that their hashes are taken of.
///
/// Keeps its buffers from one change to the next.
struct ChangeWriter {
  private var operations = OperationWriter()
  private var columns = WrittenColumns()
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

  private mutating func writeOperations(_ places: Range<Int>, _ store: borrowing OperationStore) {
    for place in places {
      let operation = store.operations[place]
      operations.append(
        operation, in: store, references: store.references(of: operation), numbers: localNumbers)
    }
    columns.removeAll()
    operations.finish(into: &columns)
    body.append(sizesOf: columns)
    body.append(contentsOf: columns.bytes)
  }
}
