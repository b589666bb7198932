import Peernote

/// The names of tracked plain files, and files that a folder lacks.
extension FolderSync {
  /// Gives tracked files the same names in all folders, and copies them, with their histories, to
  /// where they are missing.
  mutating func applyTrackedNames(to units: [TrackedUnit]) throws {
    guard folders.count > 1, !units.allSatisfy(isEverywhere) else { return }
    let units = units.map { unit in
      let created = unit.places.compactMap {
        folders[$0.folder].tracked.created(at: $0.path.history)
      }.min()
      return (created ?? host.now, unit.id, unit.path, unit)
    }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
    for targets in try applyNames(to: units) { try copyTracked(to: targets) }
  }

  /// Whether all folders hold a file under one name, which is the one that it is to have.
  private func isEverywhere(_ unit: TrackedUnit) -> Bool {
    unit.places.count == folders.count && !unit.isOneOfSeveral
      && unit.places.allSatisfy { place in
        let open = folders[place.folder]
        let known = open.tracked.place(of: unit.id)
        return place.path == unit.places[0].path && open.listing.others[place.path] != nil
          && known?.path == place.history && known?.meaning == place.history
      }
  }

  // MARK: Copying

  /// Copies a file to the folders that lack it.
  private mutating func copyTracked(to targets: [NamePlan.Target]) throws {
    let isThere = targets.enumerated().map { folder, target in
      target.current.map { folders[folder].listing.others[$0] != nil } ?? false
    }
    let lacking = folders.indices.filter { !isThere[$0] && mayWrite(to: $0) }
    // Nobody has it: all removed it, or it was not delivered yet.
    guard !lacking.isEmpty, let source = isThere.firstIndex(of: true),
      let path = targets[source].current
    else { return }
    let original = folders[source].root.appending(path.history)
    try attempt(nil) { sync in
      let file = HistoryFile(try sync.readHistory(path.history, source))
      for folder in lacking {
        let place =
          targets[folder].current.map { DocumentFolder.Place(path: $0, since: nil) }
          ?? targets[folder].place
        try sync.attempt(folder) { sync in
          try sync.copyTracked(file, to: place, folder, from: original)
        }
      }
    }
  }

  /// Writes a file and its history in a folder that lacks one of them or both.
  ///
  /// A file that the folder holds under the same name counts as a copy if it is one of this history;
  /// else the copy gets a number.
  mutating func copyTracked(
    _ file: HistoryFile, to place: DocumentFolder.Place, _ folder: Int, from source: FileName
  ) throws {
    let (open, id) = (folders[folder], file.history.document.id)
    var path = place.path
    let hasHistory = open.tracked.id(at: path.history) == id
    let present = try? PlainContents(
      open.root.appending(path), shown: named(path, folder), host)
    let isThere =
      try open.tracked[path.history] == nil
      && present.map { try isVersion($0, of: file.history, at: path, folder) } ?? false
    if hasHistory { return try writeMissing(file, at: path, folder) }
    if open.isFaulty(path.history) {
      // What cannot be read keeps its place, and is said.
      guard open.isDamaged(path.history), isThere || present == nil,
        try makeRoom(for: path, in: folder)
      else { return }
      report(.restored(named(path, folder), .copied))
    }
    if isThere {
      try create(file, at: path.history, folder, readFrom: source)
    } else {
      path = try self.place(path, in: folder, .tracked) { path in
        try create(file, at: path.history, folder, readFrom: source)
      }
    }
    open.setPlace(of: id, .init(path: path, since: place.since, meaning: place.meaning), .tracked)
    // What is there already is taken in, and brought up to date, by the next run.
    if isThere {
      try PlainFileStates(host).keep(
        PlainFileState(history: file.history, memory: nil), of: open.root.appending(path))
      report(.copied(named(path, folder)))
      return runAgain(in: 1)
    }
    try writeMissing(file, at: path, folder, wanted: place.path)
  }

  /// Whether a file without a history is one of this history: it names a version of it, which may not
  /// be here yet, or shows one, or is like what it shows.
  private func isVersion(
    _ contents: PlainContents, of history: PlainHistory, at path: RelativePath, _ folder: Int
  ) throws -> Bool {
    let file = history.unmarked(contents.file)
    if file.base != nil { return true }
    let state = PlainFileStates(host).state(of: folders[folder].root.appending(path))
    return try history.hasShown(file.text)
      || contents.share(of: history, remembered: state?.memory?.text) != nil
  }

  /// Creates a history.
  func create(
    _ file: HistoryFile, at path: RelativePath, _ folder: Int, readFrom source: FileName
  ) throws {
    try makeDirectories(above: path, folder)
    var creation = DocumentFile(folders[folder].root.appending(path), invocation)
    creation.sources = [source]
    _ = try creation(expecting: .absent) { _ in
      DocumentFile.Proposal(file.bytes, file.history.document.state, report: ())
    }
    folders[folder].record(file.summary, at: path, .tracked)
  }

  /// Creates the plain file whose history is there, and takes over what it shows.
  private mutating func writeMissing(
    _ history: HistoryFile, at path: RelativePath, _ folder: Int, wanted: RelativePath? = nil
  ) throws {
    let open = folders[folder]
    let name = named(path, folder)
    let written = try write(history.history.fileText, over: nil, at: path, folder)
    if let written {
      try PlainFileStates(host).keepShown(history.history, at: open.root.appending(path))
      open.record(history.summary, at: path, written, .settled)
    }
    let wanted = named(wanted ?? path, folder)
    report(wanted == name ? .copied(name) : .renamedForClash(from: wanted, to: name))
    // What somebody has saved since then is for the next run.
    if written == nil { runAgain(in: 1) }
  }
}
