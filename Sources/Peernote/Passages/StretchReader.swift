/// Finds the passages of a text from a walk over its history.
///
/// The text is taken apart at the line ends that nobody touched who had not seen all that came
/// before, or had not been seen by all that came after: nothing reaches over these. What stands
/// between is taken apart further, line by line, as far as all changes that touched it have seen the
/// line ends; and each part is looked at if something was touched there by changes of which neither
/// has seen the other (``Stretch``).
///
/// O(items + bytes), and for each such stretch what ``PassageFinder`` takes.
struct StretchReader {
  /// What stands between two line ends that were there before all concurrent changes shows its raw
  /// text if it is longer, deleted scalars included.
  private static let unitLimit = 1 << 15
  /// A text shows its raw text if walking its history takes more than so many times the steps that
  /// a walk may take elsewhere.
  static let workFactor = 16

  let log: Log
  let critical: CriticalCuts
  private let raw: TextBuffer
  /// What events deleted.
  private var deletions: [VersionIndex.Entry] = []
  /// Their places by the first scalar they deleted.
  private var order: [Int32] = []
  /// For each deletion where those end that come before it, and itself.
  private var reach: [LocalVersion] = []
  private let deleted: IndexedText

  /// The stretch that is being read.
  private(set) var units: [Piece] = []
  /// The changes that deleted them, one scalar's after the other's.
  private(set) var deleters: [Int32] = []
  /// What ``areEditsApart()`` works with.
  var marks: [EditMark] = []
  private var rawStart = 0
  private var isConcurrent = false
  private var rawPosition = 0
  /// Whether the text is shorter than its history makes it.
  private var isTooShort = false
  private var place = TextPlace()
  private var found: [TextPassage] = []
  private var room = Int.max

  /// A scalar with the changes that touched it.
  struct Piece {
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
    let deletions = tracker.deletions
    self.deletions = deletions
    order = deletions.indices.map { Int32($0) }
    order.sort { deletions[Int($0)].deleted.lowerBound < deletions[Int($1)].deleted.lowerBound }
    var end = LocalVersion.min
    reach = order.map { place in
      end = max(end, deletions[Int(place)].deleted.upperBound)
      return end
    }
  }

  // MARK: Reading

  private mutating func read(_ item: Tracker.Item) {
    guard item.deletedBy.isEmpty else { return readDeleted(item.first..<item.end) }
    // The item that stands for what is not known may be longer than the text.
    let count = min(Int(item.length), raw.scalarCount - rawPosition)
    if item.first >= 0, count < item.length { isTooShort = true }
    if item.first < 0 || critical.areLinear(item.first..<item.end) {
      readSeen(count, of: item.first)
    } else {
      for offset in 0..<Int32(count) { appendVisible(item.first + offset) }
    }
  }

  /// Reads scalars that are not visible.
  private mutating func readDeleted(_ names: Range<LocalVersion>) {
    let deletions = deletions(of: names)
    // What came and went while nobody did anything else.
    if deletions.count == 1, let entry = deletions.first, names.lowerBound >= 0 {
      let events = (entry.event(of: names.lowerBound), entry.event(of: names.upperBound - 1))
      if critical.areLinear(names.lowerBound..<max(events.0, events.1) + 1) { return }
    }
    for name in names where !isTooLong { appendDeleted(name, among: deletions) }
  }

  /// Reads visible scalars that all who came later have seen, and who inserted them, all before.
  ///
  /// Only the first line and the last one can be part of a stretch.
  private mutating func readSeen(_ count: Int, of first: LocalVersion) {
    let upperBound = rawPosition + count
    func name(_ position: Int) -> LocalVersion {
      first + LocalVersion(count - upperBound + position)
    }
    if !units.isEmpty { appendSeen(upTo: upperBound, name) }
    guard rawPosition < upperBound else { return }
    let end = raw.place(ofScalar: upperBound, from: place)
    var line = end.byte
    while line > place.byte, raw.utf8[line - 1] != 0x0A { line -= 1 }
    let scalars = raw.utf8[line..<end.byte].count { !isContinuation($0) }
    place = TextPlace(scalar: end.scalar - scalars, byte: line)
    rawPosition = place.scalar
    appendSeen(upTo: upperBound, name)
  }

