import Peernote

/// New notes in a tracked folder: one in whose `.peernote` a file `folder` says that they are tracked.
enum TrackedFolderMark: String {
  case plain = "new notes are tracked\n"
  /// New Markdown files are to say which version they were made from.
  case withMarker = "new notes are tracked, with a marker\n"

  static let name = Array("folder".utf8)

  /// Reads what such a file says; `nil` if that is nothing.
  init?(_ bytes: [UInt8]) { self.init(rawValue: String(decoding: bytes, as: UTF8.self)) }

  var bytes: [UInt8] { Array(rawValue.utf8) }
}

extension FolderSync {
  /// Has new notes tracked in all folders where they are in one.
  mutating func carryMarks() throws {
    let there = folders.map { Set($0.listing.markedDirectories) }
    if there.allSatisfy({ $0 == there[0] }) { return }
    let marks = folders.map(\.trackedDirectories)
    let all = marks.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    for (directory, mark) in all {
      for folder in folders.indices where marks[folder][directory] == nil && mayWrite(to: folder) {
        try attempt(folder) { sync in
          let path = directory.appending(FolderListing.hiddenName)
            .appending(TrackedFolderMark.name)
          try sync.makeDirectories(above: path, folder)
          let creation = Replacement(of: sync.file(path, folder), expecting: .any, host: sync.host)
          _ = try creation { present in
            Replacement.Proposal(present == nil ? mark.bytes : nil, report: ())
          }
        }
      }
    }
  }

  /// Starts the histories of notes that are new in a tracked folder.
  mutating func trackNew(in folder: Int) throws {
    let open = folders[folder]
    // What git leaves beside a file is none.
    let texts = open.untrackedTexts.filter { $0.original == nil }
    let marks = texts.isEmpty ? [:] : open.trackedDirectories
    for path in texts where mayWrite(to: folder) {
      let around = marks.filter { directory, _ in
        directory.bytes.isEmpty || path.bytes.starts(with: directory.appending([]).bytes)
      }
      // The innermost one counts.
      if let mark = around.max(by: { $0.key < $1.key })?.value {
        try attempt(nil) { try $0.trackNew(path, mark, in: folder) }
      }
    }
  }

  private mutating func trackNew(
    _ path: RelativePath, _ mark: TrackedFolderMark, in folder: Int
  ) throws {
    let (open, name) = (folders[folder], named(path, folder))
    if try isBuried(path, in: folder) { return }
    guard let contents = try? contents(path, folder) else { return unreadable.append(name) }
    let rest = contents.identity.restlessness(at: host.now)
    // Half of a save is no note yet.
    if rest > 0 { throw Restless(milliseconds: rest) }
    if contents.bytes.isEmpty || contents.fault(after: "") != nil { return }
    let hasMarker = mark == .withMarker && DocumentFormat(of: name) == .markdown
    let history = try PlainHistory(startedFrom: contents, name, hasMarker: hasMarker, host) {
      open.tracked.paths(of: $0).isEmpty
    }
    _ = try write(HistoryFile(history), to: path.history, folder, expecting: .absent)
    try states.keepShown(history, at: file(path, folder))
    report(.tracked(name))
  }

  /// Whether the history of a file at a path lies in the trash: it was untracked, or deleted and is the
  /// same still.
  private func isBuried(_ path: RelativePath, in folder: Int) throws -> Bool {
    let (open, name) = (folders[folder], path.history.lastComponent)
    let untracked = path.history.sibling(FolderListing.trashName + [UInt8(ascii: "/")] + name)
    if open.listing.trash[untracked] != nil { return true }
    return try open.tombstones(folder, .trackedTrash).contains { tombstone in
      try tombstone.home == path && isReturned(tombstone, readHistory(tombstone.path, folder))
    }
  }
}

extension PlainHistory {
  /// Takes a document that a file holds for a history.
  init(_ document: Document, from file: FileName) throws(Failure) {
    guard let history = PlainHistory(document: document) else {
      throw Failure(.damaged, file: file, "is not the history of a plain file")
    }
    self = history
  }

  /// Starts the history of a file as it was read.
  ///
  /// Its identity follows from name, text and time, so that machines which start it apart start the
  /// same one; if another file has that, it is drawn.
  init(
    startedFrom contents: PlainContents, _ name: FileName, hasMarker: Bool, _ host: any Host,
    where isFree: (UniqueID) -> Bool
  ) throws(Failure) {
    // Somebody may have copied another note, with its line.
    let text = hasMarker ? PlainMarker.taken(from: contents.file.text).text : contents.file.text
    let saved = contents.file.modified.milliseconds / 2000
    let seed = name.lastComponent.bytes + [0] + Array("\(saved)".utf8) + [0]
    let words = [0, 1].map { AgentID(digestOf: [UInt8($0)] + seed + Array(text.utf8)).rawValue }
    var id = UniqueID(randomBits: words[0], words[1])
    if !isFree(id) { id = UniqueID(randomBits: host.randomBits(), host.randomBits()) }
    do throws(EditError) {
      try self.init(id: id, text: text, time: contents.file.modified)
      if hasMarker { try setMarker(true) }
    } catch {
      throw Failure(.unreadable, file: name, "\(error); nothing was written")
    }
  }
}

