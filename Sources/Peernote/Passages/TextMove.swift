/// A line of a text that somebody moved, and that somebody who did not know of that deleted, whole or in
/// part, or moved elsewhere.
///
/// It shows in that one change deleted the line and inserted the same elsewhere, and that another
/// change deleted some of it, too. Of those who did so in several changes the last one counts. Where
/// they wrote something into the line that is left, a contested passage tells of it.
struct TextMove {
  /// Where the line is.
  struct Place {
    /// Its scalars in the raw text.
    var raw: Range<Int>
    /// What inserted the first of them.
    var event: LocalVersion
  }

  /// Somebody's deletion of the line where it was, or of a part of it.
  struct Deletion {
    /// What they left of it; `nil` if that is nothing, or blank.
    var rest: String?
    var event: LocalVersion
  }

  /// What it says.
  var text: String
  /// Where it stands, in order.
  var places: [Place]
  /// What was deleted of it.
  var deletions: [Deletion]

  /// What brought it to where it stands, and what deleted it.
  var events: [LocalVersion] { places.map(\.event) + deletions.map(\.event) }
}

extension TextRuns {
  /// The lines that were moved by some and deleted or moved by others, in the order of the text.
  ///
  /// O(runs), plus what those deleted and inserted who deleted what others deleted, too; O(1) if nobody
  /// did. Of a line that many deleted it takes the square of their number.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - steps: how many steps were taken so far; these are added.
  /// - Returns: the lines.
  /// - Throws: ``HistoryError`` if they become more than ``Log/passageWorkLimit``.
  func moves(in log: Log, _ steps: inout Int) throws(HistoryError) -> [TextMove] {
    var finder = TextMoveFinder(self, log, steps: steps)
    let moves = try finder.moves()
    steps = finder.steps
    return moves
  }
}

/// Finds the lines of a text that were moved by some and deleted or moved by others.
private struct TextMoveFinder {
  private let text: TextRuns
  private let log: Log
  /// Those who deleted what others deleted, too.
  private let deleters: Set<ChangeIndex>
  /// How many steps were taken.
  private(set) var steps: Int

  /// Scalars of runs that stand, or stood, next to each other.
  private typealias Stretch = [(run: Int32, offsets: Range<Int32>)]

  /// What changes did up to a place of the text, each without anything else between; by the change.
  private struct OpenStretches {
    private var all: [(change: ChangeIndex, stretch: Stretch)] = []
    var count: Int { all.count }

    mutating func append(_ run: Int32, _ offsets: Range<Int32>, by change: ChangeIndex) {
      let place = all.partitionPoint { $0.change >= change }
      if place == all.count || all[place].change != change { all.insert((change, []), at: place) }
      all[place].stretch.append((run, offsets))
    }

    /// Those of some changes, which end here.
    mutating func end<Failure: Error>(
      where isOver: (ChangeIndex) throws(Failure) -> Bool
    ) throws(Failure) -> [(change: ChangeIndex, stretch: Stretch)] {
      var ended: [(change: ChangeIndex, stretch: Stretch)] = []
      var place = 0
      while place < all.count {
        if try isOver(all[place].change) { ended.append(all.remove(at: place)) } else { place += 1 }
      }
      return ended
    }
  }

  /// A line that a change deleted, and others, too, in part at least.
  private struct DeletedLine {
    var text: [UInt32]
    var parts: Stretch
    /// The first deletion in it by each change.
    var deletions: [ChangeIndex: LocalVersion]
  }

  /// What became of the lines that changes inserted, by what they say.
  private typealias InsertedLines = [[UInt32]: [ChangeIndex: [[Fate]]]]

  /// What somebody did to a line.
  private struct Fate {
    /// Where they put it; `nil` if they deleted some of it.
    var place: TextMove.Place?
    var event: LocalVersion
    /// What they left of it where it was.
    var rest: [UInt32] = []
  }

  init(_ text: TextRuns, _ log: Log, steps: Int) {
    (self.text, self.log, self.steps) = (text, log, steps)
    var deleters: Set<ChangeIndex> = []
    for run in text.deletedOften {
      for place in text.deletions(of: run) {
        deleters.insert(
          Self.change(of: text.deletions[place].event(of: text.runs[Int(run)].first), log))
      }
    }
    self.deleters = deleters
  }

  private static func change(of event: LocalVersion, _ log: Log) -> ChangeIndex {
    log.eventCounts.change(of: event)
  }

