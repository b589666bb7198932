import Peernote

/// Moving away what is folded into its note, or deleted.
extension FolderSync {
  /// Moves the conflict copies of a note, and a deleted note itself, to the trash of their folders.
  ///
  /// A copy goes only while it is the file whose changes are known to be in the note.
  mutating func clearAway(_ unit: NoteUnit) throws {
    for copy in unit.copies where mayWrite(to: copy.folder) {
      switch copy.role {
      case .conflictCopy:
        // Its changes have to be in a file that stays.
        guard isHeld(unit, inFolder: copy.folder) || unit.isDeleted else { continue }
        try attempt(copy.folder) { sync in
          try sync.moveToTrash(copy) { .folded($0) }
        }
      case .note where unit.isDeleted && copy.summary.checksum == unit.summary.checksum:
        try attempt(copy.folder) { sync in
          try sync.moveToTrash(copy) { .trashed($0) }
        }
      case .tombstone where !unit.isDeleted && isHeld(unit, inFolder: copy.folder):
        try attempt(copy.folder) { sync in try sync.removeTombstone(copy) }
      case .note, .tombstone: break
      }
    }
  }

  /// Whether a note of the folder holds all that its copies hold.
  private func isHeld(_ unit: NoteUnit, inFolder folder: Int) -> Bool {
    if isDryRun { return true }
    return folders[folder].documents.paths(of: unit.id).contains {
      folders[folder].documents[$0]?.checksum == unit.summary.checksum
    }
  }

  private mutating func moveToTrash(
    _ copy: NoteCopy, _ event: (FileName) -> SyncOutcome.Event
  ) throws {
    let name = shown(copy)
    if isDryRun { return report(event(name)) }
    let opened = folders[copy.folder]
    guard
      let path = try moveToTrash(copy.path, copy.folder, if: { opened.isKnown(copy.path, $0) })
    else { return }
    opened.forget(copy.path)
    opened.record(copy.summary, at: path, .trash)
    report(event(name))
  }

  /// Moves a file to the trash, under a free name, or that of a file which holds the same; `nil` if
  /// it stays.
  ///
  /// It stays if it is not the same that was read: somebody has written it since, and the next run
  /// sees. Throws if the system fails.
  func moveToTrash(
    _ path: RelativePath, _ folder: Int, if isSame: (FileIdentity) -> Bool
  ) throws -> RelativePath? {
    if isDryRun { return nil }
    let root = folders[folder].root
    let from = root.appending(path)
    let entry = try folders[folder].shownFile(path)
      .reading(host.identity(of: from, followingLinks: false))
    guard let entry, isSame(entry) else { return nil }
    let trash = RelativePath(bytes: FolderListing.hiddenName).appending(FolderListing.trashName)
    var target = trash.appending(path.bytes)
    do {
      try makeDirectories(above: target, folder)
      // Another machine may have put the same there.
      let isHeld = holdSame(from, root.appending(target))
      if !isHeld, try host.identity(of: root.appending(target), followingLinks: false) != nil {
        target = NumberedName.first(target) { candidate in
          (try? host.identity(of: root.appending(candidate), followingLinks: false)) == nil
        }
      }
      let to = root.appending(target)
      try host.rename(from, to: to, replacing: isHeld)
      // What lies there for long is removed one day.
      try? host.touch(to)
      try? host.synchronizeDirectory(to.directory)
      try? host.synchronizeDirectory(from.directory)
    } catch let error as HostError {
      throw error.whileCreating(named(target, folder))
    }
    return target
  }

  /// Removes what has been in a folder's trash for long; that this fails is no failure.
  func emptyTrash(of folder: Int) {
    if isDryRun || trashDays == 0 { return }
    let open = folders[folder]
    let end = (host.now.milliseconds - Int64(trashDays) * 86_400_000) * 1_000_000
    for (path, identity) in open.listing.allInTrash
    where max(identity.modified, identity.changed) < end {
      let file = open.root.appending(path)
      let entry = try? host.identity(of: file, followingLinks: false)
      guard let entry, entry == identity, (try? host.remove(file)) != nil else { continue }
      open.forget(path, .trash)
      open.forget(path, .trackedTrash)
      removeEmptyDirectories(above: path, folder)
    }
  }

  /// Whether two files hold the same; not if one of them cannot be read.
  private func holdSame(_ first: FileName, _ second: FileName) -> Bool {
    guard let there = try? host.identity(of: second, followingLinks: false),
      there.kind == .regular, let here = try? host.identity(of: first, followingLinks: false),
      here.size == there.size,
      let ours = try? host.read(first, limit: Invocation.inputLimit),
      let theirs = try? host.read(second, limit: Invocation.inputLimit)
    else { return false }
    return ours.bytes == theirs.bytes
  }

  /// Removes the deleted state of a note that is there again and holds all of it.
  private func removeTombstone(_ copy: NoteCopy) throws {
    if isDryRun { return }
    let entry = try shown(copy).creating(host.identity(of: file(copy), followingLinks: false))
    guard let entry, folders[copy.folder].isKnown(copy.path, entry, .trash) else { return }
    try shown(copy).creating(host.remove(file(copy)))
    folders[copy.folder].forget(copy.path, .trash)
  }
}
