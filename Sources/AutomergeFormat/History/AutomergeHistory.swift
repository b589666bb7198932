/// The changes of one or more copies of a document, each once.
package struct AutomergeHistory: Sendable {
  /// The bytes of one copy.
  package struct Source: Sendable {
    let bytes: [UInt8]
    let range: Range<Int>

    /// The chunks that stand in a range of a file.
    package init(_ bytes: [UInt8], _ range: Range<Int>) {
      self.bytes = bytes
      self.range = range
    }
  }

  /// What one copy holds.
  package struct Copy: Sendable {
    /// Its changes, by their numbers in the history.
    package internal(set) var changes: [Int] = []
    package internal(set) var chunks: [Chunk] = []
    /// Columns of no meaning to this version, which no change needs.
    package internal(set) var unknownColumns: [UInt32] = []
    /// Whether what a chunk says about the rows of its heads is wrong, which harms nobody.
    package internal(set) var hasWrongHeadIndexes = false
  }

  /// The actors, in the order of their bytes.
  package internal(set) var actors: ActorTable
  /// All changes, in the order they were found.
  package internal(set) var changes: [Change] = []
  package internal(set) var store = OperationStore()
  package internal(set) var copies: [Copy] = []
  /// The number of each change, by its hash.
  package internal(set) var numbers: [ChangeHash: Int] = [:]
  /// The changes of which all earlier ones are there, each after them, in an order that depends on
  /// nothing but the set.
  package internal(set) var order: [Int] = []
  /// The other changes, by hash.
  package internal(set) var pending: [Int] = []
  /// The changes in ``order`` that each one was made upon, by their numbers.
  package internal(set) var parents: [[Int32]] = []
  /// Each actor's changes in ``order``, by sequence number.
  package private(set) var changesByActor: [[Int32]] = []

  /// A history without changes by these actors.
  init(actors: ActorTable) { self.actors = actors }

  /// Groups the changes in ``order`` by their actors.
  mutating func groupByActor() {
    changesByActor = Array(repeating: [], count: actors.actors.count)
    for number in order { changesByActor[Int(changes[number].actor)].append(Int32(number)) }
    for actor in changesByActor.indices {
      changesByActor[actor].sort { changes[Int($0)].sequence < changes[Int($1)].sequence }
    }
  }

  /// The changes in ``order`` that no other one was made upon, by hash.
  package var heads: [ChangeHash] { heads(of: order).map { changes[$0].hash } }

  /// Those of some changes in ``order`` that none of the others was made upon, by hash.
  package func heads(of numbers: some Collection<Int>) -> [Int] {
    var hasChild = [Bool](repeating: false, count: changes.count)
    for number in numbers {
      for parent in parents[number] { hasChild[Int(parent)] = true }
    }
    return numbers.filter { !hasChild[$0] }.sorted { changes[$0].hash < changes[$1].hash }
  }
}

extension AutomergeHistory {
  /// Reads copies of a document, and brings them together: O(n log n) for n operations.
  package init(_ sources: [Source]) throws(AutomergeError) {
    self = .empty
    var copy: Int?
    do throws(AutomergeError) {
      try read(sources, &copy)
    } catch {
      var error = error
      error.copy = copy
      throw error
    }
  }

  /// Reads one copy.
  package init(_ source: Source) throws(AutomergeError) { try self.init([source]) }

  /// Reads copies; `copy` is the number of the one at hand.
  private mutating func read(_ sources: [Source], _ copy: inout Int?) throws(AutomergeError) {
    var reading: [ReadSource] = []
    var limits = AutomergeLimits(fileSize: sources.reduce(0) { $0 + $1.range.count })
    for number in sources.indices {
      copy = number
      reading.append(try ReadSource(sources[number], &limits))
    }
    actors = ActorTable(reading.lazy.flatMap(\.actors))
    var writer = ChangeWriter(actorCount: actors.actors.count)
    for number in reading.indices {
      copy = number
      reading[number].actors = []
      try add(reading[number], writer: &writer, &limits)
      if sources.count > 1 { reading[number].changes = [] }
    }
    copy = nil
    try arrange()
    for number in copies.indices {
      copy = number
      try checkPending(copies[number])
    }
  }

