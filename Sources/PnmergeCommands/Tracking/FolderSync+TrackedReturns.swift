import Peernote

/// Tracked plain files that were deleted, or came back; and histories that are gone or damaged: what
/// this machine has kept of them takes their place, so that no file goes on without one unnoticed.
extension FolderSync {
  /// Takes for places of a deleted file those at which it is there again: an old copy of it, or one
  /// that was edited by somebody who did not know.
  ///
  /// Another file under its name is left alone.
  mutating func addReturned(to unit: inout TrackedUnit, _ history: PlainHistory) throws {
    for tombstone in unit.tombstones
    where unit.place(in: tombstone.folder) == nil && isReturned(tombstone, history) {
      unit.places.append(
        TrackedPlace(
          id: unit.id, folder: tombstone.folder, path: tombstone.home, hasHistory: false))
    }
    unit.places.sort { $0.folder < $1.folder }
  }

  /// Whether a deleted file, with a history, is there again; what is no text is none of it.
  func isReturned(_ tombstone: NoteCopy, _ history: PlainHistory) -> Bool {
    let (open, home) = (folders[tombstone.folder], tombstone.home)
    guard open.listing.others[home] != nil, open.tracked[home.history] == nil else { return false }
    let contents = try? PlainContents(
      open.root.appending(home), shown: named(home, tombstone.folder), host)
    return contents?.share(of: history) != nil
  }

  // MARK: Histories that are gone or damaged

  /// Puts back the histories of a folder of which this machine has kept a copy, while their files are
  /// there and still are what they were.
  mutating func restoreHistories(in folder: Int) throws {
    let open = folders[folder]
    for path in open.lostPaths + open.damagedPaths where mayWrite(to: folder) {
      let (file, name) = (open.root.appending(path), named(path, folder))
      guard let contents = try? PlainContents(file, shown: name, host),
        let kept = PlainFileStates(host).keptHistory(of: file, contents)
      else { continue }
      let isDamaged = open.isDamaged(path.history)
      try attempt(folder) { sync in
        if isDamaged, try !sync.makeRoom(for: path, in: folder) { throw Restless() }
        _ = try sync.write(HistoryFile(kept), to: path.history, folder, expecting: .absent)
        open.forget(path, .settled)
        sync.report(.restored(name, isDamaged ? .damaged : .gone))
      }
    }
  }

  /// Moves a damaged history to the trash, unless somebody is writing it, and tells whether it is
  /// there.
  func makeRoom(for path: RelativePath, in folder: Int) throws -> Bool {
    let now = host.now
    let moved = try moveToTrash(path.history, folder) { $0.restlessness(at: now) == 0 }
    if moved != nil { folders[folder].clearFault(path.history) }
    return moved != nil
  }

  /// Says which files are tracked no more, since their histories are gone, and which are left as they
  /// are: conflict copies that belong to nothing, texts that cannot be read, and what no other folder
  /// gets.
  mutating func sayUntracked() {
    for (number, folder) in folders.enumerated() {
      for path in folder.lostPaths {
        report(.untracked(named(path, number)))
        // What this machine has kept of it may still be wanted: then it is said until it is.
        if PlainFileStates(host).state(of: folder.root.appending(path)) == nil {
          folder.forget(path, .settled)
        }
      }
      if !folder.tracksFiles { continue }
      let copies = folder.leftCopies.map { named($0, number) }
      if !copies.isEmpty { report(.leftCopies(folder.name, copies)) }
      let others = folders.enumerated().filter { $0.offset != number }.map(\.element.listing.others)
      let alone = folder.listing.others.filter { path, entry in
        !path.isPlainText && !path.isDelivered && others.contains { $0[path]?.size != entry.size }
      }.keys.sorted().map { named($0, number) }
      let files = unreadable.filter { folder.holds($0) } + alone
      if !files.isEmpty { report(.leftOut(folder.name, files)) }
    }
  }
}
