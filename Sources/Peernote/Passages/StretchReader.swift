/// Finds the passages of a text from a walk over its history.
///
/// The text is taken apart at the line ends that nobody touched who had not seen all that came
/// before, or had not been seen by all that came after: nothing reaches over these. What stands
/// between is looked at if something was touched there by changes of which neither has seen the
/// other (``Stretch``).
///
/// O(items + bytes), and for each such stretch what ``PassageFinder`` takes.
struct StretchReader {
  /// A stretch with more scalars, deleted ones included, shows its raw text.
  private static let unitLimit = 1 << 12
  /// A text shows its raw text if walking its history takes more than so many times the steps that
  /// a walk may take elsewhere.
  static let workFactor = 16

  private let log: Log
  private let critical: CriticalCuts
  private let raw: TextBuffer
  /// What events deleted.
  private var deletions: [VersionIndex.Entry] = []
  /// Their places by the first scalar they deleted.
  private var order: [Int32] = []
  /// For each deletion where those end that come before it, and itself.
  private var reach: [LocalVersion] = []
  private let deleted: IndexedText

  /// The stretch that is being read.
  private var units: [Piece] = []
  /// The changes that deleted them, one scalar's after the other's.
  private var deleters: [Int32] = []
  private var rawStart = 0
  private var isConcurrent = false
  private var rawPosition = 0
  /// Whether the text is shorter than its history makes it.
  private var isTooShort = false
  private var place = TextPlace()
  private var found: [TextPassage] = []
  private var room = Int.max

  /// A scalar with the changes that touched it.
  private struct Piece {
    var scalar: UInt32
    /// The change that inserted it; -1 if that was before the walk.
    var insertedBy: Int32
    /// Where those end that deleted it.
    var deletersEnd: Int32
  }

  private init(_ log: Log, _ critical: CriticalCuts, raw: TextBuffer) {
    self.log = log
    self.critical = critical
    self.raw = raw
    deleted = IndexedText(log.deletedText.text)
  }

  /// The passages of a text.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - raw: the union of all its insertions and deletions.
  ///   - walker: has walked it, from a critical version at which no passage was open.
  ///   - critical: the critical versions of the history from there on.
  /// - Returns: the passages, ascending, and how many scalars may come without new lines, by changes
  ///   that have seen everything, before a limit can be reached where there are passages.
  /// - Throws: ``HistoryError`` if the text is not as long as the walk says.
  static func passages(
    of container: Int32, raw: TextBuffer, walker: borrowing Walker, critical: CriticalCuts
  ) throws(HistoryError) -> (passages: [TextPassage], room: Int) {
    guard let sequence = walker.tracker.sequences[container] else { return ([], .max) }
    var search = StretchReader(walker.log, critical, raw: raw)
    search.noteDeletions(walker.tracker)
    walker.tracker.forEachItem(of: sequence) { search.read($0) }
    search.endStretch()
    guard search.rawPosition == raw.scalarCount, !search.isTooShort else {
      throw HistoryError(.viewDisagrees, event: walker.log.containers[Int(container)].created)
    }
    return (search.found, search.room)
  }

  private mutating func noteDeletions(_ tracker: borrowing Tracker) {
    deletions = tracker.deletions
    order = deletions.indices.map { Int32($0) }
      .sorted { deletions[Int($0)].deleted.lowerBound < deletions[Int($1)].deleted.lowerBound }
    var end = LocalVersion.min
    reach.reserveCapacity(order.count)
    for place in order {
      end = max(end, deletions[Int(place)].deleted.upperBound)
      reach.append(end)
    }
  }

  // MARK: Reading

  private mutating func read(_ item: Tracker.Item) {
    guard item.deletedBy.isEmpty else {
      for offset in 0..<item.length where !isTooLong { append(item.first + offset, isLive: false) }
      return
    }
    // The item that stands for what is not known may be longer than the text.
    let count = min(Int(item.length), raw.scalarCount - rawPosition)
    if item.first >= 0, count < item.length { isTooShort = true }
    if item.first < 0 || critical.areLinear(item.first..<item.end) {
      readSeen(count, of: item.first)
    } else {
      for offset in 0..<Int32(count) { append(item.first + offset, isLive: true) }
    }
  }

  /// Reads visible scalars that all who came later have seen, and who inserted them, all before.
  ///
  /// Only the first line and the last one can be part of a stretch.
  private mutating func readSeen(_ count: Int, of first: LocalVersion) {
    var rest = count
    func name() -> LocalVersion { first + LocalVersion(count - rest) }
    while rest > 0, !units.isEmpty {
      append(name(), isLive: true)
      rest -= 1
    }
    guard rest > 0 else { return }
    let end = raw.place(ofScalar: rawPosition + rest, from: place)
    var line = end.byte
    while line > place.byte, raw.utf8[line - 1] != 0x0A { line -= 1 }
    let scalars = raw.utf8[line..<end.byte].count { !isContinuation($0) }
    place = TextPlace(scalar: end.scalar - scalars, byte: line)
    rawPosition = place.scalar
    rest = scalars
    while rest > 0 {
      append(name(), isLive: true)
      rest -= 1
    }
  }

