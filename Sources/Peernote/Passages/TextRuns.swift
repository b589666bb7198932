/// The scalars of a text that were ever inserted, from a walk over its history, in the order of the
/// text, in runs.
///
/// Of a run all was inserted by events that follow each other, and deleted by the same operations;
/// all is redacted or nothing; and no round begins or ends in between.
final class TextRuns {
  /// One run.
  struct Run {
    /// The event that inserted the first scalar; less than 0 if that was before the walk.
    ///
    /// The others follow.
    var first: LocalVersion
    var count: Int32
    /// How many bytes of the raw text come before it.
    var byte: Int32
    /// 0 if nothing deleted it; else half of this is the number of a deletion plus 1, or of a list
    /// of several plus 1 if the highest bit is set; and the lowest bit is set if all of it is
    /// redacted.
    private var deletedBy: UInt32

    init(
      first: LocalVersion, count: Int32, byte: Int32, deletions: Deletions, isRedacted: Bool
    ) {
      self.first = first
      self.count = count
      self.byte = byte
      deletedBy =
        switch deletions {
        case .none: 0
        case .one(let number): UInt32(number + 1) << 1
        case .several(let number): UInt32(number + 1) << 1 | Self.areSeveral
        }
      if isRedacted { deletedBy |= 1 }
    }

    private static let areSeveral: UInt32 = 1 << 31

    var isRedacted: Bool { deletedBy & 1 != 0 }

    var deletions: Deletions {
      let number = Int32(deletedBy & ~Self.areSeveral) >> 1 - 1
      if number < 0 { return .none }
      return deletedBy & Self.areSeveral == 0 ? .one(number) : .several(number)
    }
  }

  /// What deleted a run.
  enum Deletions {
    case none
    /// One deletion, by its number.
    case one(Int32)
    /// Several, by the number of their list.
    case several(Int32)
  }

  /// Where a scalar stands.
  struct Place: Comparable {
    var run: Int
    var offset: Int32

    static func < (left: Place, right: Place) -> Bool {
      (left.run, left.offset) < (right.run, right.offset)
    }
  }

  /// What a run was in a round.
  enum State {
    /// Was deleted before it, or is not inserted yet.
    case absent
    /// Is visible in the whole of it.
    case untouched
    /// Was inserted or deleted in it.
    case touched
  }

  let runs: [Run]
  /// The deletions of those that were deleted several times.
  private let several: DeletionLists
  /// If there are several rounds, the runs that each touched, ascending, one round after the other.
  private let touched: [Int32]
  /// Where the runs of each round end.
  private let touchedEnds: [Int]
  /// For each block of runs, if there are several rounds, from when to when something of it is there.
  private let blocks: [ClosedRange<LocalVersion>]
  private static let blockSize = 64
  let rounds: TextRounds
  /// Where the places stand that were asked for, of each side.
  let places: [[Place]]
  let raw: TextBuffer
  private let deleted: WalkedDeletions

