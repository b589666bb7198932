extension Log {
  /// The passages of texts, from their whole history.
  ///
  /// O(n log n) for n operations, plus what their concurrency costs, plus the bytes. A text of which
  /// the walk takes far more steps than the limit has none, whoever looks.
  ///
  /// - Parameters:
  ///   - containers: the texts, each once.
  ///   - texts: the union of all insertions and deletions of each text, by container number.
  ///   - memoryLimit: how many bytes a walk may take.
  /// - Returns: the passages, ascending, by container number; nothing for texts without any.
  /// - Throws: ``HistoryError`` if an operation does not apply, or a text is not as long as its
  ///   history makes it, or a limit is passed.
  package func passages(
    of containers: [ContainerIndex], raw texts: [TextBuffer],
    memoryLimit: Int = .max
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    var result: [ContainerIndex: [TextPassage]] = [:]
    if containers.isEmpty { return result }
    let critical = criticalCuts(ofTexts: containers)
    for group in walkedTogether(containers) {
      result.merge(try passages(ofGroup: group, texts, critical, memoryLimit)) { $1 }
    }
    return result
  }

  /// Parts texts into groups that are walked together: not all at once, which takes memory, nor one
  /// by one, since each walk goes through all operations.
  ///
  /// Each has an eighth of all their operations or is a single text, so that there are 17 at most.
  /// O(operations).
  package func walkedTogether(_ containers: [ContainerIndex]) -> [[ContainerIndex]] {
    if containers.count == 1 { return [containers] }
    var counts = Dictionary(containers.map { ($0, 0) }) { first, _ in first }
    for operation in operations where operation.kind.editsText {
      counts[operation.container]? += 1
    }
    let most = counts.values.reduce(0, +) / 8
    var result: [[ContainerIndex]] = []
    var left = 0
    for container in containers {
      let count = counts[container] ?? 0
      if count > left {
        result.append([])
        left = most
      }
      result[result.count - 1].append(container)
      left -= count
    }
    return result
  }

  /// The passages of texts that are walked together.
  private func passages(
    ofGroup containers: [ContainerIndex], _ texts: [TextBuffer],
    _ critical: [ContainerIndex: CriticalCuts], _ memoryLimit: Int
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    let walked: [TextRuns]
    do throws(HistoryError) {
      walked = try runs(ofGroup: containers, texts, critical, memoryLimit)
    } catch {
      guard error.reason == .tooMuchWork || error.reason == .tooMuchMemory && containers.count > 1
      else { throw error }
      if containers.count == 1 { return [:] }
      var result: [ContainerIndex: [TextPassage]] = [:]
      for container in containers {
        result.merge(try passages(ofGroup: [container], texts, critical, memoryLimit)) { $1 }
      }
      return result
    }
    var result: [ContainerIndex: [TextPassage]] = [:]
    for (container, runs) in zip(containers, walked) {
      let found = StretchReader.passages(in: runs, of: self)
      if !found.isEmpty { result[container] = found }
    }
    return result
  }

  /// What was ever inserted in texts that are walked together; the walker is gone then.
  private func runs(
    ofGroup containers: [ContainerIndex], _ texts: [TextBuffer],
    _ critical: [ContainerIndex: CriticalCuts], _ memoryLimit: Int
  ) throws(HistoryError) -> [TextRuns] {
    let limit = workLimit.multipliedReportingOverflow(by: StretchReader.workFactor)
    var walker = Walker(
      log: self, after: .start, texts: containers.map { (container: $0, placeholder: 0) },
      workLimit: limit.overflow ? .max : limit.partialValue, memoryLimit: memoryLimit)
    try walker.walk(sides: .allBoth)
    let deleted = WalkedDeletions(of: walker)
    var result: [TextRuns] = []
    for container in containers {
      result.append(
        try TextRuns(
          of: container, raw: texts[container], walker: walker, deleted: deleted,
          rounds: TextRounds(between: critical[container] ?? CriticalCuts([]), of: self)))
    }
    return result
  }

  /// The passages of all texts, by container number.
  ///
  /// O(n log n), plus a walk over each text that was edited concurrently.
  ///
  /// - Parameters:
  ///   - texts: the raw texts by container number.
  ///   - critical: all critical versions.
  ///   - memoryLimit: how many bytes a walk may take.
  /// - Returns: the passages; nothing for texts without any.
  /// - Throws: ``HistoryError`` if a text is not as long as its history makes it, or a limit is
  ///   passed.
  package func passages(
    raw texts: [TextBuffer], critical: CriticalVersions, memoryLimit: Int = .max
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    try passages(
      of: containersEditedConcurrently(critical.cuts), raw: texts, memoryLimit: memoryLimit)
  }

  /// The texts that some event edited that has not seen another one, or was not seen by it.
  ///
  /// O(operations).
  func containersEditedConcurrently(_ critical: CriticalCuts) -> [ContainerIndex] {
    if critical.areLinear(graph.events) { return [] }
    var result: Set<ContainerIndex> = []
    for index in operations.indices {
      let operation = operations[index]
      if operation.kind.editsText, !critical.areLinear(operation.events) {
        result.insert(operation.container)
      }
    }
    return result.sorted()
  }
}

extension CriticalCuts {
  /// Whether each of some events has seen all before it, and was seen by all after it.
  ///
  /// O(log c) for c ranges.
  func areLinear(_ events: Range<LocalVersion>) -> Bool {
    if events.isEmpty { return true }
    let next = ranges.partitionPoint { $0.lowerBound >= events.lowerBound }
    return next > 0 && ranges[next - 1].upperBound >= events.upperBound
  }
}
