extension AutomergeState {
  /// The chunks of a file that holds all changes of the history: one document chunk, and change
  /// chunks behind it for what a document chunk cannot hold.
  ///
  /// A pure function of the set of changes. Nothing is compressed: what a compressor makes of the
  /// same bytes depends on its version. O(n) for n operations.
  package static func encoded(_ history: AutomergeHistory) -> [UInt8] {
    AutomergeState(history).bytes()
  }

  /// Likewise, from the state that all changes lead to.
  package func bytes() -> [UInt8] {
    // What was made upon a change that stands behind the document has to stand there, too.
    var isApart = [Bool](repeating: false, count: history.changes.count)
    for number in history.order {
      isApart[number] =
        history.changes[number].verbatim != nil
        || history.parents[number].contains { isApart[Int($0)] }
    }
    let state = isApart.contains(true) ? Self(history, including: isApart.map { !$0 }) : self
    var bytes = Chunk.encoded(.document, body: state.documentBody(leavingOut: isApart))
    var writer = ChangeWriter(actorCount: history.actors.actors.count)
    for number in history.order.filter({ isApart[$0] }) + history.pending {
      let change = history.changes[number]
      let body =
        change.verbatim
        ?? writer.body(of: change, in: history.store, actors: history.actors.actors)
      bytes += Chunk.encoded(.change, body: body, hash: change.hash)
    }
    return bytes
  }

  private func documentBody(leavingOut isApart: [Bool]) -> [UInt8] {
    let order = history.order.filter { !isApart[$0] }
    var rowNumbers = [Int32](repeating: -1, count: history.changes.count)
    for (row, number) in order.enumerated() { rowNumbers[number] = Int32(row) }
    var hasChild = [Bool](repeating: false, count: history.changes.count)
    for number in order {
      for parent in history.parents[number] { hasChild[Int(parent)] = true }
    }
    let heads = order.filter { !hasChild[$0] }
      .map { (hash: history.changes[$0].hash, row: rowNumbers[$0]) }
      .sorted { $0.hash < $1.hash }
    let local = localActors(order)

    var body: [UInt8] = []
    body.append(unsigned: UInt64(local.used.count))
    for actor in local.used { body.append(counted: history.actors.actors[Int(actor)]) }
    body.append(unsigned: UInt64(heads.count))
    for head in heads { head.hash.append(to: &body) }
    let changes = changeColumns(order, rowNumbers, local.numbers)
    let operations = operationColumns(local.numbers)
    body.append(columnSizes: changes.sizes)
    body.append(columnSizes: operations.sizes)
    body += changes.bytes
    body += operations.bytes
    for head in heads { body.append(unsigned: UInt64(head.row)) }
    return body
  }

  /// The actors that some changes name, ascending, and the number of each among them.
  private func localActors(_ order: [Int]) -> (used: [UInt32], numbers: [UInt64]) {
    let store = history.store
    var isUsed = [Bool](repeating: false, count: history.actors.actors.count)
    for number in order {
      let change = history.changes[number]
      isUsed[Int(change.actor)] = true
      for place in change.operations {
        let operation = store.operations[place]
        if operation.object != .none { isUsed[Int(operation.object.actor)] = true }
        if operation.element != .none { isUsed[Int(operation.element.actor)] = true }
      }
    }
    var used: [UInt32] = []
    var numbers = [UInt64](repeating: 0, count: isUsed.count)
    for actor in isUsed.indices where isUsed[actor] {
      numbers[actor] = UInt64(used.count)
      used.append(UInt32(actor))
    }
    return (used, numbers)
  }

  private typealias Columns = (bytes: [UInt8], sizes: [(spec: ColumnSpec, size: Int)])

  private func changeColumns(
    _ order: [Int], _ rowNumbers: [Int32], _ local: [UInt64]
  ) -> Columns {
    var actor = RunWriter<UInt64>()
    var sequence = DeltaWriter()
    var maxOperation = DeltaWriter()
    var time = DeltaWriter()
    var message = RunWriter<TextBytes>()
    var dependencyCount = RunWriter<UInt64>()
    var dependencyIndex = DeltaWriter()
    var extraMetadata = RunWriter<UInt64>()
    var extra: [UInt8] = []
    for number in order {
      let change = history.changes[number]
      actor.append(local[Int(change.actor)])
      sequence.append(Int64(change.sequence))
      maxOperation.append(Int64(change.firstCounter) + Int64(change.operations.count) - 1)
      time.append(change.time)
      message.append(change.message.isEmpty ? nil : TextBytes(bytes: change.message))
      dependencyCount.append(UInt64(history.parents[number].count))
      // The library's core 0.5 takes the hashes in this order, which has to be their own.
      let parents = history.parents[number].sorted { left, right in
        history.changes[Int(left)].hash < history.changes[Int(right)].hash
      }
      for parent in parents { dependencyIndex.append(Int64(rowNumbers[Int(parent)])) }
      extraMetadata.append(UInt64(change.extra.count) << 4 | 7)
      extra += change.extra
    }
    var columns: Columns = ([], [])
    Self.add(.changeActor, &columns) { actor.finish(into: &$0) }
    Self.add(.changeSequence, &columns) { sequence.finish(into: &$0) }
    Self.add(.changeMaxOperation, &columns) { maxOperation.finish(into: &$0) }
    Self.add(.changeTime, &columns) { time.finish(into: &$0) }
    Self.add(.changeMessage, &columns) { message.finish(into: &$0) }
    Self.add(.dependencyCount, &columns) { dependencyCount.finish(into: &$0) }
    Self.add(.dependencyIndex, &columns) { dependencyIndex.finish(into: &$0) }
    Self.add(.extraMetadata, &columns) { extraMetadata.finish(into: &$0) }
    Self.add(.extra, &columns) {
      $0 += extra
      return extra.count
    }
    return columns
  }

