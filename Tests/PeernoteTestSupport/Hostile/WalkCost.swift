package import Peernote

/// What walking the whole history of a document's texts costs, and what it may cost.
///
/// The bound is that of ``Walker``: with k chains that have p parents, r operations on texts, and
/// at most c pieces of text that were edited concurrently to one chain, a walk takes no more than
/// 2ck + min(2c, 120)r + k(p + 2) steps.
package struct WalkCost: Sendable {
  /// The chains.
  package let chains: Int
  /// The operations on texts.
  package let operations: Int
  /// The pieces of text that were edited concurrently to one chain, at the most; a piece that was
  /// inserted and deleted counts twice.
  package let concurrentPieces: Int
  /// The parents of all chains.
  package let parents: Int
  /// The steps that the walk took to move pieces and look at them.
  package let pieceSteps: Int
  /// The steps that it took to compare versions.
  package let comparisonSteps: Int

  /// The most steps that it may take to move pieces and look at them.
  package var pieceBound: Int {
    2 * concurrentPieces * chains + min(2 * concurrentPieces, Tracker.placingLimit) * operations
  }
  /// The most steps that it may take to compare versions.
  package var comparisonBound: Int { chains * (parents + 2) }

  /// Walks a history, and finds out how concurrent it is.
  ///
  /// O(k^2 + n log n) for k chains and n pieces, besides the walk.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - scanLimit: see ``Tracker/init(scanLimit:)``.
  /// - Throws: ``HistoryError`` if an operation does not apply at its version.
  package init(of log: Log, scanLimit: Int = Tracker.scanLimit) throws(HistoryError) {
    var walker = Self.walker(of: log, scanLimit: scanLimit)
    try walker.walk(sides: .allBoth)
    pieceSteps = walker.tracker.steps
    comparisonSteps = walker.steps - pieceSteps
    parents = log.graph.parentPool.count
    chains = log.graph.chains.count
    var operations = 0
    for index in 0..<log.operations.count where log.operations[index].kind.editsText {
      operations += 1
    }
    self.operations = operations
    concurrentPieces = Self.concurrentPieces(
      in: log.graph, pieces: Self.pieces(of: walker.tracker, in: log.graph))
  }

  /// The steps of a walk over the whole history of the texts, without going by critical versions.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - limit: how many steps it may take.
  /// - Returns: the steps.
  /// - Throws: ``HistoryError`` if it takes more, or an operation does not apply at its version.
  package static func steps(of log: Log, limit: Int = .max) throws(HistoryError) -> Int {
    var walker = walker(of: log, limit: limit)
    try walker.walk(sides: .allBoth)
    return walker.steps
  }

  private static func walker(
    of log: Log, limit: Int = .max, scanLimit: Int = Tracker.scanLimit
  ) -> Walker {
    Walker(
      log: log, after: .start,
      texts: log.containers.indices.filter { log.containers[$0].kind == .text }
        .map { (container: ContainerIndex($0), placeholder: 0) }, workLimit: limit,
      scanLimit: scanLimit)
  }

  /// The first events of the pieces that each chain inserted or deleted, as often as they are
  /// moved when the chain is.
  private static func pieces(of tracker: borrowing Tracker, in graph: Graph) -> [[LocalVersion]] {
    var pieces = [[LocalVersion]](repeating: [], count: graph.chains.count)
    var starts: [LocalVersion] = []
    for (_, sequence) in tracker.sequences {
      tracker.forEachItem(of: sequence) { item in
        starts.append(item.first)
        pieces[graph.chainIndex(of: item.first)].append(item.first)
      }
    }
    starts.sort()
    for entry in tracker.deletionsInOrder {
      let deleted = entry.deleted
      // The items that the deleted scalars stand in now: one, and those that begin among them.
      let count =
        1 + Self.count(of: starts, below: deleted.upperBound)
        - Self.count(of: starts, below: deleted.lowerBound + 1)
      pieces[graph.chainIndex(of: entry.first)] += Array(repeating: entry.first, count: count)
    }
    return pieces
  }

  private static func count(of sorted: [LocalVersion], below limit: LocalVersion) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < limit { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func concurrentPieces(in graph: Graph, pieces: [[LocalVersion]]) -> Int {
    let chains = graph.chains
    /// For each chain one past the last event of every other one that its first event has seen.
    var seen: [[LocalVersion]] = []
    for index in chains.indices {
      var ends = chains.map(\.start)
      for parent in graph.parents(ofChain: index) {
        let owner = graph.chainIndex(of: parent)
        for (other, end) in seen[owner].enumerated() { ends[other] = max(ends[other], end) }
        ends[owner] = max(ends[owner], parent + 1)
      }
      seen.append(ends)
    }
    return chains.indices.map { index in
      chains.indices.reduce(0) { sum, other in
        if other == index || seen[other][index] == chains[index].end { return sum }
        return sum + pieces[other].count { $0 >= seen[index][other] }
      }
    }.max() ?? 0
  }
}
