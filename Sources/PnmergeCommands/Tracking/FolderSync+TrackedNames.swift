import Peernote

/// Tracked plain files that were renamed: the history follows the file, or the file its history.
///
/// Whoever renames a file in a file manager leaves its history behind, and a synchroniser delivers
/// both apart.
extension FolderSync {
  /// Takes over how the tracked files were renamed, and does nothing else.
  ///
  /// - Returns: the old and new names, and the files that came under a name that a tracked one had
  ///   before, which are to be taken in there.
  /// - Throws: ``Failure`` for the first that cannot be taken over, or if the run was interrupted.
  mutating func followRenames() throws -> (
    renamed: [(old: FileName, new: FileName)], late: [FileName]
  ) {
    for folder in folders.indices
    where !lostPaths(in: folder).isEmpty || !folders[folder].formerPaths.isEmpty {
      try followRenames(in: folder)
      if !isDryRun { folders[folder].save() }
    }
    if let failure = outcome.failures.first { throw failure }
    let renamed = outcome.events.compactMap { event -> (old: FileName, new: FileName)? in
      if case .renamed(let old, let new) = event { (old, new) } else { nil }
    }
    let late = folders.indices.flatMap { folder in
      let open = folders[folder]
      return open.formerPaths.values.joined().sorted()
        .filter { open.listing.others[$0] != nil && open.tracked[$0.history] == nil }
        .map { named($0, folder) }
    }
    return (renamed, late)
  }

  /// Takes over how people, or other machines, have renamed the tracked files of a folder.
  mutating func followRenames(in folder: Int) throws {
    try finishExchanges(in: folder)
    try followHistories(in: folder)
    try followExchanges(in: folder)
    try followFiles(in: folder)
    checkFormerNames(in: folder)
  }

  // MARK: Histories that have another name

  /// Renames the files of histories that have another name than at the last look.
  private mutating func followHistories(in folder: Int) throws {
    let open = folders[folder]
    let changed = open.earlierHistories.filter { open.tracked.paths(of: $0) != [$1] }
    for (id, earlier) in changed.sorted(by: { $0.value < $1.value }) {
      let present = open.tracked.paths(of: id)
      guard present.count == 1, present[0] != earlier, present[0].original == nil,
        let old = earlier.plainFile, let new = present[0].plainFile,
        let summary = open.tracked[present[0]]
      else { continue }
      let isLeft = open.tracked[old.history] == nil && open.listing.others[old] != nil
      if isLeft, open.listing.others[new] == nil, open.settled[old]?.id == id {
        if isDryRun {
          report(.renamed(from: named(old, folder), to: named(new, folder)))
          continue
        }
        do throws(HostError) {
          try host.rename(
            open.root.appending(old), to: open.root.appending(new), replacing: false)
        } catch {
          // It is there by now, or gone; the next run sees.
          continue
        }
        open.move(old, to: new)
        report(.renamed(from: named(old, folder), to: named(new, folder)))
      }
      if !isDryRun { moved(summary, from: old, to: new, folder) }
    }
  }

  /// Takes over that a tracked file has another name.
  private func moved(
    _ summary: DocumentSummary, from old: RelativePath, to new: RelativePath, _ folder: Int
  ) {
    let open = folders[folder]
    let states = PlainFileStates(host)
    states.move(open.root.appending(old), to: open.root.appending(new))
    open.recordFormer(old, summary)
    open.forget(new, .settled)
  }

  // MARK: Files that have another name

  /// A file that is missing, though its history is there, or whose place another one has taken.
  private struct Missing {
    var path: RelativePath
    var summary: DocumentSummary
    /// How the file was when it was last seen; `nil` if that is not known.
    var stamp: FileStamp?
    /// When it was last written, at the earliest, in nanoseconds since 1970; the greatest number if
    /// that is not known, and only the same text is the file.
    var changed: Int64
    var history: PlainHistory
    var remembered: String?
    /// Whether another one has its place, so that only the file itself is it.
    var isReplaced: Bool
  }

  /// A pair of what is missing and what may be it, the likeliest last.
  private struct Match: Comparable {
    var likeness: Double
    var isSameFile: Bool
    var hasSameName: Bool
    var missing: Int
    var path: RelativePath

    static func < (left: Match, right: Match) -> Bool {
      if left.likeness != right.likeness { return left.likeness < right.likeness }
      if left.isSameFile != right.isSameFile { return right.isSameFile }
      if left.hasSameName != right.hasSameName { return right.hasSameName }
      return (left.missing, left.path) > (right.missing, right.path)
    }
  }

  /// How many pairs are compared at most if they are not of the same size.
  private static let comparisonLimit = 20_000

