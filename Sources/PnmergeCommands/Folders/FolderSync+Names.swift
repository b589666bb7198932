import Peernote

/// Renaming notes, and copying those that a folder lacks.
extension FolderSync {
  /// Gives documents, the older ones first, the same names in all folders, and copies them to where
  /// they are missing.
  ///
  /// Throws if the run was interrupted.
  mutating func applyDocumentNames(to units: [NoteUnit]) throws {
    for (unit, targets) in zip(units, try applyNames(to: units)) {
      for folder in folders.indices where targets[folder].current == nil && mayWrite(to: folder) {
        try attempt(folder) { sync in try sync.copy(unit, to: targets, folder) }
      }
    }
  }

  /// Gives notes, the older ones first, the same names in all folders, and tells where each is then,
  /// and is to be.
  ///
  /// Throws if the run was interrupted.
  mutating func applyNames<Unit: FolderUnit>(to units: [Unit]) throws -> [[NamePlan.Target]] {
    var targets = NamePlan(
      units.map { NotePlaces(of: $0, in: folders) }, folderCount: folders.count, now: host.now
    ).targets
    if !targets.allSatisfy({ $0.allSatisfy(\.isThere) }) { keepNames(of: units, before: targets) }
    for folder in folders.indices where mayWrite(to: folder) {
      try rename(units, to: &targets, in: folder)
    }
    return targets
  }

  /// Keeps which names the files have by now, and which those get that are copied.
  ///
  /// A file that is renamed after this run was killed would else be one that was never seen under
  /// its old name, and the other copies of it would keep that.
  private func keepNames<Unit: FolderUnit>(
    of units: [Unit], before targets: [[NamePlan.Target]]
  ) {
    for (folder, open) in zip(folders.indices, folders) {
      let coming = zip(units, targets).filter { unit, targets in
        let target = targets[folder]
        // Of one that gets another name there the next run would think that somebody gave it that.
        return !unit.isOneOfSeveral && target.current == nil && mayWrite(to: folder)
          && NumberedName.portable(target.path) == target.path
          && isFree(target.path, in: folder, Unit.kind)
      }
      open.save(expecting: coming.map { ($0.id, $1[folder].place) }, Unit.kind)
    }
  }

  // MARK: Renaming

  /// A file that is to have another name.
  private struct Renaming {
    /// The note, by its number.
    var number: Int
    var from: RelativePath
    var to: RelativePath
  }

  /// Renames files in a folder, each after the one that has its new name, and takes over where they
  /// are.
  private mutating func rename<Unit: FolderUnit>(
    _ units: [Unit], to targets: inout [[NamePlan.Target]], in folder: Int
  ) throws {
    var pending = targets.enumerated().compactMap { number, targets -> Renaming? in
      guard let from = targets[folder].current, !targets[folder].isThere else { return nil }
      return Renaming(number: number, from: from, to: targets[folder].path)
    }
    while !pending.isEmpty {
      let waiting = Set(pending.map(\.from))
      var steps = pending.filter { !waiting.contains($0.to) }
      pending.removeAll { !waiting.contains($0.to) }
      let isCircle = steps.isEmpty
      if isCircle {
        // They wait for each other, until one of them leaves the circle for a moment.
        var step = pending[0]
        step.to = NumberedName.aside(step.from) { isFree($0, in: folder, Unit.kind) }
        pending[0].from = step.to
        steps = [step]
      }
      for step in steps {
        var isDone = false
        try attempt(folder) { sync in
          let target = targets[step.number][folder]
          let path = try sync.rename(step, to: target, of: units[step.number], in: folder)
          if let path { targets[step.number][folder].current = path }
          isDone = true
        }
        if isCircle, !isDone { return }
      }
    }
  }

