import Peernote

/// Writing tracked plain files that are behind, and their histories.
extension FolderSync {
  /// Writes a history, which may be in the trash, if what is there lacks anything; false if it held
  /// anything else than what was read.
  func write(
    _ file: HistoryFile, to path: RelativePath, _ folder: Int,
    _ kind: OpenFolder.Kind = .tracked
  ) throws -> Bool {
    let open = folders[folder]
    let known = open[kind].checksum(at: path)
    if known == file.checksum || !mayWrite(to: folder) { return true }
    let document = file.history.document
    let name = named(path, folder)
    try makeDirectories(above: path, folder)
    var target = DocumentFile(open.root.appending(path), invocation)
    target.sources = path.plainFile.map { [open.root.appending($0)] } ?? []
    let isKnown = try target(expecting: .any) { old in
      let present = try old.map { try invocation.parseDocument($0, from: name) }
      let isKnown = present.map { $0.id != document.id || document.has($0.heads) } ?? true
      return DocumentFile.Proposal(
        isKnown ? file.bytes : nil, document.state, report: isKnown)
    }.report
    if isKnown { open.record(file.summary, at: path, kind) }
    return isKnown
  }

  /// Writes the plain file of a place if it is behind, keeps what it shows, and moves away conflict
  /// copies; false if others wrote something meanwhile.
  mutating func finish(_ open: OpenPlace, _ history: PlainHistory) throws -> Bool {
    let place = open.place
    guard mayWrite(to: place.folder) else { return true }
    let file = folders[place.folder].root.appending(place.path)
    var (identity, state) = (open.contents?.identity, open.state)
    let fileText = history.fileText
    if let contents = open.contents, !open.isBusy {
      if !fileText.utf8.elementsEqual(contents.bytes) {
        identity = try write(fileText, over: contents, at: place.path, place.folder)
        if identity == nil { return false }
      }
      state?.memory = PlainMemory(showing: history)
    }
    // The history of another file that is not taken in yet stays beside it.
    let taken = place.historyCopies.filter { path in
      !open.isBusy || !place.fileCopies.contains { $0.history == path }
    }
    for path in taken { _ = try discard(path, place.folder, .tracked) }
    if open.isBusy { return true }
    if var state {
      state.history = history
      try PlainFileStates(host).keep(state, of: file)
    }
    guard open.contents != nil else { return true }
    try clearAwayFileCopies(of: open)
    if let identity, let summary = folders[place.folder].tracked[place.history] {
      folders[place.folder].record(summary, at: place.path, identity, .settled)
    }
    return true
  }

  /// Puts a text in the place of what was read of a plain file, or of nothing, and gives the file as it
  /// is then; `nil` if it was not that any more, or somebody has saved it since.
  mutating func write(
    _ text: String, over contents: PlainContents?, at path: RelativePath, _ folder: Int
  ) throws -> FileIdentity? {
    let (file, name) = (folders[folder].root.appending(path), named(path, folder))
    var replacement = Replacement(
      of: file, expecting: contents == nil ? .absent : .existing, host: host)
    if contents == nil {
      replacement.limitMode(to: [folders[folder].root.appending(path.history)], host)
    }
    let isSame = try replacement { present in
      let isSame = present?.bytes == contents?.bytes
      return Replacement.Proposal(bytes: isSame ? Array(text.utf8) : nil, report: isSame)
    }.report
    if !isSame { return nil }
    if contents != nil { report(.taken(name)) }
    let written = try PlainContents(file, shown: name, host)
    return written.flatMap { text.utf8.elementsEqual($0.bytes) ? $0.identity : nil }
  }
}
