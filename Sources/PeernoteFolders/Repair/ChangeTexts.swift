import PeernoteEngine

/// The text that each change of a log inserts and deletes, found by the change's name.
struct ChangeTexts {
  /// Where it stands.
  let places: ChangePlaces
  /// The text of all insertions, redacted where it is not known.
  let insertedText: InsertedText
  /// All changes in portable form, in canonical order, without the text that they delete.
  ///
  /// U+FFFD stands for each inserted scalar that is not known.
  let changes: PortableChanges

  /// O(changes + operations).
  init(_ log: Log, _ insertedText: InsertedText) {
    places = ChangePlaces(log)
    self.insertedText = insertedText
    var bare = log
    bare.deletedText = DeletedText()
    bare.deletedText.appendRedacted(bare.deletedScalarCount)
    changes = bare.changes(insertedText: insertedText)
  }

  /// The text of a document's changes; O(n log n), and a walk over the whole history.
  ///
  /// Throws if that does not lead to the document's texts.
  init(of document: Document) throws(DocumentError) {
    self.init(document.log, try document.insertedText())
  }

  /// The text of all insertions of a log, each scalar from the first source that knows it; `nil` if
  /// there is a change that no source has as the log does; O((n + sources) log n), and the bytes.
  ///
  /// For the changes of `settled` only the first source is asked that has them.
  static func insertedText(
    of log: Log, from sources: [ChangeTexts], settled: ChangePlaces? = nil
  ) -> InsertedText? {
    var result = DeletedText()
    let wanted = ChangePlaces(log)
    for change in log.graph.changes {
      let name = log.changeID(ofChange: change)
      let count = wanted.insertions(ofChange: change).count
      var places = sources.compactMap { source in
        source.places.number(of: name).map {
          (source: source, insertions: source.places.insertions(ofChange: $0))
        }
      }.filter { $0.insertions.count == count }[...]
      if places.isEmpty { return nil }
      if settled?.contains(name) ?? false { places = places.prefix(1) }
      append(0..<Int32(count), from: places, to: &result)
    }
    return InsertedText(result)
  }

  /// Appends some of a change's insertions, each scalar from the first source that knows it.
  private static func append(
    _ scalars: Range<Int32>,
    from places: ArraySlice<(source: ChangeTexts, insertions: Range<Int32>)>,
    to result: inout DeletedText
  ) {
    guard let (source, insertions) = places.first else {
      result.appendRedacted(Int32(scalars.count))
      return
    }
    let start = insertions.lowerBound
    source.insertedText.forEachText(
      in: start + scalars.lowerBound..<start + scalars.upperBound
    ) { part, text in
      if let text {
        result.append(text, from: TextPlace(), to: text.end)
      } else {
        append(
          part.lowerBound - start..<part.upperBound - start, from: places.dropFirst(),
          to: &result)
      }
    }
  }
}

/// Which of all inserted, and of all deleted, scalars of a log belong to each change, found by the
/// change's name.
///
/// Scalars are numbered by the events that insert or delete them, so those of a change follow each
/// other.
struct ChangePlaces {
  let log: Log
  private let numbers: ChangeNumbers
  /// How many are inserted and deleted before each change, and in all.
  private var inserted: [Int32] = []
  private var deleted: [Int32] = []

  /// O(changes + operations).
  init(_ log: Log) {
    self.log = log
    numbers = ChangeNumbers(log)
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

  /// The number of a change; `nil` if it is not there.
  func number(of change: ChangeID) -> ChangeIndex? { numbers[change] }

  func contains(_ change: ChangeID) -> Bool { numbers[change] != nil }

  /// The numbers of the scalars that a change inserts.
  func insertions(ofChange change: ChangeIndex) -> Range<Int32> {
    inserted[change]..<inserted[change + 1]
  }

  /// The numbers of the deletions that a change makes.
  func deletions(ofChange change: ChangeIndex) -> Range<Int32> {
    deleted[change]..<deleted[change + 1]
  }

  /// The deleted text of another log as this one has it, where both have the change, and as the
  /// other one has it elsewhere; O(changes of the other log, each with the logarithm of the chains
  /// of this one, and the bytes).
  func deletedText(completing other: Log) -> DeletedText {
    var result = DeletedText()
    let theirs = ChangePlaces(other)
    var (ourPlace, theirPlace) = (TextPlace(), TextPlace())
    for change in other.graph.changes {
      let range = theirs.deletions(ofChange: change)
      let known = number(of: other.changeID(ofChange: change)).map { deletions(ofChange: $0) }
      if let known, known.count == range.count {
        result.append(log.deletedText, in: known, from: &ourPlace)
      } else {
        result.append(other.deletedText, in: range, from: &theirPlace)
      }
    }
    return result
  }
}
