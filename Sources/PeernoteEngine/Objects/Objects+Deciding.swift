/// What is shown where several people wrote.
///
/// Each question can be asked of the history without some of its events, which is how changes are
/// reverted: of what is left, an event has seen the same events as before.
extension Objects {
  /// Decides what a register shows: of the writes that no later write has seen, the latest; see
  /// ``Log/isLaterWrite(_:than:)``.
  ///
  /// What is excluded, here as below, are ascending ranges that don't touch.
  package func resolve(
    _ register: Writes, without excluded: [Range<LocalVersion>] = []
  ) -> Resolved {
    if excluded.isEmpty, let write = only(register) {
      let shown = shownEntry(of: register)
      return Resolved(shown: shown, others: [], removals: shown == nil ? [write.event] : [])
    }
    var result = Resolved(shown: nil, others: [], removals: [])
    var live: [Entry] = []
    let latest = latestWrites(of: register, without: excluded)
    var hiders: Hiders?
    var next = 0
    for write in history(of: register) {
      if next < latest.count, latest[next].event == write.event {
        next += 1
        if let content = write.content {
          live.append(Entry(event: write.event, content: content))
        } else {
          result.removals.append(write.event)
        }
      } else if edits == nil {
        // Nothing that was replaced can have been a container.
        if next == latest.count { break }
      } else if !excluded.holds(write.event), let content = write.content,
        let container = container(createdBy: write.event)
      {
        // Those that have not seen the write have seen no edit inside either.
        let removals = Writes(last: register.lastRemoval)
        var known =
          hiders ?? Hiders(latest + latestWrites(of: removals, without: excluded))
        if isKept(container, against: &known, without: excluded) {
          live.append(Entry(event: write.event, content: content, isKept: true))
        }
        hiders = known
      }
    }
    result.shown = self.latest(of: live)
    live.removeAll { $0 == result.shown }
    result.others = live
    return result
  }

  /// What a register shows; see ``resolve(_:without:)``; O(1) for one that was written once.
  func shownEntry(of register: Writes) -> Entry? {
    guard let write = only(register) else { return resolve(register).shown }
    return write.content.map { Entry(event: write.event, content: $0) }
  }

  /// The only write of a list; `nil` if there are more, or none.
  private func only(_ list: Writes) -> Write? {
    guard let last = list.last else { return list.first }
    let write = writes[last]
    return write.previous == nil && list.first == nil ? write : nil
  }

  private func latest(of live: [Entry]) -> Entry? {
    live.max { left, right in
      left.isKept != right.isKept
        ? left.isKept : log.isLaterWrite(right.event, than: left.event)
    }
  }

  /// Those of some writes that no other one of them has seen, the last one first; O(writes), or
  /// O(c log c) for the c chains after the last critical version that they lie in.
  func latestWrites(
    of list: Writes, without excluded: [Range<LocalVersion>] = []
  ) -> [Write] {
    if excluded.isEmpty, let write = only(list) { return [write] }
    var candidates: [Write] = []
    // What a critical version lies behind, the newest one has seen; and the newest one of a chain
    // has seen the others in it.
    var cut = LocalVersion.beforeAll
    var chainStart = LocalVersion.afterAll
    for write in history(of: list) where write.event < chainStart && !excluded.holds(write.event) {
      if candidates.isEmpty {
        cut = critical.last(before: write.event)
      } else if write.event <= cut {
        break
      }
      candidates.append(write)
      chainStart = log.graph.chains[log.graph.chainIndex(of: write.event)].start
    }
    if candidates.count < 2 { return candidates }
    let heads = log.graph.heads(among: candidates.map(\.event))
    var next = 0
    return candidates.filter { write in
      guard next < heads.count, heads[next] == write.event else { return false }
      next += 1
      return true
    }
  }

  /// Writes that replaced something or removed it, and all that they have seen.
  private struct Hiders {
    let events: [LocalVersion]
    let latest: LocalVersion
    private var seen: [Range<LocalVersion>]?

    init(_ writes: [Write]) {
      events = writes.map(\.event)
      latest = events.max() ?? .beforeAll
    }

    /// All that they have seen, themselves included; O(c log c) for the chains of the graph, once.
    mutating func seen(in graph: Graph) -> [Range<LocalVersion>] {
      let known = seen ?? graph.closure(of: events)
      seen = known
      return known
    }
  }

