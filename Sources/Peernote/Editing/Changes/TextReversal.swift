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
    /// The scalars that go or come back, by their insertion; no events' numbers if they were
    /// inserted before the walk.
    var scalars: Range<LocalVersion>
  }

  /// Scalars that one run of events deleted.
  struct Deletion {
    var events: Range<LocalVersion>
    /// The first of the scalars, ascending.
    var first: LocalVersion
    /// Whether the first event deleted the last of the scalars.
    var isBackward: Bool

    /// The scalars that some of the events deleted.
    func scalars(of part: Range<LocalVersion>) -> Range<LocalVersion> {
      let start =
        isBackward
        ? first + (events.upperBound - part.upperBound)
        : first + (part.lowerBound - events.lowerBound)
      return start..<start + Int32(part.count)
    }
  }

  /// The edits of each text that the events touched, ascending.
  private(set) var splices: [ContainerIndex: [Splice]] = [:]
  /// The texts of which the events deleted something that is not known any more.
  private(set) var redacted: Set<ContainerIndex> = []
  /// What the events deleted, by whomever else it was deleted.
  private(set) var deletions: [Deletion] = []
  /// The scalars that would come back as parts of lines with a hole.
  ///
  /// Somebody else replaced a part of such a line, and what they wrote is gone, too: it was decided
  /// since what stands there.
  private(set) var brokenLines: [Range<LocalVersion>] = []

  /// Walks the texts that some events edited, from the last critical version before the first, or
  /// from the beginning, so that all scalars are named by their insertion.
  ///
  /// - Parameters:
  ///   - excluded: the events.
  ///   - log: the history.
  ///   - texts: the texts of it, by container number.
  ///   - fromStart: whether to walk from the beginning.
  ///   - known: what came before the events, to find the broken lines; `nil` if they don't matter.
  /// - Throws: ``HistoryError`` if an operation does not apply at its version.
  init(
    of excluded: [Range<LocalVersion>], log: Log, texts: [TextBuffer], fromStart: Bool = false,
    after known: [Range<LocalVersion>]? = nil
  ) throws(HistoryError) {
    guard let first = excluded.first?.lowerBound else { return }
    var edited: Set<ContainerIndex> = []
    for range in excluded {
      try log.forEachOperation(in: range) { operation in
        if operation.kind.editsText { edited.insert(operation.container) }
      }
    }
    if edited.isEmpty { return }
    let containers = edited.sorted()
    var walker = try Self.walker(
      of: log, from: fromStart ? .first : first, containers: containers, texts: texts)
    var sides = SideRuns()
    sides.append(from: .least, .ours)
    let held = excluded.map { ($0, Sides.theirs) } + (known ?? []).map { ($0, Sides.both) }
    for (range, side) in held.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
      sides.append(from: range.lowerBound, side)
      sides.append(from: range.upperBound, .ours)
    }
    try walker.walk(sides: sides)
    deletions = Self.deletions(in: walker, by: excluded)
    let deleted = try DeletedScalars(deletions, log: log, texts: texts)
    for container in containers {
      note(container, walker: walker, deleted: deleted, lookingForLines: known != nil)
      let end = splices[container]?.last.map { $0.position + $0.deleted } ?? 0
      guard end <= texts[container].scalarCount else {
        throw HistoryError(.viewDisagrees, event: log.containers[container].created)
      }
    }
  }

  /// The deletions of a walk that some events made.
  private static func deletions(
    in walker: borrowing Walker, by excluded: [Range<LocalVersion>]
  ) -> [Deletion] {
    var found: [Deletion] = []
    var next = 0
    walker.tracker.forEachDeletion { event, target, length, backward in
      while next < excluded.count, excluded[next].upperBound <= event { next += 1 }
      // A run in the tracker may reach over the events of several changes.
      for range in excluded[next...].prefix(while: { $0.lowerBound < event + length }) {
        let part = (event..<event + length).intersection(range)
        let skipped = part.lowerBound - event
        let first = backward ? target - skipped - Int32(part.count) + 1 : target + skipped
        found.append(Deletion(events: part, first: first, isBackward: backward))
      }
    }
    return found
  }

  private static func walker(
    of log: Log, from first: LocalVersion, containers: [ContainerIndex], texts: [TextBuffer]
  ) throws(HistoryError) -> Walker {
    let cut = CriticalVersions(of: log.graph).last(before: first)
    var deletions: [ContainerIndex: Int] = [:]
    try log.forEachOperation(in: cut.last + 1..<log.graph.end) { operation in
      if operation.kind.deletesText {
        deletions[operation.container, default: 0] += Int(operation.length)
      }
    }
    return Walker(
      log: log, after: cut,
      texts: containers.map { container in
        let bound = texts[container].scalarCount + (deletions[container] ?? 0) + 1
        let isNew = log.containers[container].created > cut.last
        return (container: container, placeholder: isNew ? 0 : bound)
      })
  }

  /// Goes through a text that has been walked; what was inserted by the events alone, or deleted by
  /// them alone, is on their side.
  private mutating func note(
    _ container: ContainerIndex, walker: borrowing Walker, deleted: DeletedScalars,
    lookingForLines: Bool
  ) {
    guard let sequence = walker.tracker.sequences[container] else {
      preconditionFailure("the texts that the events edited are walked")
    }
    var found: [Splice] = []
    var position = 0
    var isKnown = true
    var line = LineParts()
    walker.tracker.forEachItem(of: sequence) { item in
      let scalars = item.first..<item.first + item.length
      if item.deletedBy.isEmpty {
        let count = Int(item.length)
        if item.insertedBy == .theirs {
          found.append(
            Splice(
              position: position, deleted: count, inserted: TextBuffer(), scalars: scalars))
        }
        position += count
        line.append(.shown, scalars)
      } else if item.deletedBy == .theirs, item.insertedBy != .theirs {
        guard let text = deleted.text(of: scalars) else {
          isKnown = false
          return
        }
        found.append(
          Splice(position: position, deleted: 0, inserted: text, scalars: scalars))
        line.append(.comesBack(text), scalars)
      } else if item.deletedBy == [.ours, .theirs], item.insertedBy != .theirs {
        line.append(.deletedTwice, scalars)
      } else if item.deletedBy == .ours, item.insertedBy == .ours {
        line.append(.othersWords, scalars)
      }
    }
    splices[container] = found
    if !isKnown { redacted.insert(container) }
    if lookingForLines { brokenLines = brokenLines.union(line.brokenLines) }
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

/// What a text holds, shown or not, to find the lines that would come back with a hole.
private struct LineParts {
  enum Part {
    /// Text that stands there.
    case shown
    /// Text that comes back.
    case comesBack(TextBuffer)
    /// Something that others deleted as well.
    case deletedTwice
    /// Something that others wrote at the same time and that is gone, too.
    case othersWords
  }

  /// The parts in their order, with their scalars by insertion.
  private var parts: [(part: Part, scalars: Range<LocalVersion>)] = []

  mutating func append(_ part: Part, _ scalars: Range<LocalVersion>) {
    parts.append((part, scalars))
  }

  /// How many parts before and after one are looked at.
  private static let reach = 64

  /// The scalars that come back in the lines of which others replaced something.
  var brokenLines: [Range<LocalVersion>] {
    var result: [Range<LocalVersion>] = []
    for index in parts.indices {
      guard case .deletedTwice = parts[index].part, isReplaced(at: index) else { continue }
      result += line(from: index, by: -1) + line(from: index, by: 1)
    }
    return result.filter { !$0.isEmpty }
  }

  /// What comes back of a line before or after a part of it: all up to what is shown, and behind that
  /// what was typed together with it.
  private func line(from start: Int, by step: Int) -> [Range<LocalVersion>] {
    var result: [Range<LocalVersion>] = []
    var last = parts[start].scalars
    var isApart = false
    for distance in 1...Self.reach where parts.indices.contains(start + step * distance) {
      let (part, scalars) = parts[start + step * distance]
      let isNext =
        step > 0 ? last.upperBound == scalars.lowerBound : scalars.upperBound == last.lowerBound
      switch part {
      case .shown: isApart = true
      case .othersWords: continue
      case .comesBack, .deletedTwice:
        if isApart, !isNext { return result }
        last = scalars
        guard case .comesBack(let text) = part else { continue }
        let letters = text.string.unicodeScalars
        let count = Int32(
          step > 0
            ? letters.prefix { $0 != "\n" }.count : letters.reversed().prefix { $0 != "\n" }.count)
        guard count < scalars.count else {
          result.append(scalars)
          continue
        }
        result.append(
          step > 0
            ? scalars.lowerBound..<scalars.lowerBound + count + 1
            : scalars.upperBound - count..<scalars.upperBound)
        return result
      }
    }
    return result
  }

  /// Whether others wrote something else in place of a part that they deleted.
  private func isReplaced(at index: Int) -> Bool {
    func meetsWords(_ step: Int) -> Bool {
      for distance in 1...Self.reach where parts.indices.contains(index + step * distance) {
        switch parts[index + step * distance].part {
        case .shown, .comesBack: return false
        case .deletedTwice: continue
        case .othersWords: return true
        }
      }
      return false
    }
    return meetsWords(-1) || meetsWords(1)
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

  init(_ deletions: [TextReversal.Deletion], log: Log, texts: [TextBuffer]) throws(HistoryError) {
    var pieces = deletions.map { deletion in
      InsertedText.Piece(
        event: deletion.first, count: Int32(deletion.events.count),
        source: InsertedText.Piece.deleted,
        start: log.deletionNumber(of: deletion.events.lowerBound), backward: deletion.isBackward)
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
