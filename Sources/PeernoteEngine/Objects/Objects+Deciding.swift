/// What is shown where several people wrote.
///
/// Each question can be asked of the history without some of its events, which is how changes are
/// reverted: of what is left, an event has seen the same events as before.
extension Objects {
  /// Decides what a register shows: of the writes that no later write has seen, the latest; see
  /// ``Log/isLaterWrite(_:than:)``.
  ///
  /// What is excluded, here as below, are ascending ranges that don't touch.
  func resolve(
    _ register: Register, without excluded: [Range<LocalVersion>] = []
  ) -> Resolved {
    var result = Resolved(shown: nil, live: [], removals: [])
    guard register.lastWrite >= 0 else { return result }
    let latest = latestWrites(of: register.lastWrite, without: excluded)
    var next = 0
    for write in history(from: register.lastWrite) {
      if next < latest.count, latest[next].event == write.event {
        next += 1
        if write.content == Self.removal {
          result.removals.append(write.event)
        } else {
          result.live.append(Entry(event: write.event, content: write.content, isKept: false))
        }
      } else if edits == nil {
        // Nothing that was replaced can have been a container.
        if next == latest.count { break }
      } else if !excluded.holds(write.event), let container = container(createdBy: write.event) {
        let hiders = latest.map(\.event).filter { isSeen(write.event, by: $0) }
        let removals = elementRemovals(of: register, seeing: write.event, without: excluded)
        if isKept(container, against: hiders + removals, without: excluded) {
          result.live.append(Entry(event: write.event, content: write.content, isKept: true))
        }
      }
    }
    result.shown = self.latest(of: result.live)
    return result
  }

  /// The removals of the list element that a register belongs to, as far as they have seen a write.
  private func elementRemovals(
    of register: Register, seeing event: LocalVersion, without excluded: [Range<LocalVersion>]
  ) -> [LocalVersion] {
    guard log.containers[Int(register.container)].kind == .list else { return [] }
    let last = elements[Int(register.name)].lastRemoval
    if last < 0 { return [] }
    return latestWrites(of: last, without: excluded).map(\.event)
      .filter { isSeen(event, by: $0) }
  }

  private func latest(of live: [Entry]) -> Entry? {
    live.max { left, right in
      left.isKept != right.isKept
        ? left.isKept : log.isLaterWrite(right.event, than: left.event)
    }
  }

  /// The writes of a linked list that no other one of it has seen, the last one first.
  ///
  /// O(writes), or O(c log c) for the c chains after the last critical version that they lie in.
  func latestWrites(
    of last: Int32, without excluded: [Range<LocalVersion>] = []
  ) -> [Write] {
    if writes[Int(last)].previous < 0, excluded.isEmpty { return [writes[Int(last)]] }
    var candidates: [Write] = []
    // What a critical version lies behind, the newest one has seen.
    var cut: LocalVersion = -1
    for write in history(from: last) {
      if excluded.holds(write.event) { continue }
      if candidates.isEmpty {
        cut = critical?.last(before: write.event).last ?? -1
      } else if write.event <= cut {
        break
      }
      candidates.append(write)
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

  /// Whether some edit inside a container was seen by none of the writes that replaced it.
  private func isKept(
    _ container: Int32, against writes: [LocalVersion], without excluded: [Range<LocalVersion>]
  ) -> Bool {
    guard let edits, let latest = writes.max() else {
      preconditionFailure("hidden containers have their edits listed")
    }
    if let critical, edits.areAll(inside: container, upTo: critical.last(before: latest).last) {
      return false
    }
    let seen = log.graph.closure(of: writes)
    return !edits.areAll(inside: container, in: excluded.isEmpty ? seen : seen.union(excluded))
  }

  enum ElementState {
    case present
    case removed
    /// Removed by people who had not seen what was written to it or edited inside.
    case kept
  }

  /// Whether an element is shown.
  func state(
    of element: Element, without excluded: [Range<LocalVersion>] = []
  ) -> ElementState {
    if element.lastRemoval < 0 { return .present }
    let removals = latestWrites(of: element.lastRemoval, without: excluded).map(\.event)
    if removals.isEmpty { return .present }
    for write in history(from: registers[Int(element.register)].lastWrite) {
      if excluded.holds(write.event) { continue }
      if !removals.contains(where: { isSeen(write.event, by: $0) }) { return .kept }
      if edits != nil, let container = container(createdBy: write.event),
        isKept(container, against: removals, without: excluded)
      {
        return .kept
      }
    }
    return .removed
  }

  /// The last removal of an element that nobody who wrote the element has seen.
  func openRemoval(of element: Element) -> LocalVersion? {
    let writers = latestWrites(of: registers[Int(element.register)].lastWrite)
    return latestWrites(of: element.lastRemoval).first { removal in
      !writers.contains { isSeen(removal.event, by: $0.event) }
    }?.event
  }

  /// The slot that an element stands in: of those that no later move has seen, the latest.
  ///
  /// Precondition: the insertion of the element is not excluded.
  func shownSlot(of element: Element, without excluded: [Range<LocalVersion>] = []) -> Int32 {
    var moves = latestWrites(of: element.lastMove, without: excluded)[...]
    var best = moves.removeFirst()
    for move in moves where log.isLaterWrite(move.event, than: best.event) { best = move }
    return best.content
  }
}

extension [Range<LocalVersion>] {
  /// Whether ascending ranges that don't touch hold all of another range.
  ///
  /// O(log n).
  func covers(_ range: Range<LocalVersion>) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low].lowerBound <= range.lowerBound
      && range.upperBound <= self[low].upperBound
  }

  /// Whether an event lies in ascending ranges that don't touch.
  ///
  /// O(log n).
  func holds(_ event: LocalVersion) -> Bool {
    !isEmpty && covers(event..<event + 1)
  }

  /// The events of ascending ranges but for some, which are ascending; as ascending ranges that don't
  /// touch.
  ///
  /// O(ranges + events).
  func subtracting(_ events: [LocalVersion]) -> [Range<LocalVersion>] {
    var result: [Range<LocalVersion>] = []
    var next = 0
    for range in self {
      var start = range.lowerBound
      while next < events.count, events[next] < range.upperBound {
        if events[next] >= start {
          if start < events[next] { result.append(start..<events[next]) }
          start = events[next] + 1
        }
        next += 1
      }
      if start < range.upperBound { result.append(start..<range.upperBound) }
    }
    return result
  }

  /// The events of two lists of ascending ranges, as ascending ranges that don't touch.
  ///
  /// O(n log n).
  package func union(_ other: [Range<LocalVersion>]) -> [Range<LocalVersion>] {
    var result: [Range<LocalVersion>] = []
    for range in (self + other).sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
