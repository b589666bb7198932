extension Document {
  /// Makes one change of edits that other copies may make, too, of the same content at the same
  /// version, so that it counts once.
  ///
  /// The agent is a digest of all that the change says. So one name never has two contents, also
  /// where another version of this program finds other edits: the number of the rule is to change
  /// with what it finds. The closure runs twice.
  ///
  /// O(n) for what the edits take, twice, and what ``delta(since:)`` takes.
  @discardableResult
  mutating func changeAlike<Failure>(
    rule: (name: String, number: UInt8), by author: String, at time: Timestamp,
    message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let placeholder = AgentID(digestOf: Array("peernote draft \(id) \(heads.sorted())".utf8))
    var session = DocumentSession(agent: placeholder, author: author, time: time)
    var draft = self
    guard try draft.change(by: session, message: message, body) != nil else { return nil }
    session.agent = .random()
    if let said = try? draft.delta(since: heads) {
      let name = Array("peernote \(rule.name)".utf8) + [rule.number]
      session.agent = AgentID(digestOf: name + said)
    }
    return try change(by: session, message: message, body)
  }

  /// ``changeAlike(rule:by:at:message:_:)`` for one file that is imported on two machines.
  ///
  /// The change is made at the time when the content was saved, to two seconds, but not before what
  /// the document holds.
  package mutating func changeTogether<Failure>(
    by author: String, saved: Timestamp, message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let latest = changes.lazy.map(\.time).max() ?? saved
    return try changeAlike(
      rule: ("shared edit", 1), by: author, at: max(saved.ofSave, latest), message: message, body)
  }
}
