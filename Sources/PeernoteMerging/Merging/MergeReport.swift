public import PeernoteEngine

/// What a merge brought in and decided.
public struct MergeReport: Hashable, Sendable {
  /// What became of the document.
  public enum Result: String, CaseIterable, Hashable, Sendable {
    /// The other document was the same.
    case identical
    /// The other document had nothing new.
    case behind
    /// The other document had all changes of this one, and more.
    case fastForward = "fast-forward"
    /// Both had changes that the other lacked.
    case merged
  }

  /// What became of the document.
  public var result: Result
  /// The changes that came in, in the order of the file.
  public var newChanges: ChangeList
  /// What was decided or overlaps because of this merge, in the order of the content.
  public var conflicts: [Conflict] = []
  /// Where both sides changed lines of a text that adjoin, and nothing else is reported; what they
  /// did is combined.
  public var adjoining: [Conflict] = []
  /// The deleted text that is gone from this document, since the other copy has redacted it.
  package var takenOut: [TakenOutText] = []
  /// What one copy has redacted, and the document still has because of the other.
  package var leftover: [LeftoverText] = []

  package init(result: Result, newChanges: ChangeList = ChangeList()) {
    (self.result, self.newChanges) = (result, newChanges)
  }
}

/// What came of edits of an earlier version, as those in a draft.
public struct CommitReport: Hashable, Sendable {
  /// The changes that were made, for ``UndoHistory/note(_:continuesStep:)``; none if nothing was
  /// edited.
  public var changes: [ChangeID] = []
  /// What merging them with later changes decided; `nil` if nothing was edited.
  public var merge: MergeReport?

  package init(changes: [ChangeID] = [], merge: MergeReport? = nil) {
    self.changes = changes
    self.merge = merge
  }
}

/// Why two documents cannot be merged.
///
/// Neither was changed.
public enum MergeError: Error, Hashable, Sendable {
  /// They have different identities.
  case differentDocument(ours: UniqueID, theirs: UniqueID)
  /// They have one identity but no change in common.
  case noSharedHistory
  /// They are copies of one document, which ``Document/merge(_:after:)`` brings together.
  case sharedHistory
  /// A change says different things in the two, in what the reason names.
  case forked(ChangeID, reason: String)
  /// One of them contradicts itself, or both together take more than the limits.
  case damaged(DocumentError)
  /// Together they hold more than a document may, most of it by one agent, whose last change this
  /// is; ``Document/init(bytes:without:)`` reads a copy without it.
  case filled(by: ChangeID, DocumentError)
}

extension MergeError: CustomStringConvertible {
  /// The reason in one clause.
  public var description: String {
    switch self {
    case .differentDocument(let ours, let theirs):
      "different documents: \(ours) and \(theirs)"
    case .noSharedHistory:
      "the same identity, but no change in common"
    case .sharedHistory:
      "copies of one document"
    case .forked(let change, let reason):
      "forked history: change \(change) differs in its \(reason)"
    case .damaged(let error), .filled(by: _, let error):
      error.description
    }
  }
}

/// How one document relates to another one.
public enum Relation: Hashable, Sendable {
  /// Both hold the same changes.
  case same
  /// The other holds all changes of this one and so many more.
  case behind(Int)
  /// This one holds all changes of the other and so many more.
  case ahead(Int)
  /// Each holds changes that the other lacks: so many of ours, so many of theirs.
  case diverged(ours: Int, theirs: Int)
  /// They have one identity but no change in common.
  case unrelated
  /// They have different identities.
  case differentDocument
}

// Makes the parts of reports, for documents of other formats that are reported on in the same form.

extension Conflict {
  /// A conflict in a document of another format.
  package static func foreign(
    _ kind: Kind, at path: JSONPointer, id: String, kept: Side, others: [Side], line: Int? = nil
  ) -> Conflict {
    Conflict(
      path: path, line: line, kind: kind, id: id, kept: kept, others: others)
  }
}

extension Conflict.Side {
  /// A value in a document of another format; `nil` if it is a removal.
  package static func foreign(
    _ node: DocumentNode?, by author: String, at time: Timestamp, change: ChangeID
  ) -> Conflict.Side {
    Conflict.Side(node: node, author: author, time: time, change: change)
  }
}
