/// Which of some changes have seen which others.
///
/// A bit for each two, found in one pass over the chains from the first of them to the last for every
/// 64 changes.
struct SeenMatrix {
  /// How many changes there are.
  let count: Int
  /// How many words each change has in ``bits``.
  private let width: Int
  /// For each change those that it has seen, without itself.
  private var bits: [UInt64]

  /// Compares changes.
  ///
  /// O(n² / 64 + n c / 64) for n changes, and c chains and their parents between them.
  ///
  /// - Parameters:
  ///   - changes: their numbers in the log, ascending.
  ///   - log: the log.
  init(_ changes: [ChangeIndex], of log: Log) {
    count = changes.count
    width = count / 64 + 1
    bits = [UInt64](repeating: 0, count: count * width)
    let events = changes.map { log.eventCounts.events(ofChange: $0) }
    if count < 2 { return }
    if count == 2 {
      if log.graph.isAncestor(events[0].upperBound - 1, orSelf: events[1].lowerBound) {
        bits[width] = 1
      }
      return
    }
    let chains = events.map { log.graph.chainIndex(of: $0.lowerBound) }
    for first in stride(from: 0, to: count, by: 64) {
      compare(with: first..<min(first + 64, count), chains, events, log.graph)
    }
  }

  /// Finds who has seen some of the changes, 64 at the most.
  private mutating func compare(
    with block: Range<Int>, _ chains: [ChainIndex], _ events: [Range<LocalVersion>],
    _ graph: Graph
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
        events[index].upperBound - 1 <= event
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
    for change in block.lowerBound..<count {
      let chain = chains[change]
      bits[change * width + word] =
        seen[Int(chain - low)] | made(in: chain, upTo: events[change].lowerBound - 1)
    }
  }

  /// Whether a change has seen an earlier one; both by their places.
  ///
  /// O(1).
  func isSeen(_ first: Int, by second: Int) -> Bool {
    bits[second * width + first / 64] >> UInt64(first & 63) & 1 == 1
  }

  /// How many of the changes before one it has seen without a gap, from the first on.
  ///
  /// O(n / 64).
  func leadingSeen(by change: Int) -> Int {
    var result = 0
    for word in bits[change * width..<(change + 1) * width] {
      let ones = (~word).trailingZeroBitCount
      result += ones
      if ones < 64 { break }
    }
    return result
  }
}
