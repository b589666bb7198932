extension Document {
  /// The key, at the top of a document, of the mark that it is deleted.
  static let deletionKey = "deleted"

  /// Marks the document as deleted, in a change of its own.
  ///
  /// The mark is the key `deleted` at the top, which holds the time of the change that wrote it and
  /// nothing else. It counts as long as no other change stands beside or after it: what somebody
  /// edits who does not know of the mark brings the document back. O(1).
  ///
  /// - Parameters:
  ///   - session: who makes the change, and when.
  ///   - message: a message to record with it.
  /// - Returns: the change's name.
  /// - Throws: ``EditError`` if the document would grow over its limits.
  @discardableResult
  public mutating func markDeleted(
    by session: Session, message: String = "deleted"
  ) throws(EditError) -> ChangeID? {
    try change(by: session, message: message) { (editor) throws(EditError) in
      try editor.put(.timestamp(session.time), at: JSONPointer([Self.deletionKey]))
    }
  }

  /// Removes a mark that does not count any more.
  ///
  /// The change follows from the document alone, so that whoever makes it makes the same. O(n) for
  /// n changes.
  ///
  /// - Returns: whether there was such a mark.
  /// - Throws: ``EditError`` if the document would grow over its limits.
  @discardableResult
  public mutating func withdrawOutdatedDeletion() throws(EditError) -> Bool {
    guard case .outdated(let author, let time) = deletion else { return false }
    let heads = headChanges
    var text = Array("peernote withdrawal".utf8)
    text += id.bytes + UInt64(heads.count).bigEndianBytes
    for head in heads {
      text += head.id.agent.rawValue.bigEndianBytes
      text += UInt64(head.id.sequence).bigEndianBytes
    }
    let last = heads.map(\.time).max() ?? time
    let session = Session(agent: AgentID(digestOf: text), author: "", time: last)
    let message = "edited after it was deleted" + (author.isEmpty ? "" : " by \(author)")
    let change = try change(by: session, message: message) { (editor) throws(EditError) in
      try editor.remove(at: JSONPointer([Self.deletionKey]))
    }
    return change != nil
  }

  /// What has become of the mark that the document is deleted; `nil` if there is none.
  ///
  /// O(heads log n).
  public var deletion: DocumentSummary.Deletion? {
    guard let child = file.objects.child(Self.deletionKey, of: .root),
      let shown = child.resolved.shown, let latest = mark(shown)
    else { return nil }
    let marks = Set(([shown] + child.resolved.others).compactMap { self.mark($0)?.id })
    return heads.allSatisfy(marks.contains)
      ? .current(author: latest.author, latest.time)
      : .outdated(author: latest.author, latest.time)
  }

  /// The change of a write, if it did nothing but mark the document as deleted.
  private func mark(_ write: Objects.Entry) -> ChangeSummary? {
    let change = ChangeSummary(of: log.eventCounts.change(of: write.event), in: log)
    let isMark =
      change.eventCount == 1
      && log.contents[write.content] == .value(.timestamp(change.time))
    return isMark ? change : nil
  }

  /// The heads, described, ascending by their names.
  ///
  /// O(heads log n).
  package var headChanges: [ChangeSummary] {
    log.graph.heads.map { ChangeSummary(of: log.eventCounts.change(of: $0), in: log) }
      .sorted { $0.id < $1.id }
  }
}
