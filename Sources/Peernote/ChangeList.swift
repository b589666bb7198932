public import PeernoteEngine

/// The changes of a document, each after its parents, in the order of the file.
///
/// Takes no memory for them: a document can hold a change for every few bytes of its file.
///
/// ```swift
/// let mine = document.changes.filter { $0.author == "Ada" }
/// ```
public struct ChangeList: RandomAccessCollection, Sendable {
  private let log: Log

  init(log: Log) {
    self.log = log
  }

  /// The place of the first change.
  public var startIndex: Int { 0 }
  /// One past the place of the last change.
  public var endIndex: Int { log.changeCount }

  /// Describes a change.
  ///
  /// O(log n) for n changes.
  public subscript(position: Int) -> ChangeSummary {
    precondition(indices.contains(position), "a change outside the document")
    return ChangeSummary(of: Int32(position), in: log)
  }
}

extension ChangeList: Equatable {
  /// Whether two documents list the same changes.
  public static func == (left: ChangeList, right: ChangeList) -> Bool {
    left.elementsEqual(right)
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
  /// An optional remark.
  public var message: String?
  /// How many events it holds.
  public var eventCount: Int
}

extension ChangeSummary {
  init(of change: Int32, in log: Log) {
    let metadata = log.metadata(ofChange: change)
    self.init(
      id: log.changeID(ofChange: change), parents: log.parentIDs(ofChange: change),
      time: metadata.time, author: log.authors[Int(metadata.author)],
      message: metadata.message < 0 ? nil : log.messages[Int(metadata.message)],
      eventCount: Int(log.eventCounts.run(at: change).eventsEach))
  }
}
