import Peernote

/// What is in a directory and those below it, as far as it concerns documents.
///
/// Symbolic links are not followed, so that nothing outside is ever touched and nothing is looked
/// at for ever. Of hidden entries only `.peernote` is looked into: for the histories of plain files
/// in the directory above it, and for deleted documents in the trash.
struct FolderListing {
  /// A name that is not looked at: a symbolic link, or what another program is still writing.
  struct LeftAlone {
    var path: RelativePath
    var isLink: Bool
  }

  /// Documents, or the files that were asked for.
  private(set) var documents: [RelativePath: FileIdentity] = [:]
  /// MeetingNotes' files and other Automerge documents, by their names.
  private(set) var automergeFiles: [RelativePath: FileIdentity] = [:]
  /// The other files that are not hidden.
  private(set) var others: [RelativePath: FileIdentity] = [:]
  /// The histories of tracked plain files, in directories called `.peernote`.
  private(set) var histories: [RelativePath: FileIdentity] = [:]
  /// The histories of tracked plain files that were deleted, in the trash.
  private(set) var trashedHistories: [RelativePath: FileIdentity] = [:]
  /// The directories called `.peernote`, but for those in the trash.
  private(set) var hiddenDirectories: [RelativePath] = []
  /// The directories called `.peernote` that hold a ``TrackedFolderMark``.
  private(set) var markedDirectories: [RelativePath] = []
  /// All directories but hidden ones and the folder itself.
  private(set) var directories: [RelativePath] = []
  /// The documents in folders called `.peernote/trash`.
  private(set) var trash: [RelativePath: FileIdentity] = [:]
  /// All files in folders called `.peernote/trash`.
  private(set) var allInTrash: [RelativePath: FileIdentity] = [:]
  private(set) var leftAlone: [LeftAlone] = []
  /// Symbolic links where histories belong, or the trash, which nothing reads or writes through.
  private(set) var links: [RelativePath] = []
  /// What runs of this program write before it takes a name, or have replaced.
  private(set) var temporaries: [RelativePath] = []
  /// Directories that could not be listed.
  private(set) var failures: [Failure] = []

  /// The hidden directory in which a folder keeps what is not for people.
  static let hiddenName = Array(".peernote".utf8)
  static let trashName = Array("trash".utf8)

  private let accepts: ([UInt8]) -> Bool
  private let host: any Host

  /// Lists the files of a directory whose names are accepted, by default those that end in
  /// `.peernote`; throws if it cannot be listed itself, while of those below ``failures`` tells.
  init(
    of root: FileName, host: any Host,
    accepting accepts: @escaping ([UInt8]) -> Bool = \.hasDocumentExtension
  ) throws(Failure) {
    (self.accepts, self.host) = (accepts, host)
    try root.listing(list(root, RelativePath(""), isHidden: false, inTrash: false))
  }

  /// Takes over that a file which is no document has another name, or is gone.
  mutating func move(_ path: RelativePath, to target: RelativePath? = nil) {
    let file = others.removeValue(forKey: path)
    if let target { others[target] = file }
  }

  /// What is said of ``links`` in the directory that people call by a name.
  func linkFailures(in name: FileName) -> [Failure] {
    links.sorted().map { .link(name.shownFile($0)) }
  }

  /// Lists a directory and those below it; one that `isHidden` is called `.peernote`.
  private mutating func list(
    _ directory: FileName, _ path: RelativePath, isHidden: Bool, inTrash: Bool
  ) throws(HostError) {
    let ownName = isHidden ? Self.trashName : Self.hiddenName
    let names = try host.entries(of: directory).filter { name in
      let isDotted = name.bytes.first == UInt8(ascii: ".")
      if isDotted { noteUnfinished(name, at: path.appending(name.bytes)) }
      if isHidden, !inTrash, name.bytes == TrackedFolderMark.name { markedDirectories.append(path) }
      if name.bytes == ownName { return true }
      return !isDotted && (!isHidden || name.bytes.hasDocumentExtension)
    }
    for (name, identity) in zip(names, try host.identities(of: names, in: directory)) {
      // What is gone by now is not in the folder.
      guard let identity else { continue }
      let (entry, isOwn) = (path.appending(name.bytes), name.bytes == ownName)
      switch identity.kind {
      case .directory where isOwn || !isHidden:
        if !isHidden, !inTrash {
          if isOwn { hiddenDirectories.append(entry) } else { directories.append(entry) }
        }
        let file = directory.appending(name)
        do throws(HostError) {
          try list(file, entry, isHidden: isOwn && !isHidden, inTrash: inTrash || isHidden)
        } catch {
          // It may be gone by now.
          if error.kind != .notFound { failures.append(error.whileListing(file)) }
        }
      case .regular where !isOwn: add(entry, name, identity, isHistory: isHidden, inTrash: inTrash)
      case .symbolicLink where !inTrash && (isOwn || isHidden): links.append(entry)
      case .symbolicLink: leftAlone.append(LeftAlone(path: entry, isLink: true))
      case .directory, .regular, .other: break
      }
    }
  }

