/// A merge of many copies of a document as they come.
///
/// Copies are merged in pairs, those in pairs again, and so on, so that each change is gone through
/// as often as the number of copies can be halved. Merging them one after the other would go
/// through all that came before for every copy. That is done for copies alone that have redacted what
/// none before them has, since what they take out depends on all that came before.
package struct MergeByHalves {
  /// Consecutive copies that are merged.
  private struct Part {
    var document: Document
    /// What was decided, and where lines adjoin, because of merging them.
    var told: [Conflict] = []
    /// What one of them has redacted and the others brought back.
    var leftover: [LeftoverText] = []
    /// How many they are.
    var copies = 1
  }

  /// What a copy has that those before it lack.
  private struct News {
    var result: MergeReport.Result
    /// The changes, by agent and sequence number.
    var changes: [(agent: AgentID, sequence: Range<Int32>)]
    /// The text that those before it had and it has redacted.
    var takenOut: [TakenOutText] = []
  }

  /// The parts, each of more copies than the next one.
  private var parts: [Part]
  /// How many changes of each agent the copies hold so far, and of all.
  private var changeCounts: [AgentID: Int]
  private var changeCount: Int
  private var news: [News] = []
  /// What the copies have redacted so far.
  private var redacted: [AgentID: RangeSet<Int>] = [:]

  /// What the first copies come to so far.
  package var first: Document { parts[0].document }

  /// How many changes all merges went through together.
  package private(set) var mergedChangeCount = 0

  /// Begins with the first copy.
  package init(_ document: Document) {
    changeCounts = document.log.changeCounts
    changeCount = document.changeCount
    parts = [Part(document: document)]
    _ = addsRedactions(document.log)
  }

  /// Merges one more copy with those before it, or keeps it for later.
  ///
  /// If it throws, some of the copies cannot be merged. The merge is of no more use then, and says
  /// nothing of which one is at fault.
  package mutating func add(_ copy: consuming Document) throws(MergeError) {
    record(copy.log)
    if addsRedactions(copy.log) {
      while parts.count > 1 { try joinLast() }
      parts.append(Part(document: copy))
      news[news.count - 1].takenOut = try joinLast()
      return
    }
    parts.append(Part(document: copy))
    while parts.count > 1, Set(parts.suffix(2).map(\.copies)).count == 1 { try joinLast() }
  }

  /// Merges what is left to merge, and reports for each copy what it had that those before it
  /// lacked.
  ///
  /// What was decided, and what is left of redacted text, stands in the last report, as it is in
  /// the end. Throws as ``add(_:)``.
  package consuming func finish() throws(MergeError) -> (
    document: Document, reports: [MergeReport]
  ) {
    while parts.count > 1 { try joinLast() }
    let last = parts[0]
    return (last.document, reports(of: last))
  }

  // MARK: Merging

  /// Merges the last two parts, and gives the text that the first one had and the second one has
  /// redacted.
  @discardableResult
  private mutating func joinLast() throws(MergeError) -> [TakenOutText] {
    let right = parts.removeLast()
    var left = parts.removeLast()
    let report = try left.document.merge(
      right.document, after: left.told + right.told)
    mergedChangeCount += left.document.changeCount
    left.told = report.conflicts + report.adjoining
    left.leftover += (right.leftover + report.leftover).filter { !left.leftover.contains($0) }
    left.copies += right.copies
    parts.append(left)
    return report.takenOut
  }

  /// Records what a log has redacted, and tells whether none before has redacted some of it.
  private mutating func addsRedactions(_ log: Log) -> Bool {
    let ranges = log.deletedText.redacted
    if ranges.isEmpty { return false }
    var adds = false
    for (agent, names) in log.names(ofDeletions: ranges) {
      let known = redacted[agent] ?? RangeSet()
      if names.subtracting(known).isEmpty { continue }
      redacted[agent] = known.union(names)
      adds = true
    }
    return adds
  }

  // MARK: Reporting

  private mutating func record(_ log: Log) {
    var changes: [(agent: AgentID, sequence: Range<Int32>)] = []
    for (agent, count) in log.changeCounts {
      let known = changeCounts[agent] ?? 0
      if count <= known { continue }
      changes.append((agent, Int32(known + 1)..<Int32(count + 1)))
      changeCounts[agent] = count
      changeCount += count - known
    }
    let lacksSome = log.changeCount < changeCount
    let result: MergeReport.Result =
      changes.isEmpty
      ? (lacksSome ? .behind : .identical) : lacksSome ? .merged : .fastForward
    news.append(News(result: result, changes: changes))
  }

  private func reports(of all: Part) -> [MergeReport] {
    let log = all.document.log
    let chains = Dictionary(zip(log.agents, log.chainsByAgent())) { first, _ in first }
    var reports = news.map { news in
      var report = MergeReport(
        result: news.result,
        newChanges: ChangeList(of: log, in: log.events(of: news.changes, chains)), conflicts: [])
      report.takenOut = news.takenOut
      return report
    }
    if let last = reports.indices.last {
      reports[last].conflicts = all.told.told
      reports[last].adjoining = all.told.adjoining
      reports[last].leftover = all.leftover
    }
    return reports
  }
}

extension Document {
  /// Brings in all changes of several copies of this document.
  ///
  /// The document becomes what merging them one after the other makes of it, to the byte. All or
  /// nothing. O(n log n log k) for k copies with n changes and edits together, where one after the
  /// other would take O(n k); but O(n) for each that has redacted what none before it has.
  ///
  /// - Parameter copies: the other copies.
  /// - Returns: a report for each copy of what it had that this document and the copies before it
  ///   lacked; what was decided because of all merges, and what is left of redacted text, stands in
  ///   the last one.
  /// - Throws: ``MergeError``; it does not tell which copy is at fault. The document stays as it was.
  @discardableResult
  public mutating func merge(_ copies: consuming [Document]) throws(MergeError) -> [MergeReport] {
    if copies.count == 1, let copy = copies.popLast() { return [try merge(copy)] }
    var merge = MergeByHalves(self)
    copies.reverse()
    while let copy = copies.popLast() { try merge.add(copy) }
    let (document, reports) = try merge.finish()
    self = document
    return reports
  }
}

extension Log {
  /// The events of some changes, ascending.
  ///
  /// O(c log n) for c chains that hold them.
  fileprivate func events(
    of changes: [(agent: AgentID, sequence: Range<Int32>)], _ chains: [AgentID: [ChainIndex]]
  ) -> [Range<LocalVersion>] {
    var ranges: [Range<LocalVersion>] = []
    for (agent, sequence) in changes {
      let numbers = chains[agent] ?? []
      var low = numbers.partitionPoint { number in
        let chain = graph.chains[number]
        return chain.firstSequence + chain.changeCount > sequence.lowerBound
      }
      while low < numbers.count, graph.chains[numbers[low]].firstSequence < sequence.upperBound {
        let chain = graph.chains[numbers[low]]
        func change(_ sequence: Int32) -> ChangeIndex {
          chain.firstChange + (sequence - chain.firstSequence)
        }
        let first = change(max(sequence.lowerBound, chain.firstSequence))
        let end = change(min(sequence.upperBound, chain.firstSequence + chain.changeCount))
        ranges.append(
          eventCounts.firstEvent(ofChange: first)..<eventCounts.firstEvent(ofChange: end))
        low += 1
      }
    }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    return ranges
  }
}
