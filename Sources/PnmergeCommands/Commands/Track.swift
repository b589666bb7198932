import ArgumentParser
import Peernote

struct Track: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Keep the history of plain text files.", takes: "<file> ...",
    """
    'tidy', 'sync' and 'watch' then record what any editor saves in a file, merge what was saved \
    elsewhere, and write the file when it is behind. The history of trip.md is \
    .peernote/trip.md.peernote beside it, which other programs carry along. A directory stands \
    for all text files in it. A missing file that is named is written again.

    Example:
      pnmerge track ~/notes
      pnmerge watch ~/notes
    """)

  @Flag(inversion: .prefixedNo, help: "Have Markdown files name their version, or not.")
  var marker: Bool?

  @Flag(help: "Do not track what is new in a directory later.")
  var noNew = false

  @Argument(help: .of("file", "Files and directories."))
  var files: [FileName]

  @OptionGroup var options: WriteOptions

  var mistakes: Mistakes { plainFileMistakes }

  /// What was done for a file.
  enum Outcome {
    case started, known, written, marked, back
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    var marks: [FileName] = []
    for file in files where invocation.isDirectory(file) {
      let folder = try OpenFolder.opening([file], invocation)
      marks += folder[0].trackedDirectories.filter { $0.value == .withMarker }
        .map { file.shownFile($0.key) }
      try followRenames(in: folder, invocation)
      try setFolderMark(file, invocation)
    }
    let found = try plainFiles(invocation)
    func marked(_ file: FileName) -> Bool {
      marker
        ?? marks.contains { $0.bytes.isEmpty || file.bytes.starts(with: $0.appending("").bytes) }
    }
    let isOne = found.files.count == 1
    let (wouldBe, will) = options.dryRun ? ("would be ", "would") : ("", "will")
    let (status, outcomes) = try invocation.forEachFile(found) { file in
      let outcome = try track(
        file, startingWithMarker: isMarkdown(file) && marked(file), invocation)
      let words: String? =
        switch outcome {
        case .started: isOne || invocation.console.isVerbose ? "\(wouldBe)tracked" : nil
        case .marked:
          "\(will) \(marker ?? false ? "say" : "say no more") which version it was made from"
        case .known: isOne ? "is tracked already" : nil
        case .written: "\(wouldBe)written again from its history"
        case .back: "\(wouldBe)brought back"
        }
      if let words { try invocation.console.report("\(file.visible): \(words)") }
      return outcome
    }
    let started = outcomes.count { $0 == .started }
    let known = outcomes.count { $0 == .known || $0 == .marked }
    if !isOne {
      let rest = known == 0 ? "" : ", \(known) tracked already"
      try invocation.console.report("\(counted(started, "file")) \(wouldBe)tracked\(rest)")
    }
    // Who tracks a directory for the first time can still choose.
    let isFirst = started > 0 && known == 0 && !options.dryRun
    if isFirst, marker == nil, files.contains(where: invocation.isDirectory),
      found.files.contains(where: { isMarkdown($0) && !marked($0) })
    {
      let words = files.map(shellQuoted).joined(separator: " ")
      try invocation.console.report(
        "  advice for files that are edited on machines without pnmerge: pnmerge track --marker \(words)"
      )
    }
    return status
  }

  /// Has the new notes of a directory tracked by 'tidy', 'sync' and 'watch', or no longer.
  private func setFolderMark(_ directory: FileName, _ invocation: Invocation) throws {
    let host = invocation.host
    let file = directory.appending(FileName(bytes: FolderListing.hiddenName))
      .appending(FileName(bytes: TrackedFolderMark.name))
    try invocation.checkIsNoLink(file.directory)
    if noNew {
      let entry = try file.creating(host.identity(of: file, followingLinks: false))
      if entry != nil { try file.creating(host.remove(file)) }
      return
    }
    try makeHistoryDirectory(file, host)
    let mark = marker ?? false ? TrackedFolderMark.withMarker : .plain
    let replacement = Replacement(of: file, expecting: .any, host: host)
    _ = try replacement { present in
      let known = present.flatMap { TrackedFolderMark($0.bytes) }
      let isKnown = known.map { marker == nil || $0 == mark } ?? false
      return Replacement.Proposal(isKnown ? nil : mark.bytes, report: ())
    }
  }

  /// Gives files of a directory that were renamed their histories, so that none is tracked anew, and
  /// says which are not there, unless they were deleted with 'delete'.
  private func followRenames(in folder: [OpenFolder], _ invocation: Invocation) throws {
    var sync = FolderSync(folder, invocation)
    try sync.followRenames(in: 0)
    if let failure = sync.outcome.failures.first { throw failure }
    let renamed = sync.outcome.events.compactMap { event -> (old: FileName, new: FileName)? in
      if case .renamed(let old, let new, _) = event { (old, new) } else { nil }
    }
    if !renamed.isEmpty { sync.folders[0].save() }
    for (old, new) in renamed {
      let verb = options.dryRun ? "would be renamed" : "renamed"
      try invocation.console.report("\(old.visible): \(verb) to \(new.visible)")
    }
    let folder = sync.folders[0]
    let others = Set(renamed.map(\.old)).union(files)
    for path in folder.trackedPaths.sorted() where folder.listing.others[path] == nil {
      let file = folder.shownFile(path)
      let isDeleted = folder.tracked[path.history]?.deletion?.isCurrent ?? false
      if isDeleted || others.contains(file) { continue }
      let word = shellQuoted(file)
      try invocation.console.report(
        "\(file.visible): missing; to have it back: pnmerge track \(word); to delete it everywhere: "
          + "pnmerge delete \(word)")
    }
  }

  /// The files that are named, and those of directories that are text by their names.
  private func plainFiles(_ invocation: Invocation) throws -> FoundFiles {
    let named = Set(files)
    var found = try invocation.documentFiles(in: files, mayBeEmpty: true) { name in
      DocumentFormat(of: FileName(bytes: name))?.isPlain ?? false
    }
    for file in files where invocation.isDirectory(file) {
      found.failures += try FolderListing(of: file, host: invocation.host).linkFailures(in: file)
    }
    // They are said once, not for each file.
    let links = Set(found.failures.compactMap(\.file))
    found.files.removeAll { file in
      let (history, name) = (file.history, file.lastComponent.bytes)
      return !named.contains(file)
        && (links.contains(history) || links.contains(history.directory)
          || ConflictCopyName.deliveredOriginal(of: name[...]) != nil)
    }
    return found
  }

  private func track(
    _ file: FileName, startingWithMarker hasMarker: Bool, _ invocation: Invocation
  ) throws -> Outcome {
    let host = invocation.host
    let history = file.history
    // How much longer the name of the history is.
    let ending = history.lastComponent.bytes.count - file.lastComponent.bytes.count
    if history.lastComponent.bytes.count > FileName.longestComponent {
      throw Failure(
        .cannotCreate, file: file,
        "its name is too long: that of the history, which has more at its end, would have more than "
          + "\(FileName.longestComponent) bytes; to track it, give it a name of at most "
          + "\(FileName.longestComponent - ending) bytes")
    }
    _ = try invocation.isTracked(file)
    if file.lastComponent.bytes.hasDocumentExtension {
      throw Failure(.usage, file: file, "is a document, which has its history in it")
    }
    if marker ?? false, !isMarkdown(file), files.contains(file) {
      throw file.failure(.usage, "has no front matter for --marker, which is for Markdown files")
    }
    let contents = try PlainContents(file, shown: file, host)
    let known = try history.reading(host.identity(of: history, followingLinks: false))
    if known == nil, let buried = try buried(file, contents, invocation) {
      return try bringBack(file, from: buried, isThere: contents != nil, invocation)
    }
    if known != nil {
      let changed = try change(history, of: file, invocation)
      guard let contents else { return try writeAgain(file, from: history, invocation) }
      guard let (kept, wasDeleted) = changed else { return .known }
      try writeMarker(of: file, from: kept, over: contents, invocation)
      return wasDeleted ? .back : .marked
    }
    guard let contents else {
      throw Failure(.unreadable, file: file, "no such file or directory")
    }
    let kept = (try? host.resolved(file.directory)).flatMap { directory in
      PlainFileStates(host).keptHistory(of: directory.appending(file.lastComponent), contents)
    }
    var started =
      try kept
      ?? PlainHistory(startedFrom: contents, file, hasMarker: hasMarker, host) { _ in
        false
      }
    do throws(EditError) {
      if hasMarker { try started.setMarker(true) }
    } catch {
      throw Failure(.unreadable, file: file, "\(error); nothing was written")
    }
    try makeHistoryDirectory(history, host)
    try DocumentFile(history, from: [file], invocation).create(started.document)
    // What was saved meanwhile is an edit of what is remembered.
    if kept == nil { try keepShown(started, file, invocation) }
    try writeMarker(of: file, from: started, over: contents, invocation)
    return .started
  }

  private func isMarkdown(_ file: FileName) -> Bool {
    DocumentFormat(of: file.lastComponent) == .markdown
  }

  /// Takes the mark off that a file which is named is deleted, and changes whether it is to say which
  /// version it was made from, if that is asked for; `nil` if it is no change.
  private func change(
    _ history: FileName, of file: FileName, _ invocation: Invocation
  ) throws -> (history: PlainHistory, wasDeleted: Bool)? {
    let isNamed = files.contains(file)
    guard isNamed || marker != nil else { return nil }
    return try DocumentFile(history, invocation)() { bytes in
      let document = try invocation.parseDocument(bytes ?? [], from: history)
      var kept = try PlainHistory(document, from: history)
      let isDeleted = document.deletion?.isCurrent ?? false
      do {
        if isDeleted, isNamed {
          try kept.document.withdrawDeletion(
            by: invocation.session(for: file), message: "not deleted")
        }
        if let marker, isMarkdown(file), isNamed || !isDeleted { try kept.setMarker(marker) }
      } catch let error as EditError {
        throw Failure(.damaged, file: history, "\(error); nothing was written")
      }
      let isNews = kept.document.heads != document.heads
      return DocumentFile.Proposal(
        kept.document, isNews: isNews, report: isNews ? (history: kept, wasDeleted: isDeleted) : nil
      )
    }.report
  }

  /// Writes the line that says which version a file was made from, or takes it out, if the file shows
  /// what its history does; else the next 'tidy' does so.
  private func writeMarker(
    of file: FileName, from history: PlainHistory, over contents: PlainContents,
    _ invocation: Invocation
  ) throws {
    guard marker != nil || history.hasMarker, isMarkdown(file) else { return }
    var read = contents
    read.takeMarker(of: history)
    let text = history.fileText
    guard read.file.text.utf8.elementsEqual(history.text.utf8),
      !text.utf8.elementsEqual(contents.bytes)
    else { return }
    let replacement = Replacement(of: file, expecting: .existing, invocation)
    let written: Replacement.Outcome<Bool> = try replacement { present in
      let isSame = present?.bytes == contents.bytes
      return Replacement.Proposal(isSame ? Array(text.utf8) : nil, report: isSame)
    }
    if written.report { try keepShown(history, file, invocation) }
  }

  func makeHistoryDirectory(_ history: FileName, _ host: any Host) throws {
    let directory = history.directory
    try directory.creating(host.makeDirectories(directory, arePrivate: false))
  }

  func writeAgain(
    _ file: FileName, from history: FileName, _ invocation: Invocation
  ) throws -> Outcome {
    let kept = try PlainHistory(invocation.readDocument(history), from: history)
    var replacement = Replacement(of: file, expecting: .absent, invocation)
    replacement.limitMode(to: [history], invocation.host)
    _ = try replacement { _ in Replacement.Proposal(Array(kept.fileText.utf8), report: ()) }
    try keepShown(kept, file, invocation)
    return .written
  }

  /// Keeps that the file shows the present version.
  private func keepShown(
    _ history: PlainHistory, _ file: FileName, _ invocation: Invocation
  ) throws {
    let host = invocation.host
    try PlainFileStates(host).keepShown(history, at: host.target(of: file))
  }
}

