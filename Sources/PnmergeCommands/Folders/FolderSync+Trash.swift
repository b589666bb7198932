import Peernote

/// Moving away what is folded into its note, or deleted.
extension FolderSync {
  /// Moves the conflict copies of a note, and a deleted note itself, to the trash of their folders,
  /// while each is the file whose changes are known to be in the note.
  mutating func clearAway(_ unit: NoteUnit) throws {
    let checksum = unit.summary.checksum
    for copy in unit.copies where mayWrite(to: copy.folder) {
      // Its changes have to be in a file that stays.
      func isSafe() -> Bool { isHeld(unit.id, checksum, in: copy.folder, .documents) }
      let event: SyncOutcome.Event?
      switch copy.role {
      case .conflictCopy where unit.isDeleted || isSafe(): event = .folded(shown(copy))
      case .note where unit.isDeleted && copy.summary.checksum == checksum:
        event = .trashed(shown(copy))
      case .tombstone where !unit.isDeleted && isSafe(): event = nil
      case .conflictCopy, .note, .tombstone: continue
      }
      try attempt(copy.folder) { sync in
        guard let event else { return try sync.removeTombstone(copy, .trash) }
        if try sync.discard(copy.path, copy.folder, .documents) { sync.report(event) }
      }
    }
  }

  /// Whether a note of a folder holds all that its copies hold.
  func isHeld(
    _ id: UniqueID, _ checksum: [UInt8], in folder: Int, _ kind: OpenFolder.Kind
  ) -> Bool {
    let list = folders[folder][kind]
    return list.paths(of: id).contains { list.checksum(at: $0) == checksum }
  }

  /// Moves a document or a history to the trash while it is the file that is known, and tells whether
  /// it went.
  func discard(_ path: RelativePath, _ folder: Int, _ kind: OpenFolder.Kind) throws -> Bool {
    let open = folders[folder]
    guard let summary = open[kind][path],
      let place = try moveToTrash(path, folder, if: { open.isKnown(path, $0, kind) })
    else { return false }
    open.forget(path, kind)
    open.record(summary, at: place, kind == .tracked ? .trackedTrash : .trash)
    return true
  }

  /// Moves a file to the trash, under a free name, or that of a file which holds the same; `nil` if
  /// it stays, since it is not the same that was read: the next run sees.
  func moveToTrash(
    _ path: RelativePath, _ folder: Int, if isSame: (FileIdentity) -> Bool
  ) throws -> RelativePath? {
    let root = folders[folder].root
    let from = root.appending(path)
    let entry = try named(path, folder).reading(host.identity(of: from, followingLinks: false))
    guard let entry, isSame(entry) else { return nil }
    let trash = RelativePath(bytes: FolderListing.hiddenName).appending(FolderListing.trashName)
    var target = trash.appending(path.bytes)
    do {
      try makeDirectories(above: target, folder)
      // Another machine may have put the same there.
      let there = try host.identity(of: root.appending(target), followingLinks: false)
      let isHeld =
        there?.kind == .regular && there?.size == entry.size
        && holdSame(from, root.appending(target))
      if there != nil, !isHeld {
        target = NumberedName.first(target) { isFree($0, in: folder, .trash) }
      }
      let to = root.appending(target)
      try host.rename(from, to: to, replacing: isHeld)
      folders[folder].listing.move(path)
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
    if trashDays == 0 { return }
    let open = folders[folder]
    // A century is for ever.
    let days = Int64(min(trashDays, 36_500))
    let end = (host.now.milliseconds - days * 86_400_000) * 1_000_000
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
    guard let bytes = try? host.read(first, limit: Invocation.inputLimit).bytes else {
      return false
    }
    return (try? host.identity(of: second, ifItHolds: bytes)) != nil
  }

  // MARK: Notes that are back

  /// Removes the deleted state of a note that is there again and holds all of it.
  func removeTombstone(_ copy: NoteCopy, _ kind: OpenFolder.Kind) throws {
    let entry = try shown(copy).creating(host.identity(of: file(copy), followingLinks: false))
    guard let entry, folders[copy.folder].isKnown(copy.path, entry, kind) else { return }
    try shown(copy).creating(host.remove(file(copy)))
    folders[copy.folder].forget(copy.path, kind)
  }

  /// Takes a mark off that a document is deleted, if somebody edited it who did not know of it, and
  /// says that the note is back if that `isNews`; or if another machine has taken it off, but a copy
  /// is `deleted`.
  mutating func withdrawDeletion(
    in document: inout Document, _ name: FileName, deleted: NoteCopy?, isNews: Bool = true
  ) throws {
    if let deletion = document.deletion {
      if deletion.isCurrent { return }
      if isNews { reportBack(name, deletedBy: deletion.author, document.deletionMarks, document) }
      do throws(EditError) {
        try document.withdrawOutdatedDeletion()
      } catch {
        throw Failure(.damaged, file: name, "\(error); nothing was written")
      }
    } else if let deleted, let deletion = deleted.summary.deletion, deletion.isCurrent {
      let marks = try invocation.readDocument(file(deleted), beside: document).deletionMarks
      reportBack(name, deletedBy: deletion.author, marks, document)
    }
  }

  /// Says once that a note is back which some changes marked as deleted.
  private mutating func reportBack(
    _ file: FileName, deletedBy author: String, _ marks: Set<ChangeID>, _ document: Document
  ) {
    let isKnown = outcome.events.contains {
      if case .broughtBack(file, _, _) = $0 { true } else { false }
    }
    if isKnown { return }
    report(.broughtBack(file, deletedBy: author, by: document.knowingChange(after: marks)?.author))
  }
}
