import Peernote

/// Renaming notes, and copying those that a folder lacks.
extension FolderSync {
  /// Gives documents, the older ones first, the same names in all folders, and copies them to where
  /// they are missing.
  mutating func applyDocumentNames(to units: [NoteUnit]) throws {
    for (unit, targets) in zip(units, try applyNames(to: units, .documents)) {
      for folder in folders.indices where targets[folder].current == nil && mayWrite(to: folder) {
        try attempt(folder) { sync in try sync.copy(unit, to: targets, folder) }
      }
    }
  }

  /// Gives notes, the older ones first, the same names in all folders, and tells where each is then,
  /// and is to be.
  mutating func applyNames(
    to units: [NoteUnit], _ kind: OpenFolder.Kind
  ) throws -> [[NamePlan.Target]] {
    var targets = NamePlan(units, kind, in: folders, now: host.now).targets
    if !targets.allSatisfy({ $0.allSatisfy(\.isThere) }) {
      keepNames(of: units, kind, before: targets)
    }
    for folder in folders.indices where mayWrite(to: folder) {
      try rename(units, kind, to: &targets, in: folder)
    }
    return targets
  }

  /// Keeps which names the files have by now, and which those get that are copied.
  ///
  /// A file that is renamed after this run was killed would else be one that was never seen under
  /// its old name, and the other copies of it would keep that.
  private func keepNames(
    of units: [NoteUnit], _ kind: OpenFolder.Kind, before targets: [[NamePlan.Target]]
  ) {
    for folder in folders.indices {
      let coming = zip(units, targets).filter { unit, targets in
        let (target, path) = (targets[folder], targets[folder].place.path)
        // Of one that gets another name there the next run would think that somebody gave it that.
        return !unit.isOneOfSeveral && target.current == nil && mayWrite(to: folder)
          && NumberedName.portable(path) == path && isFree(path, in: folder, kind)
      }
      folders[folder].save(expecting: coming.map { ($0.id, $1[folder].place) }, kind)
    }
  }

  // MARK: Renaming

  /// A file that is to have another name, by the number of its note.
  private struct Renaming {
    var number: Int
    var from, to: RelativePath
  }

  /// Renames files in a folder, each after the one that has its new name, and takes over where they
  /// are.
  private mutating func rename(
    _ units: [NoteUnit], _ kind: OpenFolder.Kind, to targets: inout [[NamePlan.Target]],
    in folder: Int
  ) throws {
    var pending = targets.enumerated().compactMap { number, targets -> Renaming? in
      guard let from = targets[folder].current, !targets[folder].isThere else { return nil }
      return Renaming(number: number, from: from, to: targets[folder].place.path)
    }
    while !pending.isEmpty {
      let waiting = Set(pending.map(\.from))
      var steps = pending.filter { !waiting.contains($0.to) }
      pending.removeAll { !waiting.contains($0.to) }
      let isCircle = steps.isEmpty
      if isCircle {
        // They wait for each other, until one of them leaves the circle for a moment.
        steps = [pending[0]]
        steps[0].to = NumberedName.first(pending[0].from) { isFree($0, in: folder, kind) }
        pending[0].from = steps[0].to
      }
      for step in steps {
        var isDone = false
        try attempt(folder) { sync in
          try sync.rename(
            step, to: &targets[step.number][folder], of: units[step.number], kind, in: folder)
          isDone = true
        }
        if isCircle, !isDone { return }
      }
    }
  }

  /// Renames a file, and the history of a tracked one, and takes over where it is.
  private mutating func rename(
    _ step: Renaming, to target: inout NamePlan.Target, of unit: NoteUnit,
    _ kind: OpenFolder.Kind, in folder: Int
  ) throws {
    let (open, from) = (folders[folder], step.from)
    let file = open.root.appending(from)
    let entry = try? host.identity(of: file, followingLinks: false)
    // If it is not there any more, the next run sees what became of it. Of a tracked file there may
    // be the history alone.
    guard let summary = open[kind][kind.document(of: from)], summary.id == unit.id,
      kind == .tracked || entry != nil
    else { return }
    var place = target.place
    place.path = try self.place(step.to, in: folder, moving: entry, kind) { path in
      if entry != nil { try rename(file, to: open.root.appending(path)) }
    }
    try? host.synchronizeDirectory(open.root.appending(place.path).directory)
    if kind == .tracked {
      if entry != nil { open.listing.move(from, to: place.path) }
      try moveHistory(summary, of: from, to: place, in: folder)
    } else {
      open.forget(from)
      open.record(summary, at: place.path)
      open.setPlace(of: unit.id, place)
    }
    target.current = place.path
    removeEmptyDirectories(above: from, folder)
    report(
      .renamed(
        from: named(from, folder), to: named(place.path, folder),
        forClash: place.path != step.to || target.isNumbered))
  }

