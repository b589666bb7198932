/// Reads document chunks: operations with what replaced them, in the order of the content.
struct DocumentReader {
  /// A change as the table of changes tells it.
  struct ChangeRow {
    var actor: UInt32
    var sequence: Int
    var lastCounter: UInt32
    var time: Int64
    var message: [UInt8]
    /// The rows that it was made upon, among ``dependencies``.
    var dependencies: Range<Int>
    var extra: [UInt8] = []
  }

  private(set) var rows: [ChangeRow] = []
  private(set) var dependencies: [Int32] = []
  private(set) var heads: [ChangeHash] = []
  /// The operations, row by row; references are to what replaced them.
  private(set) var store = OperationStore()
  /// The name of each row's operation.
  private(set) var ids: [OperationID] = []
  /// Columns that are not known, of changes and of operations.
  private(set) var unknownColumns: [UInt32] = []
  /// What the table of heads' rows says; `nil` if it is left out.
  private(set) var headIndexes: [Int]?

  /// Reads which actors a document names.
  static func actors(of chunk: Chunk, _ bytes: [UInt8]) throws(AutomergeError) -> [[UInt8]] {
    var reader = ByteReader(bytes, chunk.body)
    return try actors(&reader)
  }

  private static func actors(_ reader: inout ByteReader) throws(AutomergeError) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for _ in 0..<(try reader.count()) {
      let place = reader.offset
      let actor = Array(reader.bytes[try reader.lengthAndRange()])
      if let last = result.last, !last.lexicographicallyPrecedes(actor) {
        throw reader.error("actors that are out of order", at: place)
      }
      result.append(actor)
    }
    return result
  }

  /// Reads a chunk, whose checksum is checked.
  ///
  /// - Throws: ``AutomergeError``; also if a row names a change or an operation in a way that cannot
  ///   be.
  init(
    _ chunk: Chunk, _ bytes: [UInt8], actors table: ActorTable, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    try chunk.check(ChangeHash(ofChunk: chunk.kind.rawValue, body: bytes[chunk.body]))
    var reader = ByteReader(bytes, chunk.body)
    let actors = try Self.actors(&reader).map { table[$0] }
    for _ in 0..<(try reader.count()) {
      let place = reader.offset
      let head = try reader.hash()
      if let last = heads.last, head <= last {
        throw reader.error("heads that are out of order", at: place)
      }
      heads.append(head)
    }
    let sizesOfChanges = try ColumnSizes(&reader)
    let sizesOfRows = try ColumnSizes(&reader)
    let changes = try ColumnReaders(
      Column.changes, sizesOfChanges, &reader, ofDocument: true, &limits)
    let rows = try ColumnReaders(Column.rows, sizesOfRows, &reader, ofDocument: true, &limits)
    unknownColumns = changes.unknown + rows.unknown
    try readChanges(changes, actors: actors, limits: limits)
    try readOperations(OperationReader(rows, actors: actors, limits: limits))
    if !reader.isAtEnd {
      var indexes: [Int] = []
      for _ in heads {
        indexes.append(Int(min(try reader.unsigned(), UInt64(Int32.max))))
      }
      guard reader.isAtEnd else { throw reader.error("bytes behind the end of the document") }
      headIndexes = indexes
    }
  }

  private mutating func readChanges(
    _ columns: ColumnReaders, actors: [UInt32], limits: AutomergeLimits
  ) throws(AutomergeError) {
    var columns = columns
    var messages = TextTable()
    var textBytes = 0
    while !columns[.actor].isAtEnd {
      guard rows.count < limits.operations else {
        throw AutomergeError(.limit, "more than \(limits.operations) changes")
      }
      guard let number = try columns[.actor].number(), number < UInt64(actors.count) else {
        throw columns[.actor].error("a change by no actor of the document")
      }
      guard let number64 = try columns[.sequence].total(), let number32 = Int32(exactly: number64),
        number32 > 0
      else { throw columns[.sequence].error("a change without its number") }
      guard let last64 = try columns[.maxOperation].total(), let last = UInt32(exactly: last64),
        last64 <= AutomergeLimits.counter
      else { throw columns[.maxOperation].error("a change without its last operation") }
      var row = ChangeRow(
        actor: actors[Int(number)], sequence: Int(number32), lastCounter: last,
        time: try columns[.time].total() ?? 0,
        message: try columns[.message].text(&messages).map { messages[$0] } ?? [],
        dependencies: 0..<0)
      textBytes += row.message.count
      guard textBytes <= limits.rebuiltBytes else {
        throw AutomergeError(.limit, "more than \(limits.rebuiltBytes) bytes of messages")
      }
      let count = try columns[.dependencyCount].number() ?? 0
      guard count <= UInt64(limits.operations - dependencies.count) else {
        throw AutomergeError(.limit, "more than \(limits.operations) links between changes")
      }
      let first = dependencies.count
      for _ in 0..<count {
        guard let index = try columns[.dependencyIndex].total(), index >= 0, index < rows.count
        else {
          throw columns[.dependencyIndex].error(
            "change \(rows.count) is made upon one that comes later")
        }
        dependencies.append(Int32(index))
      }
      row.dependencies = first..<dependencies.count
      if let metadata = try columns[.extraMetadata].number() {
        guard metadata & 15 == 7 || metadata == 0 else {
          throw columns[.extraMetadata].error("further bytes of a change that are none")
        }
        guard metadata >> 4 <= UInt64(columns[.extra].bytes.remaining) else {
          throw columns[.extra].error("a value of more bytes than are left")
        }
        let range = try columns[.extra].bytes.range(Int(metadata >> 4))
        row.extra = Array(columns[.extra].bytes.bytes[range])
      }
      rows.append(row)
    }
    try columns.finish()
  }

  private mutating func readOperations(_ reader: OperationReader) throws(AutomergeError) {
    var reader = reader
    while !reader.isAtEnd {
      ids.append(try reader.nextID())
      let operation = try reader.next(into: &store)
      guard operation.action != .delete else {
        throw reader.errorOfName("a deletion, which a document has no rows for")
      }
      store.operations.append(operation)
    }
    try reader.finish()
  }
}

