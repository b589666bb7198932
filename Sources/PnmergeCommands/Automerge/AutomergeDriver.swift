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

  /// Merges; the versions stay unmerged if this throws.
  init(_ versions: GitVersions, isMerge: () throws(Failure) -> Bool) throws(Failure) {
    let copies: [AutomergeCopy]
    (copies, bytes, conflicts) = try Self.merge([
      (versions.current, "the current version"), (versions.incoming, "the incoming version"),
    ])
    // An ancestor that cannot be read says nothing.
    guard AutomergeFile.begins(versions.ancestor),
      let base = try? AutomergeCopy(versions.ancestor, from: FileName("the common ancestor")),
      let history = try? AutomergeHistory(([base] + copies).map(\.container.source)),
      !Self.isUnion(history)
    else { return }
    let documents = try ([base] + copies).map { (copy) throws(Failure) in
      try AutomergeImport.document(of: AutomergeDocument([copy]))
    }
    let difference = try ThreeWayMerge(
      differenceFrom: documents[0], to: documents[2], appliedTo: documents[1], isMerge: isMerge)
    let hasBoth = documents[2].heads.allSatisfy(difference.document.contains)
    if !hasBoth { bytes = versions.current }
    self.difference = difference
    let made = difference.document.changes.last { change in
      !documents[1].contains(change.id) && !documents[2].contains(change.id)
    }
    guard let made else { return }
    do {
      bytes = try Self.bytes(
        of: AutomergeDocument(
          hasBoth ? copies : [copies[0]], addition: "; nothing was written"),
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
    try AutomergeDocument.check(bytes, Set(history.numbers.keys), merged.copy.file)
    return bytes
  }

  /// Brings in what somebody added to the file in the work tree, if it is a copy of the document.
  mutating func merge(edited: [UInt8]) throws(Failure) {
    let name = "the file in the work tree"
    guard AutomergeFile.begins(edited),
      let copy = try? AutomergeCopy(edited, from: FileName(name)),
      (try? AutomergeDocument([copy])) != nil
    else { return }
    let merged = try Self.merge([(bytes, "the merged version"), (edited, name)])
    bytes = merged.bytes
    conflicts += merged.conflicts
  }

  /// Merges versions into the first one, which stays as it is if it lacks nothing.
  private static func merge(
    _ versions: [(bytes: [UInt8], name: String)]
  ) throws(Failure) -> (copies: [AutomergeCopy], bytes: [UInt8], conflicts: [Conflict]) {
    do throws(Failure) {
      let copies = try versions.map { (bytes, name) throws(Failure) in
        try AutomergeCopy(required: bytes, from: FileName(name))
      }
      let merged = try AutomergeDocument(merging: copies)
      let outcome = merged.mergeOutcome(output: copies[0].file)
      if outcome.newChanges.count == 0 { return (copies, versions[0].bytes, outcome.conflicts) }
      let bytes = merged.bytes(with: merged.state)
      try AutomergeDocument.check(bytes, Set(merged.history.numbers.keys), copies[0].file)
      return (copies, bytes, outcome.conflicts)
    } catch {
      throw Failure(.different, (error.file.map { "\($0.visible): " } ?? "") + error.message)
    }
  }
}
