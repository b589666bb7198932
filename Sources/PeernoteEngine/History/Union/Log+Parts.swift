extension Log {
  /// Which chains neither are by some agents nor follow one that is.
  ///
  /// A chain either follows another as a whole or not at all. O(chains + parents).
  package func chains(without agents: Set<AgentID>) -> [Bool] {
    var isKept = [Bool](repeating: true, count: graph.chains.count)
    for index in graph.chains.indices {
      isKept[index] =
        !agents.contains(self.agents[graph.chains[index].agent])
        && graph.parents(ofChain: index).allSatisfy { isKept[graph.chainIndex(of: $0)] }
    }
    return isKept
  }

  /// The log of some of the chains, closed under parents, and of their part of all inserted text.
  ///
  /// O(n log n). Throws if what is kept names what is not.
  package func part(
    ofChains isKept: [Bool], insertedText: InsertedText
  ) throws(HistoryError) -> (log: Log, insertedText: InsertedText) {
    var inserted = DeletedText()
    var kept: [Int] = []
    // The order of those that stay is the same, as each stands where its ancestors put it.
    for (chain, _) in zip(graph.chains, isKept).filter(\.1) {
      kept += chain.changes.map(\.number)
      forEachOperation(in: chain.events) { operation in
        if operation.kind == .insertText {
          insertedText.append(operation.scalars, to: &inserted)
        }
      }
    }
    let changes = changes(insertedText: nil)
    do throws(HistoryError) {
      var log = try Log.make(from: kept.lazy.map { changes[$0] }, limits: limits).log
      log.fileSize = fileSize
      return (log, InsertedText(inserted))
    } catch {
      // Its place is not one in this log.
      throw HistoryError(error.reason)
    }
  }
}
