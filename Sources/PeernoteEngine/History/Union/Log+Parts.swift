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
  /// The order of those that stay is the same, as each stands where its ancestors put it.
  /// O(n log n). Throws if what is kept names what is not.
  package func part(
    ofChains isKept: [Bool], insertedText: InsertedText
  ) throws(HistoryError) -> (log: Log, insertedText: InsertedText) {
    var source = LogSource(self, after: LogPrefix())
    var assembler = LogAssembler(limits: limits)
    var inserted = DeletedText()
    var deleted = DeletedText()
    let allDeleted = InsertedText(deletedText)
    for (index, isKept) in zip(graph.chains.indices, isKept) {
      guard isKept else {
        source.skipChain(in: assembler)
        continue
      }
      let chain = graph.chains[index]
      forEachOperation(in: chain.events) { operation in
        if operation.kind == .insertText {
          insertedText.append(operation.scalars, to: &inserted)
        } else if operation.kind.deletesText {
          allDeleted.append(operation.scalars, to: &deleted)
        }
      }
      do throws(LogUnion.Failure) {
        try source.copyChain(to: &assembler)
      } catch {
        throw HistoryError(.containerNotSeen, event: chain.start)
      }
    }
    for index in objectOperations {
      let operation = operations[Int(index)]
      guard isKept[graph.chainIndex(of: operation.first)] else { continue }
      for reference in operation.references
      where !isKept[graph.chainIndex(of: reference)] {
        throw HistoryError(.unknownElement, event: operation.first)
      }
    }
    var log = assembler.finished(deletedText: deleted)
    log.fileSize = fileSize
    return (log, InsertedText(inserted))
  }
}
