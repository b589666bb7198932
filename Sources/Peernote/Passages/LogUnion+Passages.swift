extension LogUnion {
  /// The passages of merged texts.
  ///
  /// A text that the other side did not change has ours; one that it changed has what the walk of
  /// the merge found (``MergedPassages``). They are found from the whole history where that does not
  /// tell; where deleted text was taken out, which may have stood in a reading; and where two copies
  /// of the same changes differ.
  ///
  /// - Parameters:
  ///   - ours: our passages by container number of our log.
  ///   - texts: the merged texts.
  ///   - isSame: whether both sides hold the same changes.
  ///   - memoryLimit: how many bytes a walk may take.
  /// - Returns: the passages by container number of the union.
  /// - Throws: ``HistoryError`` if a walk takes more than the limits.
  func mergePassages(
    _ ours: [ContainerIndex: [TextPassage]], in texts: MergedTexts, isSame: Bool, memoryLimit: Int
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    if isSame || !log.deletedText.redacted.isEmpty {
      return try log.passages(
        raw: texts.texts, critical: CriticalVersions(of: log.graph), memoryLimit: memoryLimit)
    }
    var result = texts.passages
    for (number, passages) in ours where !texts.changed.contains(ourContainers[number]) {
      result[ourContainers[number]] = passages
    }
    let found = try log.passages(
      of: texts.unsure.sorted(), raw: texts.texts, memoryLimit: memoryLimit)
    return result.merging(found) { $1 }
  }

  /// Those of some texts that were edited concurrently before an event.
  ///
  /// O(c log c) for c chains if nothing was, else O(operations).
  func editedConcurrently(
    _ containers: [ContainerIndex], before event: LocalVersion
  ) -> Set<ContainerIndex> {
    if CriticalVersions(of: log.graph).cuts.areLinear(.first..<event) { return [] }
    return Set(
      log.criticalCuts(ofTexts: containers).filter { !$0.value.areLinear(.first..<event) }.keys)
  }

  /// Whether of what a side did after a critical version each event has seen all before it.
  ///
  /// O(c log s) for c chains since then, and s runs of events that the same sides hold.
  func isLinear(_ side: Sides, after cut: LocalVersion) -> Bool {
    let graph = log.graph
    var last = cut
    for index in graph.firstChain(endingAfter: cut)..<graph.chains.endIndex {
      let chain = graph.chains[index]
      // Who holds an event holds those before it.
      let start = max(chain.start, cut + 1)
      var end = start
      while end < chain.end {
        let run = sides.run(at: end)
        guard run.sides.contains(side) else { break }
        end = min(run.end, chain.end)
      }
      if end == start { continue }
      // All have seen all of the critical version.
      let parents = start == chain.start ? Array(graph.parents(ofChain: index)) : [start - 1]
      guard last == cut ? parents.allSatisfy({ $0 <= cut }) : parents == [last] else {
        return false
      }
      last = end - 1
    }
    return true
  }
}