  /// Whether some edit inside a container was seen by none of the writes that replaced it.
  private func isKept(
    _ container: ContainerIndex, against hiders: inout Hiders,
    without excluded: [Range<LocalVersion>]
  ) -> Bool {
    guard let edits else { preconditionFailure("hidden containers have their edits listed") }
    if edits.areAll(inside: container, upTo: critical.last(before: hiders.latest)) {
      return false
    }
    let seen = hiders.seen(in: log.graph)
    return !edits.areAll(inside: container, in: excluded.isEmpty ? seen : seen.union(excluded))
  }

  /// The latest edit inside a container but for some events (ascending ranges that don't touch), in
  /// the order of writes (see ``Log/isLaterWrite(_:than:)``); `nil` if those are all; O(n log k)
  /// for the chains in n ranges inside and k there.
  package func latestEdit(
    inside container: ContainerIndex, outside seen: [Range<LocalVersion>]
  ) -> LocalVersion? {
    var latest: LocalVersion?
    for range in edits?.ranges(inside: container, outside: seen) ?? [] {
      for chain in log.graph.chains[log.graph.chainIndex(of: range.lowerBound)...] {
        if chain.start >= range.upperBound { break }
        let event = min(chain.end, range.upperBound) - 1
        if latest.map({ log.isLaterWrite(event, than: $0) }) ?? true { latest = event }
      }
    }
    return latest
  }

  /// Whether one of some removals has seen a write.
  private func isSeen(_ write: Write, by removals: inout Hiders) -> Bool {
    if critical.separate(write.event, from: removals.latest) { return true }
    // Few are asked one by one, which does not lead beyond the write.
    return removals.events.count < 4
      ? removals.events.contains { isSeen(write.event, by: $0) }
      : removals.seen(in: log.graph).holds(write.event)
  }

  package enum ElementState {
    case present
    case removed
    /// Removed by people who had not seen what was written to it or edited inside.
    case kept
  }

  /// Whether an element is shown.
  package func state(
    of element: Element, without excluded: [Range<LocalVersion>] = []
  ) -> ElementState {
    if element.touch.lastRemoval == nil { return .present }
    var removals = Hiders(
      latestWrites(of: Writes(last: element.touch.lastRemoval), without: excluded))
    if removals.events.isEmpty { return .present }
    for write in history(of: element.register) {
      if excluded.holds(write.event) { continue }
      if !isSeen(write, by: &removals) { return .kept }
      if edits != nil, let container = container(createdBy: write.event),
        isKept(container, against: &removals, without: excluded)
      {
        return .kept
      }
    }
    return .removed
  }

  /// The removals of an element that nobody who wrote the element has seen, the last one first.
  func openRemovals(of element: Element) -> [LocalVersion] {
    let writers = latestWrites(of: element.register)
    let removals = latestWrites(of: Writes(last: element.touch.lastRemoval)).map(\.event)
    return removals.filter { removal in !writers.contains { isSeen(removal, by: $0.event) } }
  }

  /// The slot that an element whose insertion is not excluded stands in: of those that no later
  /// move has seen, the latest; O(moves).
  package func shownSlot(
    of element: Element, without excluded: [Range<LocalVersion>] = []
  ) -> SlotIndex {
    let first = Write(event: element.event, written: .init(element.slot))
    var moves = latestWrites(
      of: Writes(last: element.touch.lastMove, first: first), without: excluded)[...]
    var best = moves.removeFirst()
    for move in moves where log.isLaterWrite(move.event, than: best.event) { best = move }
    guard let slot = best.written.slot else {
      preconditionFailure("an element is moved to slots")
    }
    return slot
  }
}

extension Objects {
  /// Those of some writes that say something else than one that is shown, each value once: several
  /// who write one value have made the same edit; O(writes).
  package func differing(_ others: [Entry], from shown: Entry) -> [Entry] {
    if others.isEmpty { return others }
    var known: Set<Content> = [log.contents[shown.content]]
    return others.filter { entry in
      let content = log.contents[entry.content]
      if case .container = content { return true }
      return known.insert(content).inserted
    }
  }
}

/// How dear it is to decide what is shown.
///
/// Whether one write has seen another is asked of the event graph, and may lead through all that
/// lies between them. History as people make it asks little: most writes are separated by critical
/// versions. A file can be made so that every question leads through all of it.
extension Objects {
  /// Refuses a history that takes more steps than the limit to decide what is shown: chains, and
  /// their parents, that a question leads over; O(writes), and nothing where none could lead far.
  func checkWork() throws(HistoryError) {
    let most = span(from: .beforeAll, to: log.graph.end - 1)
    if mostWork(leadingOver: most) <= workLimit { return }
    _ = try work(within: workLimit)
  }

