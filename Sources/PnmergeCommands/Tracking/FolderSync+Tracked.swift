import Peernote

/// Tracked plain files: what was saved is recorded, copies are merged, and files that are behind
/// are written.
extension FolderSync {
  /// Brings the tracked plain files of all folders together, and tells how many there are.
  mutating func bringTrackedTogether() throws -> Int {
    try carryMarks()
    for folder in folders.indices where mayWrite(to: folder) {
      try attempt(folder) { try $0.followRenames(in: folder) }
      try attempt(folder) { try $0.trackNew(in: folder) }
    }
    let units = trackedUnits()
    var live: [NoteUnit] = []
    for (index, unit) in units.enumerated() {
      if isSettled(unit) {
        if !unit.places.isEmpty { live.append(unit) }
        continue
      }
      invocation.console.progress("looking at tracked file \(index + 1) of \(units.count)")
      let saidBefore = outcome.events.count
      historyNews = []
      try attempt(nil) { sync in
        if let present = try sync.bringTogether(unit) { live.append(present) }
      }
      if outcome.events[saidBefore...].allSatisfy(\.isIdle) { historyNews.forEach { report($0) } }
    }
    try applyTrackedNames(to: live)
    return live.count
  }

  /// Somebody else writes a file: another run after so many milliseconds sees what.
  struct Restless: Error {
    var milliseconds = PlainContents.quiet
  }

  /// The tracked plain files, ascending: those of one name whose histories were started apart count
  /// as one if they had the same text once, or if one has adopted the other.
  private func trackedUnits() -> [NoteUnit] {
    folders.trackedUnits(matchingByID: matchesByID).reduce(into: []) { units, unit in
      // What cannot be read is told when it is brought together.
      if let last = units.last, let joined = last.joined(with: unit),
        (try? union(of: last).isOfOneFile(as: union(of: unit))) ?? false
      {
        units[units.count - 1] = joined
      } else {
        units.append(unit)
      }
    }
  }

  /// Whether nothing is to be done.
  private func isSettled(_ unit: NoteUnit) -> Bool {
    if !unit.tombstones.isEmpty {
      return unit.places.isEmpty && Set(unit.tombstones.map(\.summary.checksum)).count == 1
        && unit.tombstones.allSatisfy { folders[$0.folder].listing.others[$0.home] == nil }
    }
    guard let first = unit.places.first, unit.places.count == folders.count else { return false }
    let checksum = folders[first.folder].tracked.checksum(at: first.history)
    return unit.places.allSatisfy { place in
      let folder = folders[place.folder]
      return place.historyCopies.isEmpty && place.fileCopies.isEmpty
        && folder.tracked.checksum(at: place.history) == checksum
        && folder.isSettled(place.path)
    }
  }

  /// A place of a tracked file as it was read.
  struct OpenPlace {
    let place: NoteCopy
    /// The file, as people are told of it.
    let name: FileName
    /// What this machine knows of it; if nothing, somebody else has started it.
    var state: PlainFileState
    var contents: PlainContents?
    var copies: [(path: RelativePath, contents: PlainContents)] = []
    /// Whether git put the file and its history there: the file has settled what was merged.
    var isPutByGit = false
    /// Whether another machine wrote its history since this one did.
    var isNews = false
    /// Whether file and copies are left alone this time: they were written a moment ago, or came
    /// before their history.
    var isBusy = false
    /// What is to be told once the history is written.
    var news: [SyncOutcome.Event] = []

    /// Keeps what left the file, and says it.
    mutating func keep(_ left: TakenOutLines?) {
      guard let left else { return }
      state.keep(left)
      news.append(.takenOut(name, left.lines))
    }
  }

