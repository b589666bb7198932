package import Peernote

/// Puts new bytes in a file's place so that nothing is ever lost: ``FileReplacement``, whose failures
/// are those of commands.
package struct Replacement {
  package typealias Proposal = FileReplacement.Proposal
  package typealias Outcome = FileReplacement.Outcome

  private var replacement: FileReplacement

  package init(
    of file: FileName, expecting expectation: FileReplacement.Expectation, host: any Host
  ) {
    replacement = FileReplacement(of: file, expecting: expectation, files: host)
  }

  /// A replacement of a file in the state folder, which may hold texts and is for its owner alone.
  init(ofState file: FileName, host: any Host) {
    self.init(of: file, expecting: .any, host: host)
    replacement.isPrivate = true
  }

  /// A replacement that says, unless quiet, when it waits for another process.
  init(
    of file: FileName, expecting expectation: FileReplacement.Expectation,
    _ invocation: Invocation
  ) {
    self.init(of: file, expecting: expectation, host: invocation.host)
    let console = invocation.console
    replacement.whenWaiting = {
      guard !console.isQuiet else { return }
      // A lost message is no reason to stop.
      try? console.printError(
        "pnmerge: \(file.inputName): waiting for another process, which has locked it, for at most "
          + "\(FileReplacement.patience / 1000) s")
    }
  }

  /// Has the file be no more readable than all of some others are, as far as they are there.
  package mutating func limitMode(to files: [FileName], _ host: any Host) {
    for file in files where !file.isStandardStream {
      let entry = try? host.identity(of: file, followingLinks: true)
      guard let entry, entry.kind == .regular else { continue }
      replacement.modeLimit &=
        0o700 | (entry.mode & 0o040 == 0 ? 0 : 0o070) | (entry.mode & 0o004 == 0 ? 0 : 0o007)
    }
  }

  /// Computes new bytes from the present ones and replaces the file.
  ///
  /// `compute` makes them of what the file holds, `nil` if there is none, and may run several times.
  /// `prepare` runs just before they take the place of the old ones. It fails with status 66, 73, 74,
  /// 75 or 130.
  package func callAsFunction<Report>(
    dryRun: Bool = false,
    prepare: (FileContents, DocumentHeads?) throws -> Void = { _, _ in },
    compute: (FileContents?) throws -> Proposal<Report>
  ) throws -> Outcome<Report> {
    do {
      return try replacement(dryRun: dryRun, prepare: prepare, compute: compute)
    } catch let error as FileError {
      throw Failure(error)
    }
  }
}
