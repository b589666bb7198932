/// Finds the passages of a text from a walk over its history, one round after the other.
///
/// What a round starts from is as if it had always been there: nothing reaches over the line ends
/// that it leaves alone, and what stands between two of them is looked at if the round touched it
/// (``Stretch``). It is taken apart further, line by line, as far as all changes that touched it
/// have seen the line ends. A passage of an earlier round stays as long as nobody touches it, and
/// counts as one scalar until then.
///
/// O(runs + bytes); and for each round the runs of the lines that it touched, and what
/// ``PassageFinder`` takes for each such stretch.
struct StretchReader {
  /// What stands between two line ends that a round leaves alone shows its raw text if it is longer,
  /// scalars that the round deleted included.
  private static let unitLimit = 1 << 15
  /// A text shows its raw text if walking its history takes more than so many times the steps that
  /// a walk may take elsewhere.
  static let workFactor = 16

  let log: Log
  let text: TextRuns

  /// The passages that stay so far, ascending.
  var kept: [KeptPassage] = []
  /// None of them is touched before this event.
  private(set) var nextTouch = LocalVersion.afterAll
  /// Whether somebody left a part of a passage that was made before the walk began, so that what
  /// comes of it follows from the whole history alone.
  private(set) var lacksHistory = false

  /// The stretch that is looked at.
  private(set) var units: [Piece] = []
  /// The changes that deleted them, one scalar's after the other's.
  private(set) var deleters: [ChangeIndex] = []
  /// Where they stand.
  private var places: [Place] = []
  /// The passages that count as one scalar each there, by number.
  private var atoms: [KeptPassage] = []
  /// What ``areEditsApart(_:)`` works with.
  var marks: [EditMark] = []
  typealias KnownChange = (number: ChangeIndex, events: Range<LocalVersion>)
  private var lastInserter: KnownChange = (.beforeAll, .first ..< .first)
  private var lastDeleter: KnownChange = (.beforeAll, .first ..< .first)

  /// A scalar with the changes of the round that touched it.
  struct Piece {
    var scalar: UInt32
    /// The change that inserted it; before all if that was before the round.
    var insertedBy: ChangeIndex
    /// Where those end that deleted it.
    var deletersEnd: Int32
  }

  typealias Place = TextRuns.Place

  /// A passage with its first visible scalar and its last one, which stays until somebody touches it.
  struct KeptPassage {
    var first: Place
    var last: Place
    var passage: TextPassage
    /// Where the round begins that made it; before all if that was before the walk.
    var round: LocalVersion
    /// The first event that does; `nil` if none does.
    var touchedBy: LocalVersion?
    /// The changes of the round that is looked at that deleted all of it, ascending.
    var deletedBy: [ChangeIndex] = []
  }

  /// The passages of a text.
  ///
  /// - Parameters:
  ///   - text: what was ever inserted, by a walk from the start, or from a critical version up to which
  ///     nothing was done concurrently.
  ///   - log: the log.
  /// - Returns: the passages, ascending.
  static func passages(in text: TextRuns, of log: Log) -> [TextPassage] {
    var reader = StretchReader(log: log, text: text)
    return reader.readAll()
  }

  init(log: Log, text: TextRuns) {
    self.log = log
    self.text = text
  }

  /// Looks at all rounds, and what comes between and after them.
  mutating func readAll() -> [TextPassage] {
    for (number, round) in text.rounds.ranges.enumerated() { read(round, number) }
    goOn(to: log.graph.end)
    return found()
  }

  /// A passage that stays until somebody touches it after an event.
  func keeping(
    _ passage: TextPassage, from first: Place, to last: Place, after event: LocalVersion,
    round: LocalVersion
  ) -> KeptPassage {
    var touchedBy: LocalVersion?
    for run in first.run..<last.run + 1 {
      guard let touch = text.touch(of: run, after: event) else { continue }
      touchedBy = min(touchedBy ?? touch, touch)
    }
    return KeptPassage(
      first: first, last: last, passage: passage, round: round, touchedBy: touchedBy)
  }

