/// A set of events that holds all that any of them has seen, as ascending ranges that don't touch.
package typealias EventSet = [Range<LocalVersion>]

extension EventSet {
  /// Whether an event is in it, in O(log ranges); what was there before all events is in every set.
  @inline(__always)
  func includes(_ event: LocalVersion) -> Bool {
    if !event.isEvent { return true }
    // Most are in the first range, or after all.
    guard let first else { return false }
    if event < first.upperBound { return event >= first.lowerBound }
    return count > 1 && holds(event)
  }

  /// What it holds and another set doesn't, in O(ranges log ranges).
  package func subtracting(_ other: EventSet) -> EventSet { flatMap { other.gaps(in: $0) } }
}

/// What each event of a log has seen.
package struct SeenEvents {
  let log: Log
  /// What each chain has seen when it begins.
  private var starts: [EventSet] = []

  /// About how many bytes it takes.
  private(set) var byteCount = 0

  /// O(chains × ranges of what they have seen); throws if it takes more bytes than the limit.
  package init(of log: Log, memoryLimit: Int) throws(HistoryError) {
    self.log = log
    starts.reserveCapacity(log.graph.chains.count)
    for index in log.graph.chains.indices {
      var known = EventSet()
      for (place, parent) in log.graph.parents(ofChain: index).enumerated() {
        let seen = seen(by: parent)
        known = place == 0 ? seen : known.union(seen)
      }
      byteCount +=
        Self.bytesEachChain + known.count * MemoryLayout<Range<LocalVersion>>.stride
      guard byteCount <= memoryLimit else {
        throw HistoryError(.tooMuchMemory, event: log.graph.chains[index].start)
      }
      starts.append(known)
    }
  }

  /// An array, and what every array in memory takes.
  private static let bytesEachChain = 40

  /// What an event has seen, with itself, in O(ranges).
  package func seen(by event: LocalVersion) -> EventSet {
    let owner = log.graph.chainIndex(of: event)
    var result = starts[owner.number]
    result.appendAscending(log.graph.chains[owner].start..<event + 1)
    return result
  }
}

/// Finds the passages of a text from its whole history.
///
/// Only the changes that inserted or deleted something in the text matter. Where one of them follows
/// several that had not seen each other, what these show is united, in the order of their writes.
/// O(n log n) for n runs and chains; and for each union of two versions the ranges of what they have
/// seen, their passages, and what the side with fewer touched scalars has near the other one's.
struct PassageHistory {
  /// A run that an event has inserted or deleted.
  private struct Touch {
    var event: LocalVersion
    var run: Int32
    /// How much longer the text is.
    var length: Int32
  }

  private let text: TextRuns
  private let seen: SeenEvents
  private var log: Log { seen.log }
  /// Ascending by event.
  private let touches: [Touch]
  /// How much longer all touches before each one make the text.
  private let lengths: [Int32]
  /// How much was looked at, and may be.
  private(set) var steps = 0
  private let workLimit: Int
  /// How many bytes what versions show takes, and may take.
  private var byteCount = 0
  private let memoryLimit: Int
  /// The last touches that each chain follows when it begins.
  private var starts: [Version] = []
  /// What versions show, by their last touches, as long as somebody follows them; without what they
  /// have seen.
  private var shown: [Version: ShownVersion] = [:]

