/// Reads document chunks: operations with what replaced them, in the order of the content.
struct DocumentReader {
  /// The changes in the order of the chunk; what the table of changes does not tell of them is not
  /// there until ``takeApart(actors:_:)``.
  private(set) var changes: [Change] = []
  /// Where the rows that each change was made upon stand among ``links``.
  private var parents: [Range<Int>] = []
  private var links: [Int32] = []
  private var heads: [ChangeHash] = []
  /// The operations, row by row; references are to what replaced them.
  private var store = OperationStore()
  /// The name of each row's operation.
  private var ids: [OperationID] = []
  /// Columns that are not known, of changes and of operations.
  private(set) var unknownColumns: [UInt32] = []
  /// What the table of heads' rows says; `nil` if it is left out.
  private var headIndexes: [Int]?

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

  /// Reads a chunk, whose checksum is checked; texts have the numbers of a table that grows.
  init(
    _ chunk: Chunk, _ bytes: [UInt8], actors table: ActorTable, texts: TextTable,
    _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    store.texts = texts
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
    let table = try ColumnReaders(
      Column.changes, sizesOfChanges, &reader, ofDocument: true, &limits)
    let rows = try ColumnReaders(Column.rows, sizesOfRows, &reader, ofDocument: true, &limits)
    unknownColumns = table.unknown + rows.unknown
    try readChanges(table, actors: actors, limits: limits)
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
      guard changes.count < limits.operations else {
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
      var change = Change(
        actor: actors[Int(number)], sequence: Int(number32), firstCounter: last + 1,
        time: try columns[.time].total() ?? 0,
        message: try columns[.message].text(&messages).map { messages[$0] } ?? [])
      textBytes += change.message.count
      guard textBytes <= limits.rebuiltBytes else {
        throw AutomergeError(.limit, "more than \(limits.rebuiltBytes) bytes of messages")
      }
      let count = try columns[.dependencyCount].number() ?? 0
      guard count <= UInt64(limits.operations - links.count) else {
        throw AutomergeError(.limit, "more than \(limits.operations) links between changes")
      }
      let first = links.count
      for _ in 0..<count {
        guard let index = try columns[.dependencyIndex].total(),
          changes.indices.contains(Int(index))
        else {
          throw columns[.dependencyIndex].error(
            "change \(changes.count) is made upon one that comes later")
        }
        links.append(Int32(index))
      }
      parents.append(first..<links.count)
      if let metadata = try columns[.extraMetadata].number() {
        guard metadata & 15 == 7 || metadata == 0 else {
          throw columns[.extraMetadata].error("further bytes of a change that are none")
        }
        guard metadata >> 4 <= UInt64(columns[.extra].bytes.remaining) else {
          throw columns[.extra].error("a value of more bytes than are left")
        }
        let range = try columns[.extra].bytes.range(Int(metadata >> 4))
        change.extra = Array(columns[.extra].bytes.bytes[range])
      }
      changes.append(change)
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
  /// checks that they lead to the heads; gives all operations, deletions too, by actor and counter,
  /// with references to what each replaced: O(n log n).
  mutating func takeApart(
    actors: ActorTable, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) -> OperationStore {
    var operations = OperationStore()
    let names = try collect(into: &operations, limits: limits)
    // The rows take as much memory again.
    (store, ids) = (OperationStore(), [])
    try limits.count(rows: names.count + changes.count)
    try distribute(names, actorCount: actors.actors.count)
    try hashChanges(with: operations, actors, &limits)
    return operations
  }

  /// Whether what is said about the rows of the heads is wrong.
  var hasWrongHeadIndexes: Bool {
    guard let headIndexes else { return false }
    return heads != headIndexes.map { changes.indices.contains($0) ? changes[$0].hash : nil }
  }

  /// Something that tells of an operation: its own row, or that of one which it replaced.
  private struct Mention {
    /// Its name, by actor first.
    let name: UInt64
    let row: Int32
    let isOwn: Bool
  }

  /// Puts all operations into the store by actor and counter, and makes those that have no row:
  /// the deletions; their names.
  private func collect(
    into result: inout OperationStore, limits: AutomergeLimits
  ) throws(AutomergeError) -> [OperationID] {
    var mentions: [Mention] = []
    mentions.reserveCapacity(ids.count + store.references.count)
    for row in ids.indices {
      mentions.append(Mention(name: ids[row].byActor, row: Int32(row), isOwn: true))
      for successor in store.references(of: store.operations[row]) {
        mentions.append(Mention(name: successor.byActor, row: Int32(row), isOwn: false))
      }
    }
    mentions.sort { left, right in
      guard left.name == right.name else { return left.name < right.name }
      guard left.isOwn == right.isOwn else { return left.isOwn }
      return ids[Int(left.row)] < ids[Int(right.row)]
    }

    result.texts = store.texts
    result.values = store.values
    result.operations.reserveCapacity(mentions.count)
    result.references.reserveCapacity(store.references.count)
    var names: [OperationID] = []
    names.reserveCapacity(mentions.count)
    var next = 0
    while next < mentions.count {
      let first = mentions[next]
      let id = OperationID(packed: first.name << 32 | first.name >> 32)
      var operation = store.operations[Int(first.row)]
      if first.isOwn {
        next += 1
        guard next == mentions.count || mentions[next].name != id.byActor || !mentions[next].isOwn
        else { throw AutomergeError("two operations have the name \(id.counter)") }
      } else {
        operation = Operation(
          object: operation.object,
          element: operation.isInsertion ? ids[Int(first.row)] : operation.element,
          key: operation.key, action: .delete, isInsertion: false, expands: false)
      }
      guard result.operations.count < limits.operations else {
        throw AutomergeError(.limit, "more than \(limits.operations) operations")
      }
      operation.referenceStart = Int32(result.references.count)
      while next < mentions.count, mentions[next].name == first.name {
        // That they stand at the same place is checked with all other references.
        result.references.append(ids[Int(mentions[next].row)])
        next += 1
      }
      operation.referenceCount = Int32(result.references.count) - operation.referenceStart
      result.operations.append(operation)
      names.append(id)
    }
    return names
  }

  /// Finds which operations, by actor and counter, belong to which change.
  private mutating func distribute(
    _ names: [OperationID], actorCount: Int
  ) throws(AutomergeError) {
    let byActor = Groups(
      count: actorCount,
      changes.enumerated().map { (of: Int32($1.actor), member: Int32($0)) })
    var place = 0
    for actor in 0..<actorCount {
      let ofActor = byActor[actor].sorted {
        changes[Int($0)].sequence < changes[Int($1)].sequence
      }
      for number in ofActor {
        let change = changes[Int(number)]
        let first = place
        while place < names.count, names[place].actor == change.actor,
          names[place].counter <= change.lastCounter
        {
          guard place == first || names[place].counter == names[place - 1].counter + 1 else {
            throw AutomergeError(
              "operation \(names[place - 1].counter + 1) of change \(change.sequence) is missing")
          }
          place += 1
        }
        guard place > first else { continue }
        guard names[place - 1].counter == change.lastCounter else {
          throw AutomergeError(
            "operation \(change.lastCounter) of change \(change.sequence) is missing")
        }
        changes[Int(number)].firstCounter = names[first].counter
        changes[Int(number)].operations = first..<place
      }
      guard place == names.count || names[place].actor != UInt32(actor) else {
        throw AutomergeError("operation \(names[place].counter) belongs to no change")
      }
    }
  }

  private mutating func hashChanges(
    with store: borrowing OperationStore, _ actors: ActorTable, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    var writer = ChangeWriter(actorCount: actors.actors.count)
    var isHead = [Bool](repeating: true, count: changes.count)
    for number in changes.indices {
      var change = changes[number]
      let leastSize =
        ChangeHash.size * parents[number].count + change.message.count + change.extra.count
        + store.leastSize(of: change.operations)
      try limits.count(rebuiltBytes: leastSize)
      for parent in links[parents[number]] {
        isHead[Int(parent)] = false
        change.dependencies.append(changes[Int(parent)].hash)
      }
      change.dependencies.sort()
      let body = writer.body(of: change, in: store, actors: actors.actors)
      try limits.count(rebuiltBytes: max(0, body.count - leastSize))
      change.hash = ChangeHash(ofChunk: Chunk.Kind.change.rawValue, body: body[...])
      changes[number] = change
    }
    guard heads == changes.indices.filter({ isHead[$0] }).map({ changes[$0].hash }).sorted() else {
      guard unknownColumns.isEmpty else {
        throw AutomergeError(
          .newerFormat,
          "columns that this version does not know: "
            + unknownColumns.map(String.init).joined(separator: ", "))
      }
      throw AutomergeError("its changes do not lead to its heads")
    }
  }
}
