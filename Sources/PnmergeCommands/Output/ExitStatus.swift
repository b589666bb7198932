/// What the program tells its caller; the numbers are part of its interface (pnmerge(1)).
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, or identical.
  case done = 0
  /// Differences or faults found, or something was decided under `--strict`.
  case different = 1
  /// Not the same document, or no shared history.
  case notSameDocument = 3
  /// A damaged or invalid document.
  case damaged = 4
  /// Made by a newer format.
  case newerFormat = 5
  /// One change name with two contents.
  case forkedHistory = 6
  /// Wrong arguments.
  case usage = 64
  /// Cannot read an input.
  case unreadable = 66
  /// Cannot create an output.
  case cannotCreate = 73
  /// Input or output failed, such as a full disk.
  case ioError = 74
  /// The file kept changing or is locked; trying again may help.
  case tryAgain = 75
  /// Interrupted from the keyboard.
  case interrupted = 130
}

/// Why a command stops: its exit status and one line for people.
package struct Failure: Error, Sendable {
  package var status: ExitStatus
  /// The file concerned; named first in the line.
  package var file: FileName?
  /// The rest of the line, which follows `pnmerge: FILE: `.
  package var message: String

  package init(_ status: ExitStatus, file: FileName? = nil, _ message: String) {
    self.status = status
    self.file = file
    self.message = message
  }

  /// The whole line, without its end.
  package var line: String {
    "pnmerge: " + (file.map { "\($0.inputName): " } ?? "") + message
  }
}

extension HostError {
  /// The failure to report when reading `file` failed.
  func whileReading(_ file: FileName) -> Failure {
    switch kind {
    case .busy: Failure(.tryAgain, file: file, explanation)
    case .interrupted: Failure(.interrupted, file: file, "interrupted")
    case .isDirectory: Failure(.unreadable, file: file, "is a directory, not a document")
    case .notFound, .alreadyExists, .notRegularFile, .notPermitted, .noSpace, .tooLarge,
      .closedPipe, .inputOutput, .other:
      Failure(.unreadable, file: file, "cannot read: \(explanation)")
    }
  }

  /// The failure to report when creating `file`, or a file beside it, failed.
  func whileCreating(_ file: FileName) -> Failure {
    switch kind {
    case .busy: Failure(.tryAgain, file: file, explanation)
    case .interrupted: Failure(.interrupted, file: file, "interrupted; nothing was written")
    case .alreadyExists:
      Failure(.cannotCreate, file: file, "exists already; nothing was written")
    case .noSpace:
      Failure(.ioError, file: file, "cannot write: \(explanation); nothing was written")
    case .notFound, .isDirectory, .notRegularFile, .notPermitted, .tooLarge, .closedPipe,
      .inputOutput, .other:
      Failure(.cannotCreate, file: file, "cannot create: \(explanation); nothing was written")
    }
  }

  /// The failure to report when writing to what is to become `file` failed.
  func whileWriting(_ file: FileName) -> Failure {
    switch kind {
    case .busy: Failure(.tryAgain, file: file, explanation)
    case .interrupted: Failure(.interrupted, file: file, "interrupted; nothing was written")
    case .notFound, .alreadyExists, .isDirectory, .notRegularFile, .notPermitted, .noSpace,
      .tooLarge, .closedPipe, .inputOutput, .other:
      Failure(.ioError, file: file, "cannot write: \(explanation); nothing was written")
    }
  }
}
