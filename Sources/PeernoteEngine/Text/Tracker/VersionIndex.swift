/// Says for every event that a tracker has applied what became of it: the leaf that holds an inserted
/// scalar, or the scalar that a deletion removed.
///
/// Entries are runs, sorted by event, in chunks of at most ``chunkCapacity``, found through a
/// sorted directory of the chunks' first events. Events mostly come in ascending order, so most
/// insertions are at the end. Finding an entry is O(log n); inserting one is O(chunk + n / chunk).
package struct VersionIndex: ~Copyable {
  /// A run of events and what became of them.
  package struct Entry: BitwiseCopyable {
    enum Kind: UInt32, BitwiseCopyable {
      /// ``leaf`` holds the scalars.
      case insertion
      /// Event `first + k` deleted scalar `target + k`.
      case deletionForward
      /// Event `first + k` deleted scalar `target - k`.
      case deletionBackward
    }

    package internal(set) var first: LocalVersion
    /// The leaf, or the scalar that the first event deleted.
    private var leafOrTarget: Int32
    /// Four times the length less 1, plus the kind.
    private var lengthAndKind: UInt32

    /// An insertion.
    init(first: LocalVersion, length: Int32, leaf: Int32) {
      self.init(first: first, length: length, leafOrTarget: leaf, kind: .insertion)
    }

    /// Deletions.
    init(first: LocalVersion, length: Int32, target: LocalVersion, kind: Kind) {
      self.init(first: first, length: length, leafOrTarget: target.rawValue, kind: kind)
    }

    /// The deletions of some scalars of an operation's, before which it deletes `done` others; if
    /// `backward`, its first event deletes the last scalar and so on down.
    init(
      of scalars: Range<LocalVersion>, after done: Int32, by operation: Range<LocalVersion>,
      backward: Bool
    ) {
      let length = scalars.upperBound - scalars.lowerBound
      self =
        backward
        ? Entry(
          first: operation.upperBound - done - length, length: length,
          target: scalars.upperBound - 1, kind: .deletionBackward)
        : Entry(
          first: operation.lowerBound + done, length: length, target: scalars.lowerBound,
          kind: .deletionForward)
    }

    private init(first: LocalVersion, length: Int32, leafOrTarget: Int32, kind: Kind) {
      self.first = first
      self.leafOrTarget = leafOrTarget
      lengthAndKind = UInt32(bitPattern: length - 1) << 2 | kind.rawValue
    }

    package internal(set) var length: Int32 {
      get { Int32(lengthAndKind >> 2) + 1 }
      set { lengthAndKind = UInt32(bitPattern: newValue - 1) << 2 | lengthAndKind & 3 }
    }

    var kind: Kind {
      switch lengthAndKind & 3 {
      case 0: .insertion
      case 1: .deletionForward
      case _: .deletionBackward
      }
    }

    var end: LocalVersion { first + length }

    /// Of an insertion, the leaf that holds the scalars.
    var leaf: Int32 {
      get { leafOrTarget }
      set { leafOrTarget = newValue }
    }

    /// Of deletions, the scalar that the first event deleted.
    var target: LocalVersion { LocalVersion(rawValue: leafOrTarget) }

    /// Of deletions, the scalars that the events deleted.
    package var deleted: Range<LocalVersion> {
      let start = kind == .deletionBackward ? target - length + 1 : target
      return start..<start + length
    }

    /// Of deletions, those by some of the events.
    func part(_ events: Range<LocalVersion>) -> Entry {
      let skipped = events.lowerBound - first
      return Entry(
        first: events.lowerBound, length: events.upperBound - events.lowerBound,
        target: kind == .deletionBackward ? target - skipped : target + skipped, kind: kind)
    }

    /// Of deletions, the event that deleted a scalar, as one did.
    package func event(of scalar: LocalVersion) -> LocalVersion {
      kind == .deletionBackward ? first + (target - scalar) : first + (scalar - target)
    }
  }

  /// Where an entry stands; valid until entries are put in or split (``changeCount``).
  package struct Place {
    fileprivate var slot: Int
    fileprivate var offset: Int32
  }

  /// A power of 2.
  private static let chunkCapacity: Int32 = 64

  /// The first event of each chunk, ascending.
  private var firsts: [LocalVersion] = []
  /// For each chunk its first entry in `entries`, and how many entries it holds.
  private var directory: [(base: Int32, count: Int32)] = []
  private var entries = Pool<Entry>(minimumCapacity: 64)
  /// How often entries were put in or split.
  private(set) var changeCount = 0
  private let blank = Entry(first: .first, length: 1, leaf: 0)

  /// Forgets all entries, and keeps the memory.
  mutating func removeAll() {
    firsts.removeAll(keepingCapacity: true)
    directory.removeAll(keepingCapacity: true)
    entries.removeAll()
  }

  /// Makes room for as many entries, if most come in ascending order.
  mutating func reserve(_ number: Int) { entries.reserve(number) }

  /// How many bytes the entries take.
  var byteCount: Int { entries.byteCount }

  /// Adds an entry, as all were that there are, which is found only after ``sortAppended()``.
  mutating func append(_ entry: Entry) { _ = entries.append(entry) }

  /// Puts all entries that were appended in order, in O(n log n).
  mutating func sortAppended() {
    entries.sort { $0.first < $1.first }
    for base in stride(from: 0, to: Int32(entries.count), by: Int(Self.chunkCapacity)) {
      firsts.append(entries[base].first)
      directory.append((base, min(Self.chunkCapacity, Int32(entries.count) - base)))
    }
    let missing = -entries.count & Int(Self.chunkCapacity - 1)
    _ = entries.append(blank, repetitions: missing)
  }

  /// The last entry that begins at or before an event; `nil` if there is none; O(log n).
  func place(atOrBefore event: LocalVersion) -> Place? {
    // Both searches go without a branch on what is found: that could not be foretold.
    var low = 0
    if let last = firsts.last, last <= event {
      low = firsts.count - 1
    } else {
      var left = firsts.count
      while left > 1 {
        let half = left / 2
        low += firsts[low + half] <= event ? half : 0
        left -= half
      }
    }
    guard low < firsts.count, firsts[low] <= event else { return nil }
    let chunk = directory[low]
    var start: Int32 = 0
    var left = chunk.count
    while left > 1 {
      let half = left / 2
      start += entries[chunk.base + start + half].first <= event ? half : 0
      left -= half
    }
    return Place(slot: low, offset: start)
  }

  /// The last entry that begins at or before a scalar, which is in the tracker.
  private func place(of scalar: LocalVersion) -> Place {
    guard let place = place(atOrBefore: scalar) else {
      preconditionFailure("every scalar in a tracker has an entry in its index")
    }
    return place
  }

  /// The place after another one; `nil` at the end.
  func place(after place: Place) -> Place? {
    if place.offset + 1 < directory[place.slot].count {
      return Place(slot: place.slot, offset: place.offset + 1)
    }
    return place.slot + 1 < directory.count ? Place(slot: place.slot + 1, offset: 0) : nil
  }

  /// The place of the first entry; `nil` if there is none.
  var firstPlace: Place? { directory.isEmpty ? nil : Place(slot: 0, offset: 0) }

  package subscript(place: Place) -> Entry {
    entries[directory[place.slot].base + place.offset]
  }

  /// The leaf that holds a scalar that was inserted, in O(log n).
  func leaf(of scalar: LocalVersion) -> Int32 {
    let place = place(of: scalar)
    let entry = self[place]
    precondition(
      entry.kind == .insertion && scalar < entry.end,
      "every scalar in a tracker has an entry in its index")
    return entry.leaf
  }

  /// Notes that the run beginning with this scalar is held by another leaf now.
  mutating func setLeaf(of scalar: LocalVersion, to leaf: Int32) {
    let place = place(of: scalar)
    entries[directory[place.slot].base + place.offset].leaf = leaf
  }

  /// Adds an entry whose events have none yet.
  mutating func insert(_ entry: Entry) {
    guard let place = place(atOrBefore: entry.first) else {
      insert(entry, slot: 0, offset: 0)
      return
    }
    assert(self[place].end <= entry.first, "an event has one entry")
    insert(entry, slot: place.slot, offset: place.offset + 1)
  }

  /// Splits the insertion entry that holds a scalar in two, the second beginning with it.
  mutating func split(at scalar: LocalVersion) {
    let place = place(of: scalar)
    let index = directory[place.slot].base + place.offset
    let old = entries[index]
    assert(old.kind == .insertion && old.first < scalar && scalar < old.end)
    entries[index].length = scalar - old.first
    insert(
      Entry(first: scalar, length: old.end - scalar, leaf: old.leaf),
      slot: place.slot, offset: place.offset + 1)
  }

  private mutating func insert(_ entry: Entry, slot: Int, offset: Int32) {
    changeCount += 1
    guard slot < directory.count else {
      firsts.append(entry.first)
      directory.append((entries.append(blank, repetitions: Int(Self.chunkCapacity)), 0))
      insert(entry, slot: slot, offset: offset)
      return
    }
    let chunk = directory[slot]
    if chunk.count == Self.chunkCapacity {
      let next = makeRoom(slot: slot, offset: offset)
      insert(entry, slot: next.slot, offset: next.offset)
      return
    }
    entries.move(
      from: chunk.base + offset, to: chunk.base + offset + 1, length: chunk.count - offset)
    entries[chunk.base + offset] = entry
    directory[slot].count += 1
    if offset == 0 { firsts[slot] = entry.first }
  }

  /// Makes room for an entry at a place in a full chunk; returns where it goes then.
  ///
  /// Entries often come in ascending order somewhere in the middle. So the chunk keeps what comes
  /// before the place, and what comes after it goes to the next chunk, or to a new one if that is
  /// too full: chunks are left full behind the place. A chunk of which less than half would be left
  /// is halved.
  private mutating func makeRoom(slot: Int, offset: Int32) -> (slot: Int, offset: Int32) {
    let chunk = directory[slot]
    let kept = max(offset, Self.chunkCapacity / 2)
    let moved = chunk.count - kept
    let next = slot + 1
    if next < directory.count, directory[next].count + moved < Self.chunkCapacity {
      let (base, count) = directory[next]
      entries.move(from: base, to: base + moved, length: count)
      entries.move(from: chunk.base + kept, to: base, length: moved)
      directory[next].count += moved
    } else {
      let base = entries.append(blank, repetitions: Int(Self.chunkCapacity))
      entries.move(from: chunk.base + kept, to: base, length: moved)
      directory.insert((base, moved), at: next)
      firsts.insert(.first, at: next)
    }
    directory[slot].count = kept
    // With nothing moved, the entry to come is the first of the next chunk.
    if moved > 0 { firsts[next] = entries[directory[next].base].first }
    return kept < Self.chunkCapacity ? (slot, offset) : (next, 0)
  }
}
