import Peernote

/// What is in a directory and those below it, as far as it concerns documents.
///
/// Symbolic links are not followed, so that nothing outside is ever touched and nothing is looked
/// at for ever. Of hidden entries only `.peernote` is looked into: for the histories of plain files
/// in the directory above it, and for deleted documents in the trash.
struct FolderListing {
  /// A name that is not looked at, and why.
  struct LeftAlone: Hashable {
    enum Reason: Hashable {
      /// A symbolic link.
      case link
      /// Another program is writing it.
      case unfinished
    }

    var path: RelativePath
    var reason: Reason
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

  /// Lists the files of a directory whose names are accepted, by default those that end in
  /// `.peernote`.
  ///
  /// Throws if it cannot be listed itself; of those below that is kept in ``failures``.
  init(
    of root: FileName, host: any Host,
    accepting accepts: @escaping ([UInt8]) -> Bool = \.hasDocumentExtension
  ) throws(Failure) {
    self.accepts = accepts
    try root.listing(list(root, RelativePath(""), inTrash: false, host))
  }

  /// Takes over that a file which is no document has another name.
  mutating func move(_ path: RelativePath, to target: RelativePath) {
    others[target] = others.removeValue(forKey: path)
  }

  /// What is said of ``links`` in the directory that people call by a name.
  func linkFailures(in name: FileName) -> [Failure] {
    links.sorted().map { .link(name.shownFile($0)) }
  }

  private mutating func list(
    _ directory: FileName, _ path: RelativePath, inTrash: Bool, _ host: any Host
  ) throws(HostError) {
    let names = try host.entries(of: directory).filter { name in
      guard name.bytes.first == UInt8(ascii: ".") else { return true }
      noteUnfinished(name, at: path.appending(name.bytes))
      return name.bytes == Self.hiddenName
    }
    for (name, identity) in zip(names, try host.identities(of: names, in: directory)) {
      let entry = path.appending(name.bytes)
      let isHidden = name.bytes.first == UInt8(ascii: ".")
      switch identity?.kind {
      // What is gone by now is not in the folder.
      case nil: break
      case .directory:
        if isHidden {
          if !inTrash { hiddenDirectories.append(entry) }
          listHistories(directory.appending(name), entry, inTrash: inTrash, host)
          listTrash(directory.appending(name), entry, host)
        } else {
          if !inTrash { directories.append(entry) }
          listBelow(directory.appending(name), entry, inTrash: inTrash, host)
        }
      case .regular:
        if isHidden { break }
        if inTrash { allInTrash[entry] = identity }
        if !inTrash, name.bytes.hasAutomergeExtension { automergeFiles[entry] = identity }
        switch (inTrash, accepts(name.bytes)) {
        case (true, true): trash[entry] = identity
        case (false, true): documents[entry] = identity
        case (false, false): others[entry] = identity
        case (true, false): break
        }
      case .symbolicLink:
        if isHidden, !inTrash {
          links.append(entry)
        } else {
          leftAlone.append(LeftAlone(path: entry, reason: .link))
        }
      case .other: break
      }
    }
  }

  /// Notes a name of what is being written, or was when somebody was killed.
  private mutating func noteUnfinished(_ name: FileName, at entry: RelativePath) {
    if Self.isUnfinished(name.bytes) {
      leftAlone.append(LeftAlone(path: entry, reason: .unfinished))
    }
    if Self.isTemporary(name.bytes) { temporaries.append(entry) }
  }

  private mutating func listHistories(
    _ directory: FileName, _ path: RelativePath, inTrash: Bool, _ host: any Host
  ) {
    do throws(HostError) {
      let names = try host.entries(of: directory).filter { name in
        noteUnfinished(name, at: path.appending(name.bytes))
        if !inTrash, name.bytes == TrackedFolderMark.name { markedDirectories.append(path) }
        return name.bytes.first != UInt8(ascii: ".") && name.bytes.hasDocumentExtension
      }
      for (name, identity) in zip(names, try host.identities(of: names, in: directory)) {
        let entry = path.appending(name.bytes)
        if identity?.kind == .symbolicLink, !inTrash { links.append(entry) }
        guard let identity, identity.kind == .regular else { continue }
        if inTrash {
          allInTrash[entry] = identity
          trashedHistories[entry] = identity
        } else {
          histories[entry] = identity
        }
      }
    } catch {
      if error.kind != .notFound { failures.append(error.whileListing(directory)) }
    }
  }

  private mutating func listTrash(_ hidden: FileName, _ path: RelativePath, _ host: any Host) {
    let directory = hidden.appending(FileName(bytes: Self.trashName))
    let kind = (try? host.identity(of: directory, followingLinks: false))?.kind
    if kind == .symbolicLink { links.append(path.appending(Self.trashName)) }
    guard kind == .directory else { return }
    listBelow(directory, path.appending(Self.trashName), inTrash: true, host)
  }

  private mutating func listBelow(
    _ directory: FileName, _ path: RelativePath, inTrash: Bool, _ host: any Host
  ) {
    do throws(HostError) {
      try list(directory, path, inTrash: inTrash, host)
    } catch {
      // It may be gone by now.
      if error.kind != .notFound { failures.append(error.whileListing(directory)) }
    }
  }

  /// Whether a name is that of a file which this program is writing, or was when it was killed.
  private static func isTemporary(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") && name.suffix(8).elementsEqual(".pnmerge".utf8)
  }

  /// Whether a hidden name is that of a file which Syncthing is still receiving.
  private static func isUnfinished(_ name: [UInt8]) -> Bool {
    name.starts(with: ".syncthing.".utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
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
