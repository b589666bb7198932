import AutomergeFormat
package import Peernote

/// The merge of two versions that git has of a file, given the version that git compares them with.
///
/// It is the union of their changes where both versions hold all that the ancestor does, neither took
/// something back or picked it from the other, and nothing else is in both, unless branches are
/// certainly merged. Otherwise, as where a commit is reverted or picked, or branches are merged of
/// which one took something back, it is the difference from the ancestor to the incoming version,
/// applied to the current one (``Document/applying(differenceFrom:to:)``). Where branches are certainly
/// merged the history of both is in the result.
package struct ThreeWayMerge {
  /// The three versions of a file, in git's order of stages.
  fileprivate enum Version: String {
    case ancestor = "the common ancestor"
    case current = "the current version"
    case incoming = "the incoming version"
  }

  /// The merged document.
  package var document: Document
  /// What the union of the two versions decided.
  package var conflicts: [Conflict] = []
  /// Where lines that both sides changed adjoin.
  package var adjoining: [Conflict] = []
  /// Whether it is the difference from the ancestor that was applied, and not the union.
  package var isDifference = false
  /// Where that difference met what the current version had changed.
  package var met: [Conflict] = []
  /// The texts in which it put something in where the current version had put in something else.
  package var crowded: [JSONPointer] = []
  /// The deleted text that is gone, since the incoming version has redacted it.
  package var takenOut: [TakenOutText] = []
  /// What one version has redacted and the merged one still has.
  package var leftover: [LeftoverText] = []
  /// Sentences about faults that did not matter.
  package var remarks: [String] = []

  /// Whether it is left to a person, as git leaves a conflict of plain text.
  package var isLeft: Bool {
    let open = Set(document.conflicts.map(\.id))
    return !crowded.isEmpty || met.contains { !listed.contains($0.id) || open.contains($0.id) }
  }

  /// What of that the document lists, until it is settled.
  private var listed: Set<String> = []

  /// Merges; the ancestor is empty if there is none.
  ///
  /// O(n log n), and a replay of what happened since the two parted. Whether branches are certainly
  /// merged is asked only if the answer matters. Throws a ``Failure``, for which the versions stay
  /// unmerged, if one of them is no document, they are different documents, or the result passes a
  /// limit.
  package init(
    ancestor: [UInt8], current: [UInt8], incoming: [UInt8],
    isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    var remarks: [String] = []
    let ours = try Self.document(current, .current, beside: nil, &remarks)
    let theirs = try Self.document(incoming, .incoming, beside: ours, &remarks)
    guard ours.id == theirs.id else {
      throw Failure(
        .different,
        "the incoming version is a different document \(titleAndID(theirs.id, theirs.root)), not a "
          + "copy of the current one \(titleAndID(ours.id, ours.root)); keep one of them, or both "
          + "under two names, which 'pnmerge adopt' joins if they were made of one text")
    }
    document = ours
    try merge(theirs)
    let common = ours.changeCount + theirs.changeCount - document.changeCount
    if let base = Self.base(ancestor, ours, theirs, common, &remarks) {
      let areMerged = try isMerge()
      // Branches that came to share changes in another way, as by a squash, tell all by themselves.
      let isKnown = base.heads.allSatisfy { ours.contains($0) && theirs.contains($0) }
      if !areMerged || !isKnown || ours.holdsDifferences(beside: theirs) {
        try apply(theirs, since: base, to: ours, areMerged: areMerged)
      }
    }
    self.remarks = remarks
  }

  /// Applies the difference between two versions to a third one, or merges them if branches are
  /// merged, whatever they hold.
  init(
    differenceFrom base: Document, to theirs: Document, appliedTo ours: Document,
    isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    document = ours
    try merge(theirs)
    try apply(theirs, since: base, to: ours, areMerged: isMerge())
  }

  // MARK: Reading

  private static func document(
    _ bytes: [UInt8], _ version: Version, beside other: Document?, _ remarks: inout [String]
  ) throws(Failure) -> Document {
    do {
      return try Document(bytes: bytes, beside: other)
    } catch {
      if LFSPointer(bytes) != nil {
        throw Failure(
          .different,
          "\(version.rawValue) is a Git LFS pointer and not the document; documents can be merged "
            + "only if they are not stored with Git LFS (git lfs untrack, git lfs migrate export)")
      }
      if AutomergeFile.begins(bytes) {
        throw Failure(
          .different,
          "\(version.rawValue) is an Automerge document, and the other one is not; keep one of "
            + "them, or both under two names")
      }
      if let document = ConvertedLineEnds.restored(bytes) {
        remarks.append("line ends of \(version.rawValue) had been converted, which was undone")
        return document
      }
      let state =
        switch error.kind {
        case .damaged, .noSuchVersion: bytes.isEmpty ? "empty" : "damaged"
        case .limit: "too large"
        case .newerFormat: "of a newer format"
        }
      let reason = bytes.isEmpty ? "" : ": \(error)"
      throw Failure(.different, "\(version.rawValue) is \(state)\(reason)")
    }
  }

  /// The ancestor, if there is one and it is not just what the two versions share.
  ///
  /// One that cannot be read, or is another document, says nothing about the two versions; their
  /// union loses nothing.
  private static func base(
    _ ancestor: [UInt8], _ ours: Document, _ theirs: Document, _ common: Int,
    _ remarks: inout [String]
  ) -> Document? {
    guard !ancestor.isEmpty else { return nil }
    do {
      let base = try DocumentHeads(bytes: ancestor)
      guard base.id == ours.id else { return nil }
      if base.heads.allSatisfy({ ours.contains($0) && theirs.contains($0) }),
        try ours.changeCount(upTo: base.heads) == common, !ours.holdsDifferences(beside: theirs)
      {
        return nil
      }
      return try Document(bytes: ancestor, beside: ours)
    } catch {
      remarks.append("\(Version.ancestor.rawValue) is not a readable document and was left out")
      return nil
    }
  }

  // MARK: Differences

  /// Applies the difference to one version in place of the union of both.
  private mutating func apply(
    _ theirs: Document, since base: Document, to ours: Document, areMerged: Bool
  ) throws(Failure) {
    let result: Document.AppliedDifference
    do {
      if areMerged {
        result = try Document.applying(to: document, ours, theirs, since: base)
      } else {
        let isRedacted = !takenOut.isEmpty
        self = ThreeWayMerge(document: ours)
        if isRedacted {
          // What is redacted there of what both hold goes here, too.
          let shared = theirs.changes.map(\.id).filter { ours.contains($0) }
          try merge(try theirs.at(version: shared))
        }
        result = try document.applying(differenceFrom: base, to: theirs)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        .different, "the difference from \(Version.ancestor.rawValue) cannot be applied: \(error)")
    }
    document = result.document
    listed = Set(result.document.conflicts.map(\.id))
    conflicts = conflicts.filter { listed.contains($0.id) }
    adjoining = []
    isDifference = true
    (met, crowded) = (result.met, result.crowded)
  }

  private init(document: Document) { self.document = document }

  // MARK: Merging

  /// Brings in what somebody added to the file in the work tree, if it is a copy of the document.
  mutating func merge(edited file: [UInt8]) throws(Failure) {
    guard let edited = try? Document(bytes: file), edited.id == document.id else { return }
    try merge(edited)
  }

  private mutating func merge(_ theirs: Document) throws(Failure) {
    do {
      let report = try document.merge(theirs, after: conflicts + adjoining)
      conflicts = report.conflicts
      adjoining = report.adjoining
      takenOut += report.takenOut
      leftover += report.leftover.filter { !leftover.contains($0) }
    } catch {
      throw Failure(.different, error.reasonToKeepApart)
    }
  }

  /// The document's bytes, once they were read back.
  func verifiedBytes(_ file: FileName) throws(Failure) -> [UInt8] {
    let bytes = document.bytes()
    do throws(FileError) {
      try document.state.check(bytes, in: file, beside: document)
    } catch {
      throw Failure(error)
    }
    return bytes
  }
}

extension MergeError {
  /// Why two versions of a file in git cannot be merged.
  fileprivate var reasonToKeepApart: String {
    switch self {
    case .differentDocument: "the incoming version is a different document"
    case .noSharedHistory:
      "the two versions say they are one document, but have no history in common"
    case .sharedHistory: description
    case .forked(let change, let reason):
      "change \(change) is not the same in both versions, but differs in its \(reason)"
    case .damaged(let error) where error.kind == .limit:
      "the two versions take more than the limits together: \(error)"
    case .damaged(let error): "the two versions contradict each other: \(error)"
    case .filled(by: let change, let error):
      "the two versions hold more than a document may: \(error); "
        + "'pnmerge merge --without \(change.agent)' leaves them out of a file"
    }
  }
}
