/// A line of a text that somebody moved, and that somebody who did not know of that deleted, or moved
/// elsewhere.
///
/// It shows in that one change deleted the line and inserted the same elsewhere, and that another
/// change deleted it, too.
struct TextMove {
  /// Where the line is.
  struct Place {
    /// Its scalars in the raw text.
    var raw: Range<Int>
    /// What inserted the first of them.
    var event: LocalVersion
  }

  /// What it says.
  var text: String
  /// Where it stands, in order.
  var places: [Place]
  /// The deletions of it.
  var deletions: [LocalVersion]

  /// What brought it to where it stands, and what deleted it.
  var events: [LocalVersion] { places.map(\.event) + deletions }
}

extension TextRuns {
  /// The lines that were moved by some and deleted or moved by others, in the order of the text.
  ///
  /// O(runs), plus what those deleted and inserted who deleted what others deleted, too; O(1) if nobody
  /// did.
  func moves(in log: Log) -> [TextMove] { TextMoveFinder(self, log).moves() }
}

/// Finds the lines of a text that were moved by some and deleted or moved by others.
private struct TextMoveFinder {
  private let text: TextRuns
  private let log: Log
  /// Those who deleted what others deleted, too.
  private let deleters: Set<ChangeIndex>

  /// Scalars that stand, or stood, next to each other.
  private struct Stretch {
    var parts: [(run: Int32, offsets: Range<Int32>)] = []
  }

  /// A line that a change inserted.
  private struct Line {
    /// Where it stands; `nil` if it was deleted.
    var place: TextMove.Place?
    var event: LocalVersion
    var deletions: [LocalVersion]
  }

