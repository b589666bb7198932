import AutomergeFormat
import Peernote

/// Folding the conflict copies of MeetingNotes' files and other Automerge documents, which stay in
/// their format.
extension FolderSync {
  /// Merges conflict copies into the files that they are copies of, moves them to the trash, and
  /// gives how many files stay.
  ///
  /// What belongs to what is told as for notes. Nothing is remembered of these files: all in a
  /// folder are read while one of them is called like a conflict copy.
  mutating func foldAutomergeCopies(in folder: Int) throws -> Int {
    var count = folders[folder].listing.automergeFiles.count
    for (copy, document) in try automergeCopies(in: folder) where mayWrite(to: folder) {
      try attempt(folder) { sync in
        if try sync.fold(copy, into: document, folder) { count -= 1 }
      }
    }
    return count
  }

  /// The conflict copies of a folder, with the files that they are copies of.
  private mutating func automergeCopies(
    in folder: Int
  ) throws -> [(copy: RelativePath, document: RelativePath)] {
    let paths = folders[folder].listing.automergeFiles.keys.sorted()
    guard matchesByID ? paths.count > 1 : paths.contains(where: { $0.original != nil }) else {
      return []
    }
    var byID: [UniqueID: [RelativePath]] = [:]
    for path in paths {
      try attempt(nil) { sync in
        byID[try sync.automergeID(of: sync.folders[folder].shownFile(path)), default: []]
          .append(path)
      }
    }
    return byID.values.flatMap { copies -> [(RelativePath, RelativePath)] in
      let free = copies.filter { $0.original == nil }.min { $0.isPlainer(than: $1) }
      return copies.compactMap { copy in
        let named = copy.original.flatMap { copies.contains($0) ? $0 : free }
        guard let document = matchesByID ? free ?? copies[0] : named, document != copy else {
          return nil
        }
        return (copy, document)
      }
    }.sorted { $0.0 < $1.0 }
  }

  private func automergeID(of file: FileName) throws(Failure) -> UniqueID {
    let bytes = try invocation.readDocumentBytes(file)
    let copy = try AutomergeCopy(required: bytes, from: file)
    do throws(AutomergeError) {
      return try AutomergeHistory(copy.container.source).documentID(copy.container.envelope)
    } catch {
      throw error.failure(in: file)
    }
  }

  private mutating func fold(
    _ copy: RelativePath, into document: RelativePath, _ folder: Int
  ) throws -> Bool {
    let opened = folders[folder]
    let (from, to) = (opened.shownFile(copy), opened.shownFile(document))
    guard let identity = opened.listing.automergeFiles[copy] else { return false }
    let outcome = try CopyMerge(base: to, copies: [from], backups: backups)
      .mergeAutomerge(invocation)
    if outcome.hasChanged {
      report(.merged(to, outcome.copies.first?.newChanges ?? ChangeTally()))
    }
    if !outcome.conflicts.isEmpty { report(.conflicts(to, outcome.conflicts)) }
    let place = try moveToTrash(copy, folder) { $0.stamp == identity.stamp }
    if place != nil { report(.folded(from)) }
    return place != nil
  }
}
