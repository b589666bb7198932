/// A line of a text that somebody moved, and that somebody who did not know of that deleted, whole or in
/// part, or moved elsewhere.
///
/// It shows in that one change deleted the line and inserted the same elsewhere, and that another
/// change deleted some of it, too. Of those who did so in several changes the last one counts. Where
/// they wrote something into the line that is left, a contested passage tells of it.
package struct TextMove {
  /// What somebody did to the line.
  package struct Side {
    /// What inserted the first scalar of it elsewhere, or deleted it or a part of it.
    package var event: LocalVersion
    /// Where they put it: its scalars in the raw text; `nil` if they deleted some of it.
    package var raw: Range<Int>?
    /// What they left of it where it was.
    package var rest: [UInt32] = []
  }

  /// What it says.
  package var text: String
  /// First where it stands, in order, then who deleted some of it.
  package var sides: [Side]
}

extension TextRuns {
  /// The lines that were moved by some and deleted or moved by others, in the order of the text.
  ///
  /// O(runs), plus what those deleted and inserted who deleted what others deleted, too. Of a line that
  /// many deleted it takes the square of their number. Adds to the steps; throws if they become more
  /// than ``Log/passageWorkLimit``.
  func moves(in log: Log, _ steps: inout Int) throws(HistoryError) -> [TextMove] {
    var finder = TextMoveFinder(text: self, log: log, steps: steps)
    defer { steps = finder.steps }
    let moves = try finder.moves()
    // After too many steps no answer was right.
    try finder.spend(0)
    return moves
  }
}

/// Finds the lines of a text that were moved by some and deleted or moved by others.
private struct TextMoveFinder {
  let text: TextRuns
  let log: Log
  /// How many steps were taken.
  var steps: Int

  /// Scalars of a run.
  private typealias Part = (run: Int32, offsets: Range<Int32>)

  /// A line that a change deleted or inserted.
  private struct Line {
    var text: [UInt32] = []
    var parts: [Part] = []
    /// The first deletion in it by each change, if several deleted something in it.
    var deletions: [ChangeIndex: LocalVersion] = [:]
  }

  /// What became of the lines that changes inserted, by what they say.
  private typealias InsertedLines = [[UInt32]: [ChangeIndex: [[TextMove.Side]]]]

  mutating func moves() throws(HistoryError) -> [TextMove] {
    var deleters: Set<ChangeIndex> = []
    for run in 0..<Int32(text.runs.count) where text.deletions(of: run).count > 1 {
      deleters.formUnion(deletions(of: run, at: 0).map(\.change))
    }
    let deleted = try linesDeleted(by: deleters)
    if deleted.isEmpty { return [] }
    var inserted = linesInserted(by: deleters, saying: Set(deleted.map(\.text)))
    var moves: [TextMove] = []
    for line in deleted {
      if let move = try move(of: line, to: &inserted) { moves.append(move) }
    }
    return moves.sorted { Self.isBefore($0.sides[0], $1.sides[0]) }
  }

  /// What stands comes first, in the order of the text.
  private static func isBefore(_ one: TextMove.Side, _ other: TextMove.Side) -> Bool {
    (one.raw?.lowerBound ?? .max, one.event) < (other.raw?.lowerBound ?? .max, other.event)
  }

  /// What became of a line that several changes deleted; `nil` if nothing is contested.
  private mutating func move(
    of line: Line, to inserted: inout InsertedLines
  ) throws(HistoryError) -> TextMove? {
    guard let known = inserted[line.text],
      line.deletions.keys.contains(where: { known[$0] != nil })
    else { return nil }
    var sides: [TextMove.Side] = []
    var others: [(change: ChangeIndex, deletion: LocalVersion)] = []
    var moving: LocalVersion?
    for (change, deletion) in try latest(line.deletions) {
      guard let own = known[change]?.first else {
        others.append((change, deletion))
        continue
      }
      inserted[line.text]?[change]?.removeFirst()
      sides += own
      if own.contains(where: { $0.raw != nil }) { moving = moving ?? deletion }
    }
    guard let moving else { return nil }
    for (change, deletion) in others {
      if let rest = try rest(of: line, after: change, deletion, movedBy: moving) {
        sides.append(TextMove.Side(event: deletion, rest: rest))
      }
    }
    var contested: [TextMove.Side] = []
    for side in sides {
      try spend(1)
      let isContested = sides.contains { other in
        (side.raw != nil || other.raw != nil) && areApart(side.event, other.event)
      }
      if isContested { contested.append(side) }
    }
    contested.sort(by: Self.isBefore)
    if contested.first?.raw == nil { return nil }
    return TextMove(text: TextBuffer(scalars: line.text).string, sides: contested)
  }

