extension LogUnion {
  /// The passages of merged texts.
  ///
  /// A text that the other side did not change has ours; one that it changed has what the walk of
  /// the merge found (``MergedPassages``). They are found from the whole history where that does not
  /// tell, or where deleted text was taken out, which may have stood in a reading.
  ///
  /// - Parameters:
  ///   - shown: the passages of the two sides by their container numbers.
  ///   - texts: the merged texts.
  ///   - memoryLimit: how many bytes a walk may take.
  /// - Returns: the passages by container number of the union.
  /// - Throws: ``HistoryError`` if a walk takes more than the limits, or a side shows passages that
  ///   its history does not make.
  func mergePassages(
    _ shown: (ours: [ContainerIndex: [TextPassage]], theirs: [ContainerIndex: [TextPassage]]),
    in texts: MergedTexts, memoryLimit: Int
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    if !log.deletedText.redacted.isEmpty {
      return try log.passages(
        raw: texts.texts, critical: CriticalVersions(of: log.graph), memoryLimit: memoryLimit)
    }
    var result = texts.passages
    var unsure = texts.unsure
    let (ours, theirs) = placed(shown)
    let shared = Set(theirContainers)
    for container in Set(ours.keys).union(theirs.keys) where !texts.decided.contains(container) {
      result[container] = ours[container]
      // Nobody has changed it since they parted.
      if shared.contains(container), ours[container] != theirs[container] {
        unsure.insert(container)
      }
    }
    if unsure.isEmpty { return result }
    func version(without missing: [Range<LocalVersion>]) -> Version {
      log.graph.heads(ofClosure: events(without: missing).ranges)
    }
    let found = try log.passages(
      of: unsure.sorted(), raw: texts.texts, memoryLimit: memoryLimit,
      checking: [(version(without: onlyTheirs), ours), (version(without: onlyOurs), theirs)])
    for container in unsure { result[container] = found[container] }
    return result
  }

  /// The passages that the two sides show by their container numbers, by that of the union.
  func placed(
    _ shown: MergedPassages.BothSides<[ContainerIndex: [TextPassage]]>
  ) -> MergedPassages.BothSides<[ContainerIndex: [TextPassage]]> {
    func placed(
      _ passages: [ContainerIndex: [TextPassage]], _ containers: [ContainerIndex]
    ) -> [ContainerIndex: [TextPassage]] {
      Dictionary(uniqueKeysWithValues: passages.map { (containers[$0.key], $0.value) })
    }
    return (placed(shown.ours, ourContainers), placed(shown.theirs, theirContainers))
  }

  /// All events but those that only one side has.
  ///
  /// O(ranges).
  func events(without missing: [Range<LocalVersion>]) -> EventSet {
    let all = EventSet([log.graph.events].filter { !$0.isEmpty })
    return EventSet(all.subtracting(EventSet(missing)))
  }

  /// Whether each event of a version that comes after a critical one has seen all before it.
  ///
  /// O(c log c) for c chains since then.
  func isLinear(_ known: EventSet, after cut: LocalVersion) -> Bool {
    let graph = log.graph
    var last = cut
    for range in known.ranges {
      var start = max(range.lowerBound, cut + 1)
      while start < range.upperBound {
        guard last == cut || graph.isAncestor(last, orSelf: start) else { return false }
        let chain = graph.chains[graph.chainIndex(of: start)]
        last = min(range.upperBound, chain.end) - 1
        start = last + 1
      }
    }
    return true
  }
}