  private static func add(
    _ spec: ColumnSpec, _ columns: inout Columns, _ write: (inout [UInt8]) -> Int
  ) {
    let size = write(&columns.bytes)
    if size > 0 { columns.sizes.append((spec, size)) }
  }

  private func operationColumns(_ local: [UInt64]) -> Columns {
    let store = history.store
    var objectActor = RunWriter<UInt64>()
    var objectCounter = RunWriter<UInt64>()
    var keyActor = RunWriter<UInt64>()
    var keyCounter = DeltaWriter()
    var keyString = RunWriter<TextBytes>()
    var idActor = RunWriter<UInt64>()
    var idCounter = DeltaWriter()
    var insert = BooleanWriter()
    var action = RunWriter<UInt64>()
    var valueMetadata = RunWriter<UInt64>()
    var values: [UInt8] = []
    var successorCount = RunWriter<UInt64>()
    var successorActor = RunWriter<UInt64>()
    var successorCounter = DeltaWriter()
    var expand = BooleanWriter()
    var markName = RunWriter<TextBytes>()
    for place in rows {
      let operation = store.operations[Int(place)]
      let isInRoot = operation.object == .none
      objectActor.append(isInRoot ? nil : local[Int(operation.object.actor)])
      objectCounter.append(isInRoot ? nil : UInt64(operation.object.counter))
      if operation.key >= 0 {
        keyActor.append(nil)
        keyCounter.append(nil)
        keyString.append(TextBytes(bytes: store.texts[operation.key]))
      } else {
        keyActor.append(operation.element == .none ? nil : local[Int(operation.element.actor)])
        keyCounter.append(Int64(operation.element.counter))
        keyString.append(nil)
      }
      let name = names[Int(place)]
      idActor.append(local[Int(name.actor)])
      idCounter.append(Int64(name.counter))
      insert.append(operation.isInsertion)
      action.append(UInt64(operation.action.rawValue))
      valueMetadata.append(UInt64(operation.valueSize) << 4 | UInt64(operation.valueType))
      values.append(contentsOf: store.value(of: operation))
      let replacing = successors[Int(place)]
      successorCount.append(UInt64(replacing.count))
      for other in replacing {
        successorActor.append(local[Int(names[Int(other)].actor)])
        successorCounter.append(Int64(names[Int(other)].counter))
      }
      expand.append(operation.expands)
      markName.append(
        operation.markName < 0 ? nil : TextBytes(bytes: store.texts[operation.markName]))
    }
    var columns: Columns = ([], [])
    Self.add(.objectActor, &columns) { objectActor.finish(into: &$0) }
    Self.add(.objectCounter, &columns) { objectCounter.finish(into: &$0) }
    Self.add(.keyActor, &columns) { keyActor.finish(into: &$0) }
    Self.add(.keyCounter, &columns) { keyCounter.finish(into: &$0) }
    Self.add(.keyString, &columns) { keyString.finish(into: &$0) }
    Self.add(.idActor, &columns) { idActor.finish(into: &$0) }
    Self.add(.idCounter, &columns) { idCounter.finish(into: &$0) }
    Self.add(.insert, &columns) { insert.finish(into: &$0) }
    Self.add(.action, &columns) { action.finish(into: &$0) }
    Self.add(.valueMetadata, &columns) { valueMetadata.finish(into: &$0) }
    Self.add(.value, &columns) {
      $0 += values
      return values.count
    }
    Self.add(.successorCount, &columns) { successorCount.finish(into: &$0) }
    Self.add(.successorActor, &columns) { successorActor.finish(into: &$0) }
    Self.add(.successorCounter, &columns) { successorCounter.finish(into: &$0) }
    Self.add(.expand, &columns) { expand.finish(into: &$0, omittingFalse: true) }
    Self.add(.markName, &columns) { markName.finish(into: &$0) }
    return columns
  }
}
