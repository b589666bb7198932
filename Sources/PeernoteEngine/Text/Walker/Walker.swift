/// Replays the text operations of a part of a log, so that all scalars stand in their order and
/// each is known by name.
///
/// The event-graph walker of Gentle & Kleppmann, "Collaborative Text Editing with Eg-walker": for
/// each chain, in the order of a ``Plan``, the tracker's prepare version is moved to its parents,
/// then its operations are applied. A walk begins at a critical version; what was there before it
/// is a placeholder in each text.
///
/// O(n log n) for n operations, where nothing is concurrent. What is costs steps, each O(log n):
/// let the part that is walked have k chains and r operations on texts, and let c be how many
/// pieces of text were at most edited concurrently to one chain. To prepare the version of a chain
/// takes the pieces that are concurrent to the chain before it out, and puts those back that are
/// concurrent to it: at most 2c steps. Where an insertion looks for its place stand at most the c
/// pieces that are concurrent to it; it looks at each of them twice at most, and at no more than
/// ``Tracker/placingLimit`` in all. To find out what is concurrent goes through each of the p
/// parents of chains at most, and two events more, for each chain. So a walk takes at most 2ck +
/// min(2c, 120)r + k(p + 2) steps: however long branches are, a few steps for each operation; more
/// only where there are many, and much is concurrent to each. A history can be made to come near
/// that, with c and k about n; it is refused after ``Log/workLimit`` steps, or if its deletions
/// fall into more than ``Log/deletedPieceLimit`` pieces, which bounds the memory.
package struct Walker: ~Copyable {
  /// The log that is walked.
  package let log: Log
  private let order: EventOrder
  /// What the walk has found.
  package private(set) var tracker: Tracker
  /// The critical version that the walk begins at.
  package private(set) var cut: Graph.Cut
  private let workLimit: Int
  private let memoryLimit: Int
  /// So many items and deletions, and texts, take less memory than the limit for certain.
  private var freeCount = 0
  /// What each of them takes at most, with what finds it by name or place, and room for more.
  private static let mostBytesEach = 512
  /// More events than that are a long walk.
  private static let longWalk: Int32 = 4096
  /// The version that the tracker is prepared for.
  private var prepared: Version
  /// The chain that holds the only event of ``prepared``, if it is known.
  private var preparedChain: ChainIndex?
  private var plan = Plan()
  private var comparison = VersionComparison()
  /// Whether the texts are longer than any history makes them.
  private var isTooLong = false
  /// The steps before the last restart.
  private var earlierSteps = 0

  /// How many steps the walk has taken: what the tracker counts, and what comparing versions goes
  /// through; those before a restart included.
  package var steps: Int { earlierSteps + tracker.steps + comparison.visits }

  /// A walker that begins at a critical version.
  ///
  /// It walks these text containers, with a bound on how many scalars each holds at the cut. The
  /// walk may take `workLimit` steps, ``Log/workLimit`` if `nil`; what is found may take
  /// `memoryLimit` bytes.
  package init(
    log: Log, after cut: Graph.Cut,
    texts: [(container: ContainerIndex, placeholder: Int)],
    workLimit: Int? = nil, memoryLimit: Int = .max, scanLimit: Int = Tracker.scanLimit
  ) {
    tracker = Tracker(scanLimit: scanLimit)
    self.log = log
    order = EventOrder(of: log)
    self.cut = cut
    self.workLimit = workLimit ?? log.workLimit
    self.memoryLimit = memoryLimit
    prepared = cut.heads
    addSequences(texts)
  }

  /// Forgets all that was found, and begins at another critical version in the same memory.
  mutating func restart(
    after cut: Graph.Cut, texts: [(container: ContainerIndex, placeholder: Int)]
  ) {
    self.cut = cut
    prepared = cut.heads
    preparedChain = nil
    earlierSteps += tracker.steps
    tracker.removeAll()
    addSequences(texts)
  }

  /// Adds the sequences of texts, unless there are no names for all their scalars.
  private mutating func addSequences(_ texts: [(container: ContainerIndex, placeholder: Int)]) {
    // No event inserts more than one scalar, so that what stood in a text at the cut and what comes
    // later have numbers enough together, whatever was said of the text's length.
    let most = cut.last.number + 2
    let scalars = texts.reduce(0) { $0 + min($1.placeholder, most) }
    isTooLong = scalars > LocalVersion.maximumEventCount + texts.count
    if isTooLong { return }
    for text in texts {
      tracker.addSequence(for: text.container, placeholder: Int32(min(text.placeholder, most)))
    }
  }

  /// Looks at a text right before an operation on it.
  package typealias Visitor = (
    _ tracker: inout Tracker, _ text: Tracker.SequenceHandle, _ operation: Operation
  ) -> Void

  /// Walks the events after the cut, up to `end`, which stands right after a critical version;
  /// `nil` for all.
  ///
  /// Calls `visit` before each operation with its text, as the operation's author saw it. Throws if
  /// an operation does not apply at its version, or the texts are longer than all events could make
  /// them.
  package mutating func walk(
    sides: SideRuns, upTo end: LocalVersion? = nil, visit: Visitor? = nil
  ) throws(HistoryError) {
    if isTooLong { throw HistoryError(.viewDisagrees) }
    let end = end ?? log.graph.end
    let chains = Plan.chains(of: log.graph, after: cut, upTo: end)
    guard chains.count * Plan.bytesEachChain <= memoryLimit else {
      throw HistoryError(.tooMuchMemory, event: cut.last + 1)
    }
    plan.make(of: log.graph, after: cut, upTo: end)
    freeCount = (memoryLimit - plan.byteCount) / Self.mostBytesEach - tracker.sequences.count
    reserve(upTo: end)
    var last: (container: ContainerIndex?, sequence: Tracker.SequenceHandle?) = (nil, nil)
    for place in plan.order.indices {
      let chain = plan.order[place]
      let events = log.graph.chains[chain].events.clamped(to: cut.last + 1..<end)
      var index = log.operationIndex(endingAfter: events.lowerBound)
      var isPrepared = false
      var run = sides.run(at: events.lowerBound)
      while index < log.operations.count, log.operations.first(of: index) < events.upperBound {
        let whole = log.operations[index]
        index += 1
        guard whole.kind.editsText else { continue }
        if whole.container != last.container {
          last = (whole.container, tracker.sequences[whole.container])
        }
        guard let sequence = last.sequence else { continue }
        if !isPrepared {
          prepare(chain: chain)
          isPrepared = true
        }
        let operation = whole.slice(whole.events.clamped(to: events))
        visit?(&tracker, sequence, operation)
        try apply(operation, to: sequence, sides, &run)
      }
      if isPrepared {
        prepared.removeAll(keepingCapacity: true)
        prepared.append(events.upperBound - 1)
        preparedChain = chain
      }
    }
  }

  /// Has the tracker make room for a long walk; most are short, and there are many of them.
  private mutating func reserve(upTo end: LocalVersion) {
    guard end - cut.last > Self.longWalk else { return }
    tracker.reserve(
      operations: log.operationIndex(endingAfter: end)
        - log.operationIndex(endingAfter: cut.last + 1))
  }

  /// Moves the prepare version to one that holds the cut, and after it only events that were
  /// walked.
  package mutating func prepare(_ version: Version) {
    if version == prepared { return }
    comparison.compare(prepared, version, in: log.graph)
    move(isToCut: version == cut.heads)
    prepared = version
    preparedChain = nil
  }

  /// Moves the prepare version to what a chain begins at, or its part after the cut.
  private mutating func prepare(chain: ChainIndex) {
    if log.graph.chains[chain].start <= cut.last { return prepare(cut.heads) }
    comparison.compare(prepared, inChain: preparedChain, parentsOfChain: chain, in: log.graph)
    let parents = log.graph.parentRange(ofChain: chain)
    move(isToCut: parents.isEmpty || log.graph.parentPool[parents.upperBound - 1] <= cut.last)
  }

  /// Moves the prepare version as the last comparison says.
  private mutating func move(isToCut: Bool) {
    let difference = comparison.difference
    if isToCut, tracker.isRetreatingAllFaster(than: operationCount(in: difference.onlyFirst)) {
      tracker.retreatAll()
      return
    }
    for events in difference.onlyFirst { tracker.retreat(events) }
    for events in difference.onlySecond.reversed() { tracker.advance(events) }
  }

  /// How many operations some events belong to.
  private func operationCount(in ranges: [Range<LocalVersion>]) -> Int {
    ranges.reduce(0) { count, range in
      count + log.operationIndex(endingAfter: range.upperBound - 1)
        - log.operationIndex(endingAfter: range.lowerBound) + 1
    }
  }

  /// Applies an operation, in parts where its events lie on different sides.
  ///
  /// `run` is one of the chain at or before the operation, and then that of the operation's last
  /// event. Throws if the operation does not apply, or a limit is passed.
  private mutating func apply(
    _ operation: Operation, to sequence: Tracker.SequenceHandle, _ sides: SideRuns,
    _ run: inout SideRuns.Run
  ) throws(HistoryError) {
    var start = operation.first
    while start < operation.end {
      if start >= run.end { run = sides.run(at: start) }
      let side = run.sides
      let part = operation.slice(start..<min(run.end, operation.end))
      let applied: Bool
      if part.kind == .insertText {
        applied = tracker.insert(
          event: part.first, length: part.length, at: part.position, of: sequence, by: side,
          order: order)
      } else {
        precondition(part.kind.deletesText, "only text operations are walked")
        applied = tracker.delete(
          event: part.first, length: part.length, at: part.position,
          backward: part.kind == .deleteBackward, of: sequence, by: side)
      }
      guard applied else { throw HistoryError(.positionOutOfRange, event: part.first) }
      guard steps <= workLimit, tracker.deletions.count <= log.deletedPieceLimit else {
        throw HistoryError(.tooMuchWork, event: part.first)
      }
      if tracker.itemCount + tracker.deletions.count > freeCount {
        try checkMemory(beside: plan.byteCount, event: part.first)
      }
      start = part.end
    }
  }

  /// Refuses to see whether deletions agree if that takes more memory than the limit.
  func checkMemoryOfDeletions(event: LocalVersion) throws(HistoryError) {
    if tracker.deletedAgain.isEmpty { return }
    let bytesEach = 32
    try checkMemory(beside: tracker.deletions.count * bytesEach, event: event)
  }

  /// Refuses what was found if it takes more memory than the limit, together with something else.
  func checkMemory(beside byteCount: Int, event: LocalVersion) throws(HistoryError) {
    guard tracker.byteCount + byteCount <= memoryLimit else {
      throw HistoryError(.tooMuchMemory, event: event)
    }
  }
}

/// Which of two versions hold each event of a log, as runs.
package struct SideRuns: Sendable {
  /// The sides that hold an event, and the first later event that may be held by others.
  package typealias Run = (sides: Sides, end: LocalVersion)

  private var runs: [(start: LocalVersion, sides: Sides)] = []

  /// Every event is held by both.
  package static let allBoth = SideRuns()

  package init() {}

  /// Appends a run that reaches from the end of the one before to `end`.
  package mutating func append(from start: LocalVersion, _ sides: Sides) {
    if runs.last?.sides == sides { return }
    runs.append((start, sides))
  }

  /// The run that holds an event, in O(log runs).
  package func run(at event: LocalVersion) -> Run {
    let next = runs.partitionPoint { $0.start > event }
    return (
      next == 0 ? .both : runs[next - 1].sides,
      next < runs.count ? runs[next].start : .afterAll
    )
  }
}