extension FilesCommand {
  /// Files that can have no history beside them.
  var plainFileMistakes: Mistakes {
    [
      "give a file or more": files.isEmpty,
      "a history stands beside a file, which standard input is not":
        files.contains(where: \.isStandardStream),
    ]
  }
}

/// Bringing back what was deleted, or is missing and was untracked.
extension Track {
  /// The history of a file that was deleted, in the trash of one of the directories above it, or of a
  /// missing one that was untracked; `nil` if there is none, or the file that is there is another one.
  func buried(
    _ file: FileName, _ contents: PlainContents?, _ invocation: Invocation
  ) throws -> FileName? {
    guard files.contains(file), let directory = try? invocation.host.resolved(file.directory)
    else { return nil }
    var path = RelativePath(bytes: file.lastComponent.bytes)
    var root = directory
    let trash = RelativePath(bytes: FolderListing.hiddenName).appending(FolderListing.trashName)
    var paths = contents == nil ? untracked(path, in: directory, trash, invocation.host) : []
    while true {
      for path in [trash.appending(path.history.bytes)] + paths
      where !invocation.isBehindLink(path, below: root) {
        guard let document = try? invocation.readDocument(root.appending(path)),
          let kept = PlainHistory(document: document),
          document.deletion?.isCurrent ?? (contents == nil)
        else { continue }
        return contents.map { $0.share(of: kept) != nil } ?? true ? root.appending(path) : nil
      }
      if root == root.directory { return nil }
      path = RelativePath(bytes: root.lastComponent.bytes).appending(path.bytes)
      root = root.directory
      paths = []
    }
  }