  mutating func moves() throws(HistoryError) -> [TextMove] {
    if deleters.isEmpty { return [] }
    let deleted = try deletedLines()
    if deleted.isEmpty { return [] }
    var inserted = insertedLines(saying: Set(deleted.map(\.text)))
    var moves: [TextMove] = []
    for line in deleted {
      if let move = try move(of: line, to: &inserted) { moves.append(move) }
    }
    moves.sort { ($0.places.first?.raw.lowerBound ?? 0) < ($1.places.first?.raw.lowerBound ?? 0) }
    return moves
  }

  /// What became of a line that several changes deleted; `nil` if nothing is contested.
  private mutating func move(
    of line: DeletedLine, to inserted: inout InsertedLines
  ) throws(HistoryError) -> TextMove? {
    guard let known = inserted[line.text],
      line.deletions.keys.contains(where: { known[$0] != nil })
    else { return nil }
    var fates: [Fate] = []
    var others: [(change: ChangeIndex, deletion: LocalVersion)] = []
    var moving: LocalVersion?
    for (change, deletion) in try latest(line.deletions) {
      guard let own = known[change]?.first else {
        others.append((change, deletion))
        continue
      }
      inserted[line.text]?[change]?.removeFirst()
      fates += own
      if own.contains(where: { $0.place != nil }) { moving = moving ?? deletion }
    }
    guard let moving else { return nil }
    for (change, deletion) in others {
      if let rest = try rest(of: line, after: change, deletion, movedBy: moving) {
        fates.append(Fate(event: deletion, rest: rest))
      }
    }
    var contested: [Fate] = []
    for fate in fates {
      for other in fates where fate.place != nil || other.place != nil {
        if try areApart(fate.event, other.event) {
          contested.append(fate)
          break
        }
      }
    }
    let places = contested.compactMap(\.place).sorted { $0.raw.lowerBound < $1.raw.lowerBound }
    if places.isEmpty { return nil }
    let deletions = contested.filter { $0.place == nil }.map { fate in
      let isBlank = fate.rest.allSatisfy { TokenPart.isBlank($0) }
      return TextMove.Deletion(
        rest: isBlank ? nil : Self.string(of: fate.rest), event: fate.event)
    }
    return TextMove(
      text: Self.string(of: line.text), places: places,
      deletions: deletions.sorted { $0.event < $1.event })
  }

  private static func string(of scalars: [UInt32]) -> String {
    String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
  }

  /// The deletions that no later one knew of, in order.
  private mutating func latest(
    _ deletions: [ChangeIndex: LocalVersion]
  ) throws(HistoryError) -> [(change: ChangeIndex, deletion: LocalVersion)] {
    let all = deletions.sorted { $0.key < $1.key }
    var result: [(change: ChangeIndex, deletion: LocalVersion)] = []
    for (index, (change, deletion)) in all.enumerated() {
      var isKnown = false
      for (later, _) in all[(index + 1)...] where !isKnown {
        isKnown = try knew(later, of: deletion)
      }
      if !isKnown { result.append((change, deletion)) }
    }
    return result
  }

  /// What a change, and what it knew of, left of a line where it was; `nil` if it did not know all of the
  /// line, or if whoever made it wrote something into the line that is left.
  private mutating func rest(
    of line: DeletedLine, after change: ChangeIndex, _ deletion: LocalVersion,
    movedBy moving: LocalVersion
  ) throws(HistoryError) -> [UInt32]? {
    var rest: [UInt32] = []
    for (run, offsets) in line.parts {
      try spend(offsets.count)
      let first = text.runs[Int(run)].first + offsets.lowerBound
      if first.isEvent, try !knew(change, of: first) { return nil }
      if try !knew(change, ofDeletionOf: run, at: offsets.lowerBound) {
        text.append(offsets, of: run, to: &rest)
      }
    }
    if !rest.isEmpty, try wrote(into: line, beside: change, deletion, movedBy: moving) {
      return nil
    }
    return rest
  }

  /// Whether somebody who deleted a part of a line wrote something into it that is left, or was until
  /// somebody deleted it who knew that the line had been moved.
  private mutating func wrote(
    into line: DeletedLine, beside change: ChangeIndex, _ deletion: LocalVersion,
    movedBy moving: LocalVersion
  ) throws(HistoryError) -> Bool {
    for run in runs(on: line) {
      let first = text.runs[Int(run)].first
      guard first.isEvent, try areApart(first, moving) else { continue }
      var isLeft = try knew(change, of: first)
      if !isLeft { isLeft = try isAncestor(deletion, orSelf: first) }
      for place in text.deletions(of: run) where isLeft {
        isLeft = try isAncestor(moving, orSelf: text.deletions[place].event(of: first))
      }
      if isLeft { return true }
    }
    return false
  }

