import Peernote

/// Tracked plain files that were deleted, or came back.
extension FolderSync {
  /// Takes for places of a deleted file those at which it is there again: an old copy of it, or one
  /// that was edited by somebody who did not know.
  ///
  /// Another file under its name is left alone.
  mutating func addReturned(to unit: inout TrackedUnit, _ history: PlainHistory) throws {
    for tombstone in unit.tombstones where unit.place(in: tombstone.folder) == nil {
      let (open, home) = (folders[tombstone.folder], tombstone.home)
      guard open.listing.others[home] != nil, open.tracked[home.history] == nil else { continue }
      let file = open.root.appending(home)
      // What is no text is none of it.
      let contents = try? PlainContents(file, shown: named(home, tombstone.folder), host)
      guard contents?.share(of: history) != nil else { continue }
      unit.places.append(
        TrackedPlace(withoutHistory: home, folder: tombstone.folder))
    }
    unit.places.sort { $0.folder < $1.folder }
  }

  /// Takes a mark off that does not count, since somebody edited the file who did not know of it.
  mutating func withdrawDeletion(of unit: TrackedUnit, in history: inout PlainHistory) throws {
    let name = shown(unit)
    guard case .outdated(let author, _) = history.document.deletion else {
      // Another machine has taken it off.
      let tombstone = unit.tombstones.first {
        unit.place(in: $0.folder) == nil
          && folders[$0.folder].trackedTrash[$0.path]?.deletion?.isCurrent ?? false
      }
      guard let tombstone, history.document.deletion == nil else { return }
      let folder = folders[tombstone.folder]
      if case .current(let author, _) = folder.trackedTrash[tombstone.path]?.deletion {
        let deleted = try readHistory(tombstone.path, tombstone.folder)
        let marks = deleted.document.deletionMarks
        reportBack(name, deletedBy: author, marks, history.document)
      }
      return
    }
    reportBack(name, deletedBy: author, history.document.deletionMarks, history.document)
    do throws(EditError) {
      try history.document.withdrawOutdatedDeletion()
    } catch {
      throw Failure(.damaged, file: name, "\(error); nothing was written")
    }
  }

  /// Moves a deleted file, its history and all copies to the trash, each while it still is what was
  /// read.
  mutating func clearAway(
    _ unit: TrackedUnit, _ history: PlainHistory, _ places: [OpenPlace]
  ) throws -> TrackedEnd {
    // What was written a moment ago is looked at first.
    if places.contains(where: \.isBusy) { return .done }
    let file = HistoryFile(history)
    for tombstone in unit.tombstones {
      try attempt(tombstone.folder) { sync in
        _ = try sync.write(file, to: tombstone.path, tombstone.folder, .trackedTrash)
      }
    }
    for open in places where mayWrite(to: open.place.folder) {
      let place = open.place
      let name = named(place.path, place.folder)
      if isDryRun {
        report(.trashed(name))
        continue
      }
      var isMoved = true
      try attempt(place.folder) { sync in
        isMoved = try sync.clearAway(open, file)
      }
      if !isMoved { return .tryAgain }
    }
    return .deleted
  }

  /// Moves a place's files to the trash; false if others wrote something meanwhile.
  private mutating func clearAway(_ open: OpenPlace, _ file: HistoryFile) throws -> Bool {
    let place = open.place
    let folder = folders[place.folder]
    if place.hasHistory, try !write(file, to: place.history, place.folder) { return false }
    if let contents = open.contents {
      let moved = try moveToTrash(place.path, place.folder) { $0 == contents.identity }
      guard moved != nil else { return false }
    }
    try clearAwayFileCopies(of: open)
    try clearAway(place.historyCopies, in: place.folder)
    if place.hasHistory, let summary = folder.tracked[place.history] {
      let moved = try moveToTrash(place.history, place.folder) {
        folder.isKnown(place.history, $0, .tracked)
      }
      guard let moved else { return false }
      folder.forget(place.history, .tracked)
      folder.record(summary, at: moved, .trackedTrash)
    }
    folder.forget(place.path, .settled)
    // Whoever brings an old copy has not seen what was known here.
    PlainFileStates(host).forget(folder.root.appending(place.path))
    report(.trashed(named(place.path, place.folder)))
    return true
  }

  /// Moves the conflict copies of a plain file to the trash, which are taken in.
  mutating func clearAwayFileCopies(of open: OpenPlace) throws {
    for copy in open.copies {
      let folder = open.place.folder
      let moved = try moveToTrash(copy.path, folder) { $0 == copy.contents.identity }
      if moved != nil || isDryRun { report(.folded(named(copy.path, folder))) }
    }
  }

  /// Moves conflict copies of a history to the trash, which are taken in, while they are what was
  /// listed.
  func clearAway(_ copies: [RelativePath], in folder: Int) throws {
    let open = folders[folder]
    for path in copies {
      if try moveToTrash(path, folder, if: { open.isKnown(path, $0, .tracked) }) != nil {
        open.forget(path, .tracked)
      }
    }
  }

  /// Removes what is left in the trash of the history of a file that is there again, and whose
  /// history holds all of it.
  func removeTombstones(of unit: TrackedUnit, _ history: HistoryFile) throws {
    for tombstone in unit.tombstones where mayWrite(to: tombstone.folder) && !isDryRun {
      let open = folders[tombstone.folder]
      let isHeld = open.tracked.paths(of: unit.id).contains {
        open.tracked.checksum(at: $0) == history.checksum
      }
      guard isHeld else { continue }
      let file = open.root.appending(tombstone.path)
      let name = named(tombstone.path, tombstone.folder)
      let entry = try name.creating(host.identity(of: file, followingLinks: false))
      guard let entry, open.isKnown(tombstone.path, entry, .trackedTrash) else { continue }
      try name.creating(host.remove(file))
      open.forget(tombstone.path, .trackedTrash)
    }
  }

  /// Writes a file again that is nowhere but in the trash, where it was.
  mutating func bringBack(_ unit: TrackedUnit, _ file: HistoryFile) throws {
    for tombstone in unit.tombstones where mayWrite(to: tombstone.folder) {
      let (path, folder) = (tombstone.home, tombstone.folder)
      try attempt(folder) { sync in
        let source = sync.folders[folder].root.appending(tombstone.path)
        try sync.copyTracked(file, to: .init(path: path, since: nil), folder, from: source)
      }
    }
  }
}