  /// Brings a tracked file together, and gives what there is of it then; `nil` if it is deleted, unless
  /// that has to wait.
  private mutating func bringTogether(_ found: NoteUnit) throws -> NoteUnit? {
    var unit = found
    for place in unit.places { _ = try gitState(ofHistoryAt: place) }
    var history = try union(of: unit)
    unit.copies += unit.tombstones.filter { tombstone in
      unit.place(in: tombstone.folder) == nil && isReturned(tombstone, history)
    }.map {
      NoteCopy(
        folder: $0.folder, path: $0.home, role: .note, summary: $0.summary, hasHistory: false)
    }
    unit.copies.sort { $0.folder < $1.folder }
    let isAlone = unit.copies.count == 1
    var places: [OpenPlace] = []
    for place in unit.places {
      // Whoever saved the file there has seen nothing of what other folders have.
      var own = try (isAlone ? nil : self.history(at: place, history.document.id)) ?? history
      var open = try open(place, &own)
      do {
        try record(&open, into: &own)
        if isAlone { history = own } else { try history.merge(own) }
      } catch {
        throw failure(error, in: open.name, own)
      }
      places.append(open)
    }
    let isDeleted = history.document.deletion?.isCurrent ?? false
    // What was written a moment ago is looked at first.
    if isDeleted, places.contains(where: \.isBusy) {
      places.flatMap(\.news).forEach { report($0) }
      return unit
    }
    let name = named(unit.path, unit.places.first?.folder ?? unit.tombstones[0].folder)
    if !isDeleted {
      if places.count > 1 || !places.allSatisfy(\.isPutByGit) {
        try settle(&history, as: name, &places)
      }
      // A change on all heads hides that something was merged, so that this comes after settling.
      let tombstone = unit.tombstones.first { unit.place(in: $0.folder) == nil }
      try withdrawDeletion(in: &history.document, name, deleted: tombstone)
      // Where git holds a history as it is, that with the file tells what it shows.
      for open in places where !open.isBusy && open.contents != nil {
        if try gitState(ofHistoryAt: open.place) != .held { history.noteShown() }
      }
    }
    let file = HistoryFile(history)
    // One that has taken in a history which was started apart.
    let joined = unit.places.first { place in
      let ids = place.histories.compactMap { folders[place.folder].tracked.id(at: $0) }
      return ids.contains { $0 != history.document.id }
    }
    for tombstone in unit.tombstones where isDeleted {
      try attempt(tombstone.folder) {
        $0.historyNews += try $0.write(file, to: tombstone.path, tombstone.folder, .trackedTrash)
      }
    }
    for open in places where open.place.hasHistory || !isDeleted {
      historyNews += try write(file, to: open.place.history, open.place.folder)
    }
    if let joined { report(.joined(named(joined.path, joined.folder))) }
    places.flatMap(\.news).forEach { report($0) }
    for open in places {
      try attempt(open.place.folder) { try $0.finish(open, file, isDeleted: isDeleted) }
    }
    if isDeleted { return nil }
    for tombstone in unit.tombstones where mayWrite(to: tombstone.folder) {
      try attempt(tombstone.folder) { sync in
        // It may be nowhere else.
        if unit.places.isEmpty {
          try sync.copyTracked(
            file, to: .init(path: tombstone.home, since: nil), tombstone.folder,
            from: sync.file(tombstone))
        }
        if sync.isHeld(unit.id, file.checksum, in: tombstone.folder, .tracked) {
          try sync.removeTombstone(tombstone, .trackedTrash)
        }
      }
    }
    return unit
  }

  // MARK: Reading

  /// Whether a deleted file, with a history, is there again: an old copy of it, or one that was edited
  /// by somebody who did not know; another file under its name, and what is no text, is left alone.
  func isReturned(_ tombstone: NoteCopy, _ history: PlainHistory) -> Bool {
    let (open, home) = (folders[tombstone.folder], tombstone.home)
    guard open.listing.others[home] != nil, open.tracked[home.history] == nil else { return false }
    return (try? contents(home, tombstone.folder))?.share(of: history) != nil
  }

  /// A plain file of a folder as it is read; `nil` if there is none.
  func contents(_ path: RelativePath, _ folder: Int) throws(Failure) -> PlainContents? {
    try PlainContents(file(path, folder), shown: named(path, folder), host)
  }

  /// What this machine keeps of plain files.
  var states: PlainFileStates { PlainFileStates(host) }

  /// A file of a folder.
  func file(_ path: RelativePath, _ folder: Int) -> FileName {
    folders[folder].root.appending(path)
  }

  /// All changes of all histories.
  func union(of unit: NoteUnit) throws -> PlainHistory {
    let files =
      unit.places.flatMap { place in place.histories.map { (place.folder, $0) } }
      + unit.tombstones.map { ($0.folder, $0.path) }
    let read = try files.map { folder, path in
      (file: named(path, folder), document: try readHistory(path, folder).document)
    }
    // The same file was tracked on two machines that did not know of each other.
    let found = try Dictionary(grouping: read, by: \.document.id).sorted { $0.key < $1.key }
      .map { _, copies in
        var all = copies[0].document
        let files = copies.map(\.file)
        _ = try all.merge(Array(files.dropFirst()), into: files[0]) { number, _ in
          copies[number + 1].document
        }
        return (file: files[0], history: try PlainHistory(all, from: files[0]))
      }
    let first = found[0]
    var result = first.history
    for (other, history) in found.dropFirst() {
      do {
        guard try result.isOfOneFile(as: history) else {
          throw Failure(
            .notSameDocument, file: other,
            "the history of another file, which never had the text of \(first.file.shown.visible); "
              + "to have both, give it another name there, and track that; nothing was written")
        }
        try result.adopt(history)
      } catch {
        throw failure(error, in: other, history, beside: first.file)
      }
    }
    return result
  }