  /// Reads a text that was walked.
  ///
  /// O((items + d) log n + bytes) for d deletions of each item.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - raw: its raw text.
  ///   - walker: what walked it.
  ///   - deleted: what that found to be deleted.
  ///   - rounds: its rounds.
  ///   - wanted: which places of the text of each side to find.
  /// - Throws: ``HistoryError`` if the text is not as long as the walk says.
  init(
    of container: ContainerIndex, raw: TextBuffer, walker: borrowing Walker,
    deleted: WalkedDeletions, rounds: TextRounds, finding wanted: [SidePlaces] = []
  ) throws(HistoryError) {
    var wanted = wanted
    self.rounds = rounds
    self.raw = raw
    self.deleted = deleted
    var reader = TextRunReader(rounds: rounds, raw: raw, deleted: deleted)
    if let sequence = walker.tracker.sequences[container] {
      reader.reserve(runs: walker.tracker.itemCount)
      walker.tracker.forEachItem(of: sequence) { item in
        let first = reader.runs.count
        reader.read(item)
        for side in wanted.indices { wanted[side].find(in: reader.runs[first...], of: item) }
      }
      guard reader.isComplete else {
        throw HistoryError(.viewDisagrees, event: walker.log.containers[container].created)
      }
    }
    runs = reader.runs
    several = reader.several
    places = wanted.map(\.found)
    // As many as touch each, then the runs in their places.
    var ends = [Int](repeating: 0, count: rounds.ranges.count)
    var touched: [Int32] = []
    if ends.count > 1 {
      for run in runs { for round in reader.rounds(touching: run) { ends[round] += 1 } }
      for round in ends.indices.dropFirst() { ends[round] += ends[round - 1] }
      touched = [Int32](repeating: 0, count: ends.last ?? 0)
      var next = ends
      for index in runs.indices.reversed() {
        for round in reader.rounds(touching: runs[index]) {
          next[round] -= 1
          touched[next[round]] = Int32(index)
        }
      }
    }
    self.touched = touched
    touchedEnds = ends
    blocks = ends.count > 1 ? reader.lives(ofBlocksOf: Self.blockSize) : []
  }

  /// The first run from one on that is not in a block of which nothing is there in a round.
  ///
  /// O(blocks that are passed over).
  func run(from run: Int, in round: Range<LocalVersion>) -> Int {
    var run = run
    while run % Self.blockSize == 0, run / Self.blockSize < blocks.count {
      let life = blocks[run / Self.blockSize]
      if life.lowerBound < round.upperBound, life.upperBound >= round.lowerBound { break }
      run += Self.blockSize
    }
    return min(run, runs.count)
  }

  /// The runs that a round touched, ascending.
  ///
  /// O(1) for each if there are several rounds, else O(runs).
  func touched(in round: Int) -> [Int32] {
    if touchedEnds.count < 2 {
      return runs.indices.lazy
        .filter { self.state(of: $0, in: self.rounds.ranges[round]) == .touched }
        .map { Int32($0) }
    }
    return Array(touched[(round > 0 ? touchedEnds[round - 1] : 0)..<touchedEnds[round]])
  }

  /// The deletions of a run.
  func deletions(of run: Int) -> ArraySlice<VersionIndex.Entry> {
    switch runs[run].deletions {
    case .none: []
    case .one(let number): deleted.entries[Int(number)..<Int(number) + 1]
    case .several(let number): several[number]
    }
  }

  /// What a run was in a round.
  ///
  /// O(d) for d deletions of it.
  func state(of run: Int, in round: Range<LocalVersion>) -> State {
    let first = runs[run].first
    if first >= round.upperBound { return .absent }
    var isTouched = first >= round.lowerBound
    var isAbsent = false
    func look(at entry: VersionIndex.Entry) {
      let event = entry.event(of: first)
      if event < round.lowerBound { isAbsent = true }
      if event < round.upperBound { isTouched = true }
    }
    switch runs[run].deletions {
    case .none: break
    case .one(let number): look(at: deleted.entries[Int(number)])
    case .several(let number): for entry in several[number] { look(at: entry) }
    }
    return isAbsent ? .absent : isTouched ? .touched : .untouched
  }

  /// The first event after some that inserted or deleted a run; `nil` if there is none.
  ///
  /// O(d).
  func touch(of run: Int, after last: LocalVersion) -> LocalVersion? {
    let first = runs[run].first
    var result: LocalVersion? = first > last ? first : nil
    for entry in deletions(of: run) {
      let event = entry.event(of: first)
      if event > last { result = min(result ?? event, event) }
    }
    return result
  }

