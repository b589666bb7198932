package import PeernoteEngine

/// The union of two documents that were made apart of one text, as by two imports of one file.
///
/// The document whose first change is the earlier one goes on; if both began at once, the one with
/// the smaller identity, or else the smaller first change. The other's content comes in as one
/// change, made where the two had the same text last: the edits since then, and no more. If they
/// never had, all that the other holds is added to what is there.
///
/// Whoever joins the same two documents gets the same bytes. The change's time is that of the latest
/// change that comes in, its author all who made some of these; its agent is a digest of all that the
/// change says: other content has another name.
package struct Adoption {
  /// The document that goes on.
  private let earlier: Document
  /// The one that comes in.
  private let later: Document

  /// Versions of either document, from its start and from its end, that are compared.
  private static let comparedVersions = 64

  package init(_ first: Document, _ second: Document) {
    func isEarlier(_ left: Document, _ right: Document) -> Bool {
      guard let one = left.changes.first, let other = right.changes.first else {
        return left.changeCount == right.changeCount ? left.id < right.id : right.changeCount == 0
      }
      return (one.time, left.id, one.id) < (other.time, right.id, other.id)
    }
    (earlier, later) = isEarlier(second, first) ? (second, first) : (first, second)
  }

  /// The joined document, and the values of the later one that it does not hold, since the earlier
  /// one had others in their places.
  func joined() throws -> (document: Document, dropped: [DroppedValue]) {
    guard let last = later.changes.max(by: { ($0.time, $0.id) < ($1.time, $1.id) }),
      !earlier.heads.isEmpty
    else { return (earlier, []) }
    let common = try commonVersions()
    let past = try common.map { try earlier.at(version: $0.earlier) } ?? earlier
    let old = try common.map { try later.at(version: $0.later).root.withEnds(of: past.root) }
    let new = later.root.withEnds(of: past.root)
    let wanted =
      old.map { Self.edited(past.root, as: new, since: $0) } ?? past.root.united(with: new)
    let created = JSONPointer([Note.Key.created])
    let dropped = wanted.dropped(of: new).filter { $0.path != created }
    // What was deleted since it came in does not come again.
    if isKnown { return (earlier, dropped) }
    // What is undecided in the later one comes in as it shows.
    let undecided = later.conflicts.flatMap { conflict in
      conflict.others.compactMap { side -> DroppedValue? in
        guard let kept = conflict.kept.node, let other = side.node, side.path == nil else {
          return nil
        }
        return DroppedValue(path: conflict.path, kept: kept, dropped: other)
      }
    }
    var adopting = past
    let change = try adopting.changeAlike(
      rule: ("adoption", 4), by: authors(since: common?.later), at: last.time,
      message: Self.message(adopting: later.id, at: later.heads)
    ) { (editor) throws(EditError) in
      try editor.replaceContent(at: JSONPointer(), with: wanted)
    }
    if change == nil { return (earlier, dropped) }
    var result = earlier
    _ = try result.merge(adopting)
    return (result, dropped + undecided)
  }

  /// What the change says by which a document comes in.
  fileprivate static func message(adopting document: UniqueID, at heads: [ChangeID]) -> String {
    "adopts document \(document) at \(heads.map(\.description).joined(separator: " "))"
  }

  /// Who made the changes of the later document after a version, in their order.
  private func authors(since version: [ChangeID]?) -> String {
    let names = later.changes(since: version ?? []).map(\.author).distinct
    let shown = names.prefix(Self.namedAuthors).joined(separator: ", ")
    return names.count > Self.namedAuthors ? shown + " and others" : shown
  }

  /// As many authors are named by one change.
  private static let namedAuthors = 5

  /// Whether both documents are of one file, as far as can be told: they had the same text once, or
  /// one has adopted all of the other.
  package func isOfOneFile() throws -> Bool { try isKnown || commonVersions() != nil }

  /// Whether the earlier document has adopted all of the later one.
  private var isKnown: Bool {
    earlier.adopted.contains { $0.document == later.id && $0.version == later.heads }
  }

  /// The content of the earlier document with what the later one's authors changed since a version
  /// of theirs: what they left alone stays as the earlier one has it.
  private static func edited(_ base: DocumentNode, as new: DocumentNode, since old: DocumentNode)
    -> DocumentNode
  {
    guard case .map(let ours) = base, case .map(let theirs) = new else { return new }
    // What only the earlier one has stays, unless the later one had it and removed it.
    let left = ours.filter { new[$0.key] != nil || old[$0.key] == nil }
    return .map(
      left.joined(with: theirs) { key, kept, node in
        old[key] == node ? kept.united(with: node, areCopies: true) : node
      })
  }

  /// The first versions that have the latest text that both have in common.
  ///
  /// The first ones, so that all else that was changed since counts.
  private func commonVersions() throws -> (earlier: [ChangeID], later: [ChangeID])? {
    var known: [DocumentNode: [ChangeID]] = [:]
    for heads in versions(of: earlier) {
      if let text = Self.text(of: try earlier.at(version: heads).root), known[text] == nil {
        known[text] = heads
      }
    }
    var latest: (text: DocumentNode, earlier: [ChangeID], later: [ChangeID])?
    for heads in versions(of: later).reversed() {
      guard let text = Self.text(of: try later.at(version: heads).root) else { continue }
      if latest == nil, let found = known[text] { latest = (text, found, heads) }
      if text == latest?.text { latest?.later = heads }
    }
    return latest.map { ($0.earlier, $0.later) }
  }

  /// What two versions have to have in common: of a note the body, of others everything.
  ///
  /// Lines that all end with a carriage return count as without, and a last one without a line feed
  /// as with one; counts don't matter, since two who add the same have not made one edit. `nil` for
  /// an empty one.
  private static func text(of root: DocumentNode) -> DocumentNode? {
    if case .text(let body)? = root[Note.Key.body] {
      return body.isEmpty ? nil : .text(body.withEnds(of: "\n"))
    }
    if case .map(let entries) = root, entries.isEmpty { return nil }
    return root.withoutCounts
  }

  private func versions(of document: Document) -> [[ChangeID]] {
    let versions =
      document.changes.map { [$0.id] } + (document.heads.count > 1 ? [document.heads] : [])
    let limit = Self.comparedVersions
    return versions.count <= 2 * limit
      ? versions : Array(versions.prefix(limit) + versions.suffix(limit))
  }
}

