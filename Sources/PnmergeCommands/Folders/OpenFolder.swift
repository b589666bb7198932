import Peernote

/// A directory of documents, and what this machine knows of it.
///
/// What is known is kept in `$XDG_STATE_HOME/peernote/folders`, in a file named by a digest of the
/// directory's name. It may be lost without harm: files are then read again.
final class OpenFolder {
  /// The directory as it was named.
  let name: FileName
  /// The directory, absolute and without links.
  let root: FileName
  /// What is known of the files of each kind.
  private var lists: [DocumentFolder]
  /// Where the histories were when the folder was last looked at, if any has changed since.
  private(set) var earlierHistories: [UniqueID: RelativePath] = [:]
  /// The files that ``trackedPaths`` found, until the histories change.
  private var knownPaths: [RelativePath]?
  var listing: FolderListing
  /// Files that are no readable documents, and why.
  private var unreadable: [RelativePath: (kind: Kind, failure: Failure)] = [:]
  /// Plain files that were tracked at the last look, of which the histories were gone at this one.
  private var withoutHistory: [RelativePath] = []
  /// How many files were opened to learn what is in them.
  private(set) var openedCount = 0
  /// Whether the folder held documents when it was last looked at, and holds none now.
  private(set) var isEmptied = false
  let host: any Host
  /// When it was looked at.
  private let now: Timestamp
  /// The file system that it was in.
  private let device: UInt64?
  private var known: [UInt8]?
  private let memory: FileName?

  /// Lists a directory, or throws if it is none, and reads what is new or changed; new names count from
  /// `now` on, by default the time of the look.
  init(_ name: FileName, _ invocation: Invocation, now: Timestamp? = nil) throws {
    let host = invocation.host
    (self.name, self.host, self.now) = (name, host, now ?? host.now)
    let root = try name.listing(host.resolved(name))
    self.root = root
    device = try name.listing(host.identity(of: root, followingLinks: false)?.device)
    for name in [root, name] { host.confine(below: name) }
    memory = (try? StateDirectory.name(host))?.appending("folders")
      .appending("\(AgentID(digestOf: root.bytes)).cbor")
    known = memory.flatMap { try? host.read($0, limit: 1 << 28).bytes }
    // What was known of some hundred files takes longer to read than a thread to start.
    let listed: Result<FolderListing, Failure>
    var rest = (known ?? [])[...]
    (lists, listed) = inParallel(if: rest.count > 1 << 16) {
      Kind.allCases.map { _ in
        DocumentFolder(encoded: Self.takePart(of: &rest)) ?? DocumentFolder()
      }
    } _: { [root] in
      Result { () throws(Failure) in try FolderListing(of: root, host: host) }
    }
    do throws(Failure) {
      listing = try listed.get()
    } catch {
      guard let kind = invocation.kind(of: root), kind != .directory else { throw error }
      throw Failure(
        .unreadable, file: name, "is a file, not a directory; give the directory that it is in")
    }
    let earlier = tracked
    let before = documents.count + tracked.count
    let holdsTracked = settled.paths.contains { listing.others[$0] != nil }
    update(.documents, to: listing.documents, invocation)
    update(.trash, to: listing.trash, invocation)
    update(.tracked, to: listing.histories, invocation)
    update(.trackedTrash, to: listing.trashedHistories, invocation)
    if tracked.hasChanged { earlierHistories = earlier.onlyPaths }
    for path in settled.paths where listing.histories[path.history] == nil {
      // What was renamed may come back under its old name. Of what cannot be listed nothing is known.
      guard let id = settled.id(at: path), listing.failures.isEmpty, listing.links.isEmpty,
        tracked.paths(of: id).isEmpty, trackedTrash.paths(of: id).isEmpty
      else { continue }
      if listing.others[path] != nil, trash.paths(of: id).isEmpty {
        withoutHistory.append(path)
      } else {
        forget(path, .settled)
      }
    }
    // What is not mounted has no trash either, nor any file that was tracked.
    isEmptied =
      before > 0 && !holdsTracked && listing.documents.isEmpty && listing.histories.isEmpty
      && listing.trash.isEmpty && listing.trashedHistories.isEmpty
  }

  /// What a file is to the folder; the numbers are the places of the lists in what is kept.
  enum Kind: Int, CaseIterable {
    case documents
    /// A document in the trash.
    case trash
    /// The history of a tracked plain file, by its own path; so are those in the trash.
    case tracked
    /// A tracked plain file for which nothing was to be done, with the state of its history.
    case settled
    case trackedTrash

    /// Where the document of a note is that people know by a path.
    func document(of path: RelativePath) -> RelativePath {
      self == .tracked ? path.history : path
    }

    /// The path by which people know the note with a document; `nil` if that is called like none.
    func note(of document: RelativePath) -> RelativePath? {
      self == .tracked ? document.plainFile : document
    }
  }

