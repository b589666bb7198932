extension LogUnion {
  /// The passages of merged texts.
  ///
  /// A text that the other side did not change has ours; one that it changed has what the walk of
  /// the merge found. They are found from the whole history where that does not tell; where deleted
  /// text was taken out, which may have stood in a reading; and where two copies of the same changes
  /// differ.
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
    let found = try log.passages(
      of: texts.unsure.sorted(), raw: texts.texts, memoryLimit: memoryLimit)
    result.merge(found) { $1 }
    return result
  }
}
