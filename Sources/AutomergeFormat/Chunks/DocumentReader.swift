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
  private(set) var unknownColumns: [ColumnSpec] = []
  /// Whether the table of heads' rows says something else than the heads do.
  private(set) var wrongHeadIndexes: [Int]?

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
    let changeMetadata = try ColumnSet.Metadata(&reader)
    let operationMetadata = try ColumnSet.Metadata(&reader)
    var changeColumns = try ColumnSet(changeMetadata, &reader, ofDocument: true, &limits)
    var operationColumns = try ColumnSet(operationMetadata, &reader, ofDocument: true, &limits)
    try readChanges(&changeColumns, actors: actors, limits: limits)
    try readOperations(&operationColumns, actors: actors, limits: limits)
    unknownColumns = changeColumns.left + operationColumns.left
    if !reader.isAtEnd {
      var indexes: [Int] = []
      for _ in heads {
        indexes.append(Int(min(try reader.unsigned(), UInt64(Int32.max))))
      }
      guard reader.isAtEnd else { throw reader.error("bytes behind the end of the document") }
      wrongHeadIndexes = indexes
    }
  }

  private mutating func readChanges(
    _ columns: inout ColumnSet, actors: [UInt32], limits: AutomergeLimits
  ) throws(AutomergeError) {
    var actor = RunReader<UInt64>(columns.take(.changeActor))
    var sequence = DeltaReader(columns.take(.changeSequence))
    var maxOperation = DeltaReader(columns.take(.changeMaxOperation))
    var time = DeltaReader(columns.take(.changeTime))
    var message = RunReader<TextBytes>(columns.take(.changeMessage))
    var dependencyCount = RunReader<UInt64>(columns.take(.dependencyCount))
    var dependencyIndex = DeltaReader(columns.take(.dependencyIndex))
    var extraMetadata = RunReader<UInt64>(columns.take(.extraMetadata))
    var extra = columns.take(.extra)
    var textBytes = 0
    while !actor.isAtEnd {
      guard rows.count < limits.operations else {
        throw AutomergeError(.limit, "more than \(limits.operations) changes")
      }
      guard let number = try actor.next(), number < UInt64(actors.count) else {
        throw actor.error("a change by no actor of the document")
      }
      guard let number64 = try sequence.next(), let number32 = Int32(exactly: number64),
        number32 > 0
      else { throw sequence.error("a change without its number") }
      guard let last64 = try maxOperation.next(), let last = UInt32(exactly: last64),
        last64 <= AutomergeLimits.counter
      else { throw maxOperation.error("a change without its last operation") }
      var row = ChangeRow(
        actor: actors[Int(number)], sequence: Int(number32), lastCounter: last,
        time: try time.next() ?? 0, message: try message.next()?.bytes ?? [], dependencies: 0..<0)
      textBytes += row.message.count
      guard textBytes <= limits.rebuiltBytes else {
        throw AutomergeError(.limit, "more than \(limits.rebuiltBytes) bytes of messages")
      }
      let count = try dependencyCount.next() ?? 0
      guard count <= UInt64(limits.operations - dependencies.count) else {
        throw AutomergeError(.limit, "more than \(limits.operations) links between changes")
      }
      let first = dependencies.count
      for _ in 0..<count {
        guard let index = try dependencyIndex.next(), index >= 0, index < rows.count else {
          throw dependencyIndex.error("change \(rows.count) is made upon one that comes later")
        }
        dependencies.append(Int32(index))
      }
      row.dependencies = first..<dependencies.count
      if let metadata = try extraMetadata.next() {
        guard metadata & 15 == 7 || metadata == 0 else {
          throw extraMetadata.error("further bytes of a change that are none")
        }
        guard metadata >> 4 <= UInt64(extra.remaining) else {
          throw extra.error("a value of more bytes than are left")
        }
        row.extra = Array(extra.bytes[try extra.range(Int(metadata >> 4))])
      }
      rows.append(row)
    }
    try sequence.finish("changes' numbers")
    try maxOperation.finish("changes' last operations")
    try time.finish("times")
    try message.finish("messages")
    try dependencyCount.finish("counts of links")
    try dependencyIndex.finish("links")
    try extraMetadata.finish("further bytes")
    guard extra.isAtEnd else { throw extra.error("further bytes that belong to no change") }
  }

  private mutating func readOperations(
    _ columns: inout ColumnSet, actors: [UInt32], limits: AutomergeLimits
  ) throws(AutomergeError) {
    var idActor = RunReader<UInt64>(columns.take(.idActor))
    var idCounter = DeltaReader(columns.take(.idCounter))
    var operations = OperationReader(&columns, ofDocument: true, actors: actors, limits: limits)
    while !operations.isAtEnd {
      guard let actor = try idActor.next(), let counter = try idCounter.next() else {
        throw idActor.error("an operation without a name")
      }
      ids.append(try actors.identifier(actor, counter) { idCounter.error($0) })
      let operation = try operations.next(into: &store)
      guard operation.action != .delete else {
        throw idCounter.error("a deletion, which a document has no rows for")
      }
      store.operations.append(operation)
    }
    try idActor.finish("names")
    try idCounter.finish("names")
    try operations.finish()
  }
}
