extension Document {
  private static var ruleNumber: UInt8 { 1 }

  /// Makes one change of edits that other copies may make, too, of the same content at the same
  /// version, so that it counts once: of one file that is imported on two machines.
  ///
  /// The agent is a digest of all that the change says. So one name never has two contents, also
  /// where another version of this program finds other edits.
  ///
  /// O(n) for what the edits take, twice, and what ``encoded(since:)`` takes.
  ///
  /// - Parameters:
  ///   - author: who makes the change.
  ///   - saved: when the content was saved. The change is made at this time, to two seconds, but not
  ///     before what the document holds.
  ///   - message: an optional message.
  ///   - body: makes the edits; runs twice.
  /// - Returns: the change's name; `nil` if nothing was edited.
  /// - Throws: what the closure throws.
  package mutating func changeTogether<Failure>(
    by author: String, saved: Timestamp, message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let latest = changes.lazy.map(\.time).max() ?? saved
    let placeholder = AgentID(digestOf: Array("peernote draft \(id) \(heads.sorted())".utf8))
    var session = Session(
      agent: placeholder, author: author, time: max(saved.ofSave, latest))
    var draft = self
    guard try draft.change(by: session, message: message, body) != nil else { return nil }
    session.agent = .random()
    if let said = try? draft.encoded(since: heads) {
      session.agent = AgentID(
        digestOf: Array("peernote shared edit".utf8) + [Self.ruleNumber] + said)
    }
    return try change(by: session, message: message, body)
  }
}
