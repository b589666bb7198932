/// The event graph of a log: chains in canonical order with the parents of their first events.
///
/// Canonical order sorts chains by the Lamport timestamp of their first event, then agent, then
/// sequence number. It is a topological order that depends on the set of changes alone: a chain
/// that starts after some event of another chain has a greater Lamport timestamp than that event,
/// and so than that chain's first.
package struct Graph: Hashable, Sendable {
  /// The chains, in canonical order; their events tile `0 ..< eventCount`.
  package private(set) var chains: [Chain] = []
  /// The parents of the chains' first events, ascending for each chain.
  package private(set) var parentPool: [LocalVersion] = []
  /// The chains that hold the parents, in the same order.
  package private(set) var parentChains: [Int32] = []
  /// The events that nothing comes after, ascending.
  package private(set) var heads: Version = []

  package init() {}

  /// How many events there are.
  package var eventCount: LocalVersion { chains.last?.end ?? 0 }
  /// How many changes there are.
  package var changeCount: Int32 { chains.last?.changes.upperBound ?? 0 }

  /// The first chains.
  ///
  /// O(chains).
  func prefix(chains count: Int, parents: Int, growingTo size: LogSize) -> Graph {
    var result = Graph()
    result.reserve(chains: size.chains, parents: size.parents)
    result.chains += chains[..<count]
    result.parentPool += parentPool[..<parents]
    result.parentChains += parentChains[..<parents]
    if count == chains.count {
      result.heads = heads
      return result
    }
    var isFollowed = [Bool](repeating: false, count: count)
    for place in 0..<parents {
      let owner = Int(parentChains[place])
      if parentPool[place] == chains[owner].end - 1 { isFollowed[owner] = true }
    }
    for index in 0..<count where !isFollowed[index] { result.heads.append(chains[index].end - 1) }
    return result
  }

  /// Makes room for this many chains and parents in all.
  package mutating func reserve(chains chainCount: Int, parents parentCount: Int) {
    chains.reserveCapacity(chainCount)
    parentPool.reserveCapacity(parentCount)
    parentChains.reserveCapacity(parentCount)
  }

  /// Appends a chain whose parents (ascending) are all there already.
  ///
  /// O(parents + heads).
  ///
  /// - Returns: the Lamport timestamp of its first event.
  @discardableResult
  package mutating func append(
    agent: Int32, firstSequence: Int32, changeCount: Int32, eventCount: Int32, parents: Version
  ) -> Int32 {
    for parent in parents { appendParent(parent) }
    return appendChain(
      agent: agent, firstSequence: firstSequence, changeCount: changeCount,
      eventCount: eventCount, parentCount: Int32(parents.count))
  }

  /// Adds a parent of the chain that is appended next.
  ///
  /// O(log d) for d chains after the one that holds it.
  @inline(__always)
  mutating func appendParent(_ parent: LocalVersion) {
    parentPool.append(parent)
    parentChains.append(Int32(truncatingIfNeeded: chainIndex(ofRecent: parent)))
  }

  /// Turns round the order of the parents that were added last.
  @inline(__always)
  mutating func reverseLastParents(_ count: Int) {
    var low = parentPool.count - count
    var high = parentPool.count - 1
    while low < high {
      parentPool.swapAt(low, high)
      parentChains.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Appends a chain whose parents were the last ones added, ascending.
  ///
  /// O(parents + heads).
  ///
  /// - Returns: the Lamport timestamp of its first event.
  @inline(__always)
  mutating func appendChain(
    agent: Int32, firstSequence: Int32, changeCount: Int32, eventCount: Int32, parentCount: Int32
  ) -> Int32 {
    let start = self.eventCount
    let firstChange = self.changeCount
    let parents = parentPool.count - Int(parentCount)..<parentPool.count
    var greatest: Int32 = 0
    for place in parents {
      let owner = chains[Int(parentChains[place])]
      greatest = max(greatest, owner.lamport + (parentPool[place] - owner.start))
    }
    let others = replaceHeads(parents, by: start + eventCount - 1)
    chains.append(
      Chain(
        agent: agent, firstSequence: firstSequence, firstChange: firstChange,
        changeCount: changeCount, start: start, end: start + eventCount, lamport: greatest + 1,
        parentStart: Int32(truncatingIfNeeded: parents.lowerBound), parentCount: parentCount,
        joinsEverything: others == 0))
    return greatest + 1
  }

  /// Takes out those of the heads that are parents (both ascending) of a new, greatest one.
  ///
  /// - Parameters:
  ///   - parents: where they stand in ``parentPool``.
  ///   - new: the new head.
  /// - Returns: how many heads and parents are not both.
  private mutating func replaceHeads(_ parents: Range<Int>, by new: LocalVersion) -> Int {
    let count = heads.count
    var kept = 0
    var next = parents.lowerBound
    for place in 0..<count {
      let head = heads[place]
      while next < parents.upperBound, parentPool[next] < head { next += 1 }
      if next < parents.upperBound, parentPool[next] == head { continue }
      if kept < place { heads[kept] = head }
      kept += 1
    }
    if kept == count {
      heads.append(new)
    } else {
      heads[kept] = new
      if kept + 1 < count { heads.removeLast(count - kept - 1) }
    }
    return kept + parents.count - (count - kept)
  }

  /// Lengthens the last chain, whose last event is then the only thing that its new events follow.
  package mutating func extendLastChain(changes: Int32, events: Int32) {
    let last = chains.count - 1
    heads.removeAll { $0 == chains[last].end - 1 }
    chains[last].changeCount += changes
    chains[last].end += events
    heads.append(chains[last].end - 1)
  }

  /// The Lamport timestamp of an event.
  ///
  /// O(log chains).
  package func lamport(of event: LocalVersion) -> Int32 {
    let chain = chains[chainIndex(of: event)]
    return chain.lamport + (event - chain.start)
  }

  /// The parents of a chain's first event.
  package func parents(ofChain index: Int) -> ArraySlice<LocalVersion> {
    let chain = chains[index]
    return parentPool[Int(chain.parentStart)..<Int(chain.parentStart + chain.parentCount)]
  }

  /// Where the parents of a chain's first event stand in ``parentPool``.
  @inline(__always)
  func parentRange(ofChain index: Int) -> Range<Int> {
    let start = Int(chains[index].parentStart)
    return start..<start + Int(chains[index].parentCount)
  }

  /// The index of the chain that holds an event.
  ///
  /// O(log chains).
  ///
  /// Precondition: `0 <= event < eventCount`.
  package func chainIndex(of event: LocalVersion) -> Int {
    var low = 0
    var high = chains.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if chains[middle].start <= event { low = middle } else { high = middle }
    }
    return low
  }

  /// The index of the chain that holds an event, looked for from the end.
  ///
  /// O(log d) for d chains after it.
  private func chainIndex(ofRecent event: LocalVersion) -> Int {
    var step = 1
    var high = chains.count
    var low = high - 1
    while low > 0, chains[low].start > event {
      high = low
      low = max(0, low - step)
      step *= 2
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if chains[middle].start <= event { low = middle } else { high = middle }
    }
    return low
  }

  /// The index of the first chain that ends after an event.
  package func firstChain(endingAfter event: LocalVersion) -> Int {
    event < 0 ? 0 : event + 1 >= eventCount ? chains.count : chainIndex(of: event + 1)
  }
}
