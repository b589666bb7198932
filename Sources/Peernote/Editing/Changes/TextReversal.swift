/// How texts have to change so that they are as without some events.
///
/// A scalar that one of the events inserted goes, if it still stands; one that they alone deleted
/// comes back where it stood.
struct TextReversal {
  /// One edit of a text.
  struct Splice {
    /// Where, in scalars of the text as it is.
    var position: Int
    /// How many scalars go from there on.
    var deleted: Int
    /// What comes in before them.
    var inserted: TextBuffer
  }

  /// The edits of each text that the events touched, ascending.
  private(set) var splices: [ContainerIndex: [Splice]] = [:]
  /// The texts of which the events deleted something that is not known any more.
  private(set) var redacted: Set<ContainerIndex> = []

  /// Walks the texts that some events edited, from the last critical version before the first.
  ///
  /// Throws if an operation does not apply at its version.
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
    let cut = CriticalVersions(of: log.graph).last(before: first)
    let edited = log.textChanges(after: cut.last, by: sides).filter { $0.value.isByThem }
    if edited.isEmpty { return }
    var walker = Walker(log: log, after: cut, changes: edited, texts: texts)
    try walker.walk(sides: sides)
    let deleted = try DeletedScalars(
      Self.deletions(in: walker, by: excluded), log: log, texts: texts)
    for container in edited.keys.sorted() {
      note(container, walker: walker, deleted: deleted)
      let end = splices[container]?.last.map { $0.position + $0.deleted } ?? 0
      guard end <= texts[container].scalarCount else {
        throw HistoryError(.viewDisagrees, event: log.containers[container].created)
      }
    }
  }

  /// The deletions of a walk that some events made.
  private static func deletions(
    in walker: borrowing Walker, by excluded: [Range<LocalVersion>]
  ) -> [VersionIndex.Entry] {
    var found: [VersionIndex.Entry] = []
    var next = 0
    for entry in walker.tracker.deletionsInOrder {
      while next < excluded.count, excluded[next].upperBound <= entry.first { next += 1 }
      // A run in the tracker may reach over the events of several changes.
      for range in excluded[next...].prefix(while: { $0.lowerBound < entry.end }) {
        found.append(entry.part((entry.first..<entry.end).clamped(to: range)))
      }
    }
    return found
  }

  /// Goes through a text that has been walked; what was inserted by the events alone, or deleted by
  /// them alone, is on their side.
  private mutating func note(
    _ container: ContainerIndex, walker: borrowing Walker, deleted: DeletedScalars
  ) {
    guard let sequence = walker.tracker.sequences[container] else {
      preconditionFailure("the texts that the events edited are walked")
    }
    var found: [Splice] = []
    var position = 0
    var isKnown = true
    walker.tracker.forEachItem(of: sequence) { item in
      if item.deletedBy.isEmpty {
        let count = Int(item.length)
        if item.insertedBy == .theirs {
          found.append(Splice(position: position, deleted: count, inserted: TextBuffer()))
        }
        position += count
      } else if item.deletedBy == .theirs, item.insertedBy != .theirs {
        guard let text = deleted.text(of: item.first..<item.first + item.length) else {
          isKnown = false
          return
        }
        found.append(Splice(position: position, deleted: 0, inserted: text))
      }
    }
    splices[container] = found
    if !isKnown { redacted.insert(container) }
  }

  /// The text as it should be.
  ///
  /// O(bytes + splices).
  func text(of container: ContainerIndex, now: TextBuffer) -> TextBuffer {
    var result = TextBuffer()
    var place = TextPlace()
    for splice in splices[container] ?? [] {
      let start = now.place(ofScalar: splice.position, from: place)
      result.append(now, from: place, to: start)
      result.append(splice.inserted)
      place = now.place(ofScalar: splice.position + splice.deleted, from: start)
    }
    result.append(now, from: place, to: now.end)
    return result
  }
}

/// What some deletions of a walk removed, found by the name of the scalars.
private struct DeletedScalars {
  /// The names of the scalars, ascending and not touching.
  private var ranges: [Range<LocalVersion>] = []
  /// How many scalars are in the ranges before each.
  private var before: [Int32] = []
  private let scalars: DeletedText
  private let indexed: IndexedText

  init(_ deletions: [VersionIndex.Entry], log: Log, texts: [TextBuffer]) throws(HistoryError) {
    var pieces = deletions.map { deletion in
      InsertedText.Piece(deletion, number: log.scalarNumber(of: deletion.first))
    }
    pieces.sort(by: InsertedText.Piece.precedes)
    scalars = try InsertedText.assemble(pieces, log: log, texts: texts)
    indexed = IndexedText(scalars.text)
    ranges = [].union(pieces.map { $0.event..<$0.end })
    var count: Int32 = 0
    for range in ranges {
      before.append(count)
      count += Int32(range.count)
    }
  }

  /// The text of scalars that the deletions removed; `nil` if some of it is redacted.
  func text(of events: Range<LocalVersion>) -> TextBuffer? {
    let index = ranges.partitionPoint { $0.lowerBound > events.lowerBound } - 1
    precondition(
      index >= 0 && events.upperBound <= ranges[index].upperBound,
      "what only some deletions removed is among what they removed")
    let start = before[index] + (events.lowerBound - ranges[index].lowerBound)
    var result = TextBuffer()
    var isKnown = true
    scalars.forEachPart(in: start..<start + Int32(events.count)) { part, first in
      if let first {
        result.append(indexed.scalars(from: first, count: part.count))
      } else {
        isKnown = false
      }
    }
    return isKnown ? result : nil
  }
}
