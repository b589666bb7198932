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
    var result = texts.passages
    for (number, passages) in ours {
      let container = ourContainers[number]
      if !texts.both.contains(container), !texts.onlyTheirs.contains(container) {
        result[container] = passages
      }
    }
    // What was contested before, and what came of it, only the whole history tells.
    let isLinear = CriticalVersions(of: log.graph).cuts.areLinear(0..<texts.firstWalked)
    let unsure = isLinear ? texts.unsure : texts.both.union(texts.onlyTheirs)
    let found = try log.passages(of: unsure.sorted(), raw: texts.texts, memoryLimit: memoryLimit)
    for container in unsure { result[container] = found[container] }
    return result
  }
}
