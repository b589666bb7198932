/// A passage that is found in the runs of a text.
struct FoundPassage: Equatable {
  /// What somebody saw there.
  struct Reading: Equatable {
    /// Redacted scalars are beyond Unicode.
    var scalars: [UInt32]
    /// The changes whose reading it is, ascending.
    var changes: [ChangeIndex]

    /// As it is written: without what is redacted.
    var written: [UInt32] {
      scalars.isKnown ? scalars : scalars.filter { $0 != TokenPart.redacted }
    }
  }

  /// The first scalar of the raw text that it stands for, and the last one.
  var low: TextRuns.Place
  var high: TextRuns.Place
  /// First the one that is shown; if there are others, it is contested.
  var readings: [Reading]

  /// What is shown.
  var shown: [UInt32] { readings[0].scalars }

  var isContested: Bool { readings.count > 1 }

  /// Whether another passage stands for the same and has the same readings, by whatever changes.
  func isSame(as other: FoundPassage) -> Bool {
    low == other.low && high == other.high && readings.count == other.readings.count
      && zip(readings, other.readings).allSatisfy { $0.scalars == $1.scalars }
  }

  /// Whether all changes whose readings it has are in a set.
  func isMade(in known: (ChangeIndex) -> Bool) -> Bool {
    readings.allSatisfy { $0.changes.allSatisfy(known) }
  }
}

/// A passage that one version shows, or both.
struct SharedPassage {
  var passage: FoundPassage
  /// As the second version has it if both do, it may be by other changes.
  var other: FoundPassage?
  var shownBy: UnitedVersions.Shown

  /// As a side shows it.
  func asShown(by side: UnitedVersions.Shown) -> FoundPassage? {
    if !shownBy.contains(side) { return nil }
    return side == .other ? other ?? passage : passage
  }
}

/// A part of what a union shows, or of what one of its versions does, put together from parts that
/// stand beside each other.
struct ShownPart {
  /// A token or a scalar, a passage of either side, or what both sides made together.
  enum Kind { case text, passage, group }

  let kind: Kind
  /// The first scalar of its raw text, and the last one.
  private(set) var low = TextRuns.Place.last
  private(set) var high = TextRuns.Place.first
  private(set) var shown: [UInt32] = []
  /// The changes whose reading that is.
  var changes: [ChangeIndex] = []
  /// What may stand in the place of some of that.
  private var others: [(place: Range<Int>, reading: FoundPassage.Reading)] = []
  /// The passage that is all of it, as versions share its readings.
  private var whole: FoundPassage?

  init() { kind = .group }

  init(_ kind: Kind, _ passage: FoundPassage) {
    self.kind = kind
    append(passage)
    whole = passage
  }

  /// Takes text that stands as it is.
  init(_ text: some Collection<UInt32>, from low: TextRuns.Place, to high: TextRuns.Place) {
    kind = .text
    append(text, from: low, to: high)
  }

  /// What is shown, and that with each other reading in its place, in O(readings × scalars).
  var readings: [FoundPassage.Reading] {
    [FoundPassage.Reading(scalars: shown, changes: Set(changes).sorted())]
      + others.map { place, other in
        FoundPassage.Reading(
          scalars: shown[..<place.lowerBound] + other.scalars + shown[place.upperBound...],
          changes: other.changes)
      }
  }

  var passage: FoundPassage {
    whole ?? FoundPassage(low: low, high: high, readings: readings)
  }

  /// Appends text that stands as it is.
  mutating func append(
    _ text: some Collection<UInt32>, from low: TextRuns.Place, to high: TextRuns.Place
  ) {
    shown += text
    (self.low, self.high) = (min(self.low, low), max(self.high, high))
    whole = nil
  }

  /// Appends what a passage shows, and its other readings.
  mutating func append(_ passage: FoundPassage) {
    let start = shown.count
    append(passage.shown, from: passage.low, to: passage.high)
    others += passage.readings.dropFirst().map { (start..<shown.count, $0) }
    changes += passage.readings[0].changes
  }
}

/// A version of a document, with the passages of one of its texts.
struct ShownVersion {
  /// All that it has seen.
  var known = EventSet()
  /// Ascending.
  var passages: [FoundPassage] = []
  /// How much longer its raw text is than before all events; known for a whole history only.
  var length: Int32 = 0

  /// What it takes beside the readings, which versions share.
  var byteCount: Int { passages.count * MemoryLayout<FoundPassage>.stride }
}

/// Two versions of a text that are united.
///
/// It is a class, as all that looks at them holds them, and a copy costs more than most looks.
final class UnitedVersions {
  let log: Log
  let text: TextRuns
  let one: ShownVersion
  let other: ShownVersion
  /// Those of both, ascending; where two begin at one place the first version's comes first.
  let passages: [SharedPassage]

