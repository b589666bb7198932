package import Peernote

/// Puts new bytes in a file's place so that nothing is ever lost.
///
/// The file is locked against writers of our own kind, read, and new bytes are computed from what
/// it holds. They are written to a file beside it, which takes the name only after everything is
/// on the disk and the target turned out to be still what was read; otherwise the computation is
/// made again from the new state. What was replaced is looked at once more after that. Whatever
/// fails, the old bytes stay under the name. Symbolic links are followed, so a link goes on pointing
/// to the file that was replaced.
package struct FileReplacement {
  /// What is to be done with a file that exists, or does not.
  package enum Expectation: Sendable {
    /// The file must exist.
    case existing
    /// The file must not exist, not even as a dangling link.
    case absent
    /// Either.
    case any
  }

  /// What to write instead of what a file holds.
  package struct Proposal<Report> {
    /// Whether it is another content than before; a file is left alone if not.
    package var isNews: Bool
    private var content: (() -> [UInt8])?
    /// The state of the document that it is, if it is one.
    package var state: DocumentHeads?
    /// Throws if bytes are not those that were meant.
    package var check: ([UInt8], FileName) throws -> Void
    /// For the caller.
    package var report: Report

    /// A document; it is kept to compare what is read back with it, which is faster and takes its
    /// memory, if `isCompared`.
    package init(
      _ document: Document, isNews: Bool = true, isCompared: Bool = false, report: Report
    ) {
      let state = DocumentHeads(of: document)
      let compared = isCompared ? document : nil
      (self.isNews, self.state, self.report) = (isNews, state, report)
      content = { document.bytes() }
      check = { bytes, file in try state.check(bytes, in: file, beside: compared) }
    }

    /// Bytes that some check has to find good, by default that they hold that state; `nil` leaves the
    /// file alone.
    package init(
      _ bytes: [UInt8]?, _ state: DocumentHeads? = nil, report: Report,
      check: (([UInt8], FileName) throws -> Void)? = nil
    ) {
      (isNews, self.state, self.report) = (bytes != nil, state, report)
      content = { bytes ?? [] }
      self.check = check ?? { bytes, file in try state?.check(bytes, in: file) }
    }

    /// Makes the new content, once: what it is made of is let go of.
    package mutating func takeBytes() -> [UInt8] { content.take()?() ?? [] }
  }

  /// What came of it.
  package struct Outcome<Report> {
    package var report: Report
    /// Whether the file now holds other bytes.
    package var hasChanged: Bool
  }

  private let files: any FileSystem
  private let file: FileName
  private let expectation: Expectation
  /// The permissions that the new file may have at most: those of what its content was read from.
  package var modeLimit: UInt32 = 0o777
  /// Whether a new file is for its owner alone.
  package var isPrivate = false
  /// Is called when another writer keeps the file for longer than a moment, and is waited for.
  package var whenWaiting: () -> Void = {}

  /// How often the computation is made again because the file changed meanwhile.
  static let attempts = 5
  /// How long to wait for another writer, in milliseconds.
  package static let patience = 20_000
  /// The bytes of a file that takes milliseconds to write.
  private static let largeFile = 1 << 22
  /// The most bytes read from a file: what a document may have.
  package static let sizeLimit = Int(Int32.max)

  package init(of file: FileName, expecting expectation: Expectation, host files: any FileSystem) {
    (self.file, self.expectation, self.files) = (file, expectation, files)
  }

  /// Computes new bytes from the present ones and replaces the file.
  ///
  /// `compute` gives what to write for what the file holds (`nil`: there is none), and may run
  /// several times. The new bytes are checked before they take the file's place. `prepare` runs with
  /// the old content, and the state of the new one, when that is written beside the file, before it
  /// takes its place; for backups. Where the bytes are many, these two run at the same time, on two
  /// threads. The report is that of the last computation. Throws ``FileError``, and what the closures
  /// throw.
  package func replace<Report>(
    prepare: (FileContents, DocumentHeads?) throws -> Void = { _, _ in },
    compute: (FileContents?) throws -> Proposal<Report>
  ) throws -> Outcome<Report> {
    for _ in 0..<Self.attempts {
      let target = try self.target()
      let lock = try target.map { target in
        try file.reading(
          files.lock(target, waiting: Self.patience, whenWaiting: whenWaiting))
      }
      defer { if let lock { files.unlock(lock) } }
      let old = try target.map { try file.reading(files.read($0, limit: Self.sizeLimit)) }
      var proposal = try compute(old)
      let bytes = proposal.isNews ? proposal.takeBytes() : nil
      guard let bytes, bytes != old?.bytes else {
        _ = files.removeAbandoned(TemporaryFile.name(beside: target ?? file))
        return Outcome(report: proposal.report, hasChanged: false)
      }
      // A file that was made read-only is not replaced, though the system would allow it.
      guard target.map(files.isWritable) ?? true else {
        throw FileError(.cannotCreate, file, "is write-protected; nothing was written")
      }
      if try write(bytes, of: proposal, over: old, at: target ?? file, prepare) {
        return Outcome(report: proposal.report, hasChanged: true)
      }
    }
    throw FileError(.busy, file, "kept changing meanwhile; nothing was written; try again")
  }

  // MARK: Steps

  /// The file behind all links; `nil` if there is none.
  private func target() throws(FileError) -> FileName? {
    do throws(HostError) {
      guard try files.identity(of: file, followingLinks: false) != nil else {
        if expectation != .existing { return nil }
        throw HostError.notFound
      }
      if expectation == .absent { throw HostError(.alreadyExists, "file exists") }
      let target = try files.resolved(file)
      // Before anything is opened: opening a pipe or a device may wait, or do something.
      switch try files.identity(of: target, followingLinks: true)?.kind {
      case .regular, nil: return target
      case .directory: throw HostError(.isDirectory, "is a directory")
      case .symbolicLink, .other: throw HostError.notRegularFile
      }
    } catch {
      throw error.error(while: expectation == .existing ? .reading : .creating, file)
    }
  }

  /// Writes beside the target and gives the result its name; false if the target was not what had
  /// been read any more.
  private func write<Report>(
    _ bytes: [UInt8], of proposal: Proposal<Report>, over old: FileContents?, at target: FileName,
    _ prepare: (FileContents, DocumentHeads?) throws -> Void
  ) throws -> Bool {
    let isLarge = bytes.count >= Self.largeFile
    if !isLarge { try proposal.check(bytes, file) }
    files.holdSignals()
    defer { files.releaseSignals() }
    let temporary = try TemporaryFile(beside: target, for: file, files: files)
    do {
      let (filled, verified) = inParallel(if: isLarge) {
        Result {
          try temporary.fill(
            with: bytes, like: old?.identity, modeLimit: modeLimit, isPrivate: isPrivate)
          if let old { try prepare(old, proposal.state) }
        }
      } _: {
        Result { if isLarge { try proposal.check(bytes, file) } }
      }
      try verified.get()
      try filled.get()
      guard try isUnchanged(target, since: old) else {
        temporary.discard()
        return false
      }
      if files.isInterrupted {
        throw HostError(.interrupted, "interrupted").error(while: .writing, file)
      }
      let isTaken =
        if let old {
          try temporary.take(name: target, of: old.identity)
        } else {
          try temporary.take(name: target, replacing: false)
        }
      guard isTaken else {
        temporary.discard()
        return false
      }
    } catch {
      temporary.discard()
      throw error
    }
    // The new file is in place; that its name may not survive a power cut is no failure.
    try? files.synchronizeDirectory(target.directory)
    return true
  }

  private func isUnchanged(_ target: FileName, since old: FileContents?) throws(FileError) -> Bool {
    do throws(HostError) {
      guard let old else {
        return try files.identity(of: target, followingLinks: false) == nil
      }
      // Reading may update the access time only; all else must be as it was. The bytes decide
      // where a clock is too coarse to tell two writes apart. The look at the name comes last, for
      // who replaced the file while it was read.
      let isSame = try files.identity(of: target, ifItHolds: old.bytes) != nil
      let entry = try files.identity(of: target, followingLinks: false)
      return isSame && entry == old.identity
    } catch {
      if error.kind == .notFound || error.kind == .busy { return false }
      throw error.error(while: .reading, file)
    }
  }
}
