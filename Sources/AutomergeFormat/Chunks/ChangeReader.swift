/// Reads change chunks.
struct ChangeReader {
  /// A change chunk that has been inflated, but not been looked into.
  struct Inflated {
    let bytes: [UInt8]
    let body: Range<Int>
    /// Where the chunk stands in the file, if its bytes do not stand there.
    let place: Int?
    let hash: ChangeHash
  }

  /// Inflates a chunk if need be, and checks its checksum.
  static func inflated(
    _ chunk: Chunk, _ bytes: [UInt8], _ use: inout AutomergeUse
  ) throws(AutomergeError) -> Inflated {
    let isCompressed = chunk.kind == .compressedChange
    let bytes = isCompressed ? try use.inflated(bytes, chunk.body) : bytes
    let body = isCompressed ? bytes.indices : chunk.body
    let hash = ChangeHash(ofChunk: Chunk.Kind.change.rawValue, body: bytes[body])
    try chunk.check(hash)
    return Inflated(
      bytes: bytes, body: body, place: isCompressed ? chunk.body.lowerBound : nil, hash: hash)
  }

  /// Reads which actors a change names, the author first.
  static func actors(
    of chunk: Inflated, _ use: inout AutomergeUse
  ) throws(AutomergeError) -> [[UInt8]] {
    var reader = ByteReader(chunk.bytes, chunk.body, place: chunk.place)
    let head = try Head(&reader, &use)
    return [head.actor] + head.others
  }

  /// What stands in front of the operations.
  private struct Head {
    let dependencies: [ChangeHash]
    let actor: [UInt8]
    let sequence: UInt64
    let firstCounter: UInt64
    let time: Int64
    let message: [UInt8]
    let others: [[UInt8]]

    init(_ reader: inout ByteReader, _ use: inout AutomergeUse) throws(AutomergeError) {
      var hashes: [ChangeHash] = []
      for _ in 0..<(try reader.count()) { hashes.append(try reader.hash()) }
      dependencies = hashes
      actor = Array(reader.bytes[try reader.lengthAndRange()])
      sequence = try reader.unsigned()
      firstCounter = try reader.unsigned()
      time = try reader.signed()
      message = Array(reader.bytes[try reader.text()])
      var actors: [[UInt8]] = []
      let count = try reader.count()
      try use.count(actors: 1 + count)
      for _ in 0..<count {
        actors.append(Array(reader.bytes[try reader.lengthAndRange()]))
      }
      others = actors
    }
  }

  /// Reads a change, and its operations into a store.
  ///
  /// It is written again, to see whether that gives the same bytes.
  static func change(
    _ chunk: Inflated, into store: inout OperationStore, actors: ActorTable,
    writer: inout ChangeWriter, limits: AutomergeLimits
  ) throws(AutomergeError) -> Change {
    var reader = ByteReader(chunk.bytes, chunk.body, place: chunk.place)
    let start = reader.offset
    // The actors are counted already.
    var use = AutomergeUse(limits)
    let head = try Head(&reader, &use)
    guard let sequence = Int32(exactly: head.sequence), sequence > 0 else {
      throw reader.error("a change with the number \(head.sequence) of its actor", at: start)
    }
    guard let firstCounter = UInt32(exactly: head.firstCounter), firstCounter > 0 else {
      throw reader.error(
        "a change that begins with operation \(head.firstCounter)", at: start)
    }
    let metadata = try ColumnSet.Metadata(&reader)
    var columns = try ColumnSet(metadata, &reader, ofDocument: false, &use)
    let numbers = ([head.actor] + head.others).map { actors[$0] }
    let first = store.operations.count
    var rows = OperationReader(&columns, ofDocument: false, actors: numbers, limits: limits)
    while !rows.isAtEnd { store.operations.append(try rows.next(into: &store)) }
    try rows.finish()
    let count = store.operations.count - first
    guard Int64(firstCounter) + Int64(count) <= AutomergeLimits.counter else {
      throw reader.error(
        "operations with higher numbers than \(AutomergeLimits.counter)", at: start)
    }
    var change = Change(
      hash: chunk.hash, actor: numbers[0], sequence: Int(sequence), firstCounter: firstCounter,
      operations: first..<store.operations.count, time: head.time, message: head.message,
      dependencies: head.dependencies,
      extra: Array(chunk.bytes[reader.offset..<reader.end]), verbatim: nil)
    let body = chunk.bytes[chunk.body]
    let isCanonical = writer.body(of: change, in: store, actors: actors.actors)[...] == body
    let hasValues = store.operations[change.operations].contains {
      $0.action == .delete
        && ($0.valueType != 0 || $0.isInsertion || $0.markName >= 0 || $0.expands)
    }
    if !isCanonical || hasValues { change.verbatim = Array(body) }
    return change
  }
}
