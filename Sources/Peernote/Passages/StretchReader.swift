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
  static let unitLimit = 1 << 15
  /// A text shows its raw text if walking its history takes more than so many times the steps that
  /// a walk may take elsewhere.
  static let workFactor = 16

  let log: Log
  let critical: CriticalCuts
  private let raw: TextBuffer
  private let deleted: WalkedDeletions

  /// The stretch that is being read.
  private(set) var units: [Piece] = []
  /// The changes that deleted them, one scalar's after the other's.
  private(set) var deleters: [ChangeIndex] = []
  /// What ``areEditsApart(_:)`` works with.
  var marks: [EditMark] = []
  private(set) var rawStart = 0
  private var isConcurrent = false
  /// Stretches that no event from this one on touched are not looked at.
  private var firstEvent = LocalVersion.min
  private var isTouched = false
  private var rawPosition = 0
  /// Whether the text is shorter than its history makes it.
  private var isTooShort = false
  private var place = TextPlace()
  private typealias KnownChange = (number: ChangeIndex, events: Range<LocalVersion>)
  private var lastInserter: KnownChange = (.beforeAll, 0..<0)
  private var lastDeleter: KnownChange = (.beforeAll, 0..<0)
  var found: [TextPassage] = []
  var room = Int.max

  /// A scalar with the changes that touched it.
  struct Piece {
    var scalar: UInt32
    /// The change that inserted it; before all if that was before the walk.
    var insertedBy: ChangeIndex
    /// Where those end that deleted it.
    var deletersEnd: Int32
  }

  private init(
    _ log: Log, _ critical: CriticalCuts, raw: TextBuffer, deleted: WalkedDeletions
  ) {
    self.log = log
    self.critical = critical
    self.raw = raw
    self.deleted = deleted
  }

  /// The passages of a text.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - raw: the union of all its insertions and deletions.
  ///   - walker: has walked it, from a critical version at which no passage was open.
  ///   - deleted: what was deleted in the walk.
  ///   - critical: the critical versions of the text from there on.
  ///   - first: the first event after a critical version; stretches that only those before it touched
  ///     are not looked at.
  /// - Returns: the passages, ascending, and how many scalars may come without new lines, by changes
  ///   that have seen everything, before a limit can be reached where there are passages.
  /// - Throws: ``HistoryError`` if the text is not as long as the walk says.
  static func passages(
    of container: ContainerIndex, raw: TextBuffer, walker: borrowing Walker,
    deleted: WalkedDeletions,
    critical: CriticalCuts, touchedSince first: LocalVersion = .min
  ) throws(HistoryError) -> (passages: [TextPassage], room: Int) {
    guard let sequence = walker.tracker.sequences[container] else { return ([], .max) }
    var search = StretchReader(walker.log, critical, raw: raw, deleted: deleted)
    search.firstEvent = first
    walker.tracker.forEachItem(of: sequence) { search.read($0) }
    search.endStretch()
    guard search.rawPosition == raw.scalarCount, !search.isTooShort else {
      throw HistoryError(.viewDisagrees, event: walker.log.containers[container].created)
    }
    return (search.found, search.room)
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
    let deletions = deleted.deletions(of: names)
    // What came and went while nobody did anything else.
    if deletions.count == 1, let entry = deletions.first, names.lowerBound >= 0 {
      let events = (entry.event(of: names.lowerBound), entry.event(of: names.upperBound - 1))
      if critical.areLinear(names.lowerBound..<max(events.0, events.1) + 1) { return }
    }
    // Those that hold the scalar that is read, and those that come later.
    var active: [VersionIndex.Entry] = []
    var next = 0
    for name in names where !isTooLong {
      active.removeAll { $0.deleted.upperBound <= name }
      while next < deletions.count, deletions[next].deleted.lowerBound <= name {
        if deletions[next].deleted.contains(name) { active.append(deletions[next]) }
        next += 1
      }
      appendDeleted(name, by: active)
    }
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
    while rawPosition < end {
      let next = name(rawPosition)
      let scalar = takeScalar()
      keep(piece(of: scalar, next))
      if scalar == 0x0A { return endStretch() }
    }
  }

  /// Whether what is read is longer than the limit, so that nothing more of it is kept.
  private var isTooLong: Bool { units.count > Self.unitLimit }

  private mutating func keep(_ piece: Piece) {
    if isTooLong { return }
    // All that may come yet: doubled once more, it would be there one and a half times for a moment.
    if units.count == Self.unitLimit / 4 { units.reserveCapacity(Self.unitLimit + 1) }
    units.append(piece)
  }

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

  private mutating func piece(of scalar: UInt32, _ name: LocalVersion) -> Piece {
    if name >= firstEvent { isTouched = true }
    return Piece(
      scalar: scalar, insertedBy: name < 0 ? .beforeAll : change(of: name, &lastInserter),
      deletersEnd: Int32(deleters.count))
  }

  private mutating func appendVisible(_ name: LocalVersion) {
    if units.isEmpty { rawStart = rawPosition }
    let isSeen = isSeen(name)
    if !isSeen { isConcurrent = true }
    let scalar = takeScalar()
    keep(piece(of: scalar, name))
    if scalar == 0x0A, isSeen { endStretch() }
  }

  private mutating func appendDeleted(
    _ name: LocalVersion, by deletions: [VersionIndex.Entry]
  ) {
    if deletions.count == 1, name >= 0,
      critical.areLinear(name..<deletions[0].event(of: name) + 1)
    {
      return
    }
    if units.isEmpty { rawStart = rawPosition }
    if !isSeen(name) { isConcurrent = true }
    var piece = piece(of: Stretch.Unit.redacted, name)
    for entry in deletions {
      let event = entry.event(of: name)
      if event >= firstEvent { isTouched = true }
      if !critical.areLinear(event..<event + 1) { isConcurrent = true }
      deleters.append(change(of: event, &lastDeleter))
      if piece.scalar == Stretch.Unit.redacted { piece.scalar = deleted.scalar(deletedBy: event) }
    }
    piece.deletersEnd = Int32(deleters.count)
    keep(piece)
  }

  /// The change of an event, which is often the last one that was found.
  private func change(of event: LocalVersion, _ last: inout KnownChange) -> ChangeIndex {
    if !last.events.contains(event) {
      let change = log.eventCounts.change(of: event)
      last = (change, log.eventCounts.events(ofChange: change))
    }
    return last.number
  }

  // MARK: Stretches

  private mutating func endStretch() {
    defer {
      units.removeAll(keepingCapacity: true)
      deleters.removeAll(keepingCapacity: true)
      isConcurrent = false
      isTouched = false
    }
    if isConcurrent, isTouched, !isTooLong { search() }
  }
}