  init(_ text: TextRuns, _ log: Log) {
    (self.text, self.log) = (text, log)
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

  func moves() -> [TextMove] {
    if deleters.isEmpty { return [] }
    let deleted = deletedLines()
    if deleted.isEmpty { return [] }
    var inserted = insertedLines()
    var moves = deleted.compactMap { line -> TextMove? in
      move(of: line.text, deletedBy: line.deletions, to: &inserted)
    }
    moves.sort { ($0.places.first?.raw.lowerBound ?? 0) < ($1.places.first?.raw.lowerBound ?? 0) }
    return moves
  }

  /// What became of a line that several changes deleted; `nil` if nothing is contested.
  private func move(
    of line: [UInt32], deletedBy deletions: [ChangeIndex: LocalVersion],
    to inserted: inout [ChangeIndex: [[UInt32]: [Line]]]
  ) -> TextMove? {
    var fates: [(place: TextMove.Place?, event: LocalVersion)] = []
    for (change, deletion) in deletions.sorted(by: { $0.key < $1.key }) {
      guard let known = inserted[change]?[line]?.first else {
        fates.append((nil, deletion))
        continue
      }
      inserted[change]?[line]?.removeFirst()
      if let place = known.place {
        fates.append((place, place.event))
      } else {
        fates += known.deletions.map { (nil, $0) }
      }
    }
    func areApart(_ one: LocalVersion, _ other: LocalVersion) -> Bool {
      !log.graph.isAncestor(one, orSelf: other) && !log.graph.isAncestor(other, orSelf: one)
    }
    let contested = fates.filter { fate in
      fates.contains { other in
        (fate.place != nil || other.place != nil) && areApart(fate.event, other.event)
      }
    }
    let places = contested.compactMap(\.place).sorted { $0.raw.lowerBound < $1.raw.lowerBound }
    if places.isEmpty { return nil }
    return TextMove(
      text: String(String.UnicodeScalarView(line.compactMap { Unicode.Scalar($0) })),
      places: places,
      deletions: contested.filter { $0.place == nil }.map(\.event).sorted())
  }

  /// The lines that each of the changes inserted, in the order of the text.
  private func insertedLines() -> [ChangeIndex: [[UInt32]: [Line]]] {
    var result: [ChangeIndex: [[UInt32]: [Line]]] = [:]
    var stretches: [ChangeIndex: Stretch] = [:]
    func end(_ change: ChangeIndex) {
      guard let stretch = stretches.removeValue(forKey: change) else { return }
      for (line, parts, _) in lines(of: stretch) {
        if let found = self.line(parts) {
          result[change, default: [:]][line, default: []].append(found)
        }
      }
    }
    for (index, run) in text.runs.enumerated() {
      let number = Int32(index)
      let change = run.first.isEvent ? Self.change(of: run.first, log) : nil
      if text.deletions(of: number).isEmpty {
        for other in Array(stretches.keys) where other != change { end(other) }
      }
      guard let change else { continue }
      // A run may hold what several changes inserted one after the other.
      var start: Int32 = 0
      while start < run.count {
        let change = start == 0 ? change : Self.change(of: run.first + start, log)
        let last = log.eventCounts.firstEvent(ofChange: change + 1) - run.first
        let stop = min(run.count, last)
        if deleters.contains(change) {
          stretches[change, default: Stretch()].parts.append((number, start..<stop))
        } else if text.deletions(of: number).isEmpty {
          for other in Array(stretches.keys) { end(other) }
        }
        start = stop
      }
    }
    for change in Array(stretches.keys) { end(change) }
    return result
  }

  /// A line that was inserted: one that stands there as it was, or was deleted.
  private func line(_ parts: [(run: Int32, offsets: Range<Int32>)]) -> Line? {
    guard let first = parts.first, let last = parts.last else { return nil }
    let event = text.runs[Int(first.run)].first + first.offsets.lowerBound
    let live = parts.filter { text.deletions(of: $0.run).isEmpty }
    if live.isEmpty {
      return Line(
        place: nil, event: event,
        deletions: text.deletions(of: first.run).map {
          text.deletions[$0].event(of: text.runs[Int(first.run)].first)
        })
    }
    guard live.count == parts.count else { return nil }
    let start = Int(text.runs[Int(first.run)].start + first.offsets.lowerBound)
    let end = Int(text.runs[Int(last.run)].start + last.offsets.upperBound)
    if end - start != parts.reduce(0, { $0 + $1.offsets.count }) { return nil }
    return Line(place: .init(raw: start..<end, event: event), event: event, deletions: [])
  }

  /// The lines that several changes deleted, each with its deletions, in the order of the text.
  private func deletedLines() -> [(text: [UInt32], deletions: [ChangeIndex: LocalVersion])] {
    var found: [TextRuns.Place: (text: [UInt32], deletions: [ChangeIndex: LocalVersion])] = [:]
    var stretches: [ChangeIndex: Stretch] = [:]
    func end(_ change: ChangeIndex) {
      guard let stretch = stretches.removeValue(forKey: change),
        stretch.parts.contains(where: { text.deletions(of: $0.run).count > 1 })
      else { return }
      for (line, parts, isWhole) in lines(of: stretch) where isWhole {
        let place = TextRuns.Place(run: parts[0].run, offset: parts[0].offsets.lowerBound)
        // Of several that deleted what begins there, the first one tells how far it goes.
        if found[place] != nil { continue }
        var common: [ChangeIndex: LocalVersion]?
        for part in parts {
          let deletions = self.deletions(of: part.run, at: part.offsets.lowerBound)
          common = common.map { $0.filter { deletions[$0.key] != nil } } ?? deletions
        }
        if let common, common.count > 1 { found[place] = (line, common) }
      }
    }
    for index in text.runs.indices {
      let number = Int32(index)
      let deletions = self.deletions(of: number, at: 0)
      for change in stretches.keys.filter({ deletions[$0] == nil }).sorted() {
        if isSeen(number, deletions, by: change) { end(change) }
      }
      for change in deletions.keys where deleters.contains(change) {
        stretches[change, default: Stretch()].parts.append((number, 0..<text.runs[index].count))
      }
    }
    for change in stretches.keys.sorted() { end(change) }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether a change saw a run, and left it there.
  private func isSeen(
    _ run: Int32, _ deletions: [ChangeIndex: LocalVersion], by change: ChangeIndex
  ) -> Bool {
    let last = log.eventCounts.firstEvent(ofChange: change + 1) - 1
    let first = text.runs[Int(run)].first
    return (!first.isEvent || log.graph.isAncestor(first, orSelf: last))
      && !deletions.values.contains { log.graph.isAncestor($0, orSelf: last) }
  }

  /// Who deleted a scalar of a run, and by which event.
  private func deletions(of run: Int32, at offset: Int32) -> [ChangeIndex: LocalVersion] {
    var result: [ChangeIndex: LocalVersion] = [:]
    for place in text.deletions(of: run) {
      let event = text.deletions[place].event(of: text.runs[Int(run)].first + offset)
      result[Self.change(of: event, log)] = event
    }
    return result
  }

  /// The lines of a stretch that are not blank, each with where it is, and whether a line feed stands
  /// beside it.
  private func lines(
    of stretch: Stretch
  ) -> [(text: [UInt32], parts: [(run: Int32, offsets: Range<Int32>)], isWhole: Bool)] {
    var result: [(text: [UInt32], parts: [(run: Int32, offsets: Range<Int32>)], isWhole: Bool)] = []
    var parts: [(run: Int32, offsets: Range<Int32>)] = []
    var line: [UInt32] = []
    var scalars: [UInt32] = []
    var isAfterFeed = false
    func end(atFeed: Bool) {
      if line.contains(where: { !TokenPart.isBlank($0) }) {
        result.append((line, parts, isAfterFeed || atFeed))
      }
      (parts, line, isAfterFeed) = ([], [], true)
    }
    for (run, offsets) in stretch.parts {
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
    raw texts: [TextBuffer], _ cuts: CriticalCuts
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
    for group in walkedTogether(containers) {
      let walked = try runs(ofGroup: group, texts, bounds: bounds(besides: []), .max)
      for (container, text) in zip(group, walked) {
        let moves = text.moves(in: self)
        if !moves.isEmpty { result[container] = moves }
      }
    }
    return result
  }
}
