package import PeernoteEngine

extension Document {
  /// The key, at the top of a document, of the mark that it is deleted.
  static let deletionKey = "deleted"

  /// Marks the document as deleted, in a change of its own, whose name it gives.
  ///
  /// The mark is the key `deleted` at the top, which holds the time of the change that wrote it and
  /// nothing else. It counts as long as no other change stands beside or after it: what somebody
  /// edits who does not know of the mark brings the document back. O(1). Throws if the document
  /// would grow over its limits.
  @discardableResult
  package mutating func markDeleted(
    by session: DocumentSession, message: String = "deleted"
  ) throws(EditError) -> ChangeID? {
    try change(by: session, message: message) { (editor) throws(EditError) in
      try editor.put(.timestamp(session.time), at: JSONPointer([Self.deletionKey]))
    }
  }

  /// Removes a mark that does not count any more, if there is one.
  ///
  /// The change follows from the document alone, so that whoever makes it makes the same. O(n) for
  /// n changes. Throws if the document would grow over its limits.
  @discardableResult
  package mutating func withdrawOutdatedDeletion() throws(EditError) -> Bool {
    guard let deletion, !deletion.isCurrent else { return false }
    let heads = headChanges
    let last = heads.map(\.time).max() ?? deletion.time
    let agent = withdrawalAgent(after: heads.map(\.id))
    let session = DocumentSession(agent: agent, author: "", time: last)
    let author = deletion.author
    let message = "edited after it was deleted" + (author.isEmpty ? "" : " by \(author)")
    return try withdrawDeletion(by: session, message: message) != nil
  }

  /// Removes the mark, if there is one.
  @discardableResult
  package mutating func withdrawDeletion(
    by session: DocumentSession, message: String
  ) throws(EditError) -> ChangeID? {
    if deletion == nil { return nil }
    return try change(by: session, message: message) { (editor) throws(EditError) in
      try editor.remove(at: JSONPointer([Self.deletionKey]))
    }
  }

  /// The agent of the change that removes a mark which does not count any more, where some changes
  /// are the heads, ascending.
  private func withdrawalAgent(after heads: [ChangeID]) -> AgentID {
    var text = Array("peernote withdrawal".utf8)
    text += id.bytes + UInt64(heads.count).bigEndianBytes + heads.flatMap(\.digestedBytes)
    return AgentID(digestOf: text)
  }

  /// Whether a change removed a mark that did not count, which nobody did but this program.
  package func isWithdrawal(_ change: ChangeSummary) -> Bool {
    change.author.isEmpty && change.id.agent == withdrawalAgent(after: change.parents)
  }

  /// The changes just before another one, but for those that only marked the document as deleted;
  /// O(chains + agents), and O(log n) for each.
  func edits(before change: ChangeSummary) -> [ChangeSummary] {
    let places = places(ofChanges: change.parents).compactMap { $0.map { ChangeIndex($0) } }
    return places.filter { !isMark($0) }.map { ChangeSummary(of: $0, in: log) }
  }

  /// Whether a change did nothing but mark the document as deleted, going by what it wrote.
  private func isMark(_ change: ChangeIndex) -> Bool {
    let events = log.eventCounts.events(ofChange: change)
    guard events.count == 1 else { return false }
    let operation = log.operations[log.operationIndex(endingAfter: events.lowerBound)]
    let time = log.metadata(ofChange: change).time
    return operation.kind == .put
      && log.contents[operation.slice(events).content] == .value(.timestamp(time))
  }

  /// The changes that marked the document as deleted, if it is marked; O(writes log n).
  package var deletionMarks: Set<ChangeID> {
    Set(deletionWrites.compactMap { mark($0)?.id })
  }

  /// What was written where the mark stands, what is shown first.
  private var deletionWrites: [Objects.Entry] {
    let resolved = file.objects.child(Self.deletionKey, of: .root)?.resolved
    return resolved?.shown.map { [$0] + (resolved?.others ?? []) } ?? []
  }

  /// The change that first followed the marks that the document, or an earlier state of it, is
  /// deleted; `nil` if somebody has changed it without knowing of any mark; O(n log n) for n
  /// changes.
  package func knowingChange(after marks: Set<ChangeID>) -> ChangeSummary? {
    var (knowing, first) = (marks, ChangeSummary?.none)
    for change in changes(since: Array(marks)) {
      guard change.parents.contains(where: knowing.contains) else { return nil }
      knowing.insert(change.id)
      first = first ?? change
    }
    return first
  }

  /// What has become of the mark that the document is deleted; `nil` if there is none; O(heads log
  /// n).
  package var deletion: DocumentSummary.Deletion? {
    guard let latest = deletionWrites.first.flatMap(mark) else { return nil }
    let marks = deletionMarks
    return DocumentSummary.Deletion(
      isCurrent: heads.allSatisfy(marks.contains), author: latest.author, time: latest.time)
  }

  /// The change of a write, if it did nothing but mark the document as deleted.
  private func mark(_ write: Objects.Entry) -> ChangeSummary? {
    let change = log.eventCounts.change(of: write.event)
    return isMark(change) ? ChangeSummary(of: change, in: log) : nil
  }

  /// The heads, described, ascending by their names; O(heads log n).
  package var headChanges: [ChangeSummary] {
    log.graph.heads.map { ChangeSummary(of: log.eventCounts.change(of: $0), in: log) }
      .sorted { $0.id < $1.id }
  }
}
