public import PeernoteEngine

extension Document {
  /// The changes that are not part of a version, each after its parents, in the order of the file.
  ///
  /// Changes of the version that the document doesn't have are passed over: so the heads of any
  /// other copy will do. O(n log n).
  ///
  /// - Parameter version: the heads of the version.
  /// - Returns: the changes.
  public func changes(since version: [ChangeID]) -> [ChangeSummary] {
    let numbers = ChangeNumbers(log)
    let heads = version.compactMap { numbers[$0] }
      .map { log.eventCounts.firstEvent(ofChange: $0 + 1) - 1 }
    let seen = log.graph.closure(of: heads.sorted())
    return (0..<log.graph.changeCount).filter { change in
      !seen.contains { $0.contains(log.eventCounts.firstEvent(ofChange: change)) }
    }.map { ChangeSummary(of: $0, in: log) }
  }
}
