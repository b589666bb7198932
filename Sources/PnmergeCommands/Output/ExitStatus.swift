import Peernote

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
    (self.status, self.file, self.message) = (status, file, message)
  }

  /// The whole line, without its end.
  package var line: String {
    "pnmerge: " + (file.map { "\($0.inputName): " } ?? "") + message
  }
}

extension Failure {
  /// The failure to report a file's with.
  init(_ error: FileError) {
    let status: ExitStatus =
      switch error.kind {
      case .unreadable: .unreadable
      case .cannotCreate: .cannotCreate
      case .inputOutput: .ioError
      case .busy: .tryAgain
      case .interrupted: .interrupted
      case .damaged: .damaged
      case .newerFormat: .newerFormat
      case .differentDocument: .notSameDocument
      case .forkedHistory: .forkedHistory
      }
    self.init(status, file: error.file, error.reason)
  }
}

extension HostError {
  /// The failure to report when reading `file` failed.
  func whileReading(_ file: FileName) -> Failure { Failure(error(while: .reading, file)) }

  /// The failure to report when creating `file`, or a file beside it, failed.
  func whileCreating(_ file: FileName) -> Failure { Failure(error(while: .creating, file)) }
}

extension FileName {
  /// Does what reads the file; a failure names it.
  func reading<Result>(
    _ read: @autoclosure () throws(HostError) -> Result
  ) throws(Failure) -> Result {
    do { return try read() } catch { throw error.whileReading(self) }
  }

  /// Does what creates or removes the file, or one beside it; a failure names it.
  func creating<Result>(
    _ create: @autoclosure () throws(HostError) -> Result
  ) throws(Failure) -> Result {
    do { return try create() } catch { throw error.whileCreating(self) }
  }

  /// Looks into the directory; a failure names it.
  func listing<Result>(
    _ list: @autoclosure () throws(HostError) -> Result
  ) throws(Failure) -> Result {
    do { return try list() } catch { throw error.whileListing(self) }
  }

  func failure(_ status: ExitStatus, _ message: String) -> Failure {
    Failure(status, file: self, message)
  }

  /// Why the document in the file, or that was to be there, is not written.
  func refusal(_ words: String) -> Failure {
    Failure(.usage, file: self, "\(words); nothing was written")
  }

  /// Does what changes the document in the file; a failure names it.
  func changing<Result>(_ change: () throws -> Result) throws -> Result {
    do {
      return try change()
    } catch let error as DocumentError {
      throw error.failure(in: self)
    } catch let error as EditError {
      throw refusal("\(error)")
    }
  }

  /// Does what takes the file for a document; a failure names it.
  func parsing<Result>(
    _ parse: @autoclosure () throws(DocumentError) -> Result
  ) throws(Failure) -> Result {
    do { return try parse() } catch { throw error.failure(in: self) }
  }
}

extension Host {
  /// The file that a name leads to, absolute and without links.
  func target(of file: FileName) throws(Failure) -> FileName {
    try file.reading(resolved(file))
  }
}
