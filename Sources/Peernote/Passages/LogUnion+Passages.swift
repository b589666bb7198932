extension LogUnion {
  /// The passages of merged texts.
  ///
  /// A text that the other side did not change has ours; one that it changed has what the walk of
  /// the merge found. They are found from the whole history where concurrent edits came before; where
  /// deleted text was taken out, which may have stood in a reading; and where two copies of the same
  /// changes differ.
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
    let changed = texts.both.union(texts.onlyTheirs)
    let open = editedConcurrently(changed, before: texts.firstWalked)
    // What was contested before, and what came of it, only the whole history tells.
    let found = try log.passages(of: open, raw: texts.texts, memoryLimit: memoryLimit)
    var result = texts.passages
    for container in open { result[container] = found[container] }
    for (number, passages) in ours where !changed.contains(ourContainers[number]) {
      result[ourContainers[number]] = passages
    }
    return result
  }

  /// Those of some texts that were edited concurrently before an event, ascending.
  ///
  /// O(c log c) for c chains if nothing was, else O(operations).
  private func editedConcurrently(
    _ containers: Set<ContainerIndex>, before event: LocalVersion
  ) -> [ContainerIndex] {
    if CriticalVersions(of: log.graph).cuts.areLinear(0..<event) { return [] }
    return log.criticalCuts(ofTexts: containers)
      .filter { !$0.value.areLinear(0..<event) }.keys.sorted()
  }
}
