import PeernoteEngine

/// The text that each change of a log inserts and deletes, found by the change's name.
struct ChangeTexts {
  let log: Log
  /// The text of all insertions, redacted where it is not known.
  let insertedText: InsertedText
  private let numbers: ChangeNumbers
  private let scalars: TextNumbers

  /// O(changes + operations).
  init(_ log: Log, _ insertedText: InsertedText) {
    self.log = log
    self.insertedText = insertedText
    numbers = ChangeNumbers(log)
    scalars = TextNumbers(log)
  }

  func contains(_ change: ChangeID) -> Bool { numbers[change] != nil }

  /// The numbers of the scalars that a change inserts; `nil` if it is not there.
  func insertions(of change: ChangeID) -> Range<Int32>? {
    numbers[change].map { scalars.insertions(ofChange: $0) }
  }

  /// The numbers of the deletions that a change makes; `nil` if it is not there.
  func deletions(of change: ChangeID) -> Range<Int32>? {
    numbers[change].map { scalars.deletions(ofChange: $0) }
  }

  /// All changes in portable form, in canonical order, without the text that they delete.
  ///
  /// U+FFFD stands for each inserted scalar that is not known.
  var changes: [Change] {
    var bare = log
    bare.deletedText = DeletedText()
    bare.deletedText.appendRedacted(log.deletedScalarCount)
    return bare.changes(insertedText: insertedText)
  }

  /// The text of all insertions of another log, each change's from the first source that has it.
  ///
  /// - Parameters:
  ///   - log: a log whose changes the sources have.
  ///   - sources: where to look.
  /// - Returns: `nil` if what a source says does not fit the log.
  static func insertedText(of log: Log, from sources: [ChangeTexts]) -> InsertedText? {
    var result = DeletedText()
    for change in 0..<log.graph.changeCount {
      let name = log.changeID(ofChange: change)
      guard let source = sources.first(where: { $0.contains(name) }),
        let insertions = source.insertions(of: name)
      else { return nil }
      source.insertedText.append(insertions, to: &result)
    }
    return result.count == log.insertedScalarCount ? InsertedText(result) : nil
  }
}