  /// What is known of the files of a kind.
  subscript(kind: Kind) -> DocumentFolder { lists[kind.rawValue] }

  var documents: DocumentFolder { self[.documents] }
  var trash: DocumentFolder { self[.trash] }
  var tracked: DocumentFolder { self[.tracked] }
  var settled: DocumentFolder { self[.settled] }
  var trackedTrash: DocumentFolder { self[.trackedTrash] }

  /// Whether the directory is still there, in the same file system: below a stick that was pulled
  /// out is another one.
  var isStillThere: Bool {
    let present = try? host.identity(of: root, followingLinks: false)
    return present?.kind == .directory && present?.device == device
  }

  /// Whether a file, as people are told of it, is in this folder.
  func holds(_ file: FileName) -> Bool {
    [file, file.absolute(from: host.workingDirectory)].contains { file in
      [root, name].contains { file == $0 || file.bytes.starts(with: $0.appending("").bytes) }
    }
  }

  /// Opens several folders, none of which is in another one.
  static func opening(_ names: [FileName], _ invocation: Invocation) throws -> [OpenFolder] {
    if names.contains(where: \.isStandardStream) {
      throw Failure(.usage, "standard input is no directory; give names of directories")
    }
    // Of names that a run sees for the first time none is the later one.
    let now = invocation.host.now
    let folders = try names.map { try OpenFolder($0, invocation, now: now) }
    for (index, folder) in folders.enumerated() {
      for other in folders[..<index] {
        if folder.root == other.root {
          throw Failure(.usage, file: folder.name, "is the same folder as \(other.name.visible)")
        }
        let (inner, outer) =
          folder.root.bytes.count > other.root.bytes.count ? (folder, other) : (other, folder)
        if inner.root.bytes.starts(with: outer.root.appending("").bytes) {
          throw Failure(.usage, file: inner.name, "is in the folder \(outer.name.visible)")
        }
      }
    }
    return folders
  }

  private func update(
    _ kind: Kind, to files: [RelativePath: FileIdentity], _ invocation: Invocation
  ) {
    var count = 0
    let update = change(kind) { folder in
      folder.update(to: files.mapValues(\.stamp), at: now) { path in
        count += 1
        invocation.console.progress("reading \(count): \(shown(path))")
        let bytes = try invocation.readBytes(root.appending(path), beginning: .document)
        let isHistory = kind == .tracked || kind == .trackedTrash
        return try invocation.summary(of: shownFile(path), bytes, isHistory: isHistory)
      }
    }
    openedCount += update.openedCount
    for fault in update.faults {
      guard var failure = fault.error as? Failure else { continue }
      failure.file = shownFile(fault.path)
      if kind == .trash || kind == .trackedTrash {
        failure.message += "; it lies in the trash, where nothing needs it: it may be deleted"
      }
      unreadable[fault.path] = (kind, failure)
    }
  }

  /// Files that are no readable documents, and directories that could not be listed.
  var faults: [Failure] {
    listing.failures + listing.linkFailures(in: name) + faults(of: .documents)
      + faults(of: .tracked)
  }

  /// Files in the trash that are no readable documents.
  var trashFaults: [Failure] { faults(of: .trash) + faults(of: .trackedTrash) }

  private func faults(of kind: Kind) -> [Failure] {
    unreadable.filter { $0.value.kind == kind }.sorted { $0.key < $1.key }.map(\.value.failure)
  }

  /// A file of the folder, as people are told of it.
  func shownFile(_ path: RelativePath) -> FileName { name.shownFile(path) }

  func shown(_ path: RelativePath) -> String { shownFile(path).visible }

  /// The documents that are no deleted ones, ascending by path.
  var livePaths: [RelativePath] { documents.paths.filter { !documents.isDeleted($0) } }

  /// Whether there is a file at a path that is no readable document.
  func isFaulty(_ path: RelativePath) -> Bool { unreadable[path] != nil }

  /// Whether there is a file at a path that is damaged.
  func isDamaged(_ path: RelativePath) -> Bool { unreadable[path]?.failure.status == .damaged }

  /// The plain files whose histories are damaged, ascending.
  var damagedPaths: [RelativePath] {
    unreadable.keys.filter { isDamaged($0) && listing.histories[$0] != nil }
      .compactMap(\.trackedFile).filter { listing.others[$0] != nil }.sorted()
  }

  /// Takes over that a file which was no readable document is gone.
  func clearFault(_ path: RelativePath) { unreadable[path] = nil }

  /// Whether a file is still in the state in which it was last read or written.
  func isKnown(_ path: RelativePath, _ identity: FileIdentity, _ kind: Kind = .documents) -> Bool {
    self[kind].stamp(of: path) == identity.stamp
  }

  /// Whether nothing was to be done for a tracked plain file, and nothing has changed since.
  func isSettled(_ path: RelativePath) -> Bool {
    guard let file = listing.others[path], let checksum = tracked.checksum(at: path.history) else {
      return false
    }
    return settled.stamp(of: path) == file.stamp && settled.checksum(at: path) == checksum
  }

