import Peernote

/// What a directory with tracked plain files stands for besides its documents.
enum TrackedFiles {
  case none
  /// The plain files.
  case files
  /// Their histories.
  case histories
}

extension Invocation {
  /// Whether a name leads to a directory.
  func isDirectory(_ file: FileName) -> Bool {
    guard !file.isStandardStream else { return false }
    return ((try? host.identity(of: file, followingLinks: true)) ?? nil)?.kind == .directory
  }

  /// Whether a plain file has a history beside it.
  func isTracked(_ file: FileName) -> Bool {
    ((try? host.identity(of: file.history, followingLinks: false)) ?? nil) != nil
  }

  /// The files that arguments stand for: a file for itself, a directory for the documents in it and
  /// below it, in the order of their names.
  ///
  /// - Parameters:
  ///   - files: the arguments.
  ///   - mayBeEmpty: whether a directory without any is no failure.
  ///   - tracked: what of tracked plain files a directory also stands for.
  ///   - accepts: whether a file of a name in a directory is wanted; those that end in `.peernote`
  ///     by default.
  /// - Returns: the files.
  /// - Throws: ``Failure`` if a directory cannot be listed, or holds no such file.
  func documentFiles(
    in files: [FileName], mayBeEmpty: Bool = false, with tracked: TrackedFiles = .none,
    accepting accepts: @escaping ([UInt8]) -> Bool = \.hasDocumentExtension
  ) throws(Failure) -> [FileName] {
    var result: [FileName] = []
    for file in files {
      guard isDirectory(file) else {
        result.append(file)
        continue
      }
      let listing = try FolderListing(of: file, host: host, accepting: accepts)
      if let failure = listing.failures.first { throw failure }
      let histories = listing.histories.keys.filter { $0.original == nil }
      let others: [RelativePath] =
        switch tracked {
        case .none: []
        case .files: histories.compactMap(\.plainFile).filter { listing.others[$0] != nil }
        case .histories: histories
        }
      if listing.documents.isEmpty, others.isEmpty, !mayBeEmpty {
        throw Failure(.unreadable, file: file, "holds no documents")
      }
      result += (listing.documents.keys + others).sorted().map { file.shownFile($0) }
    }
    return result
  }

  /// Does something with each of some files, of which one that cannot be read hides none of the
  /// others.
  ///
  /// A single file that fails ends the command.
  ///
  /// - Returns: the largest status.
  func forEachFile(
    _ files: [FileName], _ body: (FileName) throws -> ExitStatus
  ) throws -> ExitStatus {
    var status = ExitStatus.done
    for (index, file) in files.enumerated() {
      console.progress("looking at \(index + 1) of \(files.count): \(file.visible)")
      do {
        status = max(status, try body(file))
      } catch let failure as Failure {
        guard files.count > 1, failure.status != .interrupted else { throw failure }
        try console.printError(failure.line)
        status = max(status, failure.status)
      }
    }
    return status
  }
}
