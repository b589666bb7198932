/// Which of some changes have seen which others.
///
/// A bit for each two that no critical version lies between, found in one pass over the chains
/// from the first of them to the last for every 64 changes.
struct SeenMatrix {
  /// How many changes there are.
  let count: Int
  /// For each change the first after the last critical version before it: it has seen all before
  /// that one.
  private var starts: [Int] = []
  /// How many words each change has in ``bits``.
  private let width: Int
  /// For each change those from its start on that it has seen, without itself.
  private var bits: [UInt64]

  /// Compares changes.
  ///
  /// O(n² / 64 + n c / 64) for n changes, and c chains and their parents between those that no
  /// critical version parts.
  ///
  /// - Parameters:
  ///   - changes: their numbers in the log, ascending.
  ///   - log: the log.
  ///   - critical: the critical versions of the text that they touched.
  init(_ changes: ArraySlice<ChangeIndex>, of log: Log, critical: CriticalCuts) {
    count = changes.count
    let events = changes.map { log.eventCounts.events(ofChange: $0) }
    var longest = 0
    for index in events.indices {
      let isApart =
        index == 0
        || critical.separate(
          events[index - 1].upperBound - 1, from: events[index].lowerBound)
      starts.append(isApart ? index : starts[index - 1])
      longest = max(longest, index - starts[index])
    }
    width = longest / 64 + 1
    bits = [UInt64](repeating: 0, count: count * width)
    var start = 0
    while start < count {
      let end = starts[start...].firstIndex { $0 != start } ?? count
      compare(start..<end, events, log.graph)
      start = end
    }
  }

  /// Compares changes that no critical version parts.
  private mutating func compare(
    _ changes: Range<Int>, _ events: [Range<LocalVersion>], _ graph: Graph
  ) {
    if changes.count == 1 { return }
    if changes.count == 2 {
      let (first, second) = (events[changes.lowerBound], events[changes.lowerBound + 1])
      if graph.isAncestor(first.upperBound - 1, orSelf: second.lowerBound) {
        bits[(changes.lowerBound + 1) * width] = 1
      }
      return
    }
    let chains = changes.map { graph.chainIndex(of: events[$0].lowerBound) }
    for first in stride(from: 0, to: changes.count, by: 64) {
      compare(changes, with: first..<min(first + 64, changes.count), chains, events, graph)
    }
  }

  /// Finds who has seen some of the changes, 64 at the most.
  private mutating func compare(
    _ changes: Range<Int>, with block: Range<Int>, _ chains: [ChainIndex],
    _ events: [Range<LocalVersion>], _ graph: Graph
  ) {
    let low = chains[block.lowerBound]
    let high = chains[chains.count - 1]
    // For each chain the first of the block that is in it, if any is.
    var firsts = [Int32](repeating: Int32(block.count), count: Int(high - low) + 1)
    for index in block.reversed() {
      firsts[Int(chains[index] - low)] = Int32(index - block.lowerBound)
    }
    /// Those of the block in a chain that end at an event of it, or before.
    func made(in chain: ChainIndex, upTo event: LocalVersion) -> UInt64 {
      var result: UInt64 = 0
      var index = block.lowerBound + Int(firsts[Int(chain - low)])
      while index < block.upperBound, chains[index] == chain,
        events[changes.lowerBound + index].upperBound - 1 <= event
      {
        result |= 1 << UInt64(index - block.lowerBound)
        index += 1
      }
      return result
    }
    // What the first event of each chain has seen.
    var seen = [UInt64](repeating: 0, count: Int(high - low) + 1)
    for chain in low...high {
      for place in graph.parentRange(ofChain: chain) {
        let owner = graph.parentChains[place]
        if owner < low { continue }
        seen[Int(chain - low)] |=
          seen[Int(owner - low)] | made(in: owner, upTo: graph.parentPool[place])
      }
    }
    let word = block.lowerBound / 64
    for index in block.lowerBound..<changes.count {
      let change = changes.lowerBound + index
      let chain = chains[index]
      bits[change * width + word] =
        seen[Int(chain - low)] | made(in: chain, upTo: events[change].lowerBound - 1)
    }
  }

  /// Whether a change has seen an earlier one; both by their places.
  ///
  /// O(1).
  func isSeen(_ first: Int, by second: Int) -> Bool {
    let place = first - starts[second]
    return place < 0 || bits[second * width + place / 64] >> UInt64(place & 63) & 1 == 1
  }

  /// How many of the changes before one it has seen without a gap, from the first on.
  ///
  /// O(n / 64).
  func leadingSeen(by change: Int) -> Int {
    var result = starts[change]
    for word in bits[change * width..<(change + 1) * width] {
      let ones = (~word).trailingZeroBitCount
      result += ones
      if ones < 64 { break }
    }
    return result
  }
}