  /// Renames a file, and the history of a tracked one, and tells where it is; `nil` if it stays.
  private mutating func rename<Unit: FolderUnit>(
    _ step: Renaming, to target: NamePlan.Target, of unit: Unit, in folder: Int
  ) throws -> RelativePath? {
    let (open, from, wanted) = (folders[folder], step.from, step.to)
    let isTracked = Unit.kind == .tracked
    let file = open.root.appending(from)
    let entry = try? host.identity(of: file, followingLinks: false)
    // If it is not there any more, the next run sees what became of it. Of a tracked file there may
    // be the history alone.
    guard let summary = open[Unit.kind][Unit.kind.document(of: from)], summary.id == unit.id,
      isTracked || entry != nil
    else { return nil }
    let result = try place(wanted, in: folder, moving: entry, Unit.kind) { path in
      guard let entry else { return }
      let to = open.root.appending(path)
      let other = try host.identity(of: to, followingLinks: false)
      // Names that differ in case only are one on some file systems.
      let isSame = other?.isSameFile(as: entry) ?? false
      try host.rename(file, to: to, replacing: isSame && entry.linkCount == 1)
    }
    try? host.synchronizeDirectory(open.root.appending(result).directory)
    let known = DocumentFolder.Place(
      path: result, since: target.place.since, meaning: target.place.meaning)
    if isTracked {
      if entry != nil { open.listing.move(from, to: result) }
      try moveHistory(summary, of: from, to: known, in: folder)
    } else {
      open.forget(from)
      open.record(summary, at: result)
      open.setPlace(of: unit.id, known)
    }
    removeEmptyDirectories(above: from, folder)
    report(
      .renamed(
        from: named(from, folder), to: named(result, folder),
        forClash: result != wanted || target.isNumbered))
    return result
  }

  // MARK: Copying

  private mutating func copy(
    _ unit: NoteUnit, to targets: [NamePlan.Target], _ folder: Int
  ) throws {
    let target = targets[folder]
    let file = named(target.path, folder)
    // What is there and cannot be read may be the very note, half received.
    if folders[folder].isFaulty(target.path) { return }
    let bytes: [UInt8]
    if let document = unit.document {
      bytes = document.bytes()
    } else if let source = unit.copies.first(where: {
      $0.summary.checksum == unit.summary.checksum
    }) {
      // A note may have been renamed in this run.
      let path = source.role == .note ? targets[source.folder].current : nil
      bytes = try invocation.readDocumentBytes(
        folders[source.folder].root.appending(path ?? source.path))
    } else {
      throw Failure(.tryAgain, file: file, "the other copies changed meanwhile; try again")
    }
    let document = try invocation.parseDocument(bytes, from: file)
    guard document.id == unit.id else {
      throw Failure(.tryAgain, file: file, "the other copies changed meanwhile; try again")
    }
    let result = try place(target.path, in: folder) { path in
      var target = DocumentFile(folders[folder].root.appending(path), invocation)
      target.sources = unit.copies.map(self.file)
      _ = try target(expecting: .absent) { _ in DocumentFile.Proposal(bytes, report: ()) }
    }
    let summary = DocumentSummary(of: document, checksum: Array(bytes.suffix(32)))
    folders[folder].record(summary, at: result)
    if !unit.isOneOfSeveral {
      folders[folder].setPlace(
        of: unit.id,
        .init(path: result, since: target.place.since, meaning: target.place.meaning))
    }
    let copied = named(result, folder)
    report(
      result == target.path ? .copied(copied) : .renamed(from: file, to: copied, forClash: true))
  }

  // MARK: Finding a name