  /// The passages that stay to the end, where they stand in the raw text.
  private func found() -> [TextPassage] {
    var (scalar, byte) = (0, 0)
    func position(_ place: Place) -> Int {
      let next = text.byte(place.offset, of: place.run)
      scalar += text.scalarCount(in: byte..<next)
      byte = next
      return scalar
    }
    return kept.filter { $0.touchedBy == nil }.map { kept in
      var passage = kept.passage
      let start = position(kept.first)
      passage.raw = start..<position(kept.last) + 1
      return passage
    }
  }

  // MARK: Rounds

  /// Looks at what a round touched.
  private mutating func read(_ round: Range<LocalVersion>, _ number: Int) {
    goOn(to: round.lowerBound)
    let left = noteDeletions(in: round)
    var new: [KeptPassage] = []
    var end = Place(run: 0, offset: 0)
    var touched = text.touched(in: number)[...]
    while let first = touched.first {
      var count = 1
      while let next = touched.dropFirst(count).first,
        lineEnd(
          from: Place(run: Int(touched[touched.startIndex + count - 1]), offset: 0), to: Int(next),
          round) == nil
      { count += 1 }
      let runs = touched.prefix(count)
      touched = touched.dropFirst(count)
      if !haveSeveralMakers(runs, in: round) { continue }
      let start = start(ofStretchWith: Place(run: Int(first), offset: 0), in: round, after: end)
      end = readStretch(from: start, in: round)
      new += search(in: round)
    }
    let again = lookAgain(at: left, upTo: round.upperBound)
    drop(touchedBefore: round.upperBound)
    add(new)
    for passages in again { add(passages) }
  }

  /// Goes on from one round to the next, or to the end: what is touched does not stay.
  ///
  /// Who leaves something of a passage has settled nothing: what stands there is looked at once more,
  /// as if the round that made it had gone on up to that change, which is named with what is shown.
  private mutating func goOn(to end: LocalVersion) {
    if nextTouch >= end { return }
    func isDue(_ kept: KeptPassage) -> Bool { kept.touchedBy.map { $0 < end } ?? false }
    func change(_ event: LocalVersion) -> Range<LocalVersion> {
      log.eventCounts.events(ofChange: log.eventCounts.change(of: event))
    }
    // Mostly all of each is gone, and nothing has to be looked at.
    let mustLook = kept.lazy.filter(isDue).contains { old in
      old.touchedBy.map { isLeft(old, by: change($0)) } ?? false
    }
    if !mustLook { return drop(touchedBefore: end) }
    while let event = kept.filter(isDue).compactMap(\.touchedBy).min() {
      let change = change(event)
      let touched = kept.filter { $0.touchedBy.map(change.contains) ?? false }
      kept.removeAll { $0.touchedBy.map(change.contains) ?? false }
      for old in touched where isLeft(old, by: change) {
        var new = lookAgain(at: [old], upTo: change.upperBound)[0]
        let name = log.changeID(ofChange: log.eventCounts.change(of: event))
        for index in new.indices where !new[index].passage.shown.changes.contains(name) {
          new[index].passage.shown.changes.append(name)
        }
        add(new)
      }
    }
    drop(touchedBefore: end)
  }

  /// What stands now where passages were of which somebody left a part, as if the round that made
  /// each had gone on up to an event.
  ///
  /// A stretch is read once for those that follow each other in it. The passages, ascending, do not
  /// stay themselves; for each come those that meet it.
  private mutating func lookAgain(
    at old: [KeptPassage], upTo end: LocalVersion
  ) -> [[KeptPassage]] {
    let others = kept
    defer { kept = others }
    var known: (round: LocalVersion, places: Range<Place>, found: [KeptPassage])?
    return old.map { old in
      if !old.round.isEvent { lacksHistory = true }
      if known?.round != old.round { kept = others.filter { $0.round < old.round } }
      if known?.round != old.round || known?.places.contains(old.first) != true {
        let span = old.round..<end
        let start = start(ofStretchWith: old.first, in: span, after: Place(run: 0, offset: 0))
        let places = start..<readStretch(from: start, in: span)
        known = (old.round, places, search(in: span))
      }
      return known?.found.filter { $0.first <= old.last && old.first <= $0.last } ?? []
    }
  }

