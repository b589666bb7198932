import Peernote

/// Histories of tracked plain files that are gone or damaged: what this machine has kept of them takes
/// their place, so that no file goes on without one unnoticed.
extension FolderSync {
  /// Puts back the histories of a folder of which this machine has kept a copy, while their files are
  /// there and still are what they were.
  mutating func restoreHistories(in folder: Int) throws {
    let open = folders[folder]
    for path in open.lostPaths + open.damagedPaths {
      try attempt(folder) { sync in try sync.restoreHistory(of: path, in: folder) }
    }
  }

  private mutating func restoreHistory(of path: RelativePath, in folder: Int) throws {
    let open = folders[folder]
    let (file, name) = (open.root.appending(path), named(path, folder))
    guard let contents = try? PlainContents(file, shown: name, host),
      let kept = PlainFileStates(host).keptHistory(of: file, contents)
    else { return }
    let isDamaged = open.isDamaged(path.history)
    if isDamaged, try !makeRoom(for: path, in: folder) {
      return runAgain(in: PlainContents.quiet)
    }
    try create(HistoryFile(kept), at: path.history, folder, readFrom: file)
    open.forget(path, .settled)
    report(.restored(name, isDamaged ? .damaged : .gone))
  }

  /// Moves a damaged history to the trash, unless somebody is writing it, and tells whether it is
  /// there.
  func makeRoom(for path: RelativePath, in folder: Int) throws -> Bool {
    let now = host.now
    let moved = try moveToTrash(path.history, folder) { $0.restlessness(at: now) == 0 }
    if moved != nil { folders[folder].clearFault(path.history) }
    return moved != nil
  }

  /// Says which files are tracked no more, since their histories are gone.
  mutating func sayLost() {
    for (number, folder) in folders.enumerated() {
      for path in folder.lostPaths {
        report(.untracked(named(path, number)))
        // What this machine has kept of it may still be wanted: then it is said until it is.
        if PlainFileStates(host).state(of: folder.root.appending(path)) == nil {
          folder.forget(path, .settled)
        }
      }
    }
  }

  /// Says which files are left as they are: conflict copies that belong to nothing, texts that cannot be
  /// read, and what no other folder gets.
  mutating func sayLeftOut() {
    for (number, folder) in folders.enumerated() where !folder.trackedPaths.isEmpty {
      let copies = folder.leftCopies.map { named($0, number) }
      if !copies.isEmpty { report(.leftCopies(folder.name, copies)) }
      let others = folders.enumerated().filter { $0.offset != number }.map(\.element.listing.others)
      let alone = folder.listing.others.filter { path, entry in
        !(DocumentFormat(of: FileName(bytes: path.bytes))?.isPlain ?? false)
          && ConflictCopyName.deliveredOriginal(of: path.lastComponent) == nil
          && others.contains { $0[path]?.size != entry.size }
      }.keys.sorted().map { named($0, number) }
      let files = unreadable.filter { folder.holds($0) } + alone
      if !files.isEmpty { report(.leftOut(folder.name, files)) }
    }
  }
}