/// Histories that are gone or damaged: what this machine has kept of them takes their place, so that no
/// file goes on without one unnoticed.
extension FolderSync {
  /// Puts back those of a folder, while their files are there and still are what they were.
  mutating func restoreHistories(in folder: Int) throws {
    let open = folders[folder]
    for path in open.lostPaths + open.damagedPaths where mayWrite(to: folder) {
      guard let contents = try? contents(path, folder),
        let kept = states.keptHistory(of: file(path, folder), contents)
      else { continue }
      let isDamaged = open.isDamaged(path.history)
      try attempt(folder) { sync in
        if isDamaged, try !sync.makeRoom(for: path, in: folder) { throw Restless() }
        _ = try sync.write(HistoryFile(kept), to: path.history, folder, expecting: .absent)
        open.forget(path, .settled)
        sync.report(.restored(sync.named(path, folder), isDamaged ? .damaged : .gone))
      }
    }
  }

  /// Moves a damaged history to the trash, unless somebody is writing it; tells whether it went.
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
        if states.state(of: file(path, number)) == nil { folder.forget(path, .settled) }
      }
      if !folder.tracksFiles { continue }
      let copies = folder.leftCopies.map { named($0, number) }
      if !copies.isEmpty { report(.leftCopies(folder.name, copies)) }
      let alone = folder.listing.others.filter { path, entry in
        !path.isPlainText && !path.isDelivered
          && folders.contains { $0.listing.others[path]?.size != entry.size }
      }.keys.sorted().map { named($0, number) }
      let files = unreadable.filter { folder.holds($0) } + alone
      if !files.isEmpty { report(.leftOut(folder.name, files)) }
    }
  }
}

/// The names of tracked plain files, and files that a folder lacks.
extension FolderSync {
  /// Gives tracked files the same names in all folders, and copies them, with their histories, to
  /// where they are missing.
  mutating func applyTrackedNames(to units: [NoteUnit]) throws {
    if folders.count < 2 { return }
    let units = units.map { unit in
      let created = unit.places.compactMap {
        folders[$0.folder].tracked.created(at: $0.path.history)
      }.min()
      return (created ?? host.now, unit.id, unit.path, unit)
    }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
    for targets in try applyNames(to: units, .tracked) {
      let isThere = targets.enumerated().map { folder, target in
        target.current.map { folders[folder].listing.others[$0] != nil } ?? false
      }
      let lacking = folders.indices.filter { !isThere[$0] && mayWrite(to: $0) }
      // Nobody has it: all removed it, or it was not delivered yet.
      guard !lacking.isEmpty, let source = isThere.firstIndex(of: true),
        let path = targets[source].current
      else { continue }
      try attempt(nil) { sync in
        let file = HistoryFile(try sync.readHistory(path.history, source))
        let original = sync.file(path.history, source)
        for folder in lacking {
          let there = targets[folder].current
          let place =
            there.map { DocumentFolder.Place(path: $0, since: nil) } ?? targets[folder].place
          try sync.attempt(folder) { try $0.copyTracked(file, to: place, folder, from: original) }
        }
      }
    }
  }

  // MARK: Copying

  /// Writes a file and its history in a folder that lacks one of them or both, with a number if the
  /// folder holds a file under the same name that is none of this history.
  mutating func copyTracked(
    _ file: HistoryFile, to place: DocumentFolder.Place, _ folder: Int, from source: FileName
  ) throws {
    let (open, id) = (folders[folder], file.history.document.id)
    var path = place.path
    if open.tracked.id(at: path.history) != id {
      let present = try? contents(path, folder)
      // What is there is one of this history if it names a version of it, which may not be here yet, or
      // shows one, or is like what it shows.
      var isThere = false
      if let present, open.tracked[path.history] == nil {
        let plain = file.history.unmarked(present.file)
        let known = states.state(of: self.file(path, folder))?.memory?.text
        isThere =
          try plain.base != nil || file.history.hasShown(plain.text)
          || present.share(of: file.history, remembered: known) != nil
      }
      if open.isFaulty(path.history) {
        // What cannot be read keeps its place, and is said.
        guard open.isDamaged(path.history), isThere || present == nil,
          try makeRoom(for: path, in: folder)
        else { return }
        report(.restored(named(path, folder), .copied))
      }
      func create(_ path: RelativePath) throws {
        _ = try write(file, to: path.history, folder, expecting: .absent, from: source)
      }
      if isThere {
        try create(path)
      } else {
        path = try self.place(path, in: folder, .tracked, create)
      }
      open.setPlace(
        of: id, .init(path: path, since: place.since, meaning: place.meaning), .tracked)
      // What is there already is taken in, and brought up to date, by the next run.
      if isThere {
        let state = PlainFileState(history: file.history, memory: nil)
        try states.keep(state, of: self.file(path, folder))
        report(.copied(named(path, folder)))
        throw Restless(milliseconds: 1)
      }
    }
    let (name, wanted) = (named(path, folder), named(place.path, folder))
    try show(file, at: path, folder, over: nil)
    report(wanted == name ? .copied(name) : .renamed(from: wanted, to: name, forClash: true))
  }
}