  /// Calls `body` with some scalars of a run, in order; redacted ones are beyond Unicode.
  ///
  /// O(n) if it is visible, else O(n + log d) for d deletions of the text.
  func forEachScalar(
    of run: Int, _ offsets: Range<Int32>, _ body: (_ offset: Int32, _ scalar: UInt32) -> Void
  ) {
    if offsets.isEmpty { return }
    if deletions(of: run).isEmpty {
      var byte = byte(offsets.lowerBound, of: run)
      for offset in offsets {
        let (scalar, length) = decodeScalar(raw.utf8, at: byte)
        body(offset, scalar)
        byte += length
      }
      return
    }
    for (offset, scalar) in zip(offsets, deletedScalars(of: run, offsets)) { body(offset, scalar) }
  }

  /// Some scalars of a run that is not visible.
  private func deletedScalars(of run: Int, _ offsets: Range<Int32>) -> [UInt32] {
    let names = runs[run].first + offsets.lowerBound..<runs[run].first + offsets.upperBound
    for entry in deletions(of: run) where !runs[run].isRedacted {
      let isBackward = entry.kind == .deletionBackward
      let event = entry.event(of: isBackward ? names.upperBound - 1 : names.lowerBound)
      guard var scalars = deleted.scalars(deletedFrom: event, count: names.count) else { continue }
      if isBackward { scalars.reverse() }
      return scalars
    }
    return [UInt32](repeating: Stretch.Unit.redacted, count: offsets.count)
  }

  /// Which of several line feeds.
  enum Choice { case first, last }

  /// A line feed among some scalars of a run, by its place.
  ///
  /// O(n).
  func lineFeed(_ choice: Choice, of run: Int, in offsets: Range<Int32>) -> Int32? {
    if runs[run].isRedacted || offsets.isEmpty { return nil }
    guard deletions(of: run).isEmpty else {
      let scalars = deletedScalars(of: run, offsets)
      let place = choice == .first ? scalars.firstIndex(of: 0x0A) : scalars.lastIndex(of: 0x0A)
      return place.map { offsets.lowerBound + Int32($0) }
    }
    let bytes = byte(offsets.lowerBound, of: run)..<byte(offsets.upperBound, of: run)
    switch choice {
    case .first:
      let found = bytes.first { raw.utf8[$0] == 0x0A }
      return found.map { offsets.lowerBound + Int32(scalarCount(in: bytes.lowerBound..<$0)) }
    case .last:
      let found = bytes.last { raw.utf8[$0] == 0x0A }
      return found.map { offsets.upperBound - Int32(scalarCount(in: $0..<bytes.upperBound)) }
    }
  }

  /// How many scalars of the raw text begin in some bytes.
  func scalarCount(in bytes: Range<Int>) -> Int {
    raw.isASCII ? bytes.count : raw.utf8[bytes].count { !isContinuation($0) }
  }

  /// Where a scalar of a visible run stands in the raw text, in bytes.
  ///
  /// O(1) in ASCII text, else O(distance from the start of the run).
  func byte(_ offset: Int32, of run: Int) -> Int {
    // The next run begins where one ends.
    if offset == runs[run].count {
      return run + 1 < runs.count ? Int(runs[run + 1].byte) : raw.end.byte
    }
    let start = Int(runs[run].byte)
    if offset == 0 { return start }
    if raw.isASCII { return start + Int(offset) }
    return raw.place(ofScalar: Int(offset), from: TextPlace(scalar: 0, byte: start)).byte
  }
}

/// Lists of deletions, by number.
struct DeletionLists {
  private var deletions: [VersionIndex.Entry] = []
  private var ends: [Int32] = []

  /// Adds a list.
  ///
  /// - Returns: its number.
  mutating func append(_ list: [VersionIndex.Entry]) -> Int32 {
    deletions += list
    ends.append(Int32(deletions.count))
    return Int32(ends.count - 1)
  }

  subscript(number: Int32) -> ArraySlice<VersionIndex.Entry> {
    deletions[(number > 0 ? Int(ends[Int(number) - 1]) : 0)..<Int(ends[Int(number)])]
  }
}
