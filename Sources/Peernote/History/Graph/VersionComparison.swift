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
