/// Reads the runs of a text from the items of a tracker.
struct TextRunReader {
  private(set) var runs: [TextRuns.Run] = []
  private(set) var several = DeletionLists()
  private let rounds: TextRounds
  private let raw: TextBuffer
  private let deleted: WalkedDeletions
  private var place = TextPlace()
  /// Whether the text is shorter than its history makes it.
  private var isTooShort = false

  init(rounds: TextRounds, raw: TextBuffer, deleted: WalkedDeletions) {
    self.rounds = rounds
    self.raw = raw
    self.deleted = deleted
  }

  /// Whether all of the text was read, and nothing was missing.
  var isComplete: Bool { place.scalar == raw.scalarCount && !isTooShort }

  /// Makes room for as many runs.
  mutating func reserve(runs count: Int) { runs.reserveCapacity(count) }

  /// The rounds that touched a run, each once.
  func rounds(touching run: TextRuns.Run) -> [Int] {
    var result: [Int] = []
    func touch(_ event: LocalVersion) {
      guard event.isEvent, let round = rounds.number(of: event), !result.contains(round) else {
        return
      }
      result.append(round)
    }
    touch(run.first)
    switch run.deletions {
    case .none: break
    case .one(let number): touch(deleted.entries[Int(number)].event(of: run.first))
    case .several(let list): for entry in several[list] { touch(entry.event(of: run.first)) }
    }
    return result
  }

  /// For each block of so many runs the first event that inserted any of it, and the last one that
  /// deleted what was left of it; after all if that is none.
  func lives(ofBlocksOf size: Int) -> [ClosedRange<LocalVersion>] {
    stride(from: 0, to: runs.count, by: size).map { start in
      var first = LocalVersion.afterAll
      var last = LocalVersion.beforeAll
      for run in runs[start..<min(start + size, runs.count)] {
        first = min(first, run.first)
        last = max(last, firstDeletion(of: run))
      }
      return first...max(first, last)
    }
  }

  /// The first event that deleted the first scalar of a run; after all if none did.
  private func firstDeletion(of run: TextRuns.Run) -> LocalVersion {
    switch run.deletions {
    case .none: .afterAll
    case .one(let number): deleted.entries[Int(number)].event(of: run.first)
    case .several(let list): several[list].map { $0.event(of: run.first) }.min() ?? .afterAll
    }
  }

  /// Reads the next item.
  ///
  /// O(d log n) for d deletions of it, plus its bytes.
  mutating func read(_ item: Tracker.Item) {
    guard item.deletedBy.isEmpty else { return readDeleted(item.first..<item.end) }
    // The item that stands for what is not known may be longer than the text.
    let count = min(item.length, Int32(raw.scalarCount - place.scalar))
    if item.first.isEvent, count < item.length { isTooShort = true }
    append(item.first..<item.first + count, deletedBy: [])
  }

  /// Reads scalars that are not visible.
  private mutating func readDeleted(_ names: Range<LocalVersion>) {
    let all = deleted.numbers(of: names)
    func deletion(_ number: Int32) -> Range<LocalVersion> { deleted.entries[Int(number)].deleted }
    // Mostly one deletion took them all.
    if all.count == 1, deletion(all[0]).lowerBound <= names.lowerBound,
      names.upperBound <= deletion(all[0]).upperBound
    {
      return append(names, deletedBy: all)
    }
    // Those that hold the scalar that is read, and those that come later.
    var active: [Int32] = []
    var next = 0
    var start = names.lowerBound
    while start < names.upperBound {
      active.removeAll { deletion($0).upperBound <= start }
      while next < all.count, deletion(all[next]).lowerBound <= start {
        if deletion(all[next]).contains(start) { active.append(all[next]) }
        next += 1
      }
      var end = active.reduce(names.upperBound) { min($0, deletion($1).upperBound) }
      if next < all.count { end = min(end, deletion(all[next]).lowerBound) }
      append(start..<end, deletedBy: active)
      start = end
    }
  }

  /// Appends scalars that the same operations deleted.
  private mutating func append(
    _ names: Range<LocalVersion>, deletedBy numbers: [Int32]
  ) {
    var start = names.lowerBound
    while start < names.upperBound {
      var end = names.upperBound
      if start.isEvent, let bound = rounds.bound(after: start) { end = min(end, bound) }
      var isRedacted = !numbers.isEmpty
      for number in numbers {
        let entry = deleted.entries[Int(number)]
        let event = entry.event(of: start)
        let isBackward = entry.kind == .deletionBackward
        if isBackward {
          if let bound = rounds.bound(upTo: event) { end = min(end, start + (event - bound) + 1) }
        } else if let bound = rounds.bound(after: event) {
          end = min(end, start + (bound - event))
        }
        guard deleted.hasRedacted else {
          isRedacted = false
          continue
        }
        let part = deleted.part(deletedBy: event)
        end = min(end, start + (isBackward ? part.before + 1 : part.after))
        if !part.isRedacted { isRedacted = false }
      }
      appendRun(start..<end, numbers, isRedacted: isRedacted)
      start = end
    }
  }

  private mutating func appendRun(
    _ names: Range<LocalVersion>, _ numbers: [Int32], isRedacted: Bool
  ) {
    var deletions = TextRuns.Deletions.none
    if numbers.count == 1 {
      deletions = .one(numbers[0])
    } else if numbers.count > 1 {
      deletions = .several(several.append(numbers.map { deleted.entries[Int($0)] }))
    }
    runs.append(
      TextRuns.Run(
        first: names.lowerBound, count: Int32(names.count), byte: Int32(place.byte),
        deletions: deletions, isRedacted: isRedacted))
    if numbers.isEmpty { place = raw.place(ofScalar: place.scalar + names.count, from: place) }
  }
}