  /// O(passages).
  init(log: Log, text: TextRuns, one: ShownVersion, other: ShownVersion) {
    (self.log, self.text, self.one, self.other) = (log, text, one, other)
    var passages: [SharedPassage] = []
    var rest = other.passages[...]
    for passage in one.passages {
      while let next = rest.first, next.low < passage.low {
        passages.append(SharedPassage(passage: rest.removeFirst(), shownBy: .other))
      }
      if let next = rest.first, passage.isSame(as: next) {
        passages.append(
          SharedPassage(passage: passage, other: rest.removeFirst(), shownBy: .both))
      } else {
        passages.append(SharedPassage(passage: passage, shownBy: .one))
      }
    }
    self.passages = passages + rest.map { SharedPassage(passage: $0, shownBy: .other) }
  }

  /// Which versions show a scalar, as raw text.
  struct Shown: OptionSet {
    let rawValue: UInt8
    /// What both have seen.
    static let base = Shown(rawValue: 1)
    static let one = Shown(rawValue: 2)
    static let other = Shown(rawValue: 4)
    static let both: Shown = [.one, .other]
    static let all: Shown = [.base, .one, .other]

    /// Whether one side alone, or each by itself, inserted or deleted it.
    var isTouched: Bool { self != .all }
    /// Whether the union shows it, as raw text.
    var isInUnion: Bool { self == .all || !contains(.base) && !isEmpty }
    /// The sides that inserted or deleted it.
    var touchedBy: Shown { contains(.base) ? .both.subtracting(self) : intersection(.both) }
  }

  /// Which versions show a run, in O(d log r) for d deletions of it and r ranges of the versions; empty
  /// for one that neither side has, or that both had deleted.
  func shown(_ run: Int32) -> Shown {
    let first = text.runs[Int(run)].first
    var result = Shown()
    if one.known.includes(first) { result.insert(.one) }
    if other.known.includes(first) { result.insert(.other) }
    if result == .both { result.insert(.base) }
    for place in text.deletions(of: run) where !result.isEmpty {
      let event = text.deletions[place].event(of: first)
      let (byOne, byOther) = (one.known.includes(event), other.known.includes(event))
      if byOne { result.remove(.one) }
      if byOther { result.remove(.other) }
      if byOne, byOther { result.remove(.base) }
    }
    return result
  }

  /// Whether both sides have seen a change.
  func haveSeen(_ change: ChangeIndex) -> Bool {
    let event = log.eventCounts.firstEvent(ofChange: change)
    return one.known.includes(event) && other.known.includes(event)
  }

  /// Of the readings that two sides do not show, those that neither has settled: the other side has not
  /// seen all changes whose reading it is, or keeps one by some of them.
  func open(_ sides: [[FoundPassage.Reading]]) -> [FoundPassage.Reading] {
    (0...1).flatMap { side in
      sides[side].dropFirst().filter { reading in
        !reading.changes.allSatisfy(haveSeen)
          || sides[1 - side].dropFirst().contains {
            $0.changes.contains(where: reading.changes.contains)
          }
      }
    }
  }

  /// The last events on either side that touched what lies between two scalars, none of which has seen
  /// another; of all that a side did, if it touched nothing there.
  ///
  /// O(runs + c log c) for c chains since then. Adds to the steps how many runs were looked at.
  func writers(
    from low: TextRuns.Place, to high: TextRuns.Place, _ steps: inout Int
  ) -> [[LocalVersion]] {
    var touching: [[LocalVersion]] = [[], []]
    func touch(_ event: LocalVersion) {
      let (byOne, byOther) = (one.known.includes(event), other.known.includes(event))
      if byOne != byOther { touching[byOne ? 0 : 1].append(event) }
    }
    for run in low.run...high.run {
      let (first, count) = (text.runs[Int(run)].first, text.runs[Int(run)].count)
      touch(first + (count - 1))
      for place in text.deletions(of: run) {
        let entry = text.deletions[place]
        touch(max(entry.event(of: first), entry.event(of: first + (count - 1))))
      }
    }
    steps += Int(high.run - low.run) + touching[0].count + touching[1].count
    if touching.contains(where: \.isEmpty), low.run > 0 || Int(high.run) + 1 < text.runs.count {
      let end = TextRuns.Place(run: Int32(text.runs.count - 1), offset: 0)
      let all = writers(from: TextRuns.Place(run: 0, offset: 0), to: end, &steps)
      return zip(touching, all).map { $0.isEmpty ? $1 : heads(among: $0, &steps) }
    }
    return touching.map { heads(among: $0, &steps) }
  }

  /// Those of some events that are no ancestors of others of them, descending.
  private func heads(among events: [LocalVersion], _ steps: inout Int) -> [LocalVersion] {
    var met = (chains: 0, parents: 0)
    // To queue one takes as long as some other steps.
    defer { steps += 16 * (met.chains + met.parents) }
    // Of those in one chain the last one has seen the others.
    var last: [LocalVersion] = []
    var chain: Range<LocalVersion>?
    for event in events.sorted(by: >) where chain?.contains(event) != true {
      let owner = log.graph.chains[log.graph.chainIndex(of: event)]
      chain = owner.start..<owner.end
      last.append(event)
    }
    return log.graph.heads(among: last, &met)
  }

  /// The changes of some events, ascending.
  func changes(_ events: [LocalVersion]) -> [ChangeIndex] {
    Set(events.map { log.eventCounts.change(of: $0) }).sorted()
  }
}