  private mutating func add(
    _ path: RelativePath, _ name: FileName, _ file: FileIdentity, isHistory: Bool, inTrash: Bool
  ) {
    if inTrash { allInTrash[path] = file }
    switch (isHistory, inTrash) {
    case (true, true): trashedHistories[path] = file
    case (true, false): histories[path] = file
    case (false, true):
      if accepts(name.bytes) { trash[path] = file }
    case (false, false):
      if name.bytes.hasAutomergeExtension { automergeFiles[path] = file }
      if accepts(name.bytes) { documents[path] = file } else { others[path] = file }
    }
  }

  /// Notes a hidden name of what is being written, or was when somebody was killed.
  private mutating func noteUnfinished(_ name: FileName, at entry: RelativePath) {
    // Syncthing is receiving it.
    if name.bytes.starts(with: ".syncthing.".utf8), name.bytes.suffix(4).elementsEqual(".tmp".utf8)
    {
      leftAlone.append(LeftAlone(path: entry, isLink: false))
    }
    if name.bytes.suffix(8).elementsEqual(".pnmerge".utf8) { temporaries.append(entry) }
  }
}

extension [UInt8] {
  /// Whether a name ends in `.peernote`, in whatever case, since some sticks know capitals only; or
  /// is that of a conflict copy of such a file, as `N.peernote.orig`.
  var hasDocumentExtension: Bool { hasExtension("peernote") }

  /// Whether a name is that of a file of MeetingNotes or another Automerge document, or of a conflict
  /// copy of one.
  var hasAutomergeExtension: Bool { AutomergeCopy.endings.contains { hasExtension($0) } }

  private func hasExtension(_ ending: String) -> Bool {
    // Other conflict copies have the ending of their file.
    hasEnding(ending, self[...])
      || ConflictCopyName.withoutLastSuffix(self[...]).map { hasEnding(ending, $0) } ?? false
  }

  private func hasEnding(_ ending: String, _ name: ArraySlice<UInt8>) -> Bool {
    let dot = name.endIndex - ending.utf8.count - 1
    return dot > name.startIndex && name[dot] == UInt8(ascii: ".")
      && zip(name[(dot + 1)...], ending.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }
}

extension RelativePath {
  /// The entry `name` of this directory; of the folder itself if this is empty.
  func appending(_ name: [UInt8]) -> RelativePath {
    bytes.isEmpty
      ? RelativePath(bytes: name) : RelativePath(bytes: bytes + [UInt8(ascii: "/")] + name)
  }
}

extension FileName {
  /// The file at a path below this directory.
  func appending(_ path: RelativePath) -> FileName { appending(FileName(bytes: path.bytes)) }

  /// The same as people are told of it: without `./` in front.
  func shownFile(_ path: RelativePath) -> FileName {
    bytes == [UInt8(ascii: ".")] ? FileName(bytes: path.bytes) : appending(path)
  }
}

extension HostError {
  /// The failure to report when a directory could not be listed.
  func whileListing(_ directory: FileName) -> Failure {
    kind == .notFound
      ? Failure(.unreadable, file: directory, "there is no directory of this name")
      : Failure(.unreadable, file: directory, "cannot list: \(explanation)")
  }
}

extension FileIdentity {
  /// What tells this state of the file from others.
  var stamp: FileStamp {
    FileStamp(size: size, modified: modified, changed: changed, number: inode)
  }
}
