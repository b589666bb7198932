import Peernote

/// Taking in what was saved of tracked plain files, and writing those that are behind, with their
/// histories.
extension FolderSync {
  /// How long a file that takes something out waits for its history, where another machine records,
  /// too, in milliseconds: as long as synchronisers need.
  private static let patience: Int64 = 600_000

  /// Takes in what was saved at a place.
  mutating func record(_ open: inout OpenPlace, into history: inout PlainHistory) throws {
    guard let contents = open.contents else { return }
    let (name, file, memory) = (open.name, contents.file, open.state.memory)
    // What is known already may have been written a moment ago, by another machine.
    let isKnown = memory?.text.utf8.elementsEqual(file.text.utf8) ?? false
    let written = (isKnown ? [] : [contents]) + open.copies.map(\.contents)
    let rest = written.map { $0.identity.restlessness(at: host.now) }.max() ?? 0
    if rest > 0 {
      open.isBusy = true
      return runAgain(in: rest)
    }
    let wasEmpty = memory?.text.isEmpty == true
    if !isKnown, let words = contents.fault(after: wasEmpty ? "" : history.text) {
      throw Failure(.unreadable, file: name, words)
    }
    let before = history
    let recording =
      try open.isPutByGit
      ? history.record(together: file)
      : history.record(file, memory: memory, hasCopies: !open.copies.isEmpty)
    // A save of which it was guessed what was edited may have come before its history. A conflict copy
    // beside it says that it was made apart.
    let age = host.now.milliseconds - contents.identity.changed / 1_000_000
    let isEarly =
      recording.takenOut != nil && !file.isSavedHere && open.copies.isEmpty
      && open.state.isShared && !open.isNews && (0..<Self.patience).contains(age)
    guard let shown = recording.shown, !isEarly else {
      history = before
      open.isBusy = true
      return open.news.append(.early(name))
    }
    open.state.history = history
    if recording.base != nil, file.isSavedHere {
      open.state.takenOut = []
      if let change = shown.first, let session = try? invocation.session(for: name) {
        open.state.keep(saver: session.author, of: change)
      }
    }
    open.keep(recording.takenOut)
    try fold(&open, into: &history, shown)
    let count = history.document.changeCount - before.document.changeCount
    if count > 0 { open.news.insert(.recorded(name, count), at: 0) }
  }

  /// Takes in the conflict copies of a place, whose file shows a version, but for those that cannot be,
  /// or after which other programs could not read the file any more, which is said.
  private mutating func fold(
    _ open: inout OpenPlace, into history: inout PlainHistory, _ shown: [ChangeID]
  ) throws {
    if open.copies.isEmpty { return }
    let (form, copies) = (DocumentFormat(of: open.name), open.copies)
    open.copies = []
    let folded = try history.record(
      copies: copies.map(\.contents.file), besideFile: shown, as: form.plain(history.text))
    for (copy, result) in zip(copies, folded) {
      let name = copy.contents.shown
      switch result {
      case .taken(let left, let beside):
        open.copies.append(copy)
        // The copy is in the trash then.
        open.keep(left)
        if !beside.isEmpty { open.news.append(.bothStand(open.name, beside)) }
      case .early: open.news.append(.early(name))
      case .redacted(let line):
        try attempt(nil) { _ in
          throw Failure(
            .unreadable, file: name,
            "line \(line) of this conflict copy cannot be told from text that was redacted since, so "
              + "it was left alone; take over by hand what is to stay, and delete it")
        }
      case .invalid(let text):
        open.news.append(.apart(name, form.fault(in: text) ?? ""))
      }
    }
  }

  /// Settles what was merged, so that each file shows just the text.
  mutating func settle(
    _ history: inout PlainHistory, as name: FileName, _ places: inout [OpenPlace]
  ) throws {
    let isMerged = history.document.heads.count > 1
    let found: PlainHistory.Settlement
    do {
      found = try history.settle(as: DocumentFormat(of: name).plain(history.text))
    } catch {
      throw failure(error, in: name, history)
    }
    if !found.added.isEmpty { report(.bothStand(name, found.added)) }
    if isMerged {
      let known = Set(places.flatMap(\.state.history.document.conflicts).map(\.id))
      let open = history.document.conflicts.filter { !$0.isCombined && !known.contains($0.id) }
      if !open.isEmpty { report(.conflicts(name, open)) }
    }
    guard let left = found.left else { return }
    report(.takenOut(name, left.lines))
    for index in places.indices { places[index].state.keep(left) }
  }