  /// The deletions that no later one knew of, in order.
  private mutating func latest(
    _ deletions: [ChangeIndex: LocalVersion]
  ) throws(HistoryError) -> [(change: ChangeIndex, deletion: LocalVersion)] {
    let all = deletions.sorted { $0.key < $1.key }
    var result: [(change: ChangeIndex, deletion: LocalVersion)] = []
    for (index, (change, deletion)) in all.enumerated() {
      try spend(1)
      if !all[(index + 1)...].contains(where: { knew($0.key, of: deletion) }) {
        result.append((change, deletion))
      }
    }
    return result
  }

  /// What a change, and what it knew of, left of a line where it was; `nil` if it did not know all of the
  /// line, or if whoever made it wrote something into the line that is left.
  private mutating func rest(
    of line: Line, after change: ChangeIndex, _ deletion: LocalVersion,
    movedBy moving: LocalVersion
  ) throws(HistoryError) -> [UInt32]? {
    var rest: [UInt32] = []
    for (run, offsets) in line.parts {
      try spend(offsets.count)
      let first = text.runs[Int(run)].first + offsets.lowerBound
      if first.isEvent, !knew(change, of: first) { return nil }
      if !knew(change, ofDeletionOf: run, at: offsets.lowerBound) {
        text.append(offsets, of: run, to: &rest)
      }
    }
    if rest.isEmpty { return rest }
    // What is left of it, or was until somebody deleted it who knew that the line had been moved.
    for run in runs(on: line) {
      let first = text.runs[Int(run)].first
      guard first.isEvent, areApart(first, moving) else { continue }
      let isOwn = knew(change, of: first) || isAncestor(deletion, orSelf: first)
      let isLeft = deletions(of: run, at: 0).allSatisfy { isAncestor(moving, orSelf: $0.event) }
      if isOwn, isLeft { return nil }
    }
    return rest
  }

  /// The runs of a line, those between them, and those next to it if no line feed parts them from it.
  private func runs(on line: Line) -> ClosedRange<Int32> {
    let (start, end) = (line.parts[0], line.parts[line.parts.count - 1])
    var (first, last) = (start.run, end.run)
    if start.offsets.lowerBound == 0, first > 0,
      !isFeed(first - 1, at: text.runs[Int(first) - 1].count - 1)
    {
      first -= 1
    }
    if end.offsets.upperBound == text.runs[Int(last)].count, Int(last) + 1 < text.runs.count,
      !isFeed(last + 1, at: 0)
    {
      last += 1
    }
    return first...last
  }

  private func isFeed(_ run: Int32, at offset: Int32) -> Bool {
    var scalars: [UInt32] = []
    text.append(offset..<offset + 1, of: run, to: &scalars)
    return scalars == [TokenPart.lineFeed]
  }

  // MARK: Who knew what

  /// Whether neither of two events comes before the other.
  private mutating func areApart(_ one: LocalVersion, _ other: LocalVersion) -> Bool {
    !isAncestor(one, orSelf: other) && !isAncestor(other, orSelf: one)
  }

  /// Whether a change came after an event, or holds it.
  private mutating func knew(_ change: ChangeIndex, of event: LocalVersion) -> Bool {
    isAncestor(event, orSelf: log.eventCounts.firstEvent(ofChange: change + 1) - 1)
  }

