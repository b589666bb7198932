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
    let from = file(copy)
    do throws(HostError) {
      let entry = try host.identity(of: from, followingLinks: false)
      // Somebody may have written it since it was read; the next run sees.
      guard let entry, folders[copy.folder].isKnown(copy.path, entry) else { return }
    } catch {
      throw error.whileReading(name)
    }
    let trash = RelativePath(bytes: FolderListing.hiddenName).appending(FolderListing.trashName)
    var path = trash.appending(copy.path.bytes)
    do {
      try makeDirectories(above: path, copy.folder)
      if try host.identity(of: folders[copy.folder].root.appending(path), followingLinks: false)
        != nil
      {
        let root = folders[copy.folder].root
        path = NumberedName.first(path) { candidate in
          (try? host.identity(of: root.appending(candidate), followingLinks: false)) ?? nil == nil
        }
      }
      let to = folders[copy.folder].root.appending(path)
      try host.rename(from, to: to, replacing: false)
      try? host.synchronizeDirectory(to.directory)
      try? host.synchronizeDirectory(from.directory)
    } catch let error as HostError {
      throw error.whileCreating(named(path, copy.folder))
    }
    folders[copy.folder].forget(copy.path)
    folders[copy.folder].record(copy.summary, at: path, inTrash: true)
    report(event(name))
  }

  /// Removes the deleted state of a note that is there again and holds all of it.
  private func removeTombstone(_ copy: NoteCopy) throws {
    if isDryRun { return }
    do throws(HostError) {
      let entry = try host.identity(of: file(copy), followingLinks: false)
      guard let entry, folders[copy.folder].isKnown(copy.path, entry, inTrash: true) else { return }
      try host.remove(file(copy))
    } catch {
      throw error.whileCreating(shown(copy))
    }
    folders[copy.folder].forget(copy.path, inTrash: true)
  }
}
