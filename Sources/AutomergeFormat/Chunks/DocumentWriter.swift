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
    var bytes = Chunk.encoded(.document, body: documentBody(leavingOut: isApart))
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
    let heads = history.heads(of: order)
    var named = ActorNumbers(count: history.actors.actors.count)
    for number in order {
      named.add(history.changes[number].actor)
      for place in history.changes[number].operations { named.add(history.store.operations[place]) }
    }
    named.number(keeping: 0)

    var body: [UInt8] = []
    body.append(unsigned: UInt64(named.actors.count))
    for actor in named.actors { body.append(counted: history.actors.actors[Int(actor)]) }
    body.append(unsigned: UInt64(heads.count))
    for head in heads { body += history.changes[head].hash.bytes }
    var changes = changeColumns(order, rowNumbers, named.numbers)
    let isWhole = !isApart.contains(true)
    var rows = operationColumns(
      isWhole ? self.rows : self.rows.filter { !isApart[change(ofOperation: $0)] }, named.numbers)
    changes.appendSizes(to: &body)
    rows.appendSizes(to: &body)
    changes.appendColumns(to: &body)
    rows.appendColumns(to: &body)
    for head in heads { body.append(unsigned: UInt64(rowNumbers[head])) }
    return body
  }

  private func changeColumns(
    _ order: [Int], _ rowNumbers: [Int32], _ local: [UInt32]
  ) -> ColumnWriters {
    var columns = ColumnWriters(Column.changes)
    for number in order {
      let change = history.changes[number]
      columns[.actor].append(UInt64(local[Int(change.actor)]))
      columns[.sequence].append(total: Int64(change.sequence))
      columns[.maxOperation].append(
        total: Int64(change.firstCounter) + Int64(change.operations.count) - 1)
      columns[.time].append(total: change.time)
      columns[.message].append(text: change.message.isEmpty ? nil : change.message)
      columns[.dependencyCount].append(UInt64(history.parents[number].count))
      // The library's core 0.5 takes the hashes in this order, which has to be their own.
      let parents = history.parents[number].sorted { left, right in
        history.changes[Int(left)].hash < history.changes[Int(right)].hash
      }
      for parent in parents {
        columns[.dependencyIndex].append(total: Int64(rowNumbers[Int(parent)]))
      }
      columns[.extraMetadata].append(UInt64(change.extra.count) << 4 | 7)
      columns[.extra].append(bytes: change.extra)
    }
    return columns
  }

  private func operationColumns(_ rows: [Int32], _ local: [UInt32]) -> ColumnWriters {
    let store = history.store
    var replaced: [(of: Int32, member: Int32)] = []
    for place in rows {
      for reference in store.references(of: store.operations[Int(place)]) {
        // All references are checked to be there.
        guard let other = history.place(of: reference) else { continue }
        replaced.append((Int32(other), place))
      }
    }
    let successors = Groups(count: names.count, replaced)
    var columns = ColumnWriters(Column.rows)
    for place in rows where store.operations[Int(place)].action != .delete {
      columns.append(
        store.operations[Int(place)], in: store, named: names[Int(place)],
        references: successors[Int(place)].lazy.map { names[Int($0)] }, numbers: local)
    }
    return columns
  }
}