  /// Whether a change came after some deletion of a scalar of a run, or holds it.
  private mutating func knew(
    _ change: ChangeIndex, ofDeletionOf run: Int32, at offset: Int32
  ) -> Bool {
    deletions(of: run, at: offset).contains { knew(change, of: $0.event) }
  }

  /// Whether an event comes before another one, or is it; of no use, and at once, after too many steps.
  private mutating func isAncestor(_ event: LocalVersion, orSelf other: LocalVersion) -> Bool {
    steps += 1
    return steps > log.passageWorkLimit
      || log.graph.isAncestor(event, orSelf: other, &steps)
  }

  mutating func spend(_ count: Int) throws(HistoryError) {
    steps += count
    guard steps <= log.passageWorkLimit else {
      throw HistoryError(.tooMuchWork, event: log.graph.end - 1)
    }
  }

  /// Who deleted a scalar of a run, and by which event.
  private func deletions(
    of run: Int32, at offset: Int32
  ) -> [(change: ChangeIndex, event: LocalVersion)] {
    text.deletions(of: run).map { place in
      let event = text.deletions[place].event(of: text.runs[Int(run)].first + offset)
      return (log.eventCounts.change(of: event), event)
    }
  }

  // MARK: Lines

  /// The lines that changes inserted, each of them in the order of the text, of those that say something
  /// given.
  private func linesInserted(
    by changes: Set<ChangeIndex>, saying texts: Set<[UInt32]>
  ) -> InsertedLines {
    var inserted: [ChangeIndex: [Part]] = [:]
    for (index, run) in text.runs.enumerated() where run.first.isEvent {
      // A run may hold what several changes inserted one after the other.
      let names = run.first..<run.first + run.count
      for change in log.eventCounts.changes(of: names) where changes.contains(change) {
        let own = log.eventCounts.events(ofChange: change).clamped(to: names)
        inserted[change, default: []].append(
          (Int32(index), own.lowerBound - run.first..<own.upperBound - run.first))
      }
    }
    var result: InsertedLines = [:]
    for (change, parts) in inserted {
      let stretches = Self.split(parts) { rawRange($0).upperBound < rawRange($1).lowerBound }
      for line in stretches.flatMap(lines) where texts.contains(line.text) {
        guard let fate = fate(of: line.parts) else { continue }
        result[line.text, default: [:]][change, default: []].append(fate)
      }
    }
    return result
  }

  /// Parts of a text in a row, each time up to where others stand between.
  private static func split(
    _ parts: [Part], between areParted: (Part, Part) -> Bool
  ) -> [[Part]] {
    var result: [[Part]] = []
    for part in parts {
      if let last = result.last?.last, !areParted(last, part) {
        result[result.count - 1].append(part)
      } else {
        result.append([part])
      }
    }
    return result
  }

  /// Where scalars of a run stand in the raw text; nowhere, empty, if they were deleted.
  private func rawRange(_ part: Part) -> Range<Int> {
    let start = Int(text.runs[Int(part.run)].start)
    if !text.deletions(of: part.run).isEmpty { return start..<start }
    return start + Int(part.offsets.lowerBound)..<start + Int(part.offsets.upperBound)
  }

  /// What became of a line that was inserted: it stands there as it was, or was deleted; `nil` if only
  /// a part of it does.
  private func fate(of line: [Part]) -> [TextMove.Side]? {
    let raw = rawRange(line[0]).lowerBound..<rawRange(line[line.count - 1]).upperBound
    let deleted = line.filter { !text.deletions(of: $0.run).isEmpty }
    if deleted.count == line.count {
      return deletions(of: line[0].run, at: 0).map { TextMove.Side(event: $0.event) }
    }
    guard deleted.isEmpty, raw.count == line.reduce(0, { $0 + $1.offsets.count }) else {
      return nil
    }
    let event = text.runs[Int(line[0].run)].first + line[0].offsets.lowerBound
    return [TextMove.Side(event: event, raw: raw)]
  }