  /// Moves the histories that were left behind by files which have another name now.
  private mutating func followFiles(in folder: Int) throws {
    let open = folders[folder]
    let candidates = untrackedPaths(in: open)
    let lost = lostPaths(in: folder)
    if candidates.isEmpty || lost.isEmpty { return }
    let missing = try lost.compactMap { try self.missing($0, in: folder) }
    let isMany = missing.count * candidates.count > Self.comparisonLimit
    var matches: [Match] = []
    for path in candidates {
      guard let identity = open.listing.others[path] else { continue }
      var contents: PlainContents?
      for (number, lost) in missing.enumerated() {
        let isSameSize = lost.stamp.map { $0.size == identity.size } ?? true
        // Who copies a file to keep it as it was has done so before it was lost.
        let isNew = identity.changed >= lost.changed
        let isSameFile = identity.inode == lost.stamp?.number
        guard isSameSize || isNew && !isMany, isSameFile || !lost.isReplaced else { continue }
        // What is no text is none of them.
        if contents == nil {
          contents = try? PlainContents(
            open.root.appending(path), shown: named(path, folder), host)
        }
        guard var read = contents else { break }
        read.takeMarker(of: lost.history)
        var likeness = try lost.history.likeness(of: read.file.text, remembered: lost.remembered)
        // One to which much was written shares little with what it was, but has all of it.
        if likeness < PlainHistory.enough, isNew,
          lost.history.isGrown(into: read.file.text, remembered: lost.remembered)
        {
          likeness = PlainHistory.enough
        }
        guard likeness >= PlainHistory.enough, isNew || likeness == 1 else { continue }
        matches.append(
          Match(
            likeness: likeness, isSameFile: isSameFile,
            hasSameName: path.lastComponent.elementsEqual(lost.path.lastComponent),
            missing: number, path: path))
      }
    }
    var found: Set<Int> = []
    var taken: Set<RelativePath> = []
    for match in matches.sorted().reversed()
    where !found.contains(match.missing) && !taken.contains(match.path) {
      found.insert(match.missing)
      taken.insert(match.path)
      try attempt(folder) { sync in
        try sync.follow(missing[match.missing], to: match.path, in: folder)
      }
    }
  }

  /// The files that are not tracked and no conflict copies, ascending.
  private func untrackedPaths(in open: OpenFolder) -> [RelativePath] {
    open.listing.others.keys.filter { open.tracked[$0.history] == nil && $0.original == nil }
      .sorted()
  }

  /// The tracked files that are missing, but were there once, and those whose place another one may have
  /// taken before anybody saw that they have another name here, ascending.
  private func lostPaths(in folder: Int) -> [RelativePath] {
    let open = folders[folder]
    let untracked = Set(untrackedPaths(in: open).compactMap { open.listing.others[$0]?.inode })
    return open.trackedNames.compactMap { name in
      let entry = open.listing.others[name.file]
      if let entry {
        guard !untracked.isEmpty, let number = open.settled.stamp(of: name.file)?.number,
          number != entry.inode, untracked.contains(number)
        else { return nil }
      }
      guard let id = open.tracked.id(at: name.history), open.isOnlyHistory(of: id),
        !open.tracked.isDeleted(name.history)
      else { return nil }
      return name.file
    }
  }

  /// What is known of a file that is missing; `nil` if nothing tells that it ever was here.
  private func missing(_ path: RelativePath, in folder: Int) throws -> Missing? {
    let open = folders[folder]
    let file = open.root.appending(path)
    guard let summary = open.tracked[path.history] else { return nil }
    let state = PlainFileStates(host).state(of: file)
    let memory = state?.history.document.id == summary.id ? state?.memory : nil
    // A stick that comes here for the first time brings the history of a file that is here: whoever
    // had the stick before may have moved the file there.
    guard memory != nil || isElsewhere(summary.id, than: folder) else { return nil }
    let history = try readHistory(open.root.appending(path.history), named(path.history, folder))
      .history
    let isReplaced = open.listing.others[path] != nil
    if isReplaced {
      guard
        var there = try? PlainContents(file, shown: named(path, folder), host)
      else { return nil }
      there.takeMarker(of: history)
      // An editor that keeps the old file under another name has saved the new one here.
      if there.file.isSavedHere, try isLike(there.file.text, history, memory) { return nil }
    }
    let stamp = open.wasRenamed(path) || memory == nil ? nil : open.settled.stamp(of: path)
    let written = memory.map { $0.modified.milliseconds * 1_000_000 } ?? .max
    return Missing(
      path: path, summary: summary, stamp: stamp, changed: stamp?.changed ?? written,
      history: history, remembered: memory?.text,
      isReplaced: isReplaced)
  }

  /// Whether a text shares much with what a file says or said, or has all of it.
  func isLike(
    _ text: String, _ history: PlainHistory, _ memory: PlainMemory?
  ) throws -> Bool {
    try history.likeness(of: text, remembered: memory?.text) >= PlainHistory.enough
      || history.isGrown(into: text, remembered: memory?.text)
  }

  /// Whether another folder has the file of a history.
  private func isElsewhere(_ id: UniqueID, than folder: Int) -> Bool {
    folders.enumerated().contains { number, open in
      number != folder
        && open.tracked.paths(of: id).contains { path in
          path.plainFile.map { open.listing.others[$0] != nil } ?? false
        }
    }
  }