  /// Whether the stretch is longer than the limit, so that nothing more of it is kept.
  private var isTooLong: Bool { units.count > Self.unitLimit }

  private mutating func append(_ name: LocalVersion, isLive: Bool) {
    if units.isEmpty { rawStart = rawPosition }
    let isSeen = name < 0 || critical.areLinear(name..<name + 1)
    if !isSeen { isConcurrent = true }
    var piece = Piece(
      scalar: Stretch.Unit.redacted, insertedBy: name < 0 ? -1 : change(of: name),
      deletersEnd: Int32(deleters.count))
    guard isLive else {
      let events = deletionEvents(of: name)
      // What came and went while nobody did anything else.
      if name >= 0, events.count == 1, critical.areLinear(name..<events[0] + 1) { return }
      for event in events {
        if !critical.areLinear(event..<event + 1) { isConcurrent = true }
        deleters.append(change(of: event))
        if piece.scalar == Stretch.Unit.redacted { piece.scalar = scalar(deletedBy: event) }
      }
      piece.deletersEnd = Int32(deleters.count)
      units.append(piece)
      return
    }
    let (scalar, length) = decodeScalar(raw.utf8, at: place.byte)
    rawPosition += 1
    place = TextPlace(scalar: rawPosition, byte: place.byte + length)
    piece.scalar = scalar
    if !isTooLong { units.append(piece) }
    if scalar == 0x0A, isSeen { endStretch() }
  }

  /// The events that deleted a scalar.
  private func deletionEvents(of name: LocalVersion) -> [LocalVersion] {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore = deletions[Int(order[middle])].deleted.lowerBound <= name
      if isBefore { low = middle + 1 } else { high = middle }
    }
    var result: [LocalVersion] = []
    var index = low - 1
    while index >= 0, reach[index] > name {
      let entry = deletions[Int(order[index])]
      index -= 1
      guard entry.deleted.contains(name) else { continue }
      result.append(
        entry.kind == .deletionBackward
          ? entry.first + (entry.target - name) : entry.first + (name - entry.target))
    }
    return result
  }

  /// What an event deleted; beyond Unicode if that is redacted.
  private func scalar(deletedBy event: LocalVersion) -> UInt32 {
    let number = log.deletionNumber(of: event)
    var result = Stretch.Unit.redacted
    log.deletedText.forEachPart(in: number..<number + 1) { _, first in
      guard let first else { return }
      result = decodeScalar(deleted.text.utf8, at: deleted.place(ofScalar: first).byte).value
    }
    return result
  }

  private func change(of event: LocalVersion) -> Int32 { log.eventCounts.change(of: event) }

  // MARK: Stretches

  private mutating func endStretch() {
    defer {
      units.removeAll(keepingCapacity: true)
      deleters.removeAll(keepingCapacity: true)
      isConcurrent = false
    }
    guard isConcurrent, !isTooLong else { return }
    var touching = Set(deleters)
    for unit in units where unit.insertedBy >= 0 { touching.insert(unit.insertedBy) }
    guard
      let changes = StretchChanges(
        touching, scalarCount: units.count, of: log, critical: critical)
    else { return }
    var stretch = Stretch()
    stretch.past = changes.past
    if stretch.isLinear { return }
    stretch.rank = ranks(of: changes.names)
    var end = 0
    for unit in units {
      let deleters = deleters[end..<Int(unit.deletersEnd)].map { changes.numbers[$0] }
      end = Int(unit.deletersEnd)
      // What somebody deleted whom all have seen concerns nobody.
      if deleters.contains(nil) { continue }
      var next = Stretch.Unit(
        scalar: unit.scalar, insertedBy: Int32(changes.numbers[unit.insertedBy] ?? -1))
      for case let deleter? in deleters { next.deletedBy.insert(deleter) }
      stretch.units.append(next)
    }
    var finder = PassageFinder(stretch)
    let count = found.count
    for passage in finder.shown(by: stretch.all).passages {
      note(passage, stretch: stretch, changes: changes.names)
    }
    if found.count > count { room = min(room, changes.room, Self.unitLimit - units.count) }
  }

  private func ranks(of changes: [Int32]) -> [Int] {
    let order = changes.indices.sorted { left, right in
      log.isLaterWrite(
        log.eventCounts.firstEvent(ofChange: changes[right]),
        than: log.eventCounts.firstEvent(ofChange: changes[left]))
    }
    var result = [Int](repeating: 0, count: changes.count)
    for (rank, number) in order.enumerated() { result[number] = rank }
    return result
  }

  private mutating func note(
    _ passage: PassageFinder.Region, stretch: Stretch, changes: [Int32]
  ) {
    let all = stretch.all
    func text(_ units: [Int]) -> TextBuffer {
      var scalars = String.UnicodeScalarView()
      for case let scalar? in units.map({ Unicode.Scalar(stretch.units[$0].scalar) }) {
        scalars.append(scalar)
      }
      return TextBuffer(String(scalars))
    }
    func names(_ numbers: [Int]) -> [ChangeID] {
      numbers.sorted().map { log.changeID(ofChange: changes[$0]) }
    }
    let before = (0..<passage.range.lowerBound).count { stretch.isLive($0, in: all) }
    let count = passage.range.count { stretch.isLive($0, in: all) }
    let start = rawStart + before
    guard count > 0 else { return }
    let shown = TextPassage.Reading(
      text: text(passage.units), changes: names(passage.shownRivals))
    var others: [TextPassage.Reading] = []
    if passage.isContested {
      for reading in passage.others {
        let other = TextPassage.Reading(text: text(reading.units), changes: names(reading.changes))
        if other.text == shown.text || others.contains(where: { $0.text == other.text }) {
          continue
        }
        others.append(other)
      }
    }
    let result = TextPassage(raw: start..<start + count, shown: shown, others: others)
    let from = raw.place(ofScalar: result.raw.lowerBound)
    let to = raw.place(ofScalar: result.raw.upperBound, from: from)
    var union = TextBuffer()
    union.append(raw, from: from, to: to)
    if others.isEmpty, union == shown.text { return }
    found.append(result)
  }
}