  /// The lines that a change deleted whole and others in part at least, in the order of the text.
  private mutating func linesDeleted(
    by changes: Set<ChangeIndex>
  ) throws(HistoryError) -> [Line] {
    var deleted: [ChangeIndex: [Part]] = [:]
    for (index, run) in text.runs.enumerated() {
      for (change, _) in deletions(of: Int32(index), at: 0) where changes.contains(change) {
        deleted[change, default: []].append((Int32(index), 0..<run.count))
      }
    }
    // Several may have deleted what begins at one place, each another line.
    var found: [TextRuns.Place: [[UInt32]: Line]] = [:]
    func areOwn(_ parts: [Part]) -> Bool {
      parts.allSatisfy { text.deletions(of: $0.run).count < 2 }
    }
    for (change, parts) in deleted.sorted(by: { $0.key < $1.key }) {
      try spend(parts.count)
      let stretches = Self.split(parts) { last, part in
        (last.run + 1..<part.run).contains { isSeen($0, by: change) }
      }
      for stretch in stretches where !areOwn(stretch) {
        try spend(stretch.reduce(0) { $0 + $1.offsets.count })
        let lines = lines(of: stretch)
        // It is whole if a line feed beside it was deleted, too.
        if lines.count == 1 { continue }
        for var line in lines where !areOwn(line.parts) && !line.text.isBlank {
          let (run, offsets) = line.parts[0]
          let start = TextRuns.Place(run: run, offset: offsets.lowerBound)
          if found[start]?[line.text] != nil { continue }
          for part in line.parts {
            try spend(text.deletions(of: part.run).count)
            for (change, event) in deletions(of: part.run, at: part.offsets.lowerBound) {
              line.deletions[change] = line.deletions[change] ?? event
            }
          }
          found[start, default: [:]][line.text] = line
        }
      }
    }
    return found.sorted { $0.key < $1.key }.flatMap(\.value.values)
  }

  /// Whether a change saw a run, and left it there.
  private mutating func isSeen(_ run: Int32, by change: ChangeIndex) -> Bool {
    let first = text.runs[Int(run)].first
    return (!first.isEvent || knew(change, of: first)) && !knew(change, ofDeletionOf: run, at: 0)
  }

  /// The lines of parts of a text in a row, with what stands before its first line feed and after its
  /// last one.
  private func lines(of stretch: [Part]) -> [Line] {
    var lines = [Line()]
    for (run, offsets) in stretch {
      var scalars: [UInt32] = []
      text.append(offsets, of: run, to: &scalars)
      var start = offsets.lowerBound
      for piece in scalars.split(
        separator: TokenPart.lineFeed, omittingEmptySubsequences: false)
      {
        if start > offsets.lowerBound { lines.append(Line()) }
        lines[lines.count - 1].text += piece
        let stop = start + Int32(piece.count)
        if start < stop { lines[lines.count - 1].parts.append((run, start..<stop)) }
        start = stop + 1
      }
    }
    return lines
  }
}

extension Log {
  /// The lines of texts that were moved by some and deleted or moved by others, by container number.
  ///
  /// O(operations); a walk over the texts in which somebody deleted what others deleted, too. Takes the
  /// raw texts by container number, and the critical versions. Throws if that takes more than the
  /// limits.
  package func textMoves(
    raw texts: [TextBuffer], _ cuts: CriticalVersions
  ) throws(HistoryError) -> [ContainerIndex: [TextMove]] {
    var surplus = Dictionary(
      containersEditedConcurrently(cuts).map { ($0, texts[$0].scalarCount) }
    ) { first, _ in first }
    if surplus.isEmpty { return [:] }
    for operation in operations where operation.kind.editsText {
      let count = Int(operation.length)
      surplus[operation.container]? += operation.kind.deletesText ? count : -count
    }
    let containers = surplus.filter { $0.value > 0 }.keys.sorted()
    var result: [ContainerIndex: [TextMove]] = [:]
    if containers.isEmpty { return result }
    var steps = 0
    for group in walkedTogether(containers) {
      let walked = try runs(ofGroup: group, texts, bounds: bounds(besides: []), .max)
      for (container, text) in zip(group, walked) {
        let moves = try text.moves(in: self, &steps)
        if !moves.isEmpty { result[container] = moves }
      }
    }
    return result
  }
}
