import Peernote

/// New notes in a tracked folder: one in whose `.peernote` a file `folder` says that they are tracked.
enum TrackedFolderMark: String {
  case plain = "new notes are tracked\n"
  /// New Markdown files are to say which version they were made from.
  case withMarker = "new notes are tracked, with a marker\n"

  static let name = Array("folder".utf8)

  init(hasMarker: Bool) { self = hasMarker ? .withMarker : .plain }

  /// Reads what such a file says; `nil` if that is nothing.
  init?(_ bytes: [UInt8]) { self.init(rawValue: String(decoding: bytes, as: UTF8.self)) }

  var hasMarker: Bool { self == .withMarker }
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
          let file = sync.folders[folder].root.appending(path)
          let creation = Replacement(of: file, expecting: .any, host: sync.host)
          _ = try creation { present in
            Replacement.Proposal(bytes: present == nil ? mark.bytes : nil, report: ())
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
    if texts.isEmpty { return }
    for (directory, mark) in open.trackedDirectories.sorted(by: { $0.key > $1.key }) {
      let inside = directory.bytes.isEmpty ? [] : directory.bytes + [UInt8(ascii: "/")]
      for path in texts where path.bytes.starts(with: inside) {
        try attempt(nil) { sync in try sync.trackNew(path, mark, in: folder) }
      }
    }
  }

  private mutating func trackNew(
    _ path: RelativePath, _ mark: TrackedFolderMark, in folder: Int
  ) throws {
    let open = folders[folder]
    let (file, name) = (open.root.appending(path), named(path, folder))
    guard try !isBuried(path, in: folder) else { return }
    guard let contents = try? PlainContents(file, shown: name, host) else {
      return unreadable.append(name)
    }
    let rest = contents.identity.restlessness(at: host.now)
    // Half of a save is no note yet.
    if rest > 0 { return runAgain(in: rest) }
    if contents.bytes.isEmpty || contents.fault(after: "") != nil { return }
    let hasMarker = mark.hasMarker && DocumentFormat(of: name) == .markdown
    let history = try PlainHistory(startedFrom: contents, name, hasMarker: hasMarker, host) { id in
      open.tracked.paths(of: id).isEmpty
    }
    try create(HistoryFile(history), at: path.history, folder, readFrom: file)
    try PlainFileStates(host).keepShown(history, at: file)
    report(.tracked(name))
  }

  /// Whether the history of a file at a path lies in the trash: it was untracked, or deleted and is the
  /// same still.
  private func isBuried(_ path: RelativePath, in folder: Int) throws -> Bool {
    let open = folders[folder]
    let history = path.history
    let untracked = (history.directory ?? RelativePath("")).appending(FolderListing.trashName)
      .appending(Array(history.lastComponent))
    if open.listing.trash[untracked] != nil { return true }
    return try open.trackedTrash.paths.contains { buried in
      guard buried.original == nil, buried.plainFile?.outOfTrash == path else { return false }
      guard open.trackedTrash[buried]?.deletion?.isCurrent ?? false else { return false }
      let history = try readHistory(buried, folder)
      let contents = try PlainContents(open.root.appending(path), shown: named(path, folder), host)
      return contents?.share(of: history) != nil
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
