/// A change chunk that has been inflated: first its actors are read, and when all are known the rest.
struct ChangeReader {
  let hash: ChangeHash
  private let bytes: [UInt8]
  /// Where the body stands among these.
  private let body: Range<Int>
  /// Where the chunk stands in the file, if its bytes do not stand there.
  private let place: Int?

  /// Inflates a chunk if need be, and checks its checksum.
  init(
    _ chunk: Chunk, _ bytes: [UInt8], _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    let isCompressed = chunk.kind == .compressedChange
    self.bytes = isCompressed ? try limits.inflated(bytes, chunk.body) : bytes
    body = isCompressed ? self.bytes.indices : chunk.body
    place = isCompressed ? chunk.body.lowerBound : nil
    hash = ChangeHash(ofChunk: Chunk.Kind.change.rawValue, body: self.bytes[body])
    try chunk.check(hash)
  }

  /// What stands in front of the operations, which is read where it is used, so that many changes with
  /// many actors take no memory meanwhile.
  private struct Head {
    let dependencies: [ChangeHash]
    let sequence: UInt64
    let firstCounter: UInt64
    let time: Int64
    let message: [UInt8]
    /// The author first.
    let actors: [[UInt8]]

    /// `check` is given how many actors there are before they are read.
    init(
      _ reader: inout ByteReader, _ check: (Int) throws(AutomergeError) -> Void = { _ in }
    ) throws(AutomergeError) {
      var hashes: [ChangeHash] = []
      for _ in 0..<(try reader.count()) { hashes.append(try reader.hash()) }
      dependencies = hashes
      var actors = [Array(reader.bytes[try reader.lengthAndRange()])]
      sequence = try reader.unsigned()
      firstCounter = try reader.unsigned()
      time = try reader.signed()
      message = Array(reader.bytes[try reader.text()])
      let count = try reader.count()
      try check(1 + count)
      for _ in 0..<count { actors.append(Array(reader.bytes[try reader.lengthAndRange()])) }
      self.actors = actors
    }
  }

  /// The actors that the change names, the author first.
  func actors(_ limits: inout AutomergeLimits) throws(AutomergeError) -> [[UInt8]] {
    var reader = ByteReader(bytes, body, place: place)
    return try Head(&reader) { (count) throws(AutomergeError) in
      try limits.count(actors: count)
    }.actors
  }

  /// Reads the operations into a store, and writes the change again, to see whether that gives the same
  /// bytes.
  func change(
    into store: inout OperationStore, actors: ActorTable, writer: inout ChangeWriter,
    _ limits: inout AutomergeLimits
  ) throws(AutomergeError) -> Change {
    var reader = ByteReader(bytes, body, place: place)
    let head = try Head(&reader)
    guard let number = Int32(exactly: head.sequence), number > 0 else {
      throw reader.error(
        "a change with the number \(head.sequence) of its actor", at: body.lowerBound)
    }
    guard let firstCounter = UInt32(exactly: head.firstCounter), firstCounter > 0 else {
      throw reader.error(
        "a change that begins with operation \(head.firstCounter)", at: body.lowerBound)
    }
    let sizes = try ColumnSizes(&reader)
    let numbers = head.actors.map { actors[$0] }
    let first = store.operations.count
    var rows = OperationReader(
      try ColumnReaders(Column.operations, sizes, &reader, ofDocument: false, &limits),
      actors: numbers, limits: limits)
    while !rows.isAtEnd { store.operations.append(try rows.next(into: &store)) }
    try rows.finish()
    let count = store.operations.count - first
    guard Int64(firstCounter) + Int64(count) <= AutomergeLimits.counter else {
      throw reader.error(
        "operations with higher numbers than \(AutomergeLimits.counter)", at: self.body.lowerBound)
    }
    var change = Change(
      hash: hash, actor: numbers[0], sequence: Int(number), firstCounter: firstCounter,
      operations: first..<store.operations.count, time: head.time, message: head.message,
      dependencies: head.dependencies, extra: Array(reader.bytes[reader.offset..<reader.end]))
    let body = reader.bytes[body]
    let isCanonical = writer.body(of: change, in: store, actors: actors.actors)[...] == body
    let hasValues = store.operations[change.operations].contains {
      $0.action == .delete
        && ($0.valueType != 0 || $0.isInsertion || $0.markName >= 0 || $0.expands)
    }
    if !isCanonical || hasValues { change.verbatim = Array(body) }
    return change
  }
}

/// Writes changes in the one form that their hashes are taken of, with the buffers of the last one.
struct ChangeWriter {
  private var columns = ColumnWriters(Column.operations)
  private var body: [UInt8] = []
  /// The actors that the change names, its author first.
  private var named: ActorNumbers

  init(actorCount: Int) { named = ActorNumbers(count: actorCount) }

  /// Writes the body of a change chunk; the change's dependencies may stand in any order.
  mutating func body(
    of change: Change, in store: borrowing OperationStore, actors: [[UInt8]]
  ) -> [UInt8] {
    named.removeAll()
    named.add(change.actor)
    for place in change.operations {
      let operation = store.operations[place]
      named.add(operation)
      for reference in store.references(of: operation) { named.add(reference.actor) }
    }
    named.number(keeping: 1)
    body.removeAll(keepingCapacity: true)
    body.append(unsigned: UInt64(change.dependencies.count))
    for hash in change.dependencies.sorted() { body += hash.bytes }
    body.append(counted: actors[Int(change.actor)])
    body.append(unsigned: UInt64(change.sequence))
    body.append(unsigned: UInt64(change.firstCounter))
    body.append(signed: change.time)
    body.append(counted: change.message)
    body.append(unsigned: UInt64(named.actors.count - 1))
    for actor in named.actors.dropFirst() { body.append(counted: actors[Int(actor)]) }
    for place in change.operations {
      let operation = store.operations[place]
      columns.append(
        operation, in: store, references: store.references(of: operation), numbers: named.numbers)
    }
    columns.appendSizes(to: &body)
    columns.appendColumns(to: &body)
    body.append(contentsOf: change.extra)
    return body
  }
}

/// The actors that a chunk names, and what numbers it gives them; used again after ``removeAll()``.
struct ActorNumbers {
  /// By the history's numbers, the chunk's; of others than ``actors`` they mean nothing.
  private(set) var numbers: [UInt32]
  /// The actors by the chunk's numbers.
  private(set) var actors: [UInt32] = []

  init(count: Int) { numbers = Array(repeating: .max, count: count) }

  /// Adds an actor, unless it is there.
  mutating func add(_ actor: UInt32) {
    guard numbers[Int(actor)] == .max else { return }
    numbers[Int(actor)] = 0
    actors.append(actor)
  }

  /// Adds those that are named by what an operation changes.
  mutating func add(_ operation: Operation) {
    if operation.object != .none { add(operation.object.actor) }
    if operation.element != .none { add(operation.element.actor) }
  }

  /// Numbers all in the order of their bytes, behind so many that keep their places.
  mutating func number(keeping count: Int) {
    actors[count...].sort()
    for (number, actor) in actors.enumerated() { numbers[Int(actor)] = UInt32(number) }
  }

  /// Begins anew.
  mutating func removeAll() {
    for actor in actors { numbers[Int(actor)] = .max }
    actors.removeAll(keepingCapacity: true)
  }
}
