/// Which deletions have to give up their text so that nobody can read a passage any more.
///
/// A deletion is no change of what a document means, so its text can go while its length stays.
/// All deletions of one scalar have to give it up, or history still shows it.
package struct Redaction: Sendable {
  /// The deletions, ascending and not touching, by their number among all deletion events.
  package private(set) var deletions: [Range<Int32>] = []

  /// All deletions of a log.
  package init(ofAll log: Log) {
    if log.deletedScalarCount > 0 { deletions = [0..<log.deletedScalarCount] }
  }

  /// The deletions of all scalars that a pattern matches.
  ///
  /// Looks at the text as its authors saw it right before each deletion, around what was deleted;
  /// and at all that was ever inserted, in its order. So a passage is found that was typed or
  /// deleted in pieces, or of which a part is still visible. One walk over the whole history, plus
  /// what the deletions and their surroundings take to search.
  ///
  /// - Parameters:
  ///   - pattern: what to look for.
  ///   - log: the history.
  ///   - texts: by container number.
  /// - Throws: ``HistoryError`` if the history does not lead to the texts.
  package init(
    of pattern: TextPattern, in log: Log, texts: [TextBuffer]
  ) throws(HistoryError) {
    let inserted = try InsertedText(of: log, texts: texts)
    var search = PassageSearch(pattern: pattern, log: log, inserted: inserted)
    let containers = log.containers.indices.filter { log.containers[$0].kind == .text }
    var walker = Walker(
      log: log, after: .start,
      texts: containers.map { (container: Int32($0), placeholder: 0) })
    let reach = Int32(clamping: pattern.reach)
    try walker.walk(sides: .allBoth) { tracker, sequence, operation in
      guard operation.kind.deletesText else { return }
      let start = max(0, operation.a - reach)
      let end = min(tracker.length(of: sequence), operation.a + operation.length + reach)
      guard start < end else { return }
      tracker.forEachVisibleRun(in: start..<end, of: sequence) { search.append($0, count: $1) }
      search.finishPassage()
    }
    for container in containers {
      guard let sequence = walker.tracker.sequences[Int32(container)] else { continue }
      walker.tracker.forEachItem(of: sequence) { search.append($0.first, count: $0.length) }
      search.finishPassage()
    }
    let found = search.found.united()
    if found.isEmpty { return }
    var numbers: [Range<Int32>] = []
    walker.tracker.forEachDeletion { event, target, length, backward in
      let first = log.insertionNumber(of: backward ? target - length + 1 : target)
      let deletion = log.deletionNumber(of: event)
      found.forEachPart(in: first..<first + length) { part in
        numbers.append(
          backward
            ? deletion + (first + length - part.upperBound)..<deletion
              + (first + length - part.lowerBound)
            : deletion + (part.lowerBound - first)..<deletion + (part.upperBound - first))
      }
    }
    deletions = numbers.united()
  }
}

extension Objects {
  /// Gives up the text of some deletions.
  ///
  /// O(bytes of deleted text + ranges).
  package mutating func redact(_ redaction: Redaction) {
    log.deletedText = log.deletedText.redacting(redaction.deletions)
  }
}

/// Collects scalars that stand next to each other, and finds a pattern in them.
private struct PassageSearch {
  private let pattern: TextPattern
  private let log: Log
  private let inserted: InsertedText
  /// The passage so far.
  private var scalars: [UInt32] = []
  /// For runs of its scalars where they begin in the passage, and the number of the first among all
  /// inserted ones.
  private var runs: [(offset: Int, number: Int32)] = []
  /// The numbers of the scalars found so far, in no order.
  private(set) var found: [Range<Int32>] = []
  /// How many ranges there may be before those that overlap are made one.
  private var foundLimit = 1024

  init(pattern: TextPattern, log: Log, inserted: InsertedText) {
    self.pattern = pattern
    self.log = log
    self.inserted = inserted
  }

  /// Appends scalars by name.
  ///
  /// What is redacted already ends a passage: it can be far longer than the file, and matches
  /// nothing.
  mutating func append(_ first: LocalVersion, count: Int32) {
    let number = log.insertionNumber(of: first)
    inserted.forEachPart(from: number, count: count) { part, text in
      guard let text else {
        finishPassage()
        return
      }
      runs.append((scalars.count, part.lowerBound))
      scalars.append(contentsOf: text.unicodeScalars.lazy.map(\.value))
    }
  }

  /// Looks for the pattern in what was collected, and begins anew.
  mutating func finishPassage() {
    for match in pattern.matches(in: scalars) {
      var start = match.lowerBound
      var run = runIndex(of: start)
      while start < match.upperBound {
        let end = run + 1 < runs.count ? runs[run + 1].offset : scalars.count
        let part = start..<min(end, match.upperBound)
        let number = runs[run].number + Int32(start - runs[run].offset)
        found.append(number..<number + Int32(part.count))
        start = part.upperBound
        run += 1
      }
    }
    scalars.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    // What stands around is looked at again and again.
    if found.count > foundLimit {
      found = found.united()
      foundLimit = max(foundLimit, 2 * found.count)
    }
  }

  private func runIndex(of offset: Int) -> Int {
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].offset <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

extension [Range<Int32>] {
  /// The ranges in order, with those that touch or overlap made one.
  ///
  /// O(n log n).
  package func united() -> [Range<Int32>] {
    var result: [Range<Int32>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Calls `body` with the parts of a range that lie in these ranges, which ascend and don't touch.
  ///
  /// O(log n + parts).
  fileprivate func forEachPart(in range: Range<Int32>, _ body: (Range<Int32>) -> Void) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    while low < count, self[low].lowerBound < range.upperBound {
      body(self[low].clamped(to: range))
      low += 1
    }
  }
}
