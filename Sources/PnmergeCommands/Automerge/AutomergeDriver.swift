import AutomergeFormat
import Peernote
import PeernoteJSON

/// The merge of two versions that git has of an Automerge document: the union of their changes.
///
/// Nothing undoes changes in such a document. So where a version took back some that the common
/// ancestor has, as after `git revert`, the versions stay unmerged: a union would bring them back.
/// What the current version merely lacks, as where a commit is picked, comes along.
struct AutomergeDriver {
  /// The merged file.
  private(set) var bytes: [UInt8]
  /// What a person may want to look at.
  private(set) var conflicts: [Conflict] = []
  /// How many changes came along that neither belong to the picked commit nor were there before.
  private(set) var broughtAlong = 0

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
    try compare(ancestor, ours, theirs, isMerge)
  }

  /// Brings in what somebody added to the file in the work tree, if it is a copy of the document.
  mutating func merge(edited: [UInt8]) throws(Failure) {
    guard AutomergeFile.begins(edited),
      let copy = try? AutomergeCopy(edited, from: FileName("the file in the work tree")),
      (try? AutomergeDocument(copy)) != nil
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
      guard let copy = try AutomergeCopy(bytes, from: file) else {
        throw Failure(.different, file: file, "is not an Automerge document")
      }
      return copy
    } catch {
      throw Failure(.different, "\(name): \(error.message)")
    }
  }

  private static func merge(
    _ ours: AutomergeCopy, _ theirs: AutomergeCopy
  ) throws(Failure) -> (bytes: [UInt8]?, outcome: MergeOutcome) {
    do throws(Failure) {
      return try AutomergeMerge(base: ours.file, copies: [theirs.file]).merged(ours, theirs)
    } catch {
      throw Failure(.different, (error.file.map { "\($0.visible): " } ?? "") + error.message)
    }
  }

  /// Looks for what a version lacks of its ancestor; one that cannot be read says nothing.
  private mutating func compare(
    _ ancestor: [UInt8], _ ours: AutomergeCopy, _ theirs: AutomergeCopy,
    _ isMerge: () throws(Failure) -> Bool
  ) throws(Failure) {
    guard AutomergeFile.begins(ancestor),
      let base = try? AutomergeCopy(ancestor, from: FileName("the common ancestor")),
      let history = try? AutomergeHistory([base, ours, theirs].map(\.container.source))
    else { return }
    let (old, current, incoming) = (
      Set(history.copies[0].changes), Set(history.copies[1].changes),
      Set(history.copies[2].changes)
    )
    let takenBackThere = old.subtracting(incoming)
    guard takenBackThere.isEmpty else { throw Self.failure(takenBackThere.count, theirs) }
    let lackedHere = old.subtracting(current)
    guard !lackedHere.isEmpty else { return }
    if try isMerge() { throw Self.failure(lackedHere.count, ours) }
    broughtAlong = lackedHere.count
  }

  private static func failure(_ count: Int, _ version: AutomergeCopy) -> Failure {
    Failure(
      .different,
      "\(version.file.visible) lacks \(counted(count, "change")) of the common ancestor, which a "
        + "merge would bring back; take one of the versions (git checkout --ours or --theirs), or "
        + "merge them all the same with 'pnmerge merge'")
  }
}