  /// Where 'untrack' put the histories of a file, the latest one first.
  private func untracked(
    _ path: RelativePath, in directory: FileName, _ trash: RelativePath, _ host: any Host
  ) -> [RelativePath] {
    let home = trash.appending(Array(path.history.lastComponent))
    let names = [home] + (2...99).map { NumberedName.name(home, $0) }
    return names.compactMap { path in
      let entry = try? host.identity(of: directory.appending(path), followingLinks: false)
      return entry.map { (changed: $0.changed, path: path) }
    }.sorted { $0.changed > $1.changed }.map(\.path)
  }

  /// Takes the mark off that a file is deleted, and puts its history where it belongs.
  func bringBack(
    _ file: FileName, from buried: FileName, isThere: Bool, _ invocation: Invocation
  ) throws -> Outcome {
    let host = invocation.host
    var kept = try PlainHistory(invocation.readDocument(buried), from: buried)
    let session = try invocation.session(for: file)
    do throws(EditError) {
      try kept.document.withdrawDeletion(by: session, message: "not deleted")
    } catch {
      throw Failure(.damaged, file: buried, "\(error); nothing was written")
    }
    let history = file.history
    try makeHistoryDirectory(history, host)
    try DocumentFile(history, from: [buried], invocation).create(kept.document)
    try? host.remove(buried)
    // What is there is taken in by the next 'tidy'.
    return isThere ? .back : try writeAgain(file, from: history, invocation)
  }
}

extension Invocation {
  /// Whether a file, or a directory on the way to it, is a symbolic link.
  fileprivate func isBehindLink(_ path: RelativePath, below root: FileName) -> Bool {
    var next: RelativePath? = path
    while let path = next {
      let entry = try? host.identity(of: root.appending(path), followingLinks: false)
      if entry?.kind == .symbolicLink { return true }
      next = path.directory
    }
    return false
  }
}
