import AutomergeFormat
import Peernote

/// The merge of two versions that git has of an Automerge document, by the same rule as
/// ``ThreeWayMerge``: the union of their changes, or a difference, which is one more change.
struct AutomergeDriver {
  /// The merged file.
  private(set) var bytes: [UInt8]
  /// What a person may want to look at in the union.
  private(set) var conflicts: [Conflict] = []
  /// What came of it where a difference was applied.
  private(set) var difference: ThreeWayMerge?

  /// Merges; the ancestor is empty if there is none.
  ///
  /// - Throws: ``Failure``, for which the versions stay unmerged.
  init(
    ancestor: [UInt8], current: [UInt8], incoming: [UInt8],
    isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    let ours = try Self.copy(current, named: "the current version")
    let theirs = try Self.copy(incoming, named: "the incoming version")
    let (bytes, outcome) = try Self.merge(ours, theirs)
    self.bytes = bytes ?? current
    conflicts = outcome.conflicts
    // An ancestor that cannot be read says nothing.
    guard AutomergeFile.begins(ancestor),
      let base = try? AutomergeCopy(ancestor, from: FileName("the common ancestor")),
      let history = try? AutomergeHistory([base, ours, theirs].map(\.container.source)),
      !Self.isUnion(history)
    else { return }
    let documents = try [base, ours, theirs].map { (copy) throws(Failure) in
      try AutomergeImport.document(of: AutomergeDocument([copy]))
    }
    let difference = try ThreeWayMerge(
      differenceFrom: documents[0], to: documents[2], appliedTo: documents[1], isMerge: isMerge)
    let hasBoth = documents[2].heads.allSatisfy(difference.document.contains)
    if !hasBoth { self.bytes = current }
    self.difference = difference
    let made = difference.document.changes.last { change in
      !documents[1].contains(change.id) && !documents[2].contains(change.id)
    }
    guard let made else { return }
    do {
      self.bytes = try Self.bytes(
        of: AutomergeDocument(
          hasBoth ? [ours, theirs] : [ours], addition: "; nothing was written"),
        showing: difference.document, like: made)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.different, "the difference cannot be applied: \(error)")
    }
  }

  /// Whether both versions hold all that the ancestor does, nothing else is in both, and none of the
  /// rest was made here.
  private static func isUnion(_ history: AutomergeHistory) -> Bool {
    let (old, current, incoming) = (
      Set(history.copies[0].changes), Set(history.copies[1].changes),
      Set(history.copies[2].changes)
    )
    return old == current.intersection(incoming)
      && !current.symmetricDifference(incoming).contains { number in
        AutomergeRevision.isByUs(history.actors.actors[Int(history.changes[number].actor)])
      }
  }

  /// The file with one more change, which leads to what a document shows.
  private static func bytes(
    of merged: AutomergeDocument, showing document: Document, like made: ChangeSummary
  ) throws -> [UInt8] {
    // What the file shows, by the identities of the document.
    var present = document
    let session = DocumentSession(agent: AgentID(digestOf: [0]), author: "", time: made.time)
    try present.change(by: session) { (editor) throws(EditError) in
      try editor.replaceContent(at: JSONPointer(), with: merged.state.root)
    }
    let history = try AutomergeRevision.adding(
      document.patches(from: present), to: merged.history, like: made)
    let bytes = merged.bytes(with: AutomergeState(history))
    try AutomergeMerge.check(bytes, Set(history.numbers.keys), merged.copy.file)
    return bytes
  }

  /// Brings in what somebody added to the file in the work tree, if it is a copy of the document.
  mutating func merge(edited: [UInt8]) throws(Failure) {
    guard AutomergeFile.begins(edited),
      let copy = try? AutomergeCopy(edited, from: FileName("the file in the work tree")),
      (try? AutomergeDocument([copy])) != nil
    else { return }
    let (bytes, outcome) = try Self.merge(Self.copy(self.bytes, named: "the merged version"), copy)
    self.bytes = bytes ?? self.bytes
    conflicts += outcome.conflicts
  }

  private static func copy(
    _ bytes: [UInt8], named name: String
  ) throws(Failure) -> AutomergeCopy {
    let file = FileName(name)
    do throws(Failure) {
      return try AutomergeCopy(required: bytes, from: file)
    } catch {
      throw Failure(.different, "\(name): \(error.message)")
    }
  }

  private static func merge(
    _ ours: AutomergeCopy, _ theirs: AutomergeCopy
  ) throws(Failure) -> (bytes: [UInt8]?, outcome: MergeOutcome) {
    do throws(Failure) {
      return try AutomergeMerge(theirs.file, into: ours.file).merged(ours, theirs)
    } catch {
      throw Failure(.different, (error.file.map { "\($0.visible): " } ?? "") + error.message)
    }
  }
}