  /// The runs of a line, those between them, and those next to it if no line feed parts them from it.
  private func runs(on line: DeletedLine) -> ClosedRange<Int32> {
    let (start, end) = (line.parts[0], line.parts[line.parts.count - 1])
    var (first, last) = (start.run, end.run)
    if start.offsets.lowerBound == 0, first > 0,
      scalar(of: first - 1, at: text.runs[Int(first) - 1].count - 1) != TokenPart.lineFeed
    {
      first -= 1
    }
    if end.offsets.upperBound == text.runs[Int(last)].count, Int(last) + 1 < text.runs.count,
      scalar(of: last + 1, at: 0) != TokenPart.lineFeed
    {
      last += 1
    }
    return first...last
  }

  private func scalar(of run: Int32, at offset: Int32) -> UInt32? {
    var scalars: [UInt32] = []
    text.append(offset..<offset + 1, of: run, to: &scalars)
    return scalars.first
  }

  /// Whether neither of two events comes before the other.
  private mutating func areApart(
    _ one: LocalVersion, _ other: LocalVersion
  ) throws(HistoryError) -> Bool {
    if try isAncestor(one, orSelf: other) { return false }
    return try !isAncestor(other, orSelf: one)
  }

  /// Whether a change came after an event, or holds it.
  private mutating func knew(
    _ change: ChangeIndex, of event: LocalVersion
  ) throws(HistoryError) -> Bool {
    try isAncestor(event, orSelf: log.eventCounts.firstEvent(ofChange: change + 1) - 1)
  }

  /// Whether a change came after some deletion of a scalar of a run, or holds it.
  private mutating func knew(
    _ change: ChangeIndex, ofDeletionOf run: Int32, at offset: Int32
  ) throws(HistoryError) -> Bool {
    let scalar = text.runs[Int(run)].first + offset
    for place in text.deletions(of: run) {
      if try knew(change, of: text.deletions[place].event(of: scalar)) { return true }
    }
    return false
  }

  private mutating func isAncestor(
    _ event: LocalVersion, orSelf other: LocalVersion
  ) throws(HistoryError) -> Bool {
    var count = 1
    let isAncestor = log.graph.isAncestor(event, orSelf: other, &count)
    try spend(count)
    return isAncestor
  }

  private mutating func spend(_ count: Int) throws(HistoryError) {
    steps += count
    guard steps <= log.passageWorkLimit else {
      throw HistoryError(.tooMuchWork, event: log.graph.end - 1)
    }
  }

  /// The lines that each of the changes inserted, in the order of the text, of those that say something
  /// given.
  private func insertedLines(saying texts: Set<[UInt32]>) -> InsertedLines {
    var result: InsertedLines = [:]
    var open = OpenStretches()
    let lengths = Set(texts.map(\.count))
    func end(where isOver: (ChangeIndex) -> Bool) {
      for (change, stretch) in open.end(where: isOver) {
        for (line, parts, _) in lines(of: stretch) where lengths.contains(line.count) {
          if texts.contains(line), let fates = fates(of: parts) {
            result[line, default: [:]][change, default: []].append(fates)
          }
        }
      }
    }
    for (index, run) in text.runs.enumerated() {
      let number = Int32(index)
      let stands = text.deletions(of: number).isEmpty
      guard run.first.isEvent else {
        if stands { end { _ in true } }
        continue
      }
      // A run may hold what several changes inserted one after the other.
      var start: Int32 = 0
      while start < run.count {
        let change = Self.change(of: run.first + start, log)
        let last = log.eventCounts.firstEvent(ofChange: change + 1) - run.first
        let stop = min(run.count, last)
        if stands { end { $0 != change } }
        if deleters.contains(change) { open.append(number, start..<stop, by: change) }
        start = stop
      }
    }
    end { _ in true }
    return result
  }

  /// What became of a line that was inserted: it stands there as it was, or was deleted; `nil` if only
  /// a part of it does.
  private func fates(of line: Stretch) -> [Fate]? {
    guard let first = line.first, let last = line.last else { return nil }
    let live = line.filter { text.deletions(of: $0.run).isEmpty }
    if live.isEmpty {
      return text.deletions(of: first.run).map {
        Fate(event: text.deletions[$0].event(of: text.runs[Int(first.run)].first))
      }
    }
    guard live.count == line.count else { return nil }
    let start = Int(text.runs[Int(first.run)].start + first.offsets.lowerBound)
    let end = Int(text.runs[Int(last.run)].start + last.offsets.upperBound)
    if end - start != line.reduce(0, { $0 + $1.offsets.count }) { return nil }
    let event = text.runs[Int(first.run)].first + first.offsets.lowerBound
    return [Fate(place: .init(raw: start..<end, event: event), event: event)]
  }

