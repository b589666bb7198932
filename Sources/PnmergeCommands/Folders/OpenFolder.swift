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
  private(set) var documents: DocumentFolder
  /// The documents in the trash, by path.
  private(set) var trash: DocumentFolder
  private(set) var listing: FolderListing
  /// Files that are no readable documents, and directories that could not be listed.
  private(set) var faults: [Failure] = []
  private var faultyPaths: Set<RelativePath> = []
  /// How many files were opened to learn what is in them.
  private(set) var openedCount = 0
  /// Whether the folder held documents when it was last looked at, and holds none now.
  private(set) var isEmptied = false
  private let host: any Host
  private let known: [UInt8]?
  private let memory: FileName?

  /// The most bytes of what is known that are read.
  private static let memoryLimit = 1 << 28

  /// Lists a directory, and reads what is new or changed.
  ///
  /// - Throws: ``Failure`` if it is no directory.
  init(_ name: FileName, _ invocation: Invocation) throws {
    let host = invocation.host
    self.name = name
    self.host = host
    do throws(HostError) {
      root = try host.resolved(name)
    } catch {
      throw error.whileListing(name)
    }
    memory = (try? StateDirectory.name(host))?.appending("folders")
      .appending("\(AgentID(digestOf: root.bytes)).cbor")
    known = memory.flatMap { try? host.read($0, limit: Self.memoryLimit).bytes }
    let parts = known.flatMap { Self.parts(of: $0) }
    documents = parts.flatMap { DocumentFolder(encoded: $0.documents) } ?? DocumentFolder()
    trash = parts.flatMap { DocumentFolder(encoded: $0.trash) } ?? DocumentFolder()
    listing = try FolderListing(of: root, host: host)
    let before = documents.count
    faults = listing.failures
    update(&documents, to: listing.documents, invocation)
    update(&trash, to: listing.trash, invocation)
    isEmptied = before > 0 && listing.documents.isEmpty
  }

  /// Opens several folders, none of which is in another one.
  static func opening(_ names: [FileName], _ invocation: Invocation) throws -> [OpenFolder] {
    let folders = try names.map { try OpenFolder($0, invocation) }
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
    _ folder: inout DocumentFolder, to files: [RelativePath: FileIdentity],
    _ invocation: Invocation
  ) {
    var count = 0
    let update = folder.update(to: files.mapValues(\.stamp), at: host.now) { path in
      count += 1
      invocation.console.progress("reading \(count): \(shown(path))")
      return try invocation.readBytes(
        root.appending(path), beginning: .document)
    }
    openedCount += update.openedCount
    for fault in update.faults {
      let file = shownFile(fault.path)
      faultyPaths.insert(fault.path)
      if let error = fault.error as? DocumentError {
        faults.append(failure(error, in: fault.path, invocation))
      } else if var failure = fault.error as? Failure {
        failure.file = file
        faults.append(failure)
      }
    }
  }

  /// Why a document cannot be read, and what to do next, which its bytes tell.
  private func failure(
    _ error: DocumentError, in path: RelativePath, _ invocation: Invocation
  ) -> Failure {
    let file = shownFile(path)
    guard let bytes = try? invocation.readBytes(root.appending(path), beginning: .document) else {
      return error.failure(in: file)
    }
    do throws(Failure) {
      return try invocation.parsing(file, bytes) { () throws(DocumentError) in throw error }
    } catch {
      return error
    }
  }

  /// A file of the folder, as people are told of it.
  func shownFile(_ path: RelativePath) -> FileName { name.shownFile(path) }

  /// A file of the folder, as people are told of it.
  func shown(_ path: RelativePath) -> String { shownFile(path).visible }

  /// The documents that are no deleted ones, ascending by path.
  var livePaths: [RelativePath] {
    documents.paths.filter { !(documents[$0]?.deletion?.isCurrent ?? false) }
  }

  /// Whether there is a file at a path that is no readable document.
  func isFaulty(_ path: RelativePath) -> Bool { faultyPaths.contains(path) }

  /// Whether a file is still in the state in which it was last read or written.
  func isKnown(_ path: RelativePath, _ identity: FileIdentity, inTrash: Bool = false) -> Bool {
    (inTrash ? trash : documents).stamp(of: path) == identity.stamp
  }

  // MARK: What was done to it

  /// Takes over what a file holds after it was written.
  func record(_ summary: DocumentSummary, at path: RelativePath, inTrash: Bool = false) {
    guard let identity = try? host.identity(of: root.appending(path), followingLinks: false) else {
      return forget(path, inTrash: inTrash)
    }
    // The file is our own, renamed into its place a moment ago: it cannot be another one that was
    // written within a tick. Where clocks are coarse it is read again.
    let isCoarse = identity.modified % 1_000_000_000 == 0
    let written = max(identity.modified, identity.changed) / 1_000_000
    let readAt = isCoarse ? host.now : Timestamp(milliseconds: written + 20)
    if inTrash {
      trash.record(summary, at: path, identity.stamp, readAt: readAt)
    } else {
      documents.record(summary, at: path, identity.stamp, readAt: readAt)
    }
  }

  /// Takes over that a file is gone.
  func forget(_ path: RelativePath, inTrash: Bool = false) {
    if inTrash { trash.forget(path) } else { documents.forget(path) }
  }

  /// Takes over since when a document has its name.
  func setPlace(of id: UniqueID, _ place: DocumentFolder.Place) {
    documents.setPlace(of: id, place)
  }

  /// Keeps what is known for the next run.
  ///
  /// It is a convenience, and failing to keep it is no failure.
  func save() {
    guard let memory else { return }
    documents.updatePlaces(at: host.now)
    trash.updatePlaces(at: host.now)
    let bytes = Self.joined(documents.encoded(), trash.encoded())
    if bytes == known { return }
    try? host.makeDirectories(memory.directory)
    let replacement = Replacement(of: memory, expecting: .any, host: host)
    _ = try? replacement { _ in Replacement.Proposal(bytes: bytes, report: ()) }
  }

  // MARK: The memory's form

  /// The length of the first part in eight bytes, then both.
  private static func joined(_ documents: [UInt8], _ trash: [UInt8]) -> [UInt8] {
    let length = UInt64(documents.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) } + documents + trash
  }

  private static func parts(of bytes: [UInt8]) -> (documents: [UInt8], trash: [UInt8])? {
    guard bytes.count >= 8 else { return nil }
    let length = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(bytes.count - 8) else { return nil }
    let end = 8 + Int(length)
    return (Array(bytes[8..<end]), Array(bytes[end...]))
  }
}