extension Log {
  /// The passages of a text, from its whole history.
  ///
  /// O(n log n) for n operations, plus what their concurrency costs, plus the bytes. A text of which
  /// the walk takes far more steps than the limit has none, whoever looks.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - raw: the union of all its insertions and deletions.
  ///   - critical: all critical versions.
  ///   - memoryLimit: how many bytes the walk may take.
  /// - Returns: the passages, ascending, and how many scalars may come without new lines, by changes
  ///   that have seen everything, before a limit can be reached where there are passages.
  /// - Throws: ``HistoryError`` if an operation does not apply, or the text is not as long as its
  ///   history makes it.
  package func passages(
    of container: Int32, raw: TextBuffer, critical: CriticalVersions, memoryLimit: Int = .max
  ) throws(HistoryError) -> (passages: [TextPassage], room: Int) {
    let limit = workLimit.multipliedReportingOverflow(by: StretchReader.workFactor)
    var walker = Walker(
      log: self, after: .start, texts: [(container: container, placeholder: 0)],
      workLimit: limit.overflow ? .max : limit.partialValue, memoryLimit: memoryLimit)
    do throws(HistoryError) {
      try walker.walk(sides: .allBoth)
    } catch {
      if error.reason == .tooMuchWork { return ([], 0) }
      throw error
    }
    return try StretchReader.passages(
      of: container, raw: raw, walker: walker, critical: critical.cuts)
  }

  /// The passages of all texts, by container number.
  ///
  /// O(n log n), plus a walk over each text that was edited concurrently.
  ///
  /// - Parameters:
  ///   - texts: the raw texts by container number.
  ///   - critical: all critical versions.
  ///   - memoryLimit: how many bytes a walk may take.
  /// - Returns: the passages; nothing for texts without any.
  /// - Throws: ``HistoryError`` if a text is not as long as its history makes it, or a limit is
  ///   passed.
  package func passages(
    raw texts: [TextBuffer], critical: CriticalVersions, memoryLimit: Int = .max
  ) throws(HistoryError) -> [Int32: [TextPassage]] {
    var result: [Int32: [TextPassage]] = [:]
    for container in containersEditedConcurrently(critical.cuts) {
      let found = try passages(
        of: container, raw: texts[Int(container)], critical: critical, memoryLimit: memoryLimit
      ).passages
      if !found.isEmpty { result[container] = found }
    }
    return result
  }

  /// The texts that some event edited that has not seen another one, or was not seen by it.
  ///
  /// O(operations).
  func containersEditedConcurrently(_ critical: CriticalCuts) -> [Int32] {
    if critical.areLinear(0..<graph.eventCount) { return [] }
    var result: Set<Int32> = []
    for index in operations.indices {
      let operation = operations[index]
      if operation.kind.editsText, !critical.areLinear(operation.events) {
        result.insert(operation.container)
      }
    }
    return result.sorted()
  }
}

extension CriticalCuts {
  /// Whether each of some events has seen all before it, and was seen by all after it.
  ///
  /// O(log c) for c ranges.
  func areLinear(_ events: Range<LocalVersion>) -> Bool {
    if events.isEmpty { return true }
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound < events.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low > 0 && ranges[low - 1].upperBound >= events.upperBound
  }
}