extension Document {
  /// Another document that came in, by ``adopt(_:)``.
  package struct Adopted: Hashable, Sendable {
    package var document: UniqueID
    /// The heads of the version that came in.
    package var version: [ChangeID]
    /// The change by which it did: with what that follows alone, this document reads as the version
    /// did where its authors had edited something.
    package var change: ChangeID
  }

  /// The documents that came in, in the order of the file, as their changes' messages say.
  package var adopted: [Adopted] {
    changes.compactMap { change in
      guard let words = change.message?.split(separator: " "), words.count > 4,
        let document = UniqueID(String(words[2]))
      else { return nil }
      let version = words[4...].compactMap { ChangeID(String($0)) }
      guard change.message == Adoption.message(adopting: document, at: version) else { return nil }
      return Adopted(document: document, version: version, change: change.id)
    }
  }

  /// Joins another document that was made apart, as by a second import of one file, with this one.
  ///
  /// The one whose first change is the earlier goes on, so that this one may get the other's
  /// identity; the other's edits since both had the same text come in as one change. Whoever joins
  /// the same two documents gets the same bytes, so that copies of the result merge.
  ///
  /// A walk over the history for each of at most 128 versions of either. The other document has
  /// another identity, or no change in common, as a copy of what was empty.
  ///
  /// Says whether anything is different now, and what was not taken over: values that both had from
  /// the start, each another one. When a note was created is not among them.
  ///
  /// Throws ``MergeError/sharedHistory`` if the other is a copy of this one, which is to be merged;
  /// else ``DocumentError``, ``EditError`` or ``MergeError``. The document stays as it was.
  @discardableResult
  package mutating func adopt(
    _ other: Document
  ) throws -> (hasChanged: Bool, dropped: [DroppedValue]) {
    switch try relation(to: other) {
    case .differentDocument, .unrelated: break
    case .same, .behind, .ahead, .diverged: throw MergeError.sharedHistory
    }
    let joined = try Adoption(self, other).joined()
    let hasChanged = joined.document.id != id || joined.document.heads != heads
    if hasChanged { self = joined.document }
    return (hasChanged, joined.dropped)
  }
}

extension DocumentNode {
  /// The content, its texts with the line ends of those of another one that stand at the same place
  /// in maps: an editor that writes those of its own system edits nothing by that.
  fileprivate func withEnds(of other: DocumentNode) -> DocumentNode {
    if case .text(let ours) = self, case .text(let theirs) = other {
      return .text(ours.withEnds(of: theirs))
    }
    guard case .map = self else { return self }
    return mapChildren { key, node in other[key].map(node.withEnds) ?? node }
  }

  /// The content with every counter at 0.
  fileprivate var withoutCounts: DocumentNode {
    if case .counter = self { return .counter(0) }
    return mapChildren { $1.withoutCounts }
  }
}

extension String {
  /// The text with the line ends of another one, and a line feed at its end only if that has one.
  fileprivate func withEnds(of other: String) -> String {
    if isEmpty || other.isEmpty { return self }
    let lineFeed = UInt8(ascii: "\n")
    let result = withLineEnds(of: other)
    let hasEnd = result.utf8.last == lineFeed
    if hasEnd == (other.utf8.last == lineFeed) { return result }
    if !hasEnd { return result + (other.utf8.dropLast().last == 0x0D ? "\r\n" : "\n") }
    let size = result.utf8.dropLast().last == 0x0D ? 2 : 1
    return String(decoding: result.utf8.dropLast(size), as: UTF8.self)
  }
}

extension Document {
  /// Makes one change of edits that other copies may make, too, of the same content at the same
  /// version, so that it counts once; O(n) for what the edits take, twice, and what
  /// ``delta(since:)`` takes.
  ///
  /// The agent is a digest of all that the change says. So one name never has two contents, also
  /// where another version of this program finds other edits: the number of the rule is to change
  /// with what it finds. The closure runs twice.
  @discardableResult
  package mutating func changeAlike<Failure>(
    rule: (name: String, number: UInt8), by author: String, at time: Timestamp,
    message: String? = nil,
    _ body: (inout Editor) throws(Failure) -> Void
  ) throws(Failure) -> ChangeID? {
    let heads = heads
    return try changeAlike(by: author, at: time, message: message, body) { draft in
      guard let said = try? draft.delta(since: heads) else { return .random() }
      return AgentID(digestOf: Array("peernote \(rule.name)".utf8) + [rule.number] + said)
    }
  }

  /// The same, where what leads to the agent is the document with the change by another agent.
  @discardableResult
  package mutating func changeAlike<Failure>(
    by author: String, at time: Timestamp, message: String?,
    _ body: (inout Editor) throws(Failure) -> Void, agent: (inout Document) -> AgentID
  ) throws(Failure) -> ChangeID? {
    let placeholder = AgentID(digestOf: Array("peernote draft \(id) \(heads)".utf8))
    var session = DocumentSession(agent: placeholder, author: author, time: time)
    var draft = self
    guard try draft.change(by: session, message: message, body) != nil else { return nil }
    session.agent = agent(&draft)
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
