/// In which order a walk takes the chains after a critical version.
///
/// Any topological order gives the same result; this one keeps to a branch as long as it can, so
/// that little has to be retreated and advanced (Gentle & Kleppmann, section 3.2): depth first, and
/// where branches fork the smaller one first, since that is what will be retreated to go on with
/// the other. O(c log c) for c chains after the version.
package struct Plan: Sendable {
  /// Events to apply one after the other, and the version to prepare for the first of them.
  package struct Step: Hashable, Sendable {
    package var events: Range<LocalVersion>
    package var parents: Version
  }

  package private(set) var steps: [Step] = []

  /// Plans a walk over the events after a critical version, up to the next one or to the end.
  package init(
    of graph: Graph, after cut: CriticalVersions.Cut, upTo end: LocalVersion? = nil
  ) {
    let end = end ?? graph.eventCount
    let firstChain = graph.firstChain(endingAfter: cut.last)
    let endChain = end > cut.last + 1 ? graph.chainIndex(of: end - 1) + 1 : firstChain
    let chains = graph.chains[firstChain..<endChain]
    var waitingFor = [Int32](repeating: 0, count: chains.count)
    var children = [[Int32]](repeating: [], count: chains.count)
    for index in chains.indices {
      // The chain that the cut goes through follows the cut.
      if chains[index].start <= cut.last { continue }
      for place in graph.parentRange(ofChain: index) where graph.parentPool[place] > cut.last {
        children[Int(graph.parentChains[place]) - firstChain].append(Int32(index - firstChain))
        waitingFor[index - firstChain] += 1
      }
    }
    let weights = Self.weights(of: chains, children: children, waitingFor: waitingFor)
    func heavierFirst(_ nodes: [Int32]) -> [Int32] {
      nodes.count < 2
        ? nodes : nodes.sorted { (weights[Int($0)], $0) > (weights[Int($1)], $1) }
    }
    // The last one pushed is taken first.
    var ready = heavierFirst(
      waitingFor.indices.filter { waitingFor[$0] == 0 }.map { Int32($0) })
    steps.reserveCapacity(chains.count)
    while let node = ready.popLast() {
      let index = firstChain + Int(node)
      let chain = chains[index]
      steps.append(
        chain.start <= cut.last
          ? Step(events: cut.last + 1..<min(chain.end, end), parents: cut.heads)
          : Step(
            events: chain.start..<min(chain.end, end),
            parents: Version(graph.parents(ofChain: index))))
      var becameReady: [Int32] = []
      for child in children[Int(node)] {
        waitingFor[Int(child)] -= 1
        if waitingFor[Int(child)] == 0 { becameReady.append(child) }
      }
      ready.append(contentsOf: heavierFirst(becameReady))
    }
  }

  /// How many events hang on each chain alone: its own, and those of the chains that follow only
  /// it.
  private static func weights(
    of chains: ArraySlice<Chain>, children: [[Int32]], waitingFor: [Int32]
  ) -> [Int] {
    var weights = chains.map { Int($0.end - $0.start) }
    for node in weights.indices.reversed() {
      for child in children[node] where waitingFor[Int(child)] == 1 {
        weights[node] += weights[Int(child)]
      }
    }
    return weights
  }
}
