import AutomergeFormat
import Peernote
import PeernoteJSON

/// The merge of two versions that git has of an Automerge document: the union of their changes.
///
/// Nothing undoes changes in such a document. So where a version lacks some that its ancestor had,
/// as after `git revert`, the versions stay unmerged: a union would bring them back.
struct AutomergeDriver {
  /// The merged file, and what a person should know of it.
  struct Outcome {
    var bytes: [UInt8]
    var conflicts: [Conflict] = []
  }

  /// Merges; `nil` if the current version is no Automerge document.
  ///
  /// - Throws: ``Failure``, for which the versions stay unmerged.
  static func merge(
    ancestor: [UInt8], current: [UInt8], incoming: [UInt8]
  ) throws(Failure) -> Outcome? {
    guard AutomergeFile.begins(current) else { return nil }
    let ours = try copy(current, named: "the current version")
    let theirs = try copy(incoming, named: "the incoming version")
    do throws(Failure) {
      try checkNothingIsTakenBack(ancestor, ours, theirs)
      let merge = AutomergeMerge(base: ours.file, copies: [theirs.file])
      let (bytes, outcome) = try merge.merged(ours, theirs)
      return Outcome(bytes: bytes ?? current, conflicts: outcome.conflicts)
    } catch {
      throw Failure(.different, (error.file.map { "\($0.visible): " } ?? "") + error.message)
    }
  }

  private static func copy(
    _ bytes: [UInt8], named name: String
  ) throws(Failure) -> AutomergeCopy {
    let file = FileName(name)
    do throws(Failure) {
      guard AutomergeFile.begins(bytes), let copy = try AutomergeCopy(bytes, from: file) else {
        throw Failure(.different, "\(name) is no Automerge document")
      }
      return copy
    } catch {
      throw Failure(.different, (error.file == nil ? "" : "\(name): ") + error.message)
    }
  }

  private static func checkNothingIsTakenBack(
    _ ancestor: [UInt8], _ ours: AutomergeCopy, _ theirs: AutomergeCopy
  ) throws(Failure) {
    guard AutomergeFile.begins(ancestor),
      let base = try? AutomergeCopy(ancestor, from: FileName("the common ancestor"))
    else { return }
    guard
      let history = try? AutomergeHistory(
        [base, ours, theirs].map(\.container.source))
    else { return }
    let old = Set(history.copies[0].changes)
    for (index, copy) in [(1, ours), (2, theirs)] {
      let lacked = old.subtracting(history.copies[index].changes).count
      guard lacked == 0 else {
        throw Failure(
          .different,
          "\(copy.file.visible) lacks \(counted(lacked, "change")) of the common ancestor, which a "
            + "merge would bring back; take one of the versions, or merge them with pnmerge")
      }
    }
  }
}
