public import PeernoteEngine

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

  /// The parts, each of more copies than the next one.
  private var parts: [Part]
  /// Of each copy its heads, and what it took out.
  private var copies: [(heads: [ChangeID], takenOut: [TakenOutText])] = []
  /// What the copies have redacted so far; see ``Log/redactedRuns``.
  private var redacted: [EventID: Int] = [:]

  /// What the first copies come to so far.
  package var first: Document { parts[0].document }

  /// How many changes all merges went through together.
  package private(set) var mergedChangeCount = 0

  package init(_ document: Document) {
    parts = [Part(document: document)]
    copies.append((document.heads, []))
    _ = addsRedactions(document.log)
  }

  /// Merges one more copy with those before it, or keeps it for later.
  ///
  /// If it throws, some of the copies cannot be merged. The merge is of no more use then, and says
  /// nothing of which one is at fault.
  package mutating func add(_ copy: consuming Document) throws(MergeError) {
    copies.append((copy.heads, []))
    if addsRedactions(copy.log) {
      while parts.count > 1 { try joinLast() }
      parts.append(Part(document: copy))
      copies[copies.count - 1].takenOut = try joinLast()
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
    return (parts[0].document, reports(of: parts[0]))
  }

  // MARK: Merging

  /// Merges the last two parts, and gives the text that the first one had and the second one has
  /// redacted.
  @discardableResult
  private mutating func joinLast() throws(MergeError) -> [TakenOutText] {
    let right = parts.removeLast()
    var left = parts.removeLast()
    let report = try left.document.merge(right.document, after: left.told + right.told)
    mergedChangeCount += left.document.changeCount
    left.told = report.conflicts + report.adjoining
    left.leftover += (right.leftover + report.leftover).filter { !left.leftover.contains($0) }
    left.copies += right.copies
    parts.append(left)
    return report.takenOut
  }

  /// Records what a log has redacted, and tells whether none before has redacted some of it.
  private mutating func addsRedactions(_ log: Log) -> Bool {
    let runs = log.redactedRuns
    let adds = runs.contains { redacted[$0.key, default: 0] < $0.value }
    redacted.merge(runs) { max($0, $1) }
    return adds
  }

  /// For each copy but the first what it had that those before it lacked.
  private func reports(of all: Part) -> [MergeReport] {
    let log = all.document.log
    var seen = log.version(of: copies[0].heads)
    var reports = copies.dropFirst().map { copy in
      let held = log.version(of: copy.heads)
      let difference = log.graph.difference(seen, held)
      seen = Set(seen + held).sorted()
      let (lacksSome, isNew) = (!difference.onlyFirst.isEmpty, !difference.onlySecond.isEmpty)
      var report = MergeReport(
        result: isNew
          ? (lacksSome ? .merged : .fastForward) : lacksSome ? .behind : .identical,
        newChanges: ChangeList(of: log, in: difference.onlySecond.reversed()))
      report.takenOut = copy.takenOut
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
