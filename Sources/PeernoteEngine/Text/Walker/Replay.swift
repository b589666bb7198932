/// A replay of the whole history of a document's texts: the name of every visible scalar, and of
/// every scalar that a deletion removed.
///
/// Where history is linear each operation is applied as it stands, without a tracker
/// (fast-forward). Between two critical versions where it is not, a walker with a state of its own
/// orders what is concurrent; what that comes to is then applied to the texts, and the state is
/// dropped. O(n log n) for n operations, plus what their concurrency costs.
package struct Replay: ~Copyable {
  package let log: Log
  /// The texts that are left out.
  private let skipped: Set<ContainerIndex>
  /// The visible scalars of all texts that were ever edited.
  private var texts = Tracker()
  /// All deletions, ascending by event.
  package private(set) var deletions: [VersionIndex.Entry] = []
  /// How many steps all walks took so far; together they may take ``Log/workLimit``.
  private var steps = 0
  private let memoryLimit: Int

  /// How much of its steps and pieces the replay took: 1 is all.
  var effort: Double {
    max(
      Double(steps) / Double(log.workLimit),
      Double(deletions.count) / Double(log.deletedPieceLimit))
  }

  /// Replays a log, but for the texts `skipped`.
  ///
  /// A `memoryLimit` of `nil` means what checking a file with the history may take. Throws if an
  /// operation does not apply at its version, or a limit is passed.
  package init(
    _ log: Log, without skipped: Set<ContainerIndex> = [], memoryLimit: Int? = nil
  ) throws(HistoryError) {
    self.log = log
    self.skipped = skipped
    self.memoryLimit =
      memoryLimit ?? log.limits.memoryLeft(for: log.fileSize, beside: log.byteCount)
    // Each operation removes at least one run: to grow would take up to three times their room.
    let least = log.operations.count { $0.kind.editsText && $0.kind != .insertText }
    deletions.reserveCapacity(
      min(least, self.memoryLimit / MemoryLayout<VersionIndex.Entry>.stride))
    for (concurrent, linear) in CriticalVersions(of: log.graph).parts {
      try walk(concurrent)
      try fastForward(linear)
    }
  }

  /// Calls `body` with the runs of visible scalars of a text, in order.
  package borrowing func forEachRun(
    of container: ContainerIndex, _ body: (_ first: LocalVersion, _ length: Int32) -> Void
  ) {
    guard let sequence = texts.sequences[container] else { return }
    texts.forEachItem(of: sequence) { body($0.first, $0.length) }
  }

  /// How many runs of visible scalars all texts have.
  package var runCount: Int { texts.itemCount }

  /// How many scalars of a text are visible.
  package borrowing func length(of container: ContainerIndex) -> Int {
    texts.sequences[container].map { Int(texts.length(of: $0)) } ?? 0
  }

  /// How many bytes the visible scalars and the deletions take.
  private var byteCount: Int {
    texts.sequenceByteCount + deletions.count * MemoryLayout<VersionIndex.Entry>.stride
  }

  /// The sequence of the text that an operation edits; `nil` for other containers and texts that
  /// are left out.
  private mutating func sequence(of operation: Operation) -> Tracker.SequenceHandle? {
    guard operation.kind.editsText else { return nil }
    if let known = texts.sequences[operation.container] { return known }
    if skipped.contains(operation.container) { return nil }
    texts.addSequence(for: operation.container, placeholder: 0)
    return texts.sequences[operation.container]
  }

  // MARK: Linear history

  private mutating func fastForward(_ events: Range<LocalVersion>) throws(HistoryError) {
    try log.forEachOperation(in: events) { (operation) throws(HistoryError) in
      guard let sequence = sequence(of: operation) else { return }
      guard apply(operation, to: sequence) else {
        throw HistoryError(.positionOutOfRange, event: operation.first)
      }
      guard byteCount <= memoryLimit else {
        throw HistoryError(.tooMuchMemory, event: operation.first)
      }
    }
  }

  private mutating func apply(
    _ operation: Operation, to sequence: Tracker.SequenceHandle
  ) -> Bool {
    if operation.kind == .insertText {
      return texts.insertForward(
        operation.first, length: operation.length, at: operation.position, of: sequence)
    }
    let backward = operation.kind == .deleteBackward
    let first = deletions.count
    var done: Int32 = 0
    let applied = texts.removeForward(operation.length, at: operation.position, of: sequence) {
      target, length in
      deletions.append(
        .init(
          of: target..<target + length, after: done, by: operation.events, backward: backward))
      done += length
    }
    if backward { deletions[first...].reverse() }
    return applied
  }

  // MARK: Concurrent history

  /// Where some scalars of a placeholder stand for others.
  private struct Standin {
    var placeholder: LocalVersion
    var scalar: LocalVersion
    var length: Int32
  }

  /// Scalars that a walk has found, of the old text those of its placeholder.
  private struct Piece {
    var first: LocalVersion
    var length: Int32
    var isDeleted: Bool
  }

  /// Walks what lies between two critical versions, and applies what it comes to.
  private mutating func walk(_ events: Range<LocalVersion>) throws(HistoryError) {
    var containers: Set<ContainerIndex> = []
    log.forEachOperation(in: events) { operation in
      if sequence(of: operation) != nil { containers.insert(operation.container) }
    }
    if containers.isEmpty { return }
    let touched = containers.sorted()
    // The walker is gone before what it found takes room among the texts.
    let outcome = try outcome(of: events, in: touched)
    texts.reserve(items: outcome.pieces.reduce(0) { $0 + $1.count })
    var standins: [Standin] = []
    for (container, pieces) in zip(touched, outcome.pieces) {
      apply(pieces, to: container, &standins)
    }
    standins.sort { $0.placeholder < $1.placeholder }
    for deletion in outcome.deletions { record(deletion, standins: standins) }
    guard deletions.count <= log.deletedPieceLimit else {
      throw HistoryError(.tooMuchWork, event: events.upperBound - 1)
    }
    guard byteCount <= memoryLimit else {
      throw HistoryError(.tooMuchMemory, event: events.upperBound - 1)
    }
  }

  /// What lies between two critical versions comes to: of each text the pieces in order, but for
  /// what came and went in between, and the deletions, ascending by event.
  private mutating func outcome(
    of events: Range<LocalVersion>, in containers: [ContainerIndex]
  ) throws(HistoryError) -> (pieces: [[Piece]], deletions: [VersionIndex.Entry]) {
    var walker = Walker(
      log: log, after: log.graph.cut(after: events.lowerBound - 1),
      texts: containers.map { (container: $0, placeholder: length(of: $0)) },
      workLimit: log.workLimit - steps, memoryLimit: memoryLimit - byteCount)
    try walker.walk(sides: .allBoth, upTo: events.upperBound)
    steps += walker.steps
    var all: [[Piece]] = []
    for container in containers {
      var pieces: [Piece] = []
      if let sequence = walker.tracker.sequences[container] {
        pieces.reserveCapacity(walker.tracker.itemCount(of: sequence))
        walker.tracker.forEachItem(of: sequence) { item in
          let isDeleted = !item.deletedBy.isEmpty
          if isDeleted, item.first.isEvent { return }
          pieces.append(Piece(first: item.first, length: item.length, isDeleted: isDeleted))
        }
      }
      all.append(pieces)
    }
    return (all, walker.tracker.deletionsInOrder)
  }

  /// Applies what a walk came to to a text, and records which of its scalars the walk called by their
  /// placeholder's names and deleted.
  private mutating func apply(
    _ pieces: [Piece], to container: ContainerIndex, _ standins: inout [Standin]
  ) {
    guard let sequence = texts.sequences[container] else {
      preconditionFailure("every text has a sequence")
    }
    var position: Int32 = 0
    for piece in pieces {
      if piece.isDeleted {
        var placeholder = piece.first
        let removed = texts.removeForward(piece.length, at: position, of: sequence) {
          scalar, length in
          standins.append(Standin(placeholder: placeholder, scalar: scalar, length: length))
          placeholder += length
        }
        precondition(removed, "a placeholder is as long as the text that it stands for")
        continue
      }
      if piece.first.isEvent {
        let inserted = texts.insertForward(
          piece.first, length: piece.length, at: position, of: sequence)
        precondition(inserted, "a walk's pieces tile the text")
      }
      position += piece.length
    }
  }

  /// Notes deletions, with the scalars that a placeholder stands for; none beyond the limit but
  /// one.
  private mutating func record(_ deletion: VersionIndex.Entry, standins: [Standin]) {
    guard !deletion.target.isEvent else {
      if deletions.count <= log.deletedPieceLimit { deletions.append(deletion) }
      return
    }
    let backward = deletion.kind == .deletionBackward
    var (event, target) = (deletion.first, deletion.target)
    while event < deletion.end, deletions.count <= log.deletedPieceLimit {
      let standin = standins[standins.partitionPoint { $0.placeholder > target } - 1]
      let offset = target - standin.placeholder
      let count = min(deletion.end - event, backward ? offset + 1 : standin.length - offset)
      deletions.append(
        .init(
          first: event, length: count, target: standin.scalar + offset, kind: deletion.kind))
      event += count
      target += backward ? -count : count
    }
  }
}

