/// All scalars that were ever in a text, deleted ones included, in the order of the text.
struct PlainSequence {
  /// Scalars that follow each other, came in with one change and share their fate.
  struct Run {
    /// The change that brought them in, by its place in the document.
    var change: Int
    /// By their number in ``PlainSequence/scalars``.
    var scalars: Range<Int>
    /// The changes that deleted them.
    var deletedBy: [Int]
  }

  private(set) var runs: [Run] = []
  /// All scalars; U+FFFD for what was redacted.
  private(set) var scalars: [Unicode.Scalar] = []

  /// Reads the history of a text.
  ///
  /// Two walks over the whole history: O(n log n) for n operations, plus what their concurrency
  /// costs.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(of text: ContainerIndex, in document: Document) throws(DocumentError) {
    let log = document.log
    let inserted = try document.insertedText()
    var walker = Walker(log: log, after: .start, texts: [(container: text, placeholder: 0)])
    do throws(HistoryError) {
      try walker.walk(sides: .allBoth)
    } catch {
      throw DocumentError(error, in: log)
    }
    guard let sequence = walker.tracker.sequences[text] else { return }
    let deletions = Deletions(walker.tracker.deletions, log.eventCounts)
    walker.tracker.forEachItem(of: sequence) { item in
      var event = item.first
      while event < item.end {
        let change = log.eventCounts.change(of: event)
        let operation = log.operations[log.operationIndex(endingAfter: event)]
        let end = min(
          item.end, log.eventCounts.firstEvent(ofChange: change + 1), operation.end,
          deletions.end(ofPartAt: event))
        var part = TextBuffer()
        inserted.append(
          from: Int(operation.firstScalar + (event - operation.first)), count: Int(end - event),
          to: &part)
        let start = scalars.count
        scalars.append(contentsOf: part.string.unicodeScalars)
        runs.append(
          Run(
            change: change.number, scalars: start..<scalars.count,
            deletedBy: deletions.changes(at: event)))
        event = end
      }
    }
  }

  /// Whether some changes show a run.
  func shows(_ run: Run, in version: SeenChanges) -> Bool {
    version.contains(run.change) && !run.deletedBy.contains { version.contains($0) }
  }

  /// For each scalar whether some changes show it.
  func isShown(in version: SeenChanges) -> [Bool] {
    var result = [Bool](repeating: false, count: scalars.count)
    for run in runs where shows(run, in: version) {
      for scalar in run.scalars { result[scalar] = true }
    }
    return result
  }

  /// The run that a scalar stands in.
  ///
  /// O(log runs).
  func run(of scalar: Int) -> Int {
    runs.partitionPoint { $0.scalars.lowerBound > scalar } - 1
  }

  /// Whether a line ends with a scalar.
  func isLineFeed(_ scalar: Int) -> Bool { scalars[scalar] == "\n" }
}

/// Which changes deleted which scalars.
private struct Deletions {
  /// Scalars that one change deleted, by the events that inserted them, ascending.
  private var parts: [(scalars: Range<LocalVersion>, change: Int)] = []
  /// For each part where those end that come before it, and itself.
  private var reach: [LocalVersion] = []
  /// Where parts begin and end, ascending.
  private var bounds: [LocalVersion] = []

  /// O(n log n) for n entries.
  init(_ entries: [VersionIndex.Entry], _ counts: EventCounts) {
    for entry in entries {
      var event = entry.first
      while event < entry.end {
        let change = counts.change(of: event)
        let end = min(entry.end, counts.firstEvent(ofChange: change + 1))
        let scalars = entry.deleted
        let (first, last) = (event - entry.first, end - entry.first)
        parts.append(
          (
            scalars: entry.kind == .deletionBackward
              ? scalars.upperBound - last..<scalars.upperBound - first
              : scalars.lowerBound + first..<scalars.lowerBound + last,
            change: change.number
          ))
        event = end
      }
    }
    parts.sort { $0.scalars.lowerBound < $1.scalars.lowerBound }
    var end = LocalVersion.least
    reach = parts.map { part in
      end = max(end, part.scalars.upperBound)
      return end
    }
    bounds = parts.flatMap { [$0.scalars.lowerBound, $0.scalars.upperBound] }.sorted()
  }

  /// The first place after a scalar at which a part begins or ends.
  func end(ofPartAt scalar: LocalVersion) -> LocalVersion {
    let index = bounds.partitionPoint { $0 > scalar }
    return index < bounds.count ? bounds[index] : .afterAll
  }

  /// The changes that deleted a scalar, ascending.
  func changes(at scalar: LocalVersion) -> [Int] {
    var result: [Int] = []
    var index = parts.partitionPoint { $0.scalars.lowerBound > scalar } - 1
    while index >= 0, reach[index] > scalar {
      if parts[index].scalars.contains(scalar) { result.append(parts[index].change) }
      index -= 1
    }
    return result.sorted()
  }
}
