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
    let files = folders[folder].listing.automergeFiles
    var count = files.count
    for (copy, document) in try automergeCopies(files.keys.sorted(), folder)
    where mayWrite(to: folder) {
      try attempt(folder) { sync in
        if try sync.fold(copy, files[copy], into: document, folder) { count -= 1 }
      }
    }
    return count
  }

  /// The conflict copies among files, ascending, with the files that they are copies of.
  private mutating func automergeCopies(
    _ paths: [RelativePath], _ folder: Int
  ) throws -> [(copy: RelativePath, document: RelativePath)] {
    guard matchesByID ? paths.count > 1 : paths.contains(where: { $0.original != nil }) else {
      return []
    }
    var byID: [UniqueID: [RelativePath]] = [:]
    for path in paths {
      try attempt(nil) { sync in
        byID[try sync.automergeID(of: sync.named(path, folder)), default: []].append(path)
      }
    }
    return byID.values.flatMap { copies in
      let free = copies.filter { $0.original == nil }.min { $0.isPlainer(than: $1) }
      return copies.compactMap { copy -> (copy: RelativePath, document: RelativePath)? in
        let named = copy.original.flatMap { copies.contains($0) ? $0 : free }
        let document = matchesByID ? free ?? copies[0] : named
        return document.flatMap { $0 == copy ? nil : (copy, $0) }
      }
    }.sorted { $0.copy < $1.copy }
  }

  private func automergeID(of file: FileName) throws(Failure) -> UniqueID {
    let bytes = try invocation.readDocumentBytes(file)
    return try AutomergeDocument([AutomergeCopy(required: bytes, from: file)]).id
  }

  /// Folds a copy that was listed, and tells whether it went.
  private mutating func fold(
    _ copy: RelativePath, _ listed: FileIdentity?, into document: RelativePath, _ folder: Int
  ) throws -> Bool {
    let (from, to) = (named(copy, folder), named(document, folder))
    let outcome = try CopyMerge(base: to, copies: [from], backups: backups)
      .mergeAutomerge(invocation)
    if outcome.hasChanged {
      report(.merged(to, outcome.copies.first?.newChanges ?? ChangeTally()))
    }
    if !outcome.conflicts.isEmpty { report(.conflicts(to, outcome.conflicts)) }
    guard try moveToTrash(copy, folder, if: { $0.stamp == listed?.stamp }) != nil else {
      return false
    }
    report(.folded(from))
    return true
  }
}