extension Replay {
  /// The texts that are not as long as the history makes them, by container number, ascending, in
  /// O(containers).
  package borrowing func lengthFaults(texts: [TextBuffer]) -> [ContainerIndex] {
    log.containers(of: .text).filter { length(of: $0) != texts[$0].scalarCount }
  }

  /// Checks that deletions of the same scalar agree on it, or throws, in O(containers), or
  /// O(n log n) and the bytes where scalars were deleted more than once.
  package borrowing func checkDeletions() throws(HistoryError) {
    if skipped.isEmpty {
      // Every inserted scalar is visible or was deleted, unless one was deleted twice.
      let visible = log.containers(of: .text).reduce(0) { $0 + length(of: $1) }
      if visible + Int(log.deletedScalarCount) == Int(log.insertedScalarCount) { return }
    }
    var pieces = deletions.map { InsertedText.Piece($0, in: log) }
    pieces.sort(by: InsertedText.Piece.precedes)
    var texts = PieceTexts(deleted: log.deletedText.text)
    try InsertedText.Piece.checkAgreement(
      of: InsertedText.Piece.split(pieces, by: log.deletedText).known, in: &texts)
  }

  /// The current texts, by container number, in O(n log n).
  package borrowing func texts(insertedText: InsertedText) -> [TextBuffer] {
    var result = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for container in log.containers(of: .text) {
      forEachRun(of: container) { first, length in
        let number = log.scalarNumber(of: first)
        insertedText.append(number..<number + length, to: &result[container])
      }
    }
    return result
  }

  /// How many of the visible scalars are not known, in O(n log n).
  package borrowing func unknownScalarCount(insertedText: InsertedText) -> Int {
    var count = 0
    for container in log.containers(of: .text) {
      forEachRun(of: container) { first, length in
        let number = log.scalarNumber(of: first)
        count += Int(length) - insertedText.scalars.knownCount(in: number..<number + length)
      }
    }
    return count
  }

  /// What the deletions removed; what is not known counts as redacted; O(n log n).
  package borrowing func deletedText(insertedText: InsertedText) -> DeletedText {
    var result = DeletedText()
    for deletion in deletions {
      let first = log.scalarNumber(of: deletion.deleted.lowerBound)
      insertedText.append(
        first..<first + deletion.length, reversed: deletion.kind == .deletionBackward, to: &result)
    }
    return result
  }
}
