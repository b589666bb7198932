/// Which of all inserted, and of all deleted, scalars of a log belong to each change.
///
/// Scalars are numbered by the events that insert or delete them, so those of a change follow each
/// other.
package struct TextNumbers {
  /// How many are inserted and deleted before each change, and in all.
  private var inserted: [Int32] = []
  private var deleted: [Int32] = []

  /// O(changes + operations).
  package init(_ log: Log) {
    inserted.reserveCapacity(log.changeCount + 1)
    deleted.reserveCapacity(log.changeCount + 1)
    var index = 0
    var (insertions, deletions) = (Int32(0), Int32(0))
    for change in log.graph.changes.lowerBound...log.graph.changes.upperBound {
      let event = log.eventCounts.firstEvent(ofChange: change)
      while index < log.operations.count, log.operations[index].first < event {
        let operation = log.operations[index]
        let done = min(operation.end, event) - operation.first
        if operation.kind == .insertText { insertions = operation.firstScalar + done }
        if operation.kind.deletesText { deletions = operation.firstScalar + done }
        if operation.end > event { break }
        index += 1
      }
      inserted.append(insertions)
      deleted.append(deletions)
    }
  }

  /// The numbers of the scalars that a change inserts.
  package func insertions(ofChange change: ChangeIndex) -> Range<Int32> {
    inserted[change]..<inserted[change + 1]
  }

  /// The numbers of the deletions that a change makes.
  package func deletions(ofChange change: ChangeIndex) -> Range<Int32> {
    deleted[change]..<deleted[change + 1]
  }
}