  private mutating func follow(
    _ missing: Missing, to path: RelativePath, in folder: Int
  ) throws {
    let open = folders[folder]
    let names = (named(missing.path, folder), named(path, folder))
    if isDryRun { return report(.renamed(from: names.0, to: names.1)) }
    try moveHistory(of: missing.path, to: path, in: folder, since: host.now, meaning: path)
    moved(missing.summary, from: missing.path, to: path, folder)
    removeIfEmpty(open.root.appending(missing.path.history).directory)
    report(.renamed(from: names.0, to: names.1))
  }

  /// Moves a history to where it belongs after its file was renamed.
  func moveHistory(
    of old: RelativePath, to new: RelativePath, in folder: Int, since: Timestamp?,
    meaning: RelativePath
  ) throws {
    let open = folders[folder]
    guard let summary = open.tracked[old.history] else { return }
    let name = named(new.history, folder)
    guard new.history.lastComponent.count <= FileName.longestComponent else {
      throw Failure(
        .cannotCreate, file: named(new, folder),
        "its name is too long: that of the history would have more than "
          + "\(FileName.longestComponent) bytes; the history stays under the old name")
    }
    try makeDirectories(above: new.history, folder)
    let (from, to) = (open.root.appending(old.history), open.root.appending(new.history))
    do throws(HostError) {
      let there = try host.identity(of: to, followingLinks: false)
      let entry = try host.identity(of: from, followingLinks: false)
      // Names that differ in case only are one on some file systems.
      let isSame = entry.map { there?.isSameFile(as: $0) ?? false } ?? false
      try host.rename(from, to: to, replacing: isSame)
    } catch {
      throw error.whileCreating(name)
    }
    try? host.synchronizeDirectory(to.directory)
    open.forget(old.history, .tracked)
    open.record(summary, at: new.history, .tracked)
    open.setPlace(
      of: summary.id, .init(path: new.history, since: since, meaning: meaning.history), .tracked)
  }

  func removeIfEmpty(_ directory: FileName) {
    guard let entries = try? host.entries(of: directory), entries.isEmpty else { return }
    try? host.removeDirectory(directory)
  }

  // MARK: Names that count everywhere

  /// Renames a file and its history, since they are called otherwise in another folder.
  mutating func renameTracked(_ renaming: Renaming, in folder: Int) throws {
    let open = folders[folder]
    let (from, wanted) = (renaming.from, renaming.to)
    if isDryRun {
      return report(.renamed(from: named(from, folder), to: named(wanted, folder)))
    }
    // If it is not there any more, the next run sees what became of it.
    guard let summary = open.tracked[from.history], summary.id == renaming.id else { return }
    let file = open.root.appending(from)
    let entry = try? host.identity(of: file, followingLinks: false)
    let result = try place(wanted, in: folder, moving: entry, .tracked) { path in
      guard let entry else { return }
      let to = open.root.appending(path)
      let isSame =
        try host.identity(of: to, followingLinks: false)?.isSameFile(as: entry) ?? false
      try host.rename(file, to: to, replacing: isSame && entry.linkCount == 1)
    }
    try? host.synchronizeDirectory(open.root.appending(result).directory)
    let settled = entry.flatMap {
      open.settled.stamp(of: from) == $0.stamp ? open.settled[from] : nil
    }
    if entry != nil { open.move(from, to: result) }
    try moveHistory(
      of: from, to: result, in: folder, since: renaming.place.since,
      meaning: renaming.place.meaning)
    moved(summary, from: from, to: result, folder)
    if let settled, let identity = entry?.renamed(open.root.appending(result), host) {
      open.record(settled, at: result, identity, .settled)
    }
    removeIfEmpty(open.root.appending(from.history).directory)
    removeEmptyDirectories(above: from, folder)
    let names = (named(from, folder), named(result, folder))
    report(
      result == wanted && !renaming.isNumbered
        ? .renamed(from: names.0, to: names.1) : .renamedForClash(from: names.0, to: names.1))
  }

  // MARK: Names of former times

  /// Lets go of former names under which there is another file now: one that is not alike, or that
  /// was saved here.
  private func checkFormerNames(in folder: Int) {
    let open = folders[folder]
    for path in open.formerPaths.values.joined().sorted()
    where open.listing.others[path] != nil && open.tracked[path.history] == nil {
      guard let id = open.settled[path]?.id,
        let history = open.tracked.paths(of: id).first(where: { $0.original == nil }),
        let contents = try? PlainContents(
          open.root.appending(path), shown: named(path, folder), host),
        let kept = try? readHistory(open.root.appending(history), named(history, folder)).history
      else { continue }
      var read = contents
      read.takeMarker(of: kept)
      let likeness = (try? kept.likeness(of: read.file.text)) ?? 0
      if likeness < PlainHistory.enough || read.file.isSavedHere { open.forget(path, .settled) }
    }
  }
}

extension FileIdentity {
  /// The state of this file under a new name; `nil` if the file there is another one.
  fileprivate func renamed(_ name: FileName, _ host: any Host) -> FileIdentity? {
    guard let entry = try? host.identity(of: name, followingLinks: false),
      entry.isSameFile(as: self), entry.modified == modified, entry.size == size
    else { return nil }
    return entry
  }
}