  /// The lines that a change deleted whole and others in part at least, in the order of the text.
  private mutating func deletedLines() throws(HistoryError) -> [DeletedLine] {
    // Several may have deleted what begins at one place, each another line.
    struct Name: Hashable {
      var start: TextRuns.Place
      var text: [UInt32]
    }
    var found: [Name: DeletedLine] = [:]
    var open = OpenStretches()
    func end(_ stretch: Stretch) throws(HistoryError) {
      if stretch.allSatisfy({ text.deletions(of: $0.run).count < 2 }) { return }
      try spend(stretch.reduce(0) { $0 + $1.offsets.count })
      for (line, parts, isWhole) in lines(of: stretch) where isWhole {
        if parts.allSatisfy({ text.deletions(of: $0.run).count < 2 }) { continue }
        let start = TextRuns.Place(run: parts[0].run, offset: parts[0].offsets.lowerBound)
        let name = Name(start: start, text: line)
        if found[name] != nil { continue }
        var deletions: [ChangeIndex: LocalVersion] = [:]
        for part in parts {
          try spend(text.deletions(of: part.run).count)
          for (change, event) in self.deletions(of: part.run, at: part.offsets.lowerBound) {
            deletions[change] = deletions[change] ?? event
          }
        }
        if deletions.count > 1 {
          found[name] = DeletedLine(text: line, parts: parts, deletions: deletions)
        }
      }
    }
    for index in text.runs.indices {
      let number = Int32(index)
      let changes = deletions(of: number, at: 0).map(\.change)
      try spend(open.count)
      let ended = try open.end { change throws(HistoryError) in
        changes.contains(change) ? false : try isSeen(number, by: change)
      }
      for (_, stretch) in ended { try end(stretch) }
      for change in changes where deleters.contains(change) {
        open.append(number, 0..<text.runs[index].count, by: change)
      }
    }
    for (_, stretch) in open.end(where: { _ in true }) { try end(stretch) }
    return found.sorted { $0.key.start < $1.key.start }.map(\.value)
  }

  /// Whether a change saw a run, and left it there.
  private mutating func isSeen(_ run: Int32, by change: ChangeIndex) throws(HistoryError) -> Bool {
    let first = text.runs[Int(run)].first
    if first.isEvent, try !knew(change, of: first) { return false }
    return try !knew(change, ofDeletionOf: run, at: 0)
  }

  /// Who deleted a scalar of a run, and by which event.
  private func deletions(
    of run: Int32, at offset: Int32
  ) -> [(change: ChangeIndex, event: LocalVersion)] {
    text.deletions(of: run).map { place in
      let event = text.deletions[place].event(of: text.runs[Int(run)].first + offset)
      return (Self.change(of: event, log), event)
    }
  }

  /// The lines of a stretch that are not blank, each with where it is, and whether a line feed stands
  /// beside it.
  private func lines(
    of stretch: Stretch
  ) -> [(text: [UInt32], parts: Stretch, isWhole: Bool)] {
    var result: [(text: [UInt32], parts: Stretch, isWhole: Bool)] = []
    var parts: Stretch = []
    var line: [UInt32] = []
    var scalars: [UInt32] = []
    var isAfterFeed = false
    func end(atFeed: Bool) {
      if line.contains(where: { !TokenPart.isBlank($0) }) {
        result.append((line, parts, isAfterFeed || atFeed))
      }
      (parts, line, isAfterFeed) = ([], [], true)
    }
    for (run, offsets) in stretch {
      scalars.removeAll(keepingCapacity: true)
      text.append(offsets, of: run, to: &scalars)
      var rest = scalars[...]
      var start = offsets.lowerBound
      while let feed = rest.firstIndex(of: TokenPart.lineFeed) {
        let offset = offsets.lowerBound + Int32(feed)
        if start < offset { parts.append((run, start..<offset)) }
        line += rest[..<feed]
        end(atFeed: true)
        rest = rest[(feed + 1)...]
        start = offset + 1
      }
      line += rest
      if start < offsets.upperBound { parts.append((run, start..<offsets.upperBound)) }
    }
    end(atFeed: false)
    return result
  }
}

extension Log {
  /// The lines of texts that were moved by some and deleted or moved by others.
  ///
  /// O(operations); a walk over the texts in which somebody deleted what others deleted, too.
  ///
  /// - Parameters:
  ///   - texts: the raw texts by container number.
  ///   - cuts: the critical versions.
  /// - Returns: the lines by container number.
  /// - Throws: ``HistoryError`` if that takes more than the limits.
  func textMoves(
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