extension DocumentReader {
  /// Takes the document apart into the changes that it was made of, as their hashes need it, and
  /// checks that they lead to the heads.
  ///
  /// O(n log n) for n operations, and a hash over all changes.
  ///
  /// - Returns: the changes in the order of the chunk; and all operations, deletions too, by actor and
  ///   counter, with references to what each replaced.
  /// - Throws: ``AutomergeError`` if an operation belongs to no change, or the heads are others.
  func changes(
    actors: ActorTable, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) -> (changes: [Change], store: OperationStore) {
    var operations = OperationStore()
    let names = try collect(into: &operations, limits: limits)
    try limits.count(rows: names.count + rows.count)
    let ranges = try distribute(names, actorCount: actors.actors.count)
    return (try hashed(ranges, of: operations, names, actors, &limits), operations)
  }

  /// One operation replaced by another.
  private struct Link: Comparable {
    /// Of the replacing one.
    let successor: UInt64
    /// Of the replaced one.
    let id: OperationID
    let row: Int32

    static func < (left: Link, right: Link) -> Bool {
      (left.successor, left.id) < (right.successor, right.id)
    }
  }

  /// Puts all operations into the store by actor and counter, and makes those that have no row:
  /// the deletions; their names.
  private func collect(
    into result: inout OperationStore, limits: AutomergeLimits
  ) throws(AutomergeError) -> [OperationID] {
    var links: [Link] = []
    links.reserveCapacity(store.references.count)
    for row in ids.indices {
      for successor in store.references(of: store.operations[row]) {
        links.append(Link(successor: successor.byActor, id: ids[row], row: Int32(row)))
      }
    }
    links.sort()
    var order = ids.indices.map { (key: ids[$0].byActor, row: Int32($0)) }
    order.sort { $0.key < $1.key }

    result.texts = store.texts
    result.values = store.values
    result.reserve(ids.count + links.count)
    result.references.reserveCapacity(links.count)
    var names: [OperationID] = []
    names.reserveCapacity(ids.count + links.count)
    var next = 0
    var link = 0
    while next < order.count || link < links.count {
      let rowKey = next < order.count ? order[next].key : .max
      let linkKey = link < links.count ? links[link].successor : .max
      let key = min(rowKey, linkKey)
      let id = OperationID(packed: key << 32 | key >> 32)
      var operation: Operation
      if rowKey == key {
        operation = store.operations[Int(order[next].row)]
        next += 1
        guard next == order.count || order[next].key != key else {
          throw AutomergeError("two operations have the name \(id.counter)")
        }
      } else {
        let replaced = store.operations[Int(links[link].row)]
        operation = Operation(
          object: replaced.object, element: replaced.element, key: replaced.key, action: .delete,
          isInsertion: false, expands: false)
        if replaced.isInsertion { operation.element = links[link].id }
      }
      guard result.operations.count < limits.operations else {
        throw AutomergeError(.limit, "more than \(limits.operations) operations")
      }
      operation.referenceStart = Int32(result.references.count)
      while link < links.count, links[link].successor == key {
        let replaced = store.operations[Int(links[link].row)]
        let element = replaced.isInsertion ? links[link].id : replaced.element
        guard replaced.object == operation.object, replaced.key == operation.key,
          operation.key >= 0 || element == operation.element
        else {
          throw AutomergeError(
            "operation \(id.counter) replaces what stands at another place than it does itself")
        }
        result.references.append(links[link].id)
        link += 1
      }
      operation.referenceCount = Int32(result.references.count) - operation.referenceStart
      result.operations.append(operation)
      names.append(id)
    }
    return names
  }

