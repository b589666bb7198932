extension Document {
  /// Where changes stand in ``changes``; `nil` for those that the document doesn't have.
  ///
  /// O(chains + agents), and O(log n) for each.
  package func places(ofChanges names: some Sequence<ChangeID>) -> [Int?] {
    let numbers = ChangeNumbers(log)
    return names.map { numbers[$0]?.number }
  }

  /// The changes that are not part of a version, each after its parents, in the order of the file.
  ///
  /// Changes of the version that the document doesn't have are passed over: so the heads of any
  /// other copy will do. O(n log n).
  ///
  /// - Parameter version: the heads of the version.
  /// - Returns: the changes.
  public func changes(since version: [ChangeID]) -> [ChangeSummary] {
    numbers(ofChangesSince: version).map { ChangeSummary(of: $0, in: log) }
  }

  /// The numbers of the same changes.
  func numbers(ofChangesSince version: [ChangeID]) -> [ChangeIndex] {
    let seen = log.graph.closure(of: log.version(of: version))
    // Mostly it is the last few that are new.
    if seen.count == 1, seen[0].lowerBound == .first {
      if seen[0].upperBound == log.graph.end { return [] }
      return Array(log.eventCounts.change(of: seen[0].upperBound)..<log.graph.changes.upperBound)
    }
    return log.graph.changes.filter { change in
      let first = log.eventCounts.firstEvent(ofChange: change)
      return !seen.contains { $0.contains(first) }
    }
  }

  /// The heads of what all of some changes build on: for changes made beside each other, where
  /// those who made them parted.
  ///
  /// O(chains) for each. The heads ascend; there are none if nothing is common, or one of the
  /// changes is not there.
  package func commonVersion(of names: [ChangeID]) -> [ChangeID] {
    let numbers = ChangeNumbers(log)
    var common: [Range<LocalVersion>]?
    for name in names {
      guard let number = numbers[name] else { return [] }
      let seen = log.graph.closure(of: [log.eventCounts.firstEvent(ofChange: number + 1) - 1])
      common = common.map { $0.intersection(seen) } ?? seen
    }
    return log.graph.heads(ofClosure: common ?? []).map { log.changeID(of: $0) }.sorted()
  }

  /// What the last merges in the history brought together, the latest first: first what is side by
  /// side now, then what each change followed that followed several; of each the heads of its sides.
  ///
  /// O(chains).
  package func lastMerges(_ limit: Int) -> [[[ChangeID]]] {
    var merges: [[[ChangeID]]] = heads.count > 1 ? [heads.map { [$0] }] : []
    for index in log.graph.chains.indices.reversed() {
      if merges.count >= limit { break }
      let parents = log.graph.parents(ofChain: index)
      if parents.count > 1 { merges.append(parents.map { [log.changeID(of: $0)] }) }
    }
    return Array(merges.prefix(limit))
  }
}

extension Log {
  /// The last events of those of some changes that are here, ascending.
  ///
  /// O(chains + agents), and O(log n) for each.
  func version(of names: some Sequence<ChangeID>) -> Version {
    let numbers = ChangeNumbers(self)
    return names.compactMap { numbers[$0] }
      .map { eventCounts.events(ofChange: $0).upperBound - 1 }.sorted()
  }

  /// How many changes of each agent are here.
  ///
  /// O(chains).
  var changeCounts: [AgentID: Int] {
    graph.chains.reduce(into: [:]) { counts, chain in
      counts[agents[chain.agent], default: 0] += Int(chain.changeCount)
    }
  }
}
