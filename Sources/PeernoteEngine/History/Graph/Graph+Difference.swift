extension Graph {
  /// The events that one version holds and another doesn't, both ways.
  package struct Difference: Hashable, Sendable {
    /// Events of the first version only, descending and not touching.
    package var onlyFirst: [Range<LocalVersion>] = []
    /// Events of the second version only, descending and not touching.
    package var onlySecond: [Range<LocalVersion>] = []
  }

  /// Compares the closures of two versions.
  ///
  /// Walks down from both at once, the greatest event first, until all that is left belongs to
  /// both. O((c + p) log p) for c chains and p parents met on the way.
  package func difference(_ first: Version, _ second: Version) -> Difference {
    if first == second { return Difference() }
    var comparison = VersionComparison()
    comparison.compare(first, second, in: self)
    return comparison.difference
  }

  /// All events of a version's closure, as ascending ranges that don't touch.
  package func closure(of version: Version) -> [Range<LocalVersion>] {
    difference(version, []).onlyFirst.reversed()
  }

  /// Whether an event is another one or comes causally before it, in O(log c) inside a chain; else
  /// as ``difference(_:_:)``, no further down than `ancestor`.
  package func isAncestor(_ ancestor: LocalVersion, orSelf event: LocalVersion) -> Bool {
    var steps = 0
    return isAncestor(ancestor, orSelf: event, &steps)
  }

  /// The same, adding how many chains were met to `steps`.
  func isAncestor(
    _ ancestor: LocalVersion, orSelf event: LocalVersion, _ steps: inout Int
  ) -> Bool {
    if ancestor >= event { return ancestor == event }
    let index = chainIndex(of: event)
    return chains[index].start <= ancestor || isAncestor(ancestor, ofChain: index, &steps)
  }

  /// Whether an event that comes before a chain in canonical order comes causally before it.
  ///
  /// O(1) if it is in a chain that holds a parent; else as ``difference(_:_:)``, no further down
  /// than `ancestor`. Adds how many chains were met to `steps`.
  func isAncestor(_ ancestor: LocalVersion, ofChain index: ChainIndex, _ steps: inout Int) -> Bool {
    var index = index
    var queue = VersionQueue()
    while true {
      steps += 1
      let parents = parentRange(ofChain: index)
      var first = parents.upperBound
      while first > parents.lowerBound, parentPool[first - 1] >= ancestor {
        first -= 1
        if chains[parentChains[first]].start <= ancestor { return true }
      }
      if queue.isEmpty, first + 1 == parents.upperBound {
        index = parentChains[first]
        continue
      }
      for place in first..<parents.upperBound {
        queue.push(parentPool[place], chain: parentChains[place], 0)
      }
      guard let next = queue.pop() else { return false }
      index = next.chain
      // All that waits in the same chain leads to the same parents.
      while let other = queue.greatest, other.chain == index { _ = queue.pop() }
    }
  }

  /// Whether none of a chain's parents is an ancestor of another, and none stands twice.
  ///
  /// O(c log c) for c chains between the least and the greatest of them. Adds how many chains were
  /// met to `steps`.
  func hasConcurrentParents(chain index: ChainIndex, _ steps: inout Int) -> Bool {
    let parents = parentRange(ofChain: index)
    if parents.count < 2 { return true }
    guard parents.count == 2 else {
      var met = (chains: 0, parents: 0)
      let found = heads(among: self.parents(ofChain: index).reversed(), &met)
      steps += met.chains
      return found.count == parents.count
    }
    let ancestor = parentPool[parents.lowerBound]
    let owner = parentChains[parents.upperBound - 1]
    return ancestor < chains[owner].start && !isAncestor(ancestor, ofChain: owner, &steps)
  }

  /// How ``heads(among:)`` marks events: as one of those given, or as an ancestor of one.
  private enum Mark {
    static let own: UInt8 = 1
    static let ancestor: UInt8 = 2
  }

  /// Those of some events, which descend, that are no ancestors of others of them, descending; none
  /// that stands twice; O(c log c) for c chains between the least and the greatest of them.
  package func heads(among events: [LocalVersion]) -> [LocalVersion] {
    var met = (chains: 0, parents: 0)
    return heads(among: events, &met)
  }

  /// The same, adding how many chains and parents were met.
  func heads(
    among events: [LocalVersion], _ met: inout (chains: Int, parents: Int)
  ) -> [LocalVersion] {
    guard events.count > 1, let least = events.last else { return events }
    var queue = VersionQueue()
    var heads: [LocalVersion] = []
    var left = events.count
    for event in events { queue.push(event, chain: chainIndex(of: event), Mark.own) }
    while left > 0, let entry = queue.pop() {
      var isHead = entry.side == Mark.own
      if isHead { left -= 1 }
      // Whatever else waits in the same chain comes before this one, or is this one as an ancestor.
      while let other = queue.greatest, other.chain == entry.chain {
        if other.side == Mark.own { left -= 1 }
        if other.event == entry.event { isHead = false }
        _ = queue.pop()
      }
      if isHead { heads.append(entry.event) }
      if left == 0 { break }
      met.chains += 1
      met.parents += parentRange(ofChain: entry.chain).count
      for place in parentRange(ofChain: entry.chain) where parentPool[place] >= least {
        queue.push(parentPool[place], chain: parentChains[place], Mark.ancestor)
      }
    }
    return heads
  }

  /// The heads of a set of events, as ascending ranges, that is closed under "causally before", in
  /// O(chains log chains).
  package func heads(ofClosure ranges: [Range<LocalVersion>]) -> Version {
    var ends: [LocalVersion] = []
    for range in ranges where !range.isEmpty {
      for index in chainIndex(of: range.lowerBound)...chainIndex(of: range.upperBound - 1) {
        ends.append(min(range.upperBound, chains[index].end) - 1)
      }
    }
    return heads(among: ends.reversed()).reversed()
  }
}

