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

  /// Whether an event is another one or comes causally before it.
  ///
  /// O(log c) inside a chain; else as ``difference(_:_:)``, no further down than `ancestor`.
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
  /// that stands twice.
  ///
  /// O(c log c) for c chains between the least and the greatest of them.
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
      pushParents(ofChain: entry.chain, from: least, to: &queue)
    }
    return heads
  }

  /// Goes on to the parents of a chain that are not below an event.
  private func pushParents(
    ofChain index: ChainIndex, from least: LocalVersion, to queue: inout VersionQueue
  ) {
    for place in parentRange(ofChain: index) where parentPool[place] >= least {
      queue.push(parentPool[place], chain: parentChains[place], Mark.ancestor)
    }
  }

  /// The heads of a set of events that is closed under "causally before".
  ///
  /// O(chains log chains).
  package func heads(ofClosure ranges: [Range<LocalVersion>]) -> Version {
    var candidates: Set<LocalVersion> = []
    for range in ranges where !range.isEmpty {
      var index = chainIndex(of: range.lowerBound)
      while index < chains.endIndex, chains[index].start < range.upperBound {
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
