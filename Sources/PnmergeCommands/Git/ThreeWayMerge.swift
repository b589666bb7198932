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
  /// What of that the document lists, until it is settled.
  private var listed: Set<String> = []
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
}

extension ThreeWayMerge {
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
    let ours = try Self.document(current, "the current version", beside: nil, &remarks)
    let theirs = try Self.document(incoming, "the incoming version", beside: ours, &remarks)
    guard ours.id == theirs.id else {
      throw Failure(
        .different,
        "the incoming version is a different document \(titleAndID(theirs.id, theirs.root)), not a "
          + "copy of the current one \(titleAndID(ours.id, ours.root)); keep one of them, or both "
          + "under two names, which 'pnmerge adopt' joins if they were made of one text")
    }
    self.init(document: ours, remarks: remarks)
    try merge(theirs)
    if ancestor.isEmpty { return }
    let base: Document
    let isUnion: Bool
    do {
      let known = try DocumentHeads(bytes: ancestor)
      if known.id != ours.id { return }
      // Branches that came to share more in another way, as by a squash, tell all by themselves.
      isUnion =
        known.heads.allSatisfy { ours.contains($0) && theirs.contains($0) }
        && !ours.holdsDifferences(beside: theirs)
      let common = ours.changeCount + theirs.changeCount - document.changeCount
      if isUnion, try ours.changeCount(upTo: known.heads) == common { return }
      base = try Document(bytes: ancestor, beside: ours)
    } catch {
      // It says nothing about the two versions, whose union loses nothing.
      self.remarks.append("the common ancestor is not a readable document and was left out")
      return
    }
    let areMerged = try isMerge()
    if !areMerged || !isUnion { try apply(theirs, since: base, to: ours, areMerged: areMerged) }
  }

  /// Applies the difference between two versions to a third one, or merges them if branches are
  /// merged, whatever they hold.
  init(
    differenceFrom base: Document, to theirs: Document, appliedTo ours: Document,
    isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    self.init(document: ours)
    try merge(theirs)
    try apply(theirs, since: base, to: ours, areMerged: isMerge())
  }

  private static func document(
    _ bytes: [UInt8], _ name: String, beside other: Document?, _ remarks: inout [String]
  ) throws(Failure) -> Document {
    do {
      return try Document(bytes: bytes, beside: other)
    } catch {
      if LFSPointer(bytes) != nil {
        throw Failure(
          .different,
          "\(name) is a Git LFS pointer and not the document; documents can be merged only if they "
            + "are not stored with Git LFS (git lfs untrack, git lfs migrate export)")
      }
      if AutomergeFile.begins(bytes) {
        throw Failure(
          .different,
          "\(name) is an Automerge document, and the other one is not; keep one of them, or both "
            + "under two names")
      }
      if let document = Document(withConvertedLineEnds: bytes) {
        remarks.append("line ends of \(name) had been converted, which was undone")
        return document
      }
      if bytes.isEmpty { throw Failure(.different, "\(name) is empty") }
      let state =
        switch error.kind {
        case .damaged, .noSuchVersion: "damaged"
        case .limit: "too large"
        case .newerFormat: "of a newer format"
        }
      throw Failure(.different, "\(name) is \(state): \(error)")
    }
  }

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
        self = ThreeWayMerge(document: ours, remarks: remarks)
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
        .different, "the difference from the common ancestor cannot be applied: \(error)")
    }
    document = result.document
    listed = Set(result.document.conflicts.map(\.id))
    conflicts = conflicts.filter { listed.contains($0.id) }
    adjoining = []
    isDifference = true
    (met, crowded) = (result.met, result.crowded)
  }

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
      if case .noSharedHistory = error {
        throw Failure(
          .different,
          "the two versions say they are one document, but have no history in common")
      }
      let failure = error.failure(
        "the incoming version", document, comparedWith: "the current version", document)
      throw Failure(.different, failure.message)
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