  /// A copy whose chunks are found, and whose actors are known.
  private struct ReadSource {
    let bytes: [UInt8]
    let chunks: [Chunk]
    /// The change chunks, by the chunk's number.
    var changes: [ChangeReader?] = []
    var actors: [[UInt8]] = []

    init(_ source: Source, _ limits: inout AutomergeLimits) throws(AutomergeError) {
      bytes = source.bytes
      chunks = try Chunk.chunks(in: bytes, source.range)
      for chunk in chunks {
        guard chunk.kind != .document else {
          changes.append(nil)
          actors += try DocumentReader.actors(of: chunk, bytes)
          continue
        }
        let change = try ChangeReader(chunk, bytes, &limits)
        actors += try change.actors(&limits)
        changes.append(change)
      }
    }
  }

  private mutating func add(
    _ source: ReadSource, writer: inout ChangeWriter, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    var copy = Copy()
    copy.chunks = source.chunks
    var seen = Set<Int>()
    for (chunk, change) in zip(source.chunks, source.changes) {
      let own: [Int]
      if let number = change.flatMap({ numbers[$0.hash] }) {
        own = [number]
      } else if let change {
        own = [add(try change.change(into: &store, actors: actors, writer: &writer, &limits))]
      } else {
        own = try changes(of: chunk, source, in: &copy, &limits)
      }
      copy.changes += own.filter { seen.insert($0).inserted }
    }
    copies.append(copy)
  }

  /// Adds a change that is not there yet, and returns its number.
  mutating func add(_ change: Change) -> Int {
    numbers[change.hash] = changes.count
    changes.append(change)
    return changes.count - 1
  }

  /// Adds the changes of a document chunk, and returns the numbers of all.
  private mutating func changes(
    of chunk: Chunk, _ source: ReadSource, in copy: inout Copy, _ limits: inout AutomergeLimits
  ) throws(AutomergeError) -> [Int] {
    do throws(AutomergeError) {
      var document = try DocumentReader(
        chunk, source.bytes, actors: actors, texts: store.texts, &limits)
      copy.unknownColumns += document.unknownColumns
      let operations = try document.takeApart(actors: actors, &limits)
      if document.hasWrongHeadIndexes { copy.hasWrongHeadIndexes = true }
      // The table of the first chunk of all is taken as it is.
      guard changes.isEmpty else { return try add(document.changes, of: operations, limits) }
      store = operations
      return document.changes.map { add($0) }
    } catch {
      // Errors without a place get that of the chunk.
      throw AutomergeError(error.kind, at: error.offset ?? chunk.offset, error.reason)
    }
  }

  private mutating func add(
    _ found: [Change], of other: borrowing OperationStore, _ limits: AutomergeLimits
  ) throws(AutomergeError) -> [Int] {
    store.texts = other.texts
    var result: [Int] = []
    for var change in found {
      if let number = numbers[change.hash] {
        result.append(number)
        continue
      }
      let first = store.operations.count
      for place in change.operations {
        try store.append(other.operations[place], from: other, limits: limits)
      }
      change.operations = first..<store.operations.count
      result.append(add(change))
    }
    return result
  }
}

/// The actors of a history, numbered in the order of their bytes.
package struct ActorTable: Sendable {
  /// The actors' bytes, by number.
  package let actors: [[UInt8]]
  private let numbers: [[UInt8]: UInt32]

  /// Numbers actors that are given in any order, some perhaps more than once.
  init(_ all: some Sequence<[UInt8]>) {
    actors = Set(all).sorted { $0.lexicographicallyPrecedes($1) }
    numbers = Dictionary(
      uniqueKeysWithValues: actors.enumerated().map { ($1, UInt32($0)) })
  }

  /// The number of an actor that is in the table.
  subscript(actor: [UInt8]) -> UInt32 {
    guard let number = numbers[actor] else { preconditionFailure("all actors are in the table") }
    return number
  }
}