  /// Appends scalars of ``readSeen(_:of:)`` up to a place, or to the end of a line.
  private mutating func appendSeen(upTo end: Int, _ name: (Int) -> LocalVersion) {
    guard rawPosition < end else { return }
    if units.isEmpty { rawStart = rawPosition }
    var insertedBy: Int32 = -1
    var known = 0..<LocalVersion(0)
    while rawPosition < end {
      let next = name(rawPosition)
      if next >= 0, !known.contains(next) {
        insertedBy = change(of: next)
        known = log.eventCounts.events(ofChange: insertedBy)
      }
      let scalar = takeScalar()
      if !isTooLong {
        units.append(
          Piece(scalar: scalar, insertedBy: insertedBy, deletersEnd: Int32(deleters.count)))
      }
      if scalar == 0x0A { return endStretch() }
    }
  }

  /// Whether what is read is longer than the limit, so that nothing more of it is kept.
  private var isTooLong: Bool { units.count > Self.unitLimit }

  /// The next scalar of the text.
  private mutating func takeScalar() -> UInt32 {
    let (scalar, length) = decodeScalar(raw.utf8, at: place.byte)
    rawPosition += 1
    place = TextPlace(scalar: rawPosition, byte: place.byte + length)
    return scalar
  }

  private func isSeen(_ name: LocalVersion) -> Bool {
    name < 0 || critical.areLinear(name..<name + 1)
  }

  private func piece(of scalar: UInt32, _ name: LocalVersion) -> Piece {
    Piece(
      scalar: scalar, insertedBy: name < 0 ? -1 : change(of: name),
      deletersEnd: Int32(deleters.count))
  }

  private mutating func appendVisible(_ name: LocalVersion) {
    if units.isEmpty { rawStart = rawPosition }
    let isSeen = isSeen(name)
    if !isSeen { isConcurrent = true }
    let scalar = takeScalar()
    if !isTooLong { units.append(piece(of: scalar, name)) }
    if scalar == 0x0A, isSeen { endStretch() }
  }

  private mutating func appendDeleted(
    _ name: LocalVersion, among deletions: [VersionIndex.Entry]
  ) {
    let events = deletions.filter { $0.deleted.contains(name) }.map { $0.event(of: name) }
    if name >= 0, events.count == 1, critical.areLinear(name..<events[0] + 1) { return }
    if units.isEmpty { rawStart = rawPosition }
    if !isSeen(name) { isConcurrent = true }
    var piece = piece(of: Stretch.Unit.redacted, name)
    for event in events {
      if !critical.areLinear(event..<event + 1) { isConcurrent = true }
      deleters.append(change(of: event))
      if piece.scalar == Stretch.Unit.redacted { piece.scalar = scalar(deletedBy: event) }
    }
    piece.deletersEnd = Int32(deleters.count)
    units.append(piece)
  }