  /// Drops the passages that somebody touches before an event.
  private mutating func drop(touchedBefore end: LocalVersion) {
    if nextTouch >= end { return }
    kept.removeAll { kept in kept.touchedBy.map { $0 < end } ?? false }
    nextTouch = kept.lazy.compactMap(\.touchedBy).min() ?? .afterAll
  }

  /// Whether a change leaves some scalar of a passage.
  private func isLeft(_ passage: KeptPassage, by change: Range<LocalVersion>) -> Bool {
    (passage.first.run..<passage.last.run + 1).contains { run in
      let first = text.runs[run].first
      return first < change.lowerBound
        && !text.deletions(of: run).contains { $0.event(of: first) < change.upperBound }
    }
  }

  /// Keeps new passages, ascending, instead of those that they reach over.
  ///
  /// O(log k + n log n) for k passages and n new ones and those between, and moving what comes behind.
  mutating func add(_ new: [KeptPassage]) {
    guard let first = new.first, let last = new.last else { return }
    let start = kept.partitionPoint { $0.last >= first.first }
    let end = kept.partitionPoint { $0.first > last.last }
    var next = 0
    let others = kept[start..<end].filter { old in
      while next < new.count, new[next].last < old.first { next += 1 }
      return next == new.count || old.last < new[next].first
    }
    kept.replaceSubrange(start..<end, with: (new + others).sorted { $0.first < $1.first })
    nextTouch = new.lazy.compactMap(\.touchedBy).reduce(nextTouch, min)
  }

  /// Where the stretch begins that a scalar is part of: after the last line end before it that a
  /// round leaves alone.
  private func start(
    ofStretchWith scalar: Place, in round: Range<LocalVersion>, after first: Place
  ) -> Place {
    var place = scalar
    var next = kept.partitionPoint { $0.first >= place } - 1
    if next >= 0, kept[next].last >= place {
      place = kept[next].first
      next -= 1
    }
    while place > first {
      // What comes before, in one run, without passages.
      let run = place.offset > 0 ? place.run : place.run - 1
      let end = place.offset > 0 ? place.offset : text.runs[run].count
      var start = max(first, Place(run: run, offset: 0))
      let isInRun = next >= 0 && kept[next].last >= start
      if isInRun { start.offset = kept[next].last.offset + 1 }
      if text.state(of: run, in: round) == .untouched,
        let lineFeed = text.lineFeed(.last, of: run, in: start.offset..<end)
      {
        return Place(run: run, offset: lineFeed + 1)
      }
      if isInRun {
        start = kept[next].first
        next -= 1
      }
      place = start
    }
    return place
  }

  /// The first line end from a place on that a round leaves alone.
  ///
  /// - Returns: where the next line begins; `nil` if there is none before a run.
  private func lineEnd(
    from start: Place, to limit: Int, _ round: Range<LocalVersion>
  ) -> Place? {
    for part in StretchParts(
      of: text, kept, in: round, from: start, to: Place(run: limit, offset: 0))
    where text.state(of: part.run, in: round) == .untouched {
      guard let lineFeed = text.lineFeed(.first, of: part.run, in: part.offsets) else { continue }
      return lineFeed + 1 < text.runs[part.run].count
        ? Place(run: part.run, offset: lineFeed + 1) : Place(run: part.run + 1, offset: 0)
    }
    return nil
  }

  /// Whether several changes of a round touched some runs.
  private func haveSeveralMakers(
    _ runs: ArraySlice<Int32>, in round: Range<LocalVersion>
  ) -> Bool {
    var maker: KnownChange?
    func isOther(_ event: LocalVersion) -> Bool {
      guard round.contains(event) else { return false }
      if let maker { return !maker.events.contains(event) }
      var found: KnownChange = (.beforeAll, .first ..< .first)
      _ = change(of: event, &found)
      maker = found
      return false
    }
    return runs.contains { run in
      let first = text.runs[Int(run)].first
      return isOther(first)
        || text.deletions(of: Int(run)).contains { isOther($0.event(of: first)) }
    }
  }

