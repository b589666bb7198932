/// Where the scalars stand that each change of a log inserts and deletes, found by the change's
/// name.
struct ChangePlaces {
  let log: Log
  private let numbers: ChangeNumbers
  private let scalars: TextNumbers

  /// O(changes + operations).
  init(_ log: Log) {
    self.log = log
    numbers = ChangeNumbers(log)
    scalars = TextNumbers(log)
  }

  /// The number of a change; `nil` if it is not there.
  func number(of change: ChangeID) -> ChangeIndex? { numbers[change] }

  func contains(_ change: ChangeID) -> Bool { numbers[change] != nil }

  /// The numbers of the scalars that a change inserts; `nil` if it is not there.
  func insertions(of change: ChangeID) -> Range<Int32>? {
    numbers[change].map { scalars.insertions(ofChange: $0) }
  }

  /// The numbers of the deletions that a change makes; `nil` if it is not there.
  func deletions(of change: ChangeID) -> Range<Int32>? {
    numbers[change].map { scalars.deletions(ofChange: $0) }
  }

  /// The deleted text of another log as this one has it, where both have the change, and as the
  /// other one has it elsewhere.
  ///
  /// O(changes of the other log, each with the logarithm of the chains of this one, and the bytes).
  func deletedText(completing other: Log) -> DeletedText {
    var result = DeletedText()
    let theirs = TextNumbers(other)
    var (ourPlace, theirPlace) = (TextPlace(), TextPlace())
    for change in other.graph.changes {
      let range = theirs.deletions(ofChange: change)
      if range.isEmpty { continue }
      if let known = deletions(of: other.changeID(ofChange: change)), known.count == range.count {
        result.append(log.deletedText, in: known, from: &ourPlace)
      } else {
        result.append(other.deletedText, in: range, from: &theirPlace)
      }
    }
    return result
  }
}