  /// What a place has of the history of a file; `nil` if that has another identity, or none.
  func history(at place: NoteCopy, _ id: UniqueID) throws -> PlainHistory? {
    if place.histories.isEmpty { return nil }
    let history = try union(of: NoteUnit(id: id, copies: [place]))
    return history.document.id == id ? history : nil
  }

  func readHistory(_ path: RelativePath, _ folder: Int) throws(Failure) -> PlainHistory {
    let shown = named(path, folder)
    let contents = try shown.reading(
      host.read(file(path, folder), limit: Invocation.inputLimit, beginning: .document))
    return try PlainHistory(invocation.parseDocument(contents.bytes, from: shown), from: shown)
  }

  /// Reads the plain files of a place, and brings in what this machine knows of the history; conflict
  /// copies that are no text, or nothing to take in, are left alone, which is said.
  mutating func open(_ place: NoteCopy, _ history: inout PlainHistory) throws -> OpenPlace {
    let known = states.state(of: file(place.path, place.folder))
    var result = OpenPlace(
      place: place, name: named(place.path, place.folder),
      state: PlainFileState(history: history, memory: nil, isShared: true))
    if known?.history.document.heads != history.document.heads,
      try isPutByGit(place, history, instead: known)
    {
      result.isPutByGit = true
      result.state = PlainFileState(history: history, memory: PlainMemory(showing: history))
      result.state.savers = known?.savers ?? []
    } else if let known {
      var merged = known.history
      if let found = try? merged.merge(history) {
        result.isNews = !known.history.document.has(history.document.heads)
        result.state = known
        result.state.compare(with: history)
        result.state.isShared = known.isShared || result.isNews
        history = merged
        if !found.takenOut.isEmpty { result.news = [.redacted(result.name, found.takenOut)] }
      } else {
        result.state = known.adopted(by: history) ?? result.state
      }
    }
    result.contents = try contents(place.path, place.folder)
    result.contents?.adapt(to: history, isCopy: false)
    for path in place.fileCopies {
      try attempt(nil) { sync in
        guard var copy = try sync.contents(path, place.folder) else { return }
        copy.adapt(to: history, isCopy: true)
        if let fault = copy.fault(after: history.text, isCopy: true) {
          throw Failure(.unreadable, file: copy.shown, fault)
        }
        result.copies.append((path, copy))
      }
    }
    return result
  }

  /// Whether git put the history there, of whatever branch and in whatever conflict: it holds just
  /// that, or tracks it and it lacks what this machine knew, as after `git stash pop`.
  ///
  /// Then what this machine knew of the file before does not count. Nothing is lost: what the history
  /// lacks is in git's commits, or was given up. Copies of it that hold no more than it does, as `git
  /// mergetool` leaves one, change nothing about that.
  private mutating func isPutByGit(
    _ place: NoteCopy, _ history: PlainHistory, instead state: PlainFileState?
  ) throws -> Bool {
    guard place.hasHistory else { return false }
    if !place.historyCopies.isEmpty {
      let own = try? readHistory(place.history, place.folder).document
      guard own?.has(history.document.heads) ?? false else { return false }
    }
    let git = try gitState(ofHistoryAt: place)
    guard git == .changed, let known = state?.history.document else { return git == .held }
    return known.id == history.document.id && !history.document.has(known.heads)
  }

  /// What git says of the history of a file, `nil` if it does not track it; refuses a file that git left
  /// in conflict, or whose history it did.
  private mutating func gitState(
    ofHistoryAt place: NoteCopy
  ) throws(Failure) -> GitFileState? {
    let directory = file(place.path, place.folder).directory
    let git = gitFolders[directory] ?? GitRepository(host: host).fileStates(in: directory)
    gitFolders.updateValue(git, forKey: directory)
    let file = FileName(bytes: place.path.lastComponent)
    let entries = [
      (file.history, UnmergedFile.words(isHistory: true)), (file, UnmergedFile.plainFileWords),
    ]
    for (entry, words) in entries where git?[entry] == .inConflict {
      throw Failure(.unreadable, file: named(place.path, place.folder), words)
    }
    return git?[file.history]
  }
}