  /// Reads a stretch.
  ///
  /// - Returns: where it ends.
  private mutating func readStretch(
    from start: Place, in round: Range<LocalVersion>
  ) -> Place {
    let end =
      lineEnd(from: start, to: text.runs.count, round) ?? Place(run: text.runs.count, offset: 0)
    units.removeAll(keepingCapacity: true)
    deleters.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    atoms.removeAll(keepingCapacity: true)
    for part in StretchParts(of: text, kept, in: round, from: start, to: end) {
      switch text.state(of: part.run, in: round) {
      case .absent: break
      case .touched: readTouched(part.run, part.offsets, in: round)
      case .untouched: readUntouched(part.run, part.offsets)
      }
      if let number = part.passage {
        deleters += kept[number].deletedBy
        keep(Stretch.Unit.firstAtom + UInt32(atoms.count), at: kept[number].first)
        atoms.append(kept[number])
      }
    }
    return end
  }

  private mutating func readUntouched(_ run: Int, _ offsets: Range<Int32>) {
    // One more than the limit tells that there are too many.
    let count = min(Int32(offsets.count), Int32(max(0, Self.unitLimit + 1 - units.count)))
    text.forEachScalar(of: run, offsets.lowerBound..<offsets.lowerBound + count) {
      keep($1, at: Place(run: run, offset: $0))
    }
  }

  private mutating func readTouched(
    _ run: Int, _ offsets: Range<Int32>, in round: Range<LocalVersion>
  ) {
    let first = text.runs[run].first
    let entries = text.deletions(of: run).filter { $0.event(of: first) < round.upperBound }
    let count = min(Int32(offsets.count), Int32(max(0, Self.unitLimit + 1 - units.count)))
    text.forEachScalar(of: run, offsets.lowerBound..<offsets.lowerBound + count) {
      offset, scalar in
      let name = first + offset
      for entry in entries { deleters.append(change(of: entry.event(of: name), &lastDeleter)) }
      keep(
        scalar, at: Place(run: run, offset: offset),
        insertedBy: name < round.lowerBound ? .beforeAll : change(of: name, &lastInserter))
    }
  }

  private mutating func keep(
    _ scalar: UInt32, at place: Place, insertedBy change: ChangeIndex = .beforeAll
  ) {
    units.append(
      Piece(scalar: scalar, insertedBy: change, deletersEnd: Int32(deleters.count)))
    places.append(place)
  }

  /// The change of an event, which is often the last one that was found.
  func change(of event: LocalVersion, _ last: inout KnownChange) -> ChangeIndex {
    if !last.events.contains(event) {
      let change = log.eventCounts.change(of: event)
      last = (change, log.eventCounts.events(ofChange: change))
    }
    return last.number
  }

  // MARK: Passages

  /// The passages in a stretch of a round.
  ///
  /// - Returns: them, ascending.
  private mutating func search(in round: Range<LocalVersion>) -> [KeptPassage] {
    if units.count > Self.unitLimit { return [] }
    let found = passages(in: StretchPart(units: units.indices), knowingWhatIsApart: true)
    if found.isEmpty { return [] }
    var visible: [Int] = []
    var deletersEnd: Int32 = 0
    for (unit, piece) in units.enumerated() {
      if piece.deletersEnd == deletersEnd { visible.append(unit) }
      deletersEnd = piece.deletersEnd
    }
    return found.map { passage in
      let (start, end) = (visible[passage.raw.lowerBound], visible[passage.raw.upperBound - 1])
      let first = atom(units[start].scalar)?.first ?? places[start]
      let last = atom(units[end].scalar)?.last ?? places[end]
      return keeping(
        passage, from: first, to: last, after: round.upperBound - 1, round: round.lowerBound)
    }
  }

  /// The passage that a scalar stands for, if it stands for one.
  private func atom(_ scalar: UInt32) -> KeptPassage? {
    let number = Int(scalar) - Int(Stretch.Unit.firstAtom)
    return atoms.indices.contains(number) ? atoms[number] : nil
  }

  /// The passage of an earlier round that a scalar stands for, if it stands for one.
  func passage(for scalar: UInt32) -> TextPassage? { atom(scalar)?.passage }
}
