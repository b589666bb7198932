extension Document {
  /// Where changes stand in ``changes``; `nil` for those that the document doesn't have.
  ///
  /// O(chains + agents), and O(log n) for each.
  ///
  /// - Parameter names: the names of the changes.
  /// - Returns: their places, in the order of the names.
  package func places(ofChanges names: some Sequence<ChangeID>) -> [Int?] {
    let numbers = ChangeNumbers(log)
    return names.map { numbers[$0].map { Int($0) } }
  }

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