  /// Finds which operations, by actor and counter, belong to which change.
  private func distribute(
    _ ids: [OperationID], actorCount: Int
  ) throws(AutomergeError) -> [Range<Int>] {
    var byActor = [[Int32]](repeating: [], count: actorCount)
    for (row, change) in rows.enumerated() { byActor[Int(change.actor)].append(Int32(row)) }
    var ranges = [Range<Int>](repeating: 0..<0, count: rows.count)
    var place = 0
    for (actor, unsorted) in byActor.enumerated() {
      let ofActor = unsorted.sorted { rows[Int($0)].sequence < rows[Int($1)].sequence }
      for (index, row) in ofActor.enumerated() {
        let change = rows[Int(row)]
        guard change.sequence == index + 1 else {
          let isTwice = change.sequence <= index
          throw AutomergeError(
            isTwice ? .forked : .damaged,
            isTwice
              ? "two changes have the number \(change.sequence) of one actor"
              : "change \(index + 1) of an actor is missing")
        }
        let first = place
        while place < ids.count, ids[place].actor == UInt32(actor),
          ids[place].counter <= change.lastCounter
        {
          guard place == first || ids[place].counter == ids[place - 1].counter + 1 else {
            throw AutomergeError(
              "operation \(ids[place - 1].counter + 1) of change \(change.sequence) is missing")
          }
          place += 1
        }
        guard place == first || ids[place - 1].counter == change.lastCounter else {
          throw AutomergeError(
            "operation \(change.lastCounter) of change \(change.sequence) is missing")
        }
        ranges[Int(row)] = first..<place
      }
      guard place == ids.count || ids[place].actor != UInt32(actor) else {
        throw AutomergeError("operation \(ids[place].counter) belongs to no change")
      }
    }
    return ranges
  }

  private func hashed(
    _ ranges: [Range<Int>], of store: borrowing OperationStore, _ ids: [OperationID],
    _ actors: ActorTable, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) -> [Change] {
    var writer = ChangeWriter(actorCount: actors.actors.count)
    var isHead = [Bool](repeating: true, count: rows.count)
    var changes: [Change] = []
    changes.reserveCapacity(rows.count)
    for (row, range) in zip(rows, ranges) {
      let parents = dependencies[row.dependencies]
      let leastSize =
        ChangeHash.size * parents.count + row.message.count + row.extra.count
        + store.leastSize(of: range)
      try limits.count(rebuiltBytes: leastSize)
      for parent in parents { isHead[Int(parent)] = false }
      var change = Change(
        hash: ChangeHash([]), actor: row.actor, sequence: row.sequence,
        firstCounter: range.isEmpty ? row.lastCounter + 1 : ids[range.lowerBound].counter,
        operations: range, time: row.time, message: row.message,
        dependencies: parents.map { changes[Int($0)].hash }, extra: row.extra, verbatim: nil)
      if change.dependencies.count > 1 { change.dependencies.sort() }
      let body = writer.body(of: change, in: store, actors: actors.actors)
      try limits.count(rebuiltBytes: max(0, body.count - leastSize))
      change.hash = ChangeHash(ofChunk: Chunk.Kind.change.rawValue, body: body[...])
      changes.append(change)
    }
    let heads = changes.indices.filter { isHead[$0] }.map { changes[$0].hash }.sorted()
    guard heads == self.heads else {
      let unknown = unknownColumns.map(String.init)
      guard unknown.isEmpty else {
        throw AutomergeError(
          .newerFormat,
          "columns that this version does not know: " + unknown.joined(separator: ", "))
      }
      throw AutomergeError("its changes do not lead to its heads")
    }
    return changes
  }
}