  /// What is said of a history that cannot be gone on with, or not be joined with that of another file.
  func failure(
    _ error: any Error, in name: FileName, _ history: PlainHistory, beside other: FileName? = nil
  ) -> Failure {
    switch error {
    case let error as Failure: error
    case let error as DocumentError: error.failure(in: name)
    case let error as MergeError:
      error.failure(name, history.document, comparedWith: other ?? name, history.document)
    case EditError.redacted(_, let line):
      Failure(
        .unreadable, file: name,
        "line \(line) cannot be told from text that was redacted since, so nothing was recorded; take "
          + "out what was redacted, and save it again")
    default: Failure(.damaged, file: name, "cannot be recorded: \(error)")
    }
  }

  // MARK: Writing

  /// Writes a history, which may be in the trash, if what is there lacks anything, and gives what was
  /// new to it; it is no more readable than its file, and than `source`.
  func write(
    _ file: HistoryFile, to path: RelativePath, _ folder: Int, _ kind: OpenFolder.Kind = .tracked,
    expecting expectation: FileReplacement.Expectation = .any, from source: FileName? = nil
  ) throws -> [SyncOutcome.Event] {
    let open = folders[folder]
    if open[kind].checksum(at: path) == file.checksum || !mayWrite(to: folder) { return [] }
    let (document, name) = (file.history.document, named(path, folder))
    try makeDirectories(above: path, folder)
    let history = self.file(path, folder)
    let target = DocumentFile(
      history, from: [history.plainFile, source].compactMap(\.self), invocation)
    let written = try target(expecting: expectation) { old in
      let present = try old.map { try invocation.parseDocument($0, from: name) }
      if let present, present.id == document.id, !document.has(present.heads) { throw Restless() }
      let news = present.map { document.changes(since: $0.heads) } ?? []
      return DocumentFile.Proposal(
        file.bytes, document.state, report: ChangeTally(authors: news.map(\.author)))
    }
    open.record(file.summary, at: path, kind)
    return written.hasChanged
      ? [.merged(named(path.plainFile ?? path, folder), written.report)] : []
  }

  /// Writes the plain file of a place if it is behind, and keeps what it shows; or, if it is deleted,
  /// moves it to the trash with its history, as it does with conflict copies that are taken in.
  mutating func finish(_ open: OpenPlace, _ file: HistoryFile, isDeleted: Bool) throws {
    let (place, folder) = (open.place, open.place.folder)
    guard mayWrite(to: folder) else { return }
    // The history of another file that is not taken in yet stays beside it.
    let waiting = open.isBusy ? place.fileCopies.map(\.history) : []
    for path in place.historyCopies where !waiting.contains(path) {
      if try discard(path, folder, .tracked) { report(.folded(named(path, folder))) }
    }
    if open.isBusy { return }
    switch (open.contents, isDeleted) {
    case (let contents?, false): try show(file, at: place.path, folder, over: contents, open.state)
    case (let contents?, true):
      let moved = try moveToTrash(place.path, folder) { $0 == contents.identity }
      if moved == nil { throw Restless() }
    case (nil, false):
      if open.state.memory == nil { return }
      var state = open.state
      state.history = file.history
      return try states.keep(state, of: self.file(place.path, folder))
    case (nil, true): break
    }
    for copy in open.copies {
      let moved = try moveToTrash(copy.path, folder) { $0 == copy.contents.identity }
      if moved != nil { report(.folded(copy.contents.shown)) }
    }
    if !isDeleted { return }
    if place.hasHistory, try !discard(place.history, folder, .tracked) { throw Restless() }
    folders[folder].forget(place.path, .settled)
    // Whoever brings an old copy has not seen what was known here.
    states.forget(self.file(place.path, folder))
    report(.trashed(open.name))
  }

  /// Has a plain file, or none, that was read hold what its history says, and keeps that.
  mutating func show(
    _ file: HistoryFile, at path: RelativePath, _ folder: Int, over contents: PlainContents?,
    _ known: PlainFileState? = nil
  ) throws {
    let (bytes, plain) = (Array(file.history.fileText.utf8), self.file(path, folder))
    var present = contents
    if contents?.bytes != bytes {
      var replacement = Replacement(
        of: plain, expecting: contents == nil ? .absent : .existing, host: host)
      if contents == nil { replacement.limitMode(to: [plain.history], host) }
      let isSame = try replacement { present in
        let isSame = present?.bytes == contents?.bytes
        return Replacement.Proposal(isSame ? bytes : nil, report: isSame)
      }.report
      if isSame, contents != nil { report(.taken(named(path, folder))) }
      present = try isSame ? self.contents(path, folder) : nil
      if present?.bytes != bytes { throw Restless() }
    }
    var state = known ?? PlainFileState(history: file.history, memory: nil)
    (state.history, state.memory) = (file.history, PlainMemory(showing: file.history))
    try states.keep(state, of: plain)
    if let identity = present?.identity, let summary = folders[folder].tracked[path.history] {
      folders[folder].record(summary, at: path, identity, .settled)
    }
  }
}
