extension LogUnion {
  /// The passages of merged texts.
  ///
  /// A text that the other side did not change has ours. One that it changed has none, as long as
  /// neither had any and the walk of the merge found none; and what that walk found, where neither
  /// had any and all before the walk was done with everything seen. Else they are found from the
  /// whole history of the text, so that none are taken over that were forged; where neither had any,
  /// only in the stretches that were touched since. So they are where
  /// deleted text was taken out, which may have stood in a reading, and where two copies of the same
  /// changes differ.
  ///
  /// - Parameters:
  ///   - ours: our passages by container number of our log.
  ///   - theirs: theirs by their numbers.
  ///   - texts: the merged texts.
  ///   - isSame: whether both sides hold the same changes.
  ///   - memoryLimit: how many bytes a walk may take.
  /// - Returns: the passages by container number of the union.
  /// - Throws: ``HistoryError`` if a walk takes more than the limits.
  func mergePassages(
    _ ours: [ContainerIndex: [TextPassage]], _ theirs: [ContainerIndex: [TextPassage]],
    in texts: MergedTexts,
    isSame: Bool, memoryLimit: Int
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    if isSame || !log.deletedText.redacted.isEmpty {
      return try log.passages(
        raw: texts.texts, critical: CriticalVersions(of: log.graph), memoryLimit: memoryLimit)
    }
    var result: [ContainerIndex: [TextPassage]] = [:]
    var open = Set(texts.passages.keys)
    var known: Set<ContainerIndex> = []
    for number in theirs.keys { known.insert(theirContainers[number]) }
    for number in ours.keys { known.insert(ourContainers[number]) }
    let isOurs = Set(ourContainers)
    for number in theirs.keys {
      let container = theirContainers[number]
      if texts.both.contains(container) || texts.onlyTheirs.contains(container)
        || !isOurs.contains(container)
      {
        open.insert(container)
      }
    }
    for (number, passages) in ours {
      let container = ourContainers[number]
      if texts.both.contains(container) || texts.onlyTheirs.contains(container) {
        open.insert(container)
      } else {
        result[container] = passages
      }
    }
    if open.isEmpty { return result }
    let critical = CriticalVersions(of: log.graph)
    let isLinear = critical.cuts.areLinear(0..<texts.firstWalked)
    if isLinear {
      for container in open.subtracting(known) { result[container] = texts.passages[container] }
      open.formIntersection(known)
    }
    for (container, found) in try log.passages(
      of: open.intersection(known).sorted(), raw: texts.texts, memoryLimit: memoryLimit)
    where !found.passages.isEmpty {
      result[container] = found.passages
    }
    // Where neither side had any, there are none in what nobody touched since.
    for (container, found) in try log.passages(
      of: open.subtracting(known).sorted(), raw: texts.texts, touchedSince: texts.firstWalked,
      memoryLimit: memoryLimit)
    where !found.passages.isEmpty {
      result[container] = found.passages
    }
    return result
  }
}