/// Compares versions of a graph, one pair after the other in the same memory.
struct VersionComparison: Sendable {
  /// Which of the two closures an event on the way belongs to.
  private enum Side {
    static let first: UInt8 = 1
    static let second: UInt8 = 2
    static let both: UInt8 = 3
  }

  /// What the last comparison found.
  private(set) var difference = Graph.Difference()
  /// How many events all comparisons have gone through so far: one for each parent on their ways.
  private(set) var visits = 0
  private var queue = VersionQueue()
  /// How many entries of the queue belong to one closure only, as far as is known.
  private var oneSided = 0
  /// What was queued last of each chain; made for chains of many parents, of which many have the same.
  private var queued: [Queued] = []
  /// The number of the comparison.
  private var round: Int32 = 0

  private struct Queued: BitwiseCopyable {
    var round: Int32 = 0
    var event = LocalVersion.beforeAll
    var side: UInt8 = 0
  }

  /// Chains with more parents queue none twice.
  private static let fewParents = 8

  /// Finds the events that one version holds and another doesn't; see
  /// ``Graph/difference(_:_:)``.
  mutating func compare(_ first: Version, _ second: Version, in graph: Graph) {
    begin(first, chain: nil, in: graph)
    for event in second {
      push(event, chain: graph.chainIndex(of: event), Side.second)
    }
    finish(in: graph)
  }

  /// Finds the events that one version holds and the parents of a chain don't, and the reverse.
  ///
  /// If the version is an event alone whose chain is known, that is `chain`.
  mutating func compare(
    _ first: Version, inChain chain: ChainIndex?, parentsOfChain index: ChainIndex, in graph: Graph
  ) {
    begin(first, chain: chain, in: graph)
    for place in graph.parentRange(ofChain: index) {
      push(graph.parentPool[place], chain: graph.parentChains[place], Side.second)
    }
    finish(in: graph)
  }

  private mutating func begin(_ first: Version, chain: ChainIndex?, in graph: Graph) {
    queue.removeAll()
    oneSided = 0
    round &+= 1
    difference.onlyFirst.removeAll(keepingCapacity: true)
    difference.onlySecond.removeAll(keepingCapacity: true)
    for event in first {
      push(event, chain: chain ?? graph.chainIndex(of: event), Side.first)
    }
  }

  @inline(__always)
  private mutating func push(_ event: LocalVersion, chain: ChainIndex, _ side: UInt8) {
    queue.push(event, chain: chain, side)
    if side != Side.both { oneSided += 1 }
  }

