extension Graph {
  /// The events that one version holds and another doesn't, both ways.
  package struct Difference: Hashable, Sendable {
    /// Events of the first version only, descending and not touching.
    package var onlyFirst: [Range<LocalVersion>] = []
    /// Events of the second version only, descending and not touching.
    package var onlySecond: [Range<LocalVersion>] = []
  }

  /// Which of the two closures an event on the way belongs to.
  private enum Side {
    static let first: UInt8 = 1
    static let second: UInt8 = 2
    static let both: UInt8 = 3
  }

  /// Compares the closures of two versions.
  ///
  /// Walks down from both at once, the greatest event first, until all that is left belongs to
  /// both. O((c + p) log p) for c chains and p parents met on the way.
  package func difference(_ first: Version, _ second: Version) -> Difference {
    var result = Difference()
    if first == second { return result }
    var queue = VersionQueue()
    var oneSided = 0
    func push(_ event: LocalVersion, _ side: UInt8) {
      queue.push(event, side)
      if side != Side.both { oneSided += 1 }
    }
    for event in first { push(event, Side.first) }
    for event in second { push(event, Side.second) }
    while oneSided > 0, var (event, side) = queue.pop() {
      if side != Side.both { oneSided -= 1 }
      while let next = queue.greatest, next.event == event {
        if next.side != Side.both { oneSided -= 1 }
        side |= next.side
        _ = queue.pop()
      }
      let index = chainIndex(of: event)
      let start = chains[index].start
      if let next = queue.greatest, next.event >= start {
        // Another event of the same chain waits: stop there, it joins both sides' marks.
        Self.record(next.event + 1..<event + 1, side, in: &result)
        push(next.event, side)
        event = next.event
      } else {
        Self.record(start..<event + 1, side, in: &result)
        for parent in parents(ofChain: index) { push(parent, side) }
      }
    }
    return result
  }

  private static func record(
    _ range: Range<LocalVersion>, _ side: UInt8, in result: inout Difference
  ) {
    switch side {
    case Side.first: result.onlyFirst.appendDescending(range)
    case Side.second: result.onlySecond.appendDescending(range)
    default: break
    }
  }

  /// All events of a version's closure, as ascending ranges that don't touch.
  package func closure(of version: Version) -> [Range<LocalVersion>] {
    difference(version, []).onlyFirst.reversed()
  }

  /// Whether an event is another one or comes causally before it.
  ///
  /// O(1) inside a chain and over a critical version; else as ``difference(_:_:)``, no further
  /// down than `ancestor`.
  package func isAncestor(_ ancestor: LocalVersion, orSelf event: LocalVersion) -> Bool {
    if ancestor >= event { return ancestor == event }
    var index = chainIndex(of: event)
    if chains[index].start <= ancestor { return true }
    var queue = VersionQueue()
    while true {
      for parent in parents(ofChain: index) where parent >= ancestor {
        queue.push(parent, Side.first)
      }
      guard let (next, _) = queue.pop() else { return false }
      index = chainIndex(of: next)
      if chains[index].start <= ancestor { return true }
      // All that waits in the same chain leads to the same parents.
      while let other = queue.greatest, other.event >= chains[index].start { _ = queue.pop() }
    }
  }

  /// Whether none of some events is an ancestor of another, and none stands twice.
  ///
  /// O(c log c) for c chains between the least and the greatest of them.
  package func areConcurrent(_ events: some Collection<LocalVersion>) -> Bool {
    guard events.count > 1, let least = events.min() else { return true }
    var queue = VersionQueue()
    for event in events { queue.push(event, Side.first) }
    while let (event, side) = queue.pop() {
      let index = chainIndex(of: event)
      // Whatever else waits in the same chain comes before this one.
      while let other = queue.greatest, other.event >= chains[index].start {
        if other.side == Side.first || (other.event == event && side == Side.first) {
          return false
        }
        _ = queue.pop()
      }
      for parent in parents(ofChain: index) where parent >= least {
        queue.push(parent, Side.second)
      }
    }
    return true
  }

  /// Those of some events that are no ancestors of others of them, descending.
  ///
  /// O(c log c) for c chains between the least and the greatest of them.
  ///
  /// - Parameter events: descending, each once.
  /// - Returns: some of them.
  package func heads(among events: [LocalVersion]) -> [LocalVersion] {
    guard events.count > 1, let least = events.last else { return events }
    var queue = VersionQueue()
    var heads: [LocalVersion] = []
    var left = events.count
    for event in events { queue.push(event, Side.first) }
    while left > 0, let (event, side) = queue.pop() {
      let index = chainIndex(of: event)
      var isHead = side == Side.first
      if side == Side.first { left -= 1 }
      // Whatever else waits in the same chain comes before this one, or is this one as an ancestor.
      while let other = queue.greatest, other.event >= chains[index].start {
        if other.side == Side.first { left -= 1 }
        if other.event == event { isHead = false }
        _ = queue.pop()
      }
      if isHead { heads.append(event) }
      if left == 0 { break }
      for parent in parents(ofChain: index) where parent >= least {
        queue.push(parent, Side.second)
      }
    }
    return heads
  }

  /// The heads of a set of events that is closed under "causally before".
  ///
  /// O(chains log chains).
  package func heads(ofClosure ranges: [Range<LocalVersion>]) -> Version {
    var candidates: Set<LocalVersion> = []
    for range in ranges where !range.isEmpty {
      var index = chainIndex(of: range.lowerBound)
      while index < chains.count, chains[index].start < range.upperBound {
        for parent in parents(ofChain: index) where chains[index].start >= range.lowerBound {
          candidates.remove(parent)
        }
        // A range that goes on inside a chain follows what came before it.
        if range.lowerBound > chains[index].start { candidates.remove(range.lowerBound - 1) }
        candidates.insert(min(range.upperBound, chains[index].end) - 1)
        index += 1
      }
    }
    return candidates.sorted()
  }
}

extension Array where Element == Range<LocalVersion> {
  /// Appends a range below the last one, joining them if they touch.
  fileprivate mutating func appendDescending(_ range: Range<LocalVersion>) {
    if range.isEmpty { return }
    if let last, last.lowerBound == range.upperBound {
      self[count - 1] = range.lowerBound..<last.upperBound
    } else {
      append(range)
    }
  }
}

/// A binary heap of events with a mark, the greatest event first.
struct VersionQueue {
  private var heap: [(event: LocalVersion, side: UInt8)] = []

  /// The greatest event, which ``pop()`` would return.
  var greatest: (event: LocalVersion, side: UInt8)? { heap.first }

  /// Adds an event.
  ///
  /// O(log n).
  mutating func push(_ event: LocalVersion, _ side: UInt8) {
    var place = heap.count
    heap.append((event, side))
    while place > 0 {
      let above = (place - 1) / 2
      if heap[above].event >= heap[place].event { break }
      heap.swapAt(above, place)
      place = above
    }
  }

  /// Removes the greatest event.
  ///
  /// O(log n).
  mutating func pop() -> (event: LocalVersion, side: UInt8)? {
    guard let result = heap.first else { return nil }
    let last = heap.removeLast()
    if heap.isEmpty { return result }
    heap[0] = last
    var place = 0
    while true {
      var child = 2 * place + 1
      if child >= heap.count { break }
      if child + 1 < heap.count, heap[child + 1].event > heap[child].event { child += 1 }
      if heap[place].event >= heap[child].event { break }
      heap.swapAt(place, child)
      place = child
    }
    return result
  }
}
