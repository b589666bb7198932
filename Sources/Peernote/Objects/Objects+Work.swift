/// How dear it is to decide what is shown.
///
/// Whether one write has seen another is asked of the event graph, and may lead through all that
/// lies between them. History as people make it asks little: most writes are separated by critical
/// versions. A file can be made so that every question leads through all of it.
extension Objects {
  /// Refuses a history that takes more steps than the limit to decide what is shown.
  ///
  /// A step is a chain, or a parent of one, that a question may lead over. O(writes), and nothing
  /// at all where no question could lead far.
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
    let repeated = max(0, count - mapKeys.count - members.members.count)
    return 2 * count + 4 * repeated * most
  }

  /// Whether the steps are as few as ``mostWork(leadingOver:withMore:)`` says.
  ///
  /// O(writes); for tests.
  var keepsBoundOfWork: Bool {
    guard let work = try? work(within: .max / 2) else { return false }
    return work <= mostWork(leadingOver: span(from: .beforeAll, to: log.graph.end - 1))
  }

  /// Refuses another change if the history could take more steps than the limit with it.
  ///
  /// O(1) where no question could lead far, else O(writes).
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
      try spend(work(on: Writes(last: element.lastMove)).steps, element.event)
    }
    for member in members.members {
      try spend(work(on: Writes(last: member.lastWrite)).steps, log.graph.end - 1)
    }
    return limit - left
  }

  /// How many steps it may take to decide what a register shows.
  private func work(on register: Register) -> Int {
    let (steps, _) = work(on: register.writes)
    let (removalSteps, removals) = work(on: Writes(last: register.lastRemoval))
    var total = steps + removalSteps
    let newest = log.graph.end - 1
    if removals > 3 {
      total += span(from: .beforeAll, to: newest)
    } else if removals > 0 {
      for write in history(of: register.writes) {
        if critical.separate(write.event, from: newest) { continue }
        total += removals * span(from: write.event, to: newest)
        if total > workLimit { return total }
      }
    }
    guard let edits else { return total }
    let cut = critical.last(before: newest)
    let mayBeKept = history(of: register.writes).contains { write in
      guard let container = container(createdBy: write.event) else { return false }
      return !edits.areAll(inside: container, upTo: cut)
    }
    return mayBeKept ? total + 2 * span(from: .beforeAll, to: newest) : total
  }

  /// How many steps it may take to find those of some writes that no other one has seen, and how
  /// many these may be.
  private func work(on list: Writes) -> (steps: Int, latest: Int) {
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

extension Objects.Element {
  /// Whether it was written, moved or removed after it was inserted.
  var isTouched: Bool { lastWrite != nil || lastMove != nil || lastRemoval != nil }
}