  /// Gives a file a name that no other one has.
  func rename(_ from: FileName, to: FileName) throws(HostError) {
    let entry = try host.identity(of: from, followingLinks: false)
    let there = try host.identity(of: to, followingLinks: false)
    // Names that differ in case only are one on some file systems.
    let isSame = entry.flatMap { there?.isSameFile(as: $0) } ?? false
    try host.rename(from, to: to, replacing: isSame && entry?.linkCount == 1)
  }

  // MARK: Copying

  private mutating func copy(
    _ unit: NoteUnit, to targets: [NamePlan.Target], _ folder: Int
  ) throws {
    var place = targets[folder].place
    let (open, file, wanted) = (folders[folder], named(place.path, folder), place.path)
    // What is there and cannot be read may be the very note, half received.
    if open.isFaulty(wanted) { return }
    let changed = Failure(.tryAgain, file: file, "the other copies changed meanwhile; try again")
    var bytes = unit.document?.bytes()
    if bytes == nil,
      let source = unit.copies.first(where: { $0.summary.checksum == unit.summary.checksum })
    {
      // A note may have been renamed in this run.
      let path = source.role == .note ? targets[source.folder].current : nil
      bytes = try invocation.readDocumentBytes(
        folders[source.folder].root.appending(path ?? source.path))
    }
    guard let bytes else { throw changed }
    let document = try invocation.parseDocument(bytes, from: file)
    guard document.id == unit.id else { throw changed }
    place.path = try self.place(wanted, in: folder) { path in
      let target = DocumentFile(
        open.root.appending(path), from: unit.copies.map(self.file), invocation)
      _ = try target(expecting: .absent) { _ in DocumentFile.Proposal(bytes, report: ()) }
    }
    open.record(DocumentSummary(of: document, checksum: Array(bytes.suffix(32))), at: place.path)
    if !unit.isOneOfSeveral { open.setPlace(of: unit.id, place) }
    let copied = named(place.path, folder)
    report(
      place.path == wanted ? .copied(copied) : .renamed(from: file, to: copied, forClash: true))
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
    func placed(_ wanted: RelativePath) throws -> RelativePath {
      try makeDirectories(above: kind.document(of: wanted), folder)
      let path =
        isFree(wanted, in: folder, otherThan: entry, kind)
        ? wanted : NumberedName.first(wanted) { isFree($0, in: folder, kind) }
      do {
        try put(path)
      } catch let error as HostError {
        throw error.whileCreating(named(wanted, folder))
      }
      return path
    }
    let portable = NumberedName.portable(wanted)
    do {
      return try placed(wanted)
    } catch let failure as Failure where failure.status == .cannotCreate && wanted != portable {
      return try placed(portable)
    }
  }

  /// Whether nothing has a name, nor that of its history if it is to be tracked.
  func isFree(
    _ path: RelativePath, in folder: Int, otherThan entry: FileIdentity? = nil,
    _ kind: OpenFolder.Kind
  ) -> Bool {
    func identity(_ path: RelativePath) -> FileIdentity? {
      try? host.identity(of: folders[folder].root.appending(path), followingLinks: false)
    }
    // Names that differ in case only may be one: then the history is that of the file, too.
    if let found = identity(path) { return entry?.isSameFile(as: found) ?? false }
    return kind != .tracked || identity(path.history) == nil
  }

  /// Creates the directories that a file is to be in; a symbolic link among them would lead out of the
  /// folder, and is refused.
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
