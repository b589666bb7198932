/// How texts have to change so that they are as without some events.
///
/// A scalar that one of the events inserted goes, if it still stands; one that they alone deleted
/// comes back where it stood.
struct TextReversal {
  /// The edits of each text that the events touched, ascending.
  private(set) var edits: [ContainerIndex: [TextEdit]] = [:]
  /// The texts of which the events deleted something that is not known any more.
  private(set) var redacted: Set<ContainerIndex> = []

  /// Walks the texts that some events edited, from the last critical version before the first.
  ///
  /// Throws if an operation does not apply at its version, or a text is not as long as the history
  /// makes it.
  init(
    of excluded: [Range<LocalVersion>], log: Log, texts: [TextBuffer]
  ) throws(HistoryError) {
    guard let first = excluded.first?.lowerBound else { return }
    var sides = SideRuns()
    sides.append(from: .least, .ours)
    for range in excluded {
      sides.append(from: range.lowerBound, .theirs)
      sides.append(from: range.upperBound, .ours)
    }
    let cut = log.graph.cut(after: CriticalVersions(of: log.graph).last(before: first))
    let edited = log.textChanges(after: cut.last, by: sides).filter { $0.value.isByThem }
    if edited.isEmpty { return }
    var walker = Walker(log: log, after: cut, changes: edited, texts: texts)
    try walker.walk(sides: sides)
    let deleted = WalkedDeletions(of: walker)
    let bounds = excluded.flatMap { [$0.lowerBound, $0.upperBound] }
    for container in edited.keys.sorted() {
      let text = try TextRuns(
        of: container, raw: texts[container], walker: walker, deleted: deleted, bounds: bounds)
      note(text, of: container, without: excluded)
    }
  }

  /// Notes what the events alone inserted into a text, or deleted from it.
  private mutating func note(
    _ text: TextRuns, of container: ContainerIndex, without excluded: [Range<LocalVersion>]
  ) {
    var found: [TextEdit] = []
    for (number, run) in zip(Int32(0)..., text.runs) {
      let deletions = text.deletions[text.deletions(of: number)]
      let isInserted = excluded.holds(run.first)
      let start = Int(run.start)
      if deletions.isEmpty {
        if isInserted { found.append(TextEdit(deleted: start..<start + Int(run.count))) }
      } else if !isInserted, deletions.allSatisfy({ excluded.holds($0.event(of: run.first)) }) {
        if run.isRedacted {
          redacted.insert(container)
          continue
        }
        var scalars: [UInt32] = []
        text.append(0..<run.count, of: number, to: &scalars)
        found.append(TextEdit(deleted: start..<start, inserted: TextBuffer(scalars: scalars)))
      }
    }
    edits[container] = found
  }
}