  /// The most steps that it may take to decide what is shown, if no question leads over more than
  /// some of them; ``work(within:)`` does not exceed that.
  ///
  /// O(1). What was written once asks nothing, unless it is a container that may be kept.
  private func mostWork(leadingOver most: Int, withMore more: Int = 0) -> Int {
    let count = writes.count + more
    if edits != nil { return 8 * count * most }
    return 2 * count + 4 * (repeatedWriteCount + more) * most
  }

  /// How many writes there are besides the first ones of keys and of values of sets.
  package var repeatedWriteCount: Int { writes.count - mapKeys.count - members.members.count }

  /// Whether the steps are as few as ``mostWork(leadingOver:withMore:)`` says; for tests.
  var keepsBoundOfWork: Bool {
    guard let work = try? work(within: .max / 2) else { return false }
    return work <= mostWork(leadingOver: span(from: .beforeAll, to: log.graph.end - 1))
  }

  /// Refuses another change if the history could take more steps than the limit with it; O(1) where
  /// no question could lead far, else O(writes).
  ///
  /// All writes so far are separated from the change by a critical version, so that it asks nothing
  /// but a step for each write, for which its row gives more; but what was asked of all chains is
  /// asked of one more, and what it edits inside containers may keep these.
  func checkWorkOfAnotherChange() throws(HistoryError) {
    let limit = min(workLimit, log.workLimit)
    let chain = 1 + log.graph.heads.count
    let most = span(from: .beforeAll, to: log.graph.end - 1) + chain
    if 8 * (writes.count + 1) * most <= limit { return }
    func growth(registers: Int) -> Int { registers * chain + 2 * Self.depthLimit * most }
    let bound = mostWork(leadingOver: most, withMore: 1)
    if bound + growth(registers: mapKeys.count + slots.count) <= limit { return }
    _ = try work(
      within: limit - growth(registers: mapKeys.count + slots.elements.count(where: \.isTouched)))
  }

  /// How many steps it may take to decide what is shown; throws if they are more than the limit.
  func work(within limit: Int) throws(HistoryError) -> Int {
    var left = limit
    func spend(_ steps: Int, _ event: LocalVersion) throws(HistoryError) {
      left -= steps
      guard left >= 0 else { throw HistoryError(.tooMuchWork, event: event) }
    }
    try spend(0, log.graph.end - 1)
    for key in mapKeys { try spend(work(on: key.register), log.graph.end - 1) }
    for element in slots.elements where element.isTouched {
      try spend(work(on: element.register), element.event)
      try spend(latestWork(on: Writes(last: element.touch.lastMove)).steps, element.event)
    }
    for member in members.members {
      try spend(latestWork(on: Writes(last: member.lastWrite)).steps, log.graph.end - 1)
    }
    return limit - left
  }

  /// How many steps it may take to decide what a register shows.
  private func work(on register: Writes) -> Int {
    let (removalSteps, removals) = latestWork(on: Writes(last: register.lastRemoval))
    var total = latestWork(on: register).steps + removalSteps
    let newest = log.graph.end - 1
    if removals > 3 {
      total += span(from: .beforeAll, to: newest)
    } else if removals > 0 {
      for write in history(of: register) {
        if critical.separate(write.event, from: newest) { continue }
        total += removals * span(from: write.event, to: newest)
        if total > workLimit { return total }
      }
    }
    guard let edits else { return total }
    let cut = critical.last(before: newest)
    let mayBeKept = history(of: register).contains { write in
      guard let container = container(createdBy: write.event) else { return false }
      return !edits.areAll(inside: container, upTo: cut)
    }
    return mayBeKept ? total + 2 * span(from: .beforeAll, to: newest) : total
  }

  /// How many steps it may take to find those of some writes that no other one has seen, and how
  /// many these may be.
  private func latestWork(on list: Writes) -> (steps: Int, latest: Int) {
    var newest = LocalVersion.beforeAll
    var oldest = LocalVersion.beforeAll
    var cut = LocalVersion.beforeAll
    var count = 0
    for write in history(of: list) {
      if !newest.isEvent {
        newest = write.event
        cut = critical.last(before: newest)
      } else if write.event <= cut {
        break
      }
      oldest = write.event
      count += 1
    }
    return (count < 2 ? count : count + span(from: oldest, to: newest), count)
  }

  /// How many chains and parents lie between two events.
  private func span(from oldest: LocalVersion, to newest: LocalVersion) -> Int {
    guard newest.isEvent else { return 0 }
    let graph = log.graph
    let last = graph.chainIndex(of: newest)
    let first = oldest.isEvent ? graph.chainIndex(of: oldest) : .first
    let parents = graph.parentRange(ofChain: last).upperBound
    return Int(last - first) + 1 + parents - graph.parentRange(ofChain: first).lowerBound
  }
}