  /// Walks down from both versions at once, the greatest event first, until all that is left
  /// belongs to both.
  private mutating func finish(in graph: Graph) {
    while oneSided > 0, let entry = queue.pop() {
      visits += 1
      var side = entry.side
      if side != Side.both { oneSided -= 1 }
      while let next = queue.greatest, next.event == entry.event {
        if next.side != Side.both { oneSided -= 1 }
        side |= next.side
        _ = queue.pop()
      }
      if let next = queue.greatest, next.chain == entry.chain {
        // Another event of the same chain waits: stop there, it joins both sides' marks.
        record(next.event + 1..<entry.event + 1, side)
        if next.side != Side.both, next.side | side == Side.both { oneSided -= 1 }
        queue.markGreatest(side)
      } else {
        record(graph.chains[entry.chain].start..<entry.event + 1, side)
        let parents = graph.parentRange(ofChain: entry.chain)
        if parents.count > Self.fewParents {
          pushOnce(parents, side, in: graph)
          continue
        }
        for place in parents {
          push(graph.parentPool[place], chain: graph.parentChains[place], side)
        }
      }
    }
  }

  /// Goes on to parents but those of which as much is known, and waits.
  private mutating func pushOnce(_ parents: Range<Int>, _ side: UInt8, in graph: Graph) {
    let missing = graph.chains.count - queued.count
    if missing > 0 { queued += repeatElement(Queued(), count: missing) }
    for place in parents {
      let (event, chain) = (graph.parentPool[place], graph.parentChains[place])
      let known = queued[chain.number]
      if known.round == round, known.event >= event, known.side & side == side { continue }
      let isSame = known.round == round && known.event == event
      queued[chain.number] = Queued(
        round: round, event: event, side: isSame ? known.side | side : side)
      push(event, chain: chain, side)
    }
  }

  @inline(__always)
  private mutating func record(_ range: Range<LocalVersion>, _ side: UInt8) {
    if side == Side.first {
      difference.onlyFirst.appendDescending(range)
    } else if side == Side.second {
      difference.onlySecond.appendDescending(range)
    }
  }
}

extension [Range<LocalVersion>] {
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

/// A binary heap of events with a mark, the greatest first, of one word each, which is cheap to
/// move.
struct VersionQueue: Sendable {
  /// An event on the way through the graph, with its chain and a mark.
  struct Entry: BitwiseCopyable {
    /// The event, below it the chain that holds it, below that two bits of mark.
    fileprivate var bits: UInt64

    @inline(__always)
    init(_ event: LocalVersion, chain: ChainIndex, side: UInt8) {
      bits =
        UInt64(truncatingIfNeeded: event.rawValue) << 32
        | UInt64(truncatingIfNeeded: chain.rawValue) << 2 | UInt64(side)
    }

    @inline(__always)
    var event: LocalVersion {
      LocalVersion(rawValue: Int32(truncatingIfNeeded: bits >> 32))
    }
    @inline(__always)
    var chain: ChainIndex {
      ChainIndex(rawValue: Int32(truncatingIfNeeded: (bits & 0xFFFF_FFFF) >> 2))
    }
    @inline(__always)
    var side: UInt8 { UInt8(truncatingIfNeeded: bits & 3) }
  }

  private var heap: [Entry] = []

  @inline(__always)
  var isEmpty: Bool { heap.isEmpty }

  /// The entry of the greatest event, which ``pop()`` would return.
  @inline(__always)
  var greatest: Entry? { heap.first }

  /// Forgets all, and keeps the memory.
  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
  }

  /// Adds to the mark of the greatest event of a queue that is not empty.
  @inline(__always)
  mutating func markGreatest(_ side: UInt8) {
    heap[0].bits |= UInt64(side)
  }

  /// Adds an event, in O(log n).
  @inline(__always)
  mutating func push(_ event: LocalVersion, chain: ChainIndex, _ side: UInt8) {
    let entry = Entry(event, chain: chain, side: side)
    var place = heap.count
    heap.append(entry)
    if place == 0 { return }
    var heap = self.heap.mutableSpan
    while place > 0 {
      let above = (place - 1) / 2
      if heap[above].bits >= entry.bits { break }
      heap[place] = heap[above]
      place = above
    }
    heap[place] = entry
  }

  /// Removes the entry of the greatest event, in O(log n).
  @inline(__always)
  mutating func pop() -> Entry? {
    guard let last = heap.popLast() else { return nil }
    if heap.isEmpty { return last }
    var heap = self.heap.mutableSpan
    let result = heap[0]
    var place = 0
    while true {
      var child = 2 * place + 1
      if child >= heap.count { break }
      if child + 1 < heap.count, heap[child + 1].bits > heap[child].bits { child += 1 }
      if last.bits >= heap[child].bits { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
    return result
  }
}
