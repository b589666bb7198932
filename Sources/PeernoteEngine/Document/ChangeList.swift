/// Changes of a document, each after its parents, in the order of the file.
///
/// Takes no memory for each: a document can hold a change for every few bytes of its file. It keeps
/// the history as it is, so that a document that is edited while one of its lists is kept copies the
/// history once.
///
/// ```swift
/// let mine = document.changes.filter { $0.author == "Ada" }
/// ```
public struct ChangeList: RandomAccessCollection, Sendable {
  private let log: Log
  /// The first changes of those that stand together in the log, and their places in this list,
  /// ascending in both.
  private let runs: [(position: Int, change: ChangeIndex)]
  /// How many changes there are.
  public let count: Int

  package init() {
    self.init(of: Log(), in: [])
  }

  package init(of log: Log) {
    self.log = log
    runs = [(0, .first)]
    count = log.changeCount
  }

  /// The changes of a log whose events lie in some ranges, which are ascending and hold whole
  /// changes; O(r log n) for r ranges.
  package init(of log: Log, in ranges: [Range<LocalVersion>]) {
    var runs: [(position: Int, change: ChangeIndex)] = []
    var count = 0
    for range in ranges where !range.isEmpty {
      let changes = log.eventCounts.changes(of: range)
      runs.append((count, changes.lowerBound))
      count += changes.count
    }
    self.log = log
    self.runs = runs
    self.count = count
  }

  /// The place of the first change.
  public var startIndex: Int { 0 }
  /// One past the place of the last change.
  public var endIndex: Int { count }

  /// Describes a change.
  ///
  /// O(log n) for n changes of the document.
  public subscript(position: Int) -> ChangeSummary {
    precondition((0..<count).contains(position), "a change outside the list")
    let run = runs[runs.partitionPoint { $0.position > position } - 1]
    let change = run.change + Int32(position - run.position)
    return ChangeSummary(of: change, in: log)
  }
}

extension ChangeList: Hashable {
  /// Whether two lists name the same changes, with the same metadata.
  ///
  /// O(n log n).
  public static func == (left: ChangeList, right: ChangeList) -> Bool {
    left.elementsEqual(right)
  }

  /// Hashes what the list names.
  ///
  /// O(n log n).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for change in self { hasher.combine(change) }
  }
}

/// What is known of a change besides its edits.
public struct ChangeSummary: Hashable, Sendable {
  /// The change's name.
  public var id: ChangeID
  /// The heads when it was made, ascending.
  public var parents: [ChangeID]
  /// When it was made.
  public var time: Timestamp
  /// Who made it; may be empty.
  public var author: String
  /// An optional message.
  public var message: String?
  package var eventCount: Int
}

extension ChangeSummary {
  package init(of change: ChangeIndex, in log: Log) {
    let metadata = log.metadata(ofChange: change)
    self.init(
      id: log.changeID(ofChange: change), parents: log.parentIDs(ofChange: change),
      time: metadata.time, author: log.authors[metadata.author],
      message: metadata.message.map { log.messages[$0] },
      eventCount: Int(log.eventCounts.run(at: change).eventsEach))
  }
}
