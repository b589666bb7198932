extension Log {
  /// The passages of a text, from its whole history.
  ///
  /// O(n log n) for n operations, plus what their concurrency costs, plus the bytes. A text of which
  /// the walk takes far more steps than the limit has none, whoever looks.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - raw: the union of all its insertions and deletions.
  ///   - memoryLimit: how many bytes the walk may take.
  /// - Returns: the passages, ascending, and how many scalars may come without new lines, by changes
  ///   that have seen everything, before a limit can be reached where there are passages.
  /// - Throws: ``HistoryError`` if an operation does not apply, or the text is not as long as its
  ///   history makes it.
  package func passages(
    of container: Int32, raw: TextBuffer, memoryLimit: Int = .max
  ) throws(HistoryError) -> (passages: [TextPassage], room: Int) {
    let limit = workLimit.multipliedReportingOverflow(by: StretchReader.workFactor)
    var walker = Walker(
      log: self, after: .start, texts: [(container: container, placeholder: 0)],
      workLimit: limit.overflow ? .max : limit.partialValue, memoryLimit: memoryLimit)
    do throws(HistoryError) {
      try walker.walk(sides: .allBoth)
    } catch {
      if error.reason == .tooMuchWork { return ([], 0) }
      throw error
    }
    return try StretchReader.passages(
      of: container, raw: raw, walker: walker, critical: criticalCuts(ofText: container))
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
  ) throws(HistoryError) -> [Int32: [TextPassage]] {
    var result: [Int32: [TextPassage]] = [:]
    for container in containersEditedConcurrently(critical.cuts) {
      let found = try passages(
        of: container, raw: texts[Int(container)], memoryLimit: memoryLimit
      ).passages
      if !found.isEmpty { result[container] = found }
    }
    return result
  }

  /// The texts that some event edited that has not seen another one, or was not seen by it.
  ///
  /// O(operations).
  func containersEditedConcurrently(_ critical: CriticalCuts) -> [Int32] {
    if critical.areLinear(0..<graph.eventCount) { return [] }
    var result: Set<Int32> = []
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
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound < events.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low > 0 && ranges[low - 1].upperBound >= events.upperBound
  }
}
