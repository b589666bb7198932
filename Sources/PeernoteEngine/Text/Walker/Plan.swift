/// In which order a walk takes the chains after a critical version.
///
/// Any topological order gives the same result; this one keeps to a branch as long as it can, so
/// that little has to be retreated and advanced (Gentle & Kleppmann, section 3.2): depth first, and
/// where branches fork the smaller one first, since that is what will be retreated to go on with
/// the other. Of more than two, those of about one size are taken from the last fork back, so that
/// the way along the chain that they hang on is gone once for each doubling of sizes. And a chain
/// that merges others waits for what else is smaller where they forked, unless that is one chain
/// alone: where everybody's work is merged one by one, all of it is walked before the merges.
/// O(c log c + p) for c chains after the version with p parents.
package struct Plan: Sendable {
  /// The chains, in that order.
  package private(set) var order: [ChainIndex] = []

  // By chain, counted from the first one after the version:
  /// How many parents have not been planned yet.
  private var waitingFor: [Int32] = []
  /// Where the children of each chain begin in ``children``.
  private var firstChild: [Int32] = []
  /// The chains that begin with a child of each chain.
  private var children: [Int32] = []
  /// How many events hang on each chain alone: its own, and those of the chains that follow only
  /// it.
  private var weights: [Int32] = []
  /// What can be taken next, the best one last.
  private var ready: [Int32] = []
  /// What became ready together, and what joined it, has one number here, by chain.
  private var groups: [Int32] = []
  /// About how many bytes a plan takes for each chain while it is made; a seventh is kept.
  static let bytesEachChain = 28
  /// What planning a longer walk took is not kept for the next one.
  private static let keptChains = 4096
  /// A merge waits for no more chains than so many, which bounds the work of planning.
  private static let patience = 256

  package init() {}

  /// Plans a walk over the events after a critical version, up to the next one or to the end, in the
  /// memory of the walk before.
  package mutating func make(
    of graph: Graph, after cut: Graph.Cut, upTo end: LocalVersion
  ) {
    let chains = Self.chains(of: graph, after: cut, upTo: end)
    let firstChain = chains.lowerBound
    order.removeAll(keepingCapacity: true)
    order.reserveCapacity(chains.count)
    ready.removeAll(keepingCapacity: true)
    defer { if chains.count > Self.keptChains { forgetScratch() } }
    findChildren(of: graph, in: chains, after: cut)
    weigh(graph.chains[chains])
    groups.removeAll(keepingCapacity: true)
    groups.append(contentsOf: repeatElement(0, count: waitingFor.count))
    for node in waitingFor.indices where waitingFor[node] == 0 { ready.append(Int32(node)) }
    sortReady(from: 0, of: graph, firstChain: firstChain)
    while let node = ready.popLast() {
      order.append(firstChain + node)
      let before = ready.count
      for place in childPlaces(of: Int(node)) {
        let child = children[place]
        waitingFor[Int(child)] -= 1
        if waitingFor[Int(child)] > 0 { continue }
        ready.append(child)
        groups[Int(child)] = Int32(order.count)
      }
      sortReady(from: before, of: graph, firstChain: firstChain)
      putOffMerges(from: before, group: groups[Int(node)]) { child in
        graph.parentRange(ofChain: firstChain + child).count > 1
      }
    }
  }

  /// The chains that hold events after a critical version, up to the next one or to the end, in
  /// O(log n).
  static func chains(
    of graph: Graph, after cut: Graph.Cut, upTo end: LocalVersion
  ) -> Range<ChainIndex> {
    let first = graph.firstChain(endingAfter: cut.last)
    return first..<(end > cut.last + 1 ? graph.chainIndex(of: end - 1) + 1 : first)
  }

  /// How many bytes the order takes.
  var byteCount: Int { order.count * MemoryLayout<ChainIndex>.stride }

  /// Gives back the memory of what is known of the chains but for their order.
  private mutating func forgetScratch() {
    waitingFor = []
    firstChild = []
    children = []
    weights = []
    ready = []
    groups = []
  }

  private func childPlaces(of node: Int) -> Range<Int> {
    Int(firstChild[node])..<Int(firstChild[node + 1])
  }

  /// Lists which chains wait for which.
  private mutating func findChildren(
    of graph: Graph, in indices: Range<ChainIndex>, after cut: Graph.Cut
  ) {
    waitingFor.removeAll(keepingCapacity: true)
    waitingFor.append(contentsOf: repeatElement(0, count: indices.count))
    firstChild.removeAll(keepingCapacity: true)
    firstChild.append(contentsOf: repeatElement(0, count: indices.count + 1))
    // The chain that the cut goes through follows the cut.
    let first = indices.lowerBound
    let whole = indices.drop { graph.chains[$0].start <= cut.last }
    for index in whole {
      for place in graph.parentRange(ofChain: index) where graph.parentPool[place] > cut.last {
        firstChild[Int(graph.parentChains[place] - first)] += 1
        waitingFor[Int(index - first)] += 1
      }
    }
    var total: Int32 = 0
    for node in firstChild.indices {
      total += firstChild[node]
      firstChild[node] = total
    }
    children.removeAll(keepingCapacity: true)
    children.append(contentsOf: repeatElement(0, count: Int(total)))
    // From the last one down, so that the first child of each chain ends up in its first place.
    for index in whole.reversed() {
      for place in graph.parentRange(ofChain: index) where graph.parentPool[place] > cut.last {
        let owner = Int(graph.parentChains[place] - first)
        firstChild[owner] -= 1
        children[Int(firstChild[owner])] = index - first
      }
    }
  }

  private mutating func weigh(_ chains: Slice<ChainList>) {
    weights.removeAll(keepingCapacity: true)
    weights.reserveCapacity(chains.count)
    for chain in chains { weights.append(chain.end - chain.start) }
    for node in weights.indices.reversed() {
      for place in childPlaces(of: node) {
        let child = Int(children[place])
        if waitingFor[child] == 1 { weights[node] += weights[child] }
      }
    }
  }

  /// Sorts the end of ``ready`` from some place on, where all follow one chain.
  private mutating func sortReady(from start: Int, of graph: Graph, firstChain: ChainIndex) {
    if ready.count - start < 2 { return }
    if ready.count - start == 2 {
      let (one, other) = (ready[start], ready[start + 1])
      if (weights[Int(one)], one) < (weights[Int(other)], other) { ready.swapAt(start, start + 1) }
      return
    }
    let last = order.last
    var keys = ready[start...].map { node in
      (
        size: Int32.bitWidth - weights[Int(node)].leadingZeroBitCount,
        fork: Self.fork(of: firstChain + node, from: last, in: graph), node: node
      )
    }
    keys.sort { ($1.size, $0.fork, $1.node) < ($0.size, $1.fork, $0.node) }
    for (place, key) in keys.enumerated() { ready[start + place] = key.node }
  }

  /// Moves the merges among what became ready last behind smaller chains of an earlier group, which
  /// they join.
  private mutating func putOffMerges(
    from start: Int, group: Int32, isMerge: (_ node: Int32) -> Bool
  ) {
    guard ready[start...].contains(where: isMerge) else { return }
    let new = Array(ready[start...])
    ready.removeLast(new.count)
    for node in new where isMerge(node) { push(merge: node, group: group) }
    for node in new where !isMerge(node) { ready.append(node) }
  }

  private mutating func push(merge node: Int32, group: Int32) {
    groups[Int(node)] = group
    let lowest = max(0, ready.count - Self.patience)
    var place = ready.count
    while place > lowest, groups[Int(ready[place - 1])] == group,
      weights[Int(ready[place - 1])] <= weights[Int(node)]
    {
      place -= 1
    }
    if ready.count - place < 2 { ready.append(node) } else { ready.insert(node, at: place) }
  }

  /// The event of a chain that another one forks from.
  private static func fork(
    of index: ChainIndex, from chain: ChainIndex?, in graph: Graph
  ) -> LocalVersion {
    guard let chain else { return .beforeAll }
    let parents = graph.parentRange(ofChain: index)
    return parents.last { graph.parentChains[$0] == chain }.map { graph.parentPool[$0] }
      ?? .beforeAll
  }
}