  /// What a plain file holds; nothing if it cannot be read.
  func text(of path: RelativePath) -> String {
    let contents = try? host.read(root.appending(path), limit: Invocation.inputLimit)
    return String(decoding: contents?.bytes ?? [], as: UTF8.self)
  }

  // MARK: What was done to it

  /// Changes a list in its place: a copy would cost as much as there are files.
  private func change<Result>(_ kind: Kind, _ body: (inout DocumentFolder) -> Result) -> Result {
    if kind == .tracked { knownPaths = nil }
    return body(&lists[kind.rawValue])
  }

  /// Takes over what a file holds after it was written; of a settled one what its history holds.
  func record(_ summary: DocumentSummary, at path: RelativePath, _ kind: Kind = .documents) {
    let identity = try? host.identity(of: root.appending(path), followingLinks: false)
    guard let identity else { return forget(path, kind) }
    record(summary, at: path, identity, kind)
  }

  /// The same for a file that was in a state when it was looked at.
  func record(
    _ summary: DocumentSummary, at path: RelativePath, _ identity: FileIdentity, _ kind: Kind
  ) {
    // The file is our own, renamed into its place a moment ago: it cannot be another one that was
    // written within a tick. Where clocks are coarse it is read again.
    let isCoarse = identity.modified % 1_000_000_000 == 0
    let written = max(identity.modified, identity.changed) / 1_000_000
    let readAt = isCoarse ? host.now : Timestamp(milliseconds: written + 20)
    change(kind) { $0.record(summary, at: path, identity.stamp, readAt: readAt) }
  }

  /// Takes over that a file is gone.
  func forget(_ path: RelativePath, _ kind: Kind = .documents) { change(kind) { $0.forget(path) } }

  /// Takes over where a note is, and since when it has its name.
  func setPlace(of id: UniqueID, _ place: DocumentFolder.Place, _ kind: Kind = .documents) {
    var place = place
    (place.path, place.meaning) = (kind.document(of: place.path), kind.document(of: place.meaning))
    change(kind) { $0.setPlace(of: id, place) }
  }

  /// The tracked plain files, ascending by their histories.
  var trackedPaths: [RelativePath] {
    if let knownPaths { return knownPaths }
    let paths = tracked.paths.compactMap(\.trackedFile)
    knownPaths = paths
    return paths
  }

  /// The plain files that were tracked at the last look and are not any more, since their histories
  /// are gone and no other folder has brought them back, ascending.
  var lostPaths: [RelativePath] {
    withoutHistory.filter { path in
      tracked.id(at: path.history) == nil
        && settled.id(at: path).map { tracked.paths(of: $0).isEmpty } ?? false
    }
  }

  /// The directories in which new notes are tracked, empty for the folder itself.
  var trackedDirectories: [RelativePath: TrackedFolderMark] {
    var result: [RelativePath: TrackedFolderMark] = [:]
    for hidden in listing.markedDirectories {
      let mark = try? host.read(
        root.appending(hidden.appending(TrackedFolderMark.name)), limit: 1 << 10)
      result[hidden.directory ?? RelativePath("")] = mark.flatMap { TrackedFolderMark($0.bytes) }
    }
    return result
  }

  /// Keeps what is known for the next run, and where notes will be that are to be written next.
  ///
  /// It is a convenience, and failing to keep it is no failure. Kept also in the middle of a run, it
  /// tells the next one, if this is killed, which names were given since.
  func save(
    expecting coming: [(id: UniqueID, place: DocumentFolder.Place)] = [],
    _ kind: Kind = .documents
  ) {
    guard let memory else { return }
    for kind in [Kind.documents, .trash, .tracked] {
      change(kind) { $0.updatePlaces(at: host.now) }
    }
    for (id, place) in coming { setPlace(of: id, place, kind) }
    if known != nil, !lists.contains(where: \.hasChanged) { return }
    let bytes = Self.joined(lists.map { $0.bytes() })
    if bytes == known { return }
    try? host.makeDirectories(memory.directory)
    let replacement = Replacement(ofState: memory, host: host)
    let written = try? replacement { _ in Replacement.Proposal(bytes, report: ()) }
    if written != nil { known = bytes }
  }

  // MARK: The memory's form

  /// The parts, each after its length in eight bytes, and sealed.
  private static func joined(_ parts: [[UInt8]]) -> [UInt8] {
    parts.flatMap { part in
      let length = UInt64(part.count)
      return (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) } + part
    }
  }

  private static func takePart(of bytes: inout ArraySlice<UInt8>) -> [UInt8] {
    let length = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let part = bytes.dropFirst(8).prefix(Int(clamping: length))
    bytes = bytes[part.endIndex...]
    return Array(part)
  }
}