  /// The deletions of some scalars.
  private func deletions(of names: Range<LocalVersion>) -> [VersionIndex.Entry] {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if deletions[Int(order[middle])].deleted.lowerBound < names.upperBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var result: [VersionIndex.Entry] = []
    var index = low - 1
    while index >= 0, reach[index] > names.lowerBound {
      let entry = deletions[Int(order[index])]
      if entry.deleted.overlaps(names) { result.append(entry) }
      index -= 1
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
    if isConcurrent, !isTooLong { search(StretchPart(units: units.indices, rawStart: rawStart)) }
  }

  /// Looks for passages in a part of what was read.
  ///
  /// What all changes that touched it have seen is as if it had always been there; so it is taken
  /// apart once more where that holds of a line end.
  private mutating func search(_ part: StretchPart) {
    let count = found.count
    if areEditsApart(part) {
      // Nothing is found then, only with more work.
      assert(
        {
          searchClosely(part); return found.count == count
        }(), "not apart")
    } else {
      searchClosely(part)
    }
  }

  private mutating func searchClosely(_ part: StretchPart) {
    guard let last = part.units.last else { return }
    let touchingDeleters = deleters[deletersStart(of: part)..<Int(units[last].deletersEnd)]
    var touching = Set(touchingDeleters)
    for unit in units[part.units] { touching.insert(unit.insertedBy) }
    touching = touching.filter { $0 > part.settled }
    guard let changes = StretchChanges(touching, of: log, critical: critical) else { return }
    if searchLines(of: part, changes) { return }
    var tried = 0
    for count in changes.cuts where count >= 2 * tried {
      var earlier = part
      earlier.last = changes.last(of: count)
      if areEditsApart(earlier)
        || passages(of: earlier, changes.first(count, forScalars: part.units.count)).isEmpty
      {
        var rest = part
        rest.settled = earlier.last
        return search(rest)
      }
      tried = count
    }
    guard let counted = changes.counted(forScalars: part.units.count) else { return }
    let result = passages(of: part, counted)
    if result.isEmpty { return }
    found += result
    room = min(room, counted.room, Self.unitLimit - units.count)
  }

  /// Looks for passages in each of the lines of a part, if there are several that all have seen.
  ///
  /// - Returns: whether there are.
  private mutating func searchLines(of part: StretchPart, _ changes: StretchChanges) -> Bool {
    var line = part
    var start = part.units.lowerBound
    var count = 0
    var deletersEnd = Int32(deletersStart(of: part))
    for place in part.units {
      let unit = units[place]
      let isVisible = unit.deletersEnd == deletersEnd
      deletersEnd = unit.deletersEnd
      guard isVisible else { continue }
      count += 1
      guard unit.scalar == 0x0A, place + 1 < part.units.upperBound,
        !changes.isOpen(unit.insertedBy)
      else { continue }
      line.units = start..<place + 1
      search(line)
      line.rawStart += count
      (start, count) = (place + 1, 0)
    }
    if start == part.units.lowerBound { return false }
    line.units = start..<part.units.upperBound
    search(line)
    return true
  }

  /// Where the changes begin that deleted scalars of a part.
  func deletersStart(of part: StretchPart) -> Int {
    part.units.lowerBound == 0 ? 0 : Int(units[part.units.lowerBound - 1].deletersEnd)
  }

  /// The passages of a part.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - changes: its changes up to the last one that counts; `nil` if there are too many.
  /// - Returns: the passages, ascending; none if there are too many changes.
  private func passages(of part: StretchPart, _ changes: CountedChanges?) -> [TextPassage] {
    guard let changes else { return [] }
    var stretch = Stretch()
    stretch.past = changes.past
    if stretch.isLinear { return [] }
    stretch.rank = ranks(of: changes.names)
    var end = deletersStart(of: part)
    for unit in units[part.units] {
      let deleters = deleters[end..<Int(unit.deletersEnd)]
      end = Int(unit.deletersEnd)
      var next = Stretch.Unit(scalar: unit.scalar, insertedBy: -1)
      if unit.insertedBy > part.last { continue }
      if let number = changes.numbers[unit.insertedBy] { next.insertedBy = Int32(number) }
      var isGone = false
      for deleter in deleters where deleter <= part.last {
        if let number = changes.numbers[deleter] {
          next.deletedBy.insert(number)
        } else {
          isGone = true
        }
      }
      // What somebody deleted whom all have seen concerns nobody.
      if !isGone { stretch.units.append(next) }
    }
    if stretch.units.isEmpty { return [] }
    var finder = PassageFinder(stretch)
    return finder.shown(by: stretch.all).passages.compactMap {
      passage($0, of: stretch, from: part.rawStart, changes: changes.names)
    }
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

  /// What a passage reads; `nil` if that is the raw text, and nothing else.
  private func passage(
    _ passage: PassageFinder.Region, of stretch: Stretch, from rawStart: Int, changes: [Int32]
  ) -> TextPassage? {
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
    let union = passage.range.filter { stretch.isLive($0, in: all) }
    if union.isEmpty { return nil }
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
    if others.isEmpty, text(union) == shown.text { return nil }
    let start = rawStart + (0..<passage.range.lowerBound).count { stretch.isLive($0, in: all) }
    return TextPassage(raw: start..<start + union.count, shown: shown, others: others)
  }
}

/// A part of what a ``StretchReader`` has read.
struct StretchPart {
  /// The scalars, by their places.
  var units: Range<Int>
  /// How many scalars of the raw text come before.
  var rawStart: Int
  /// The last change of those that are as if they had always been there; -1 for none.
  var settled: Int32 = -1
  /// The last change that counts: the part is looked at as it was then.
  var last = Int32.max
}
