import ArgumentParser
import Peernote

/// What a directory with tracked plain files stands for besides its documents.
enum TrackedFiles {
  case none
  /// The plain files.
  case files
  /// Their histories.
  case histories
}

/// The files that arguments stand for.
struct FoundFiles {
  /// In the order of the arguments, those of a directory in the order of their names.
  var files: [FileName] = []
  /// Directories below those that were named that cannot be listed.
  var failures: [Failure] = []
  /// What is said of other files of these directories.
  var words: [String] = []
}

extension Invocation {
  /// What a name leads to; `nil` for nothing, and for a standard stream.
  func kind(of file: FileName) -> FileIdentity.Kind? {
    file.isStandardStream ? nil : (try? host.identity(of: file, followingLinks: true))?.kind
  }

  /// Whether a name leads to a directory.
  func isDirectory(_ file: FileName) -> Bool { kind(of: file) == .directory }

  /// Refuses a file among directories that are to be compared.
  func checkAreDirectories(_ files: [FileName]) throws(Failure) {
    guard let file = files.first(where: isFile), let directory = files.first(where: isDirectory)
    else { return }
    throw file.failure(
      .usage, "is a file, and \(directory.visible) is a directory; give files only, or directories")
  }

  private func isFile(_ file: FileName) -> Bool {
    file.isStandardStream || kind(of: file).map { $0 != .directory } ?? false
  }

  /// Whether a plain file has a history beside it; throws if a symbolic link stands for it, or for
  /// the directory that it is in.
  func isTracked(_ file: FileName) throws(Failure) -> Bool {
    let history = file.history
    try checkIsNoLink(history.directory)
    try checkIsNoLink(history)
    return (try? host.identity(of: history, followingLinks: false)) != nil
  }

  /// The history of a tracked plain file; any other file itself.
  func documentFile(of file: FileName) throws(Failure) -> FileName {
    guard !file.isStandardStream, !file.lastComponent.bytes.hasDocumentExtension,
      !isDirectory(file), try isTracked(file)
    else { return file }
    return file.history
  }

  /// Refuses a symbolic link where histories belong, which may lead out of the folder.
  func checkIsNoLink(_ file: FileName) throws(Failure) {
    let entry = try? host.identity(of: file, followingLinks: false)
    if entry?.kind == .symbolicLink { throw Failure.link(file) }
  }

  /// The files that arguments stand for: a file for itself, a directory for the documents in it and
  /// below it, in the order of their names.
  ///
  /// By default the names of those end in `.peernote`. A directory that was named is refused if it
  /// cannot be listed, or holds no such file unless it `mayBeEmpty`.
  func documentFiles(
    in files: [FileName], mayBeEmpty: Bool = false, with tracked: TrackedFiles = .none,
    accepting accepts: @escaping ([UInt8]) -> Bool = \.hasDocumentExtension
  ) throws(Failure) -> FoundFiles {
    var result = FoundFiles()
    for file in files {
      guard isDirectory(file) else {
        result.files.append(file)
        continue
      }
      console.step("listing \(file.visible)")
      let listing = try FolderListing(of: file, host: host, accepting: accepts)
      var failures = listing.failures
      if tracked != .none { failures += listing.linkFailures(in: file) }
      result.failures += failures
      let histories = listing.histories.keys.filter { $0.original == nil }
      let others: [RelativePath] =
        switch tracked {
        case .none: []
        case .files: histories.compactMap(\.plainFile).filter { listing.others[$0] != nil }
        case .histories: histories
        }
      let isEmpty = listing.documents.isEmpty && others.isEmpty && failures.isEmpty
      if isEmpty, !mayBeEmpty {
        let failure = Failure(.unreadable, file: file, "holds no documents")
        if files.count == 1 { throw failure }
        result.failures.append(failure)
      }
      let automergeFiles = listing.automergeFiles.keys.sorted().map { file.shownFile($0) }
      if tracked == .files, !automergeFiles.isEmpty {
        result.words.append("\(file.visible): \(automergeWords(automergeFiles))")
      }
      result.files += (listing.documents.keys + others).sorted().map { file.shownFile($0) }
    }
    return result
  }

  /// Does something with each of some files, of which one that cannot be read hides none of the
  /// others.
  ///
  /// A single file that fails ends the command. What could not be looked into is said first.
  func forEachFile<Result>(
    _ found: FoundFiles, _ body: (FileName) throws -> Result
  ) throws -> (status: ExitStatus, results: [Result]) {
    let files = found.files
    var status = try say(found.failures)
    var results: [Result] = []
    for words in found.words { try console.printError(words) }
    for (index, file) in files.enumerated() {
      console.progress("looking at \(index + 1) of \(files.count): \(file.visible)")
      do {
        results.append(try body(file))
      } catch let failure as Failure {
        guard files.count > 1 || !found.failures.isEmpty, failure.status != .interrupted else {
          throw failure
        }
        try console.printError(failure.line)
        status = max(status, failure.status)
      }
    }
    return (status, results)
  }

  /// Says what failed, and gives the largest status.
  func say(_ failures: [Failure]) throws -> ExitStatus {
    for failure in failures { try console.printError(failure.line) }
    return failures.map(\.status).max() ?? .done
  }
}

extension Failure {
  /// The refusal of a symbolic link where histories belong.
  static func link(_ file: FileName) -> Failure {
    let kind = file.lastComponent.bytes.hasDocumentExtension ? "file" : "directory"
    return Failure(
      .cannotCreate, file: file,
      "is a symbolic link, which is not followed here, and what it leads to was left alone; put a "
        + "\(kind) in its place, or delete it: rm \(shellQuoted(file))")
  }
}

/// A form in which other programs keep documents.
enum DocumentFormat: String, CaseIterable, ExpressibleByArgument {
  case json
  case markdown
  case text
  case meetingNotes = "meetingnotes"
  case automerge

  /// Whether it is text that an editor opens.
  var isPlain: Bool {
    switch self {
    case .json, .markdown, .text: true
    case .meetingNotes, .automerge: false
    }
  }

  private static let endings: KeyValuePairs<String, DocumentFormat> = [
    ".json": .json, ".md": .markdown, ".markdown": .markdown, ".txt": .text, ".text": .text,
    ".meetingnotes": .meetingNotes, ".automerge": .automerge,
  ]

  /// The form that a file's name tells; `nil` if it tells none.
  init?(of file: FileName) {
    let name = String(decoding: file.lastComponent.bytes, as: UTF8.self).lowercased()
    guard let ending = Self.endings.first(where: { name.hasSuffix($0.key) }) else { return nil }
    self = ending.value
  }
}