  /// Puts something under a name in a folder: under the name that is wanted, or one that the file
  /// system can have, or one that is free.
  ///
  /// The file `entry` gets the name and may have it already: on some file systems names that differ
  /// in case only are one. With a tracked file goes its history. `put` throws `HostError` or
  /// ``Failure`` if the name is taken or not possible.
  func place(
    _ wanted: RelativePath, in folder: Int, moving entry: FileIdentity? = nil,
    _ kind: OpenFolder.Kind = .documents, _ put: (RelativePath) throws -> Void
  ) throws -> RelativePath {
    let portable = NumberedName.portable(wanted)
    do {
      return try placeExactly(wanted, in: folder, moving: entry, kind, put)
    } catch let error as HostError {
      if wanted == portable || error.isFinal { throw error.whileCreating(named(wanted, folder)) }
    } catch let failure as Failure {
      if wanted == portable || failure.status != .cannotCreate { throw failure }
    }
    do {
      return try placeExactly(portable, in: folder, moving: entry, kind, put)
    } catch let error as HostError {
      throw error.whileCreating(named(portable, folder))
    }
  }

  private func placeExactly(
    _ wanted: RelativePath, in folder: Int, moving entry: FileIdentity?,
    _ kind: OpenFolder.Kind, _ put: (RelativePath) throws -> Void
  ) throws -> RelativePath {
    try makeDirectories(above: kind.document(of: wanted), folder)
    let path =
      isFree(wanted, in: folder, otherThan: entry, kind)
      ? wanted : NumberedName.first(wanted) { isFree($0, in: folder, kind) }
    try put(path)
    return path
  }

  /// Whether nothing has a name, nor that of its history if it is to be tracked.
  func isFree(
    _ path: RelativePath, in folder: Int, otherThan entry: FileIdentity? = nil,
    _ kind: OpenFolder.Kind
  ) -> Bool {
    if exists(path, in: folder, otherThan: entry) { return false }
    // Names that differ in case only may be one: then the history is that of the file, too.
    let isOwn = entry != nil && exists(path, in: folder)
    return kind != .tracked || isOwn || !exists(path.history, in: folder)
  }

  private func exists(
    _ path: RelativePath, in folder: Int, otherThan entry: FileIdentity? = nil
  ) -> Bool {
    let name = folders[folder].root.appending(path)
    guard let found = try? host.identity(of: name, followingLinks: false) else {
      return false
    }
    return !(entry?.isSameFile(as: found) ?? false)
  }

  /// Creates the directories that a file is to be in.
  ///
  /// A symbolic link among them would lead out of the folder, and is refused.
  func makeDirectories(above path: RelativePath, _ folder: Int) throws {
    guard let directory = path.directory else { return }
    try makeDirectories(above: directory, folder)
    let (name, shown) = (folders[folder].root.appending(directory), named(directory, folder))
    let entry = try shown.creating(host.identity(of: name, followingLinks: false))
    if entry?.kind == .symbolicLink { throw Failure.link(shown) }
    if let entry, entry.kind != .directory {
      throw Failure(.cannotCreate, file: shown, "is not a directory; nothing was written")
    }
    guard entry == nil else { return }
    do throws(HostError) {
      try host.makeDirectory(name, isPrivate: false)
    } catch {
      if error.kind != .alreadyExists { throw error.whileCreating(shown) }
    }
  }

  /// Removes the directories in which a file was that was renamed, as far as they are empty.
  func removeEmptyDirectories(above path: RelativePath, _ folder: Int) {
    var directory = path.directory
    while let next = directory, removeIfEmpty(folders[folder].root.appending(next)) {
      directory = next.directory
    }
  }

  /// Removes a directory if it is empty, and tells whether it was.
  @discardableResult
  func removeIfEmpty(_ directory: FileName) -> Bool {
    guard let entries = try? host.entries(of: directory), entries.isEmpty else { return false }
    return (try? host.removeDirectory(directory)) != nil
  }

  /// A file of a folder, as people are told of it.
  func named(_ path: RelativePath, _ folder: Int) -> FileName { folders[folder].shownFile(path) }
}

extension HostError {
  /// Whether another name would fare no better.
  fileprivate var isFinal: Bool {
    switch kind {
    case .noSpace, .inputOutput, .interrupted, .notPermitted, .busy: true
    case .notFound, .alreadyExists, .isDirectory, .notRegularFile, .tooLarge, .closedPipe, .other:
      false
    }
  }
}
