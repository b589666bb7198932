/// Collects scalars that stand next to each other, and finds a pattern in them.
struct PassageSearch {
  private let pattern: TextPattern
  private let inserted: InsertedText
  private let log: Log
  /// All inserted scalars that are known, in the order of their insertion.
  private let known: [UInt32]
  /// How many scalars were gone through.
  private(set) var searchedScalars = 0
  /// Which of them were found, 64 a word.
  private var isFound: [UInt64]
  /// The passage so far.
  private var scalars: [UInt32] = []
  /// For runs of its scalars where they begin in the passage, and the first among the known ones.
  private var runs: [(offset: Int, known: Int)] = []

  /// How much of a line is collected first; each further piece is four times as long.
  private static let firstPiece: Int32 = 64

  /// A search that has found nothing yet.
  ///
  /// O(bytes).
  init(pattern: TextPattern, log: Log, inserted: InsertedText) {
    self.pattern = pattern
    self.inserted = inserted
    self.log = log
    known = inserted.knownScalars
    isFound = [UInt64](repeating: 0, count: (known.count + 63) / 64)
  }

  /// Whether the pattern may match anywhere: each scalar that it spells was inserted once.
  ///
  /// O(bytes).
  var isPromising: Bool { pattern.spelled.isSubset(of: known) }

  // MARK: Searching

  /// Looks for the pattern around some scalars of a text, which are about to be deleted.
  ///
  /// O(reach of the pattern + scalars), in pieces of text; with stars at most to both ends of the
  /// line.
  mutating func search(
    around deleted: Range<Int32>, of sequence: Tracker.SequenceHandle, in tracker: inout Tracker
  ) {
    let reach = Int32(clamping: pattern.reach)
    let length = tracker.length(of: sequence)
    guard deleted.lowerBound < min(deleted.upperBound, length) else { return }
    let first = max(0, deleted.lowerBound - min(reach, deleted.lowerBound))
    let last = min(length - deleted.upperBound, reach) + deleted.upperBound
    var piece = pattern.staysOnLine ? Self.firstPiece : reach
    var start = deleted.lowerBound
    while start > first {
      start = max(first, deleted.lowerBound - min(piece, deleted.lowerBound))
      removeAll()
      append(start..<deleted.lowerBound, of: sequence, in: &tracker)
      if pattern.staysOnLine, scalars.contains(TextPattern.lineFeed) { break }
      piece = min(reach, 4 * piece)
    }
    let place = scalars.count
    append(deleted, of: sequence, in: &tracker)
    let count = scalars.count - place
    piece = pattern.staysOnLine ? Self.firstPiece : reach
    var end = deleted.upperBound
    while end < last {
      let next = min(last, end + min(piece, last - end))
      let before = scalars.count
      append(end..<next, of: sequence, in: &tracker)
      end = next
      if pattern.staysOnLine, scalars[before...].contains(TextPattern.lineFeed) { break }
      piece = min(reach, 4 * piece)
    }
    record(pattern.matches(in: scalars, touching: place..<place + count))
    removeAll()
  }

  /// Looks for the pattern in all that was ever inserted into a text, in its order.
  ///
  /// O(n).
  mutating func search(allOf sequence: Tracker.SequenceHandle, in tracker: borrowing Tracker) {
    tracker.forEachItem(of: sequence) { append($0.first, count: $0.length) }
    record(pattern.matches(in: scalars))
    removeAll()
  }

  private mutating func append(
    _ positions: Range<Int32>, of sequence: Tracker.SequenceHandle, in tracker: inout Tracker
  ) {
    tracker.forEachVisibleRun(in: positions, of: sequence) { append($0, count: $1) }
  }

  /// Appends scalars by name.
  ///
  /// What is redacted already stands as one that matches nothing, however long it is: it can be far
  /// longer than the file.
  private mutating func append(_ first: LocalVersion, count: Int32) {
    searchedScalars += Int(count)
    let number = log.scalarNumber(of: first)
    if !inserted.hasUnknown {
      runs.append((scalars.count, Int(number)))
      scalars.append(contentsOf: known[Int(number)..<Int(number + count)])
      return
    }
    inserted.forEachPart(in: number..<number + count) { part, first in
      guard let first else {
        runs.append((scalars.count, -1))
        scalars.append(TextPattern.unknown)
        return
      }
      runs.append((scalars.count, first))
      scalars.append(contentsOf: known[first..<first + part.count])
    }
  }

  private mutating func removeAll() {
    scalars.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
  }

  // MARK: What was found

  private mutating func record(_ matches: [Range<Int>]) {
    for match in matches {
      var start = match.lowerBound
      var run = runIndex(of: start)
      while start < match.upperBound {
        let end = run + 1 < runs.count ? runs[run + 1].offset : scalars.count
        let part = start..<min(end, match.upperBound)
        let first = runs[run].known + (start - runs[run].offset)
        for index in first..<first + part.count { isFound[index >> 6] |= 1 << (index & 63) }
        start = part.upperBound
        run += 1
      }
    }
  }

  private func runIndex(of offset: Int) -> Int {
    runs.partitionPoint { $0.offset > offset } - 1
  }

  /// Calls `body` with the parts of some inserted scalars, by their number, that were found.
  ///
  /// O(log r + scalars) for r redacted ranges.
  func forEachFound(in numbers: Range<Int32>, _ body: (Range<Int32>) -> Void) {
    inserted.forEachPart(in: numbers) { part, first in
      guard let first else { return }
      var start = part.lowerBound
      for number in part {
        let index = first + Int(number - part.lowerBound)
        if isFound[index >> 6] & 1 << (index & 63) != 0 { continue }
        if start < number { body(start..<number) }
        start = number + 1
      }
      if start < part.upperBound { body(start..<part.upperBound) }
    }
  }
}
