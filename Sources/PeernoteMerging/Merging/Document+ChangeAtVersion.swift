public import PeernoteEngine

extension Document {
  /// Makes one change to the document as it was at a version, and merges it with what came since.
  ///
  /// For content that left the document and comes back edited: an export, a model in memory, a
  /// form on a screen. Compared with today's content it would take back what others did meanwhile;
  /// compared with the version that it was read from, it is what its editor did and no more. Text
  /// that was redacted meanwhile does not come back with it.
  ///
  /// All or nothing: if the closure throws, the document stays as it was. Of the version that is
  /// the present one this is ``change(by:message:_:)``; of any other it costs one walk over the
  /// history and a merge.
  ///
  /// - Parameters:
  ///   - version: the heads of the version; at least one change, if the document has any.
  ///   - session: who makes the change, and when. If it has made changes that the version lacks, the
  ///     change is made by another agent.
  ///   - message: an optional message.
  ///   - body: makes the edits, on the content of that version.
  /// - Returns: the change, and what its merge with later ones decided.
  /// - Throws: what the closure throws; ``DocumentError`` if there is no such version, or too much
  ///   of it is redacted; ``MergeError`` if the result would grow over the limits.
  @discardableResult
  public mutating func change(
    at version: [ChangeID], by session: DocumentSession, message: String? = nil,
    _ body: (inout Editor) throws -> Void
  ) throws -> CommitReport {
    let counts = isPresent(version) ? [:] : log.changeCounts
    let made = try changing(at: version) { document in
      let agent = session.begin(in: document, besides: counts)
      var change: ChangeID?
      defer { if change == nil { session.giveUp(agent, in: document.id) } }
      change = try document.change(by: session.under(agent), message: message, body)
      return change
    }
    return made.result.map { CommitReport(changes: [$0], merge: made.report) } ?? CommitReport()
  }

  /// Whether a version is that of the document as it is now.
  package func isPresent(_ version: [ChangeID]) -> Bool { Set(version).isSuperset(of: heads) }

  /// Changes the document as it was at a version, and merges that with what came since.
  ///
  /// The version has one head at least, if the document has any; `edit` gets a document that holds it
  /// alone. With what `edit` returns comes what the merge decided.
  package mutating func changing<Result>(
    at version: [ChangeID], _ edit: (inout Document) throws -> Result
  ) throws -> (result: Result, report: MergeReport) {
    guard isPresent(version) else {
      if version.isEmpty {
        throw DocumentError("a version names no change; give its heads", kind: .noSuchVersion)
      }
      var past = try late(version: version)
      let count = past.changeCount
      let result = try edit(&past)
      guard past.changeCount > count else {
        return (result, MergeReport(result: .behind))
      }
      let marker = RedactionMarker(scalar: past.redactionMarker)
      var report = try merge(consume past)
      for index in report.conflicts.indices { report.conflicts[index].remove(marker) }
      return (result, report)
    }
    let end = log.graph.end
    let result = try edit(&self)
    let made = ChangeList(of: log, in: [end..<log.graph.end])
    return (
      result, MergeReport(result: made.isEmpty ? .identical : .fastForward, newChanges: made)
    )
  }
}
