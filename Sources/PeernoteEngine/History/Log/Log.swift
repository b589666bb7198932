/// Every change ever made to a document, in canonical order, without the inserted text.
///
/// What a log says is a pure function of the set of its changes: the order of the chains (see
/// ``Graph``), the runs of operations (see ``Operation/take(from:)``) and the numbers in the tables
/// (by first use in that order). The text of insertions is not here: what is still visible stands
/// in the document's texts, what was deleted in ``deletedText``.
package struct Log: Sendable {
  /// The agents, in the order of their first chain.
  package var agents: [AgentID] = []
  /// The authors' names, in the order of their first change.
  package var authors: [String] = []
  /// The messages of changes, in the order of their first use.
  package var messages: [String] = []
  /// The keys of maps, in the order of their first use.
  package var keys: [String] = []
  /// The event graph.
  package var graph = Graph()
  /// How many events each change holds.
  package var eventCounts = EventCounts()
  /// Time, author and message of each change.
  package var metadata: [MetadataRun] = []
  /// The containers by number: the root, then as they were created.
  package var containers: [Container] = [.root]
  /// The operations, in order; their events tile ``Graph/events``.
  package var operations = OperationList()
  /// The operations on other things than texts, by index.
  package var objectOperations: [Int32] = []
  /// What operations write, by number.
  package var contents = ContentTable()
  /// The text that deletions removed.
  package var deletedText = DeletedText()
  /// How much it may hold.
  package var limits = Limits()
  /// At most so many bytes does a file take that holds it, and the texts; see ``Limits/fileSize``.
  package var fileSize = 512
  /// How many scalars all operations insert.
  package var insertedScalarCount: Int32 = 0
  /// How many scalars all operations delete.
  package var deletedScalarCount: Int32 = 0

  package init() {}

  /// About how many bytes the log takes, without names, in O(1).
  package var byteCount: Int {
    graph.chains.count * MemoryLayout<Chain>.stride + 8 * graph.parentPool.count
      + eventCounts.runs.count * MemoryLayout<EventCounts.Run>.stride
      + metadata.count * MemoryLayout<MetadataRun>.stride
      + containers.count * MemoryLayout<Container>.stride
      + operations.count * MemoryLayout<OperationList.Packed>.stride + 4 * objectOperations.count
      + contents.byteCount + deletedText.text.utf8.count
      + deletedText.redacted.count * MemoryLayout<Range<Int32>>.stride
  }

  /// One container of a document.
  package struct Container: Hashable, Sendable, BitwiseCopyable {
    package var kind: ContainerKind
    /// The event that created it; ``LocalVersion/beforeAll`` for the root.
    package var created: LocalVersion
    /// The container that it was created in; `nil` for the root.
    @Compact package private(set) var parent: ContainerIndex?

    package static let root = Container(kind: .map, created: .beforeAll, parent: nil)
  }

  /// Consecutive changes with one time, author and message.
  package struct MetadataRun: Hashable, Sendable {
    /// The first change of the run, which reaches to the next one's first.
    package var firstChange: ChangeIndex
    package var time: Timestamp
    /// Who made the changes.
    package var author: AuthorIndex
    /// The message of the changes; `nil` for none.
    @Compact package private(set) var message: MessageIndex?
  }
}

/// How many events each change holds, as runs of changes with the same number.
package struct EventCounts: Hashable, Sendable {
  package struct Run: Hashable, Sendable, BitwiseCopyable {
    package var firstChange: ChangeIndex
    package var firstEvent: LocalVersion
    package var eventsEach: Int32
  }

  /// The runs, ascending; each reaches to the next one's first.
  package private(set) var runs: [Run] = []
  package private(set) var changeCount: Int32 = 0
  /// One past the last event.
  package private(set) var end = LocalVersion.first
  package var changes: Range<ChangeIndex> { .first..<ChangeIndex(rawValue: changeCount) }

  package init() {}

  /// Appends changes of `eventsEach` events each.
  package mutating func append(changes: Int32, eventsEach: Int32) {
    if changes == 0 { return }
    if runs.last?.eventsEach != eventsEach {
      let first = self.changes.upperBound
      runs.append(Run(firstChange: first, firstEvent: end, eventsEach: eventsEach))
    }
    changeCount += changes
    end += changes * eventsEach
  }

  /// The first event of a change, or one past the last event for `changeCount`, in O(log runs).
  package func firstEvent(ofChange change: ChangeIndex) -> LocalVersion {
    if change >= changes.upperBound { return end }
    let run = runs[runIndex { $0.firstChange <= change }]
    return run.firstEvent + (change - run.firstChange) * run.eventsEach
  }

  /// The change that holds an event, in O(log runs).
  package func change(of event: LocalVersion) -> ChangeIndex {
    let run = runs[runIndex { $0.firstEvent <= event }]
    return run.firstChange + (event - run.firstEvent) / run.eventsEach
  }

  /// The changes that some events belong to, in O(log runs).
  package func changes(of events: Range<LocalVersion>) -> Range<ChangeIndex> {
    if events.isEmpty { return .first ..< .first }
    return change(of: events.lowerBound)..<change(of: events.upperBound - 1) + 1
  }

  /// The events of a change, in O(log runs).
  package func events(ofChange change: ChangeIndex) -> Range<LocalVersion> {
    firstEvent(ofChange: change)..<firstEvent(ofChange: change + 1)
  }

  /// How many events a change holds, and the first later change that may hold another number, in
  /// O(log runs).
  package func run(at change: ChangeIndex) -> (eventsEach: Int32, end: ChangeIndex) {
    let index = runIndex { $0.firstChange <= change }
    return (runs[index].eventsEach, end(ofRun: index))
  }

  private func end(ofRun index: Int) -> ChangeIndex {
    index + 1 < runs.count ? runs[index + 1].firstChange : changes.upperBound
  }

  /// Calls `body` with the runs that a range of changes is made of: how many, and their events.
  package func forEachRun(
    in changes: Range<ChangeIndex>, _ body: (_ count: Int32, _ each: Int32) -> Void
  ) {
    if changes.isEmpty { return }
    var index = runIndex { $0.firstChange <= changes.lowerBound }
    while index < runs.count, runs[index].firstChange < changes.upperBound {
      let part = (runs[index].firstChange..<end(ofRun: index)).clamped(to: changes)
      body(part.upperBound - part.lowerBound, runs[index].eventsEach)
      index += 1
    }
  }

  /// Finds where changes begin that are mostly near each other.
  struct Finder {
    private let counts: EventCounts
    private var run = Run(firstChange: .first, firstEvent: .first, eventsEach: 0)
    /// The first change after the run.
    private var end = ChangeIndex.first

    init(_ counts: EventCounts) {
      self.counts = counts
    }

    /// The first event of a change, or one past the last event for `changeCount`, in O(1) in the
    /// run of the change before, else O(log runs).
    @inline(__always)
    mutating func firstEvent(ofChange change: ChangeIndex) -> LocalVersion {
      if change < run.firstChange || change >= end { seek(change) }
      return run.firstEvent + (change - run.firstChange) * run.eventsEach
    }

    private mutating func seek(_ change: ChangeIndex) {
      guard !counts.runs.isEmpty else { return }
      let index = counts.runIndex { $0.firstChange <= change }
      run = counts.runs[index]
      end = index + 1 < counts.runs.count ? counts.runs[index + 1].firstChange : .afterAll
    }
  }

  /// The last run for which `isBefore` holds.
  private func runIndex(_ isBefore: (Run) -> Bool) -> Int {
    runs.partitionPoint { !isBefore($0) } - 1
  }
}