  /// O(n log n) for n runs.
  init(of text: TextRuns, _ seen: SeenEvents, workLimit: Int, memoryLimit: Int) {
    self.text = text
    self.seen = seen
    self.workLimit = workLimit
    self.memoryLimit = memoryLimit - seen.byteCount - text.byteCount
    var touches: [Touch] = []
    touches.reserveCapacity(text.runs.count + text.deletions.count)
    for run in text.runs.indices {
      let (first, count) = (text.runs[run].first, text.runs[run].count)
      if first.isEvent { touches.append(Touch(event: first, run: Int32(run), length: count)) }
      for place in text.deletions(of: Int32(run)) {
        let entry = text.deletions[place]
        let event = min(entry.event(of: first), entry.event(of: first + (count - 1)))
        touches.append(Touch(event: event, run: Int32(run), length: -count))
      }
    }
    touches.sort { $0.event < $1.event }
    self.touches = touches
    lengths = touches.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.length) }
  }

  /// The passages that some versions show; throws if that takes more steps or memory than the
  /// limits.
  mutating func passages(of versions: [Version]) throws(HistoryError) -> [[FoundPassage]] {
    steps += log.graph.chains.count
    for index in log.graph.chains.indices {
      starts.append(lastTouches(of: Array(log.graph.parents(ofChain: index))))
    }
    let count = log.graph.chains.count
    let asked = starts + versions.map { lastTouches(of: $0) }
    // Which of these asks last for what a version shows.
    var lastUse: [Version: Int] = [:]
    for end in asked[count...] { lastUse[end] = asked.count }
    for number in asked.indices.reversed() where lastUse[asked[number]] != nil {
      for event in asked[number] where lastUse[start(before: event)] == nil {
        lastUse[start(before: event)] = number
      }
    }
    var result: [[FoundPassage]] = []
    for (number, version) in asked.enumerated() where (lastUse[version] ?? 0) > number {
      let found = try shown(after: version)
      if number >= count {
        result.append(found.passages)
      } else if byteCount > memoryLimit {
        throw HistoryError(.tooMuchMemory, event: log.graph.chains[ChainIndex(number)].start)
      }
      for event in version where lastUse[start(before: event)] == number {
        byteCount -= shown.removeValue(forKey: start(before: event))?.byteCount ?? 0
      }
    }
    return result
  }

  /// The last touches before those of the chain of an event.
  private func start(before event: LocalVersion) -> Version {
    starts[log.graph.chainIndex(of: event).number]
  }

  /// The last events that touched the text, of all that some events have seen.
  private func lastTouches(of events: Version) -> Version {
    let sides = events.map { lastTouches(of: $0) }
    if sides.dropFirst().allSatisfy({ $0 == sides[0] }) { return sides.first ?? [] }
    let known = events.map { seen.seen(by: $0) }
    let last = Set(sides.flatMap(\.self)).filter { touch in
      zip(sides, known).allSatisfy { side, known in
        !known.includes(touch) || side.contains(touch)
      }
    }
    return last.sorted()
  }

  private func lastTouches(of event: LocalVersion) -> Version {
    let owner = log.graph.chainIndex(of: event)
    let next = touches.partitionPoint { $0.event > event }
    guard next > 0, touches[next - 1].event >= log.graph.chains[owner].start else {
      return starts[owner]
    }
    // The last event of the touch, or of what of it was seen.
    let touch = touches[next - 1]
    return [min(event, touch.event + (abs(touch.length) - 1))]
  }

  // MARK: What a version shows

  /// What a version shows, by its last touches.
  private mutating func shown(after last: Version) throws(HistoryError) -> ShownVersion {
    if let known = shown[last] { return known }
    var result = ShownVersion()
    for (number, event) in last.sorted(by: { log.isLaterChange($1, than: $0) }).enumerated() {
      let next = try view(event)
      result = number == 0 ? next : try union(result, next)
    }
    result.known = EventSet()
    shown[last] = result
    byteCount += result.byteCount
    return result
  }

  /// What the author of an event saw after it.
  private mutating func view(_ event: LocalVersion) throws(HistoryError) -> ShownVersion {
    let owner = log.graph.chainIndex(of: event)
    guard var result = shown[starts[owner]] else {
      preconditionFailure("what a chain follows was looked at")
    }
    result.known = seen.seen(by: event)
    let events = log.graph.chains[owner].start..<event + 1
    let place = places(of: [events])[0]
    result.length += lengths[place.upperBound] - lengths[place.lowerBound]
    if result.passages.isEmpty { return result }
    result.passages.removeAll { passage in
      steps += Int(passage.high.run - passage.low.run) + 1
      return text.isTouched(passage, byThose: events.contains)
    }
    try checkWork(event)
    return result
  }

  private func checkWork(_ event: LocalVersion) throws(HistoryError) {
    guard steps <= workLimit else { throw HistoryError(.tooMuchWork, event: event) }
  }

  // MARK: Unions

  /// What uniting takes for each run that was touched, with the tokens near it.
  private static let bytesEachTouch = 256

  private mutating func union(
    _ one: ShownVersion, _ other: ShownVersion
  ) throws(HistoryError) -> ShownVersion {
    let new = [one.known.subtracting(other.known), other.known.subtracting(one.known)].map {
      places(of: $0)
    }
    steps += one.known.count + other.known.count
    let counts = new.map { $0.reduce(0) { $0 + $1.count } }
    let (small, large) = counts[0] <= counts[1] ? (0, 1) : (1, 0)
    guard byteCount + counts[small] * Self.bytesEachTouch <= memoryLimit else {
      throw HistoryError(.tooMuchMemory, event: one.known.last?.lowerBound ?? .first)
    }
    let touched = runs(in: new[small])
    let versions = UnitedVersions(log: log, text: text, one: one, other: other)
    var first: Int32?
    if areEquallyLong(versions) {
      first = [touched.first, runs(in: new[large]).first].compactMap { $0 }.min()
    }
    var uniting = TextUnion(versions)
    let passages = uniting.passages(near: touched, alikeFrom: first)
    steps += uniting.steps
    try checkWork(one.known.last?.lowerBound ?? .first)
    // What the smaller side has done makes the text of the other one that of the union.
    let before: UnitedVersions.Shown = large == 0 ? .one : .other
    var length = [one, other][large].length
    for (index, run) in touched.enumerated() where index == 0 || touched[index - 1] != run {
      let shown = versions.shown(run)
      if shown.isInUnion != shown.contains(before) {
        length += shown.isInUnion ? text.runs[Int(run)].count : -text.runs[Int(run)].count
      }
    }
    return ShownVersion(
      known: one.known.union(other.known), passages: passages, length: length)
  }

  /// Where the touches of some events stand among all.
  private func places(of events: [Range<LocalVersion>]) -> [Range<Int>] {
    events.map { range in
      let start = touches.partitionPoint { $0.event >= range.lowerBound }
      return start..<max(start, touches.partitionPoint { $0.event >= range.upperBound })
    }
  }

  /// The runs that some touches touched, ascending.
  private mutating func runs(in places: [Range<Int>]) -> [Int32] {
    steps += places.reduce(0) { $0 + $1.count }
    return places.flatMap { touches[$0].map(\.run) }.sorted()
  }

  /// Whether two versions show equally many scalars, in O(passages), plus the runs of those in which they
  /// differ.
  private mutating func areEquallyLong(_ versions: UnitedVersions) -> Bool {
    var difference = Int(versions.one.length - versions.other.length)
    for shared in versions.passages {
      steps += 1
      if shared.shownBy == .both { continue }
      // How much longer what it shows is than its raw text.
      let passage = shared.passage
      var longer = passage.shown.count
      for (run, offsets) in text.parts(from: passage.low, to: passage.high)
      where versions.shown(run).contains(shared.shownBy) {
        longer -= offsets.count
      }
      difference += shared.shownBy == .one ? longer : -longer
    }
    return difference == 0
  }
}

extension TextRuns {
  /// What of each run stands from one scalar to another.
  func parts(
    from low: Place, to high: Place
  ) -> some Sequence<(run: Int32, offsets: Range<Int32>)> {
    (low.run...high.run).lazy.map { run in
      let start = run == low.run ? low.offset : 0
      return (run, start..<(run == high.run ? high.offset + 1 : self.runs[Int(run)].count))
    }
  }

  /// Whether a version shows a run as raw text: it has the insertion and no deletion.
  func isLive(_ run: Int32, in known: EventSet) -> Bool {
    let first = runs[Int(run)].first
    return known.includes(first)
      && !deletions(of: run).contains { known.includes(self.deletions[$0].event(of: first)) }
  }

  /// Whether an event of which something holds has touched a passage: deleted a scalar of it, or
  /// inserted one inside; in O(runs of the passage).
  func isTouched(_ passage: FoundPassage, byThose isOne: (LocalVersion) -> Bool) -> Bool {
    (passage.low.run...passage.high.run).contains { run in
      let first = self.runs[Int(run)].first
      return first.isEvent && isOne(first)
        || self.deletions(of: run).contains { isOne(self.deletions[$0].event(of: first)) }
    }
  }
}
