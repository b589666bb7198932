package import Peernote

package typealias Replacement = FileReplacement

extension Replacement {
  /// A replacement of a file in the state folder, which may hold texts and is for its owner alone.
  init(ofState file: FileName, host: any Host) {
    self.init(of: file, expecting: .any, host: host)
    isPrivate = true
  }

  /// A replacement that says, unless quiet, when it waits for another process.
  init(of file: FileName, expecting expectation: Expectation, _ invocation: Invocation) {
    self.init(of: file, expecting: expectation, host: invocation.host)
    let console = invocation.console
    whenWaiting = {
      guard !console.isQuiet else { return }
      // A lost message is no reason to stop.
      try? console.printError(
        "pnmerge: \(file.inputName): waiting for another process, which has locked it, for at most "
          + "\(Self.patience / 1000) s")
    }
  }

  /// Has the file be no more readable than all of some others are, as far as they are there.
  package mutating func limitMode(to files: [FileName], _ host: any Host) {
    for file in files where !file.isStandardStream {
      let entry = try? host.identity(of: file, followingLinks: true)
      guard let entry, entry.kind == .regular else { continue }
      modeLimit &=
        0o700 | (entry.mode & 0o040 == 0 ? 0 : 0o070) | (entry.mode & 0o004 == 0 ? 0 : 0o007)
    }
  }

  /// Replaces the file; what fails has the status 66, 73, 74, 75 or 130.
  package func callAsFunction<Report>(
    prepare: (FileContents, DocumentHeads?) throws -> Void = { _, _ in },
    compute: (FileContents?) throws -> Proposal<Report>
  ) throws -> Outcome<Report> {
    do {
      return try replace(prepare: prepare, compute: compute)
    } catch let error as FileError {
      throw Failure(error)
    }
  }
}
