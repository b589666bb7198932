/// Why a file could not be read or replaced.
///
/// Whatever it is, the file holds what it held.
public struct FileError: Error, Hashable, Sendable {
  /// What a program has to do about it.
  public enum Kind: Hashable, Sendable {
    /// The file is not there, may not be read, or is no regular file.
    case unreadable
    /// The file may not be written, or a new one not be created.
    case cannotCreate
    /// Writing failed, as on a full disk.
    case inputOutput
    /// The file is locked or kept changing; trying again may help.
    case busy
    /// A signal asked the process to end.
    case interrupted
    /// The file holds no sound document, or one beyond the limits.
    case damaged
    /// The document needs a newer version of this library.
    case newerFormat
    /// The file holds another document.
    case differentDocument
    /// Two changes have one name.
    case forkedHistory
  }

  /// What a program has to do about it.
  public var kind: Kind
  /// The file.
  public var file: FileName
  /// A clause for people, such as `cannot write: no space left on device`.
  public var reason: String

  /// A failure.
  package init(_ kind: Kind, _ file: FileName, _ reason: String) {
    (self.kind, self.file, self.reason) = (kind, file, reason)
  }
}

extension FileError: CustomStringConvertible {
  /// The file and the reason.
  public var description: String { "\(file.visible): \(reason)" }
}

extension HostError {
  /// What was being done when the system refused a call.
  package enum Activity {
    case reading
    /// The file, or one beside it that is to take its place, was being created.
    case creating
    case writing
  }

  /// The failure to report for `file`.
  package func error(while activity: Activity, _ file: FileName) -> FileError {
    switch (kind, activity) {
    case (.busy, _): FileError(.busy, file, explanation)
    case (.interrupted, .reading): FileError(.interrupted, file, "interrupted")
    case (.interrupted, _): FileError(.interrupted, file, "interrupted; nothing was written")
    case (.isDirectory, .reading): FileError(.unreadable, file, "is a directory, not a document")
    case (_, .reading): FileError(.unreadable, file, "cannot read: \(explanation)")
    case (.alreadyExists, .creating):
      FileError(.cannotCreate, file, "exists already; give another name; nothing was written")
    case (.noSpace, _), (_, .writing):
      FileError(.inputOutput, file, "cannot write: \(explanation); nothing was written")
    case (_, .creating):
      FileError(.cannotCreate, file, "cannot create: \(explanation); nothing was written")
    }
  }
}

extension FileName {
  /// Does what reads the file; a failure names it.
  func reading<Result>(
    _ read: @autoclosure () throws(HostError) -> Result
  ) throws(FileError) -> Result {
    do { return try read() } catch { throw error.error(while: .reading, self) }
  }
}

/// Why the system refused a call.
package struct HostError: Error, Hashable, Sendable {
  /// The cases that callers tell apart.
  package enum Kind: Hashable, Sendable {
    case notFound
    case alreadyExists
    case isDirectory
    case notRegularFile
    case notPermitted
    case noSpace
    case tooLarge
    /// Another process holds the lock, or the file changes faster than it can be read.
    case busy
    case closedPipe
    /// The device failed.
    case inputOutput
    case interrupted
    case other
  }

  /// What callers decide by.
  package var kind: Kind
  /// A clause for people, such as `no space left on device`.
  package var explanation: String

  package init(_ kind: Kind, _ explanation: String) {
    (self.kind, self.explanation) = (kind, explanation)
  }

  /// Nothing has that name.
  package static let notFound = HostError(.notFound, "no such file or directory")

  /// A pipe, a socket or a device stands there.
  static let notRegularFile = HostError(.notRegularFile, "it is not a regular file")
}
