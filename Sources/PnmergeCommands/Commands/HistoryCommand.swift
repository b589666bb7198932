import ArgumentParser
import Peernote

/// A command about the history of a document: where a tracked plain file is named it means the history
/// of that.
protocol HistoryCommand: HostedCommand {
  /// Whether it may change the history, so that the plain file has to follow.
  static var changesHistory: Bool { get }

  /// Its arguments that name one file each.
  static var files: [WritableKeyPath<Self, FileName>] { get }

  /// Replaces the names of the files.
  mutating func replaceFiles(_ replace: (FileName) throws(Failure) -> FileName) throws(Failure)
}

extension HistoryCommand {
  static var changesHistory: Bool { false }
  static var files: [WritableKeyPath<Self, FileName>] { [] }

  mutating func replaceFiles(
    _ replace: (FileName) throws(Failure) -> FileName
  ) throws(Failure) {
    for file in Self.files { self[keyPath: file] = try replace(self[keyPath: file]) }
  }

  /// Runs it on the histories of the tracked plain files that are named.
  func runOnHistories(_ invocation: Invocation) throws -> ExitStatus {
    var command = self
    var plain: [FileName] = []
    try command.replaceFiles { (file) throws(Failure) in
      guard let history = try invocation.history(of: file) else { return file }
      plain.append(file)
      return history
    }
    let status = try command.run(invocation)
    if Self.changesHistory, status == .done, let first = plain.first {
      try invocation.console.report(
        "\(first.visible): follows with the next 'tidy', 'sync' or 'watch'")
    }
    return status
  }
}

extension Invocation {
  /// The history of a tracked plain file; `nil` for any other file.
  ///
  /// - Throws: ``Failure`` if it is a plain file that is not tracked.
  fileprivate func history(of file: FileName) throws(Failure) -> FileName? {
    guard !file.isStandardStream, !file.lastComponent.bytes.hasDocumentExtension,
      !isDirectory(file)
    else { return nil }
    if try isTracked(file) { return file.history }
    guard DocumentFormat(of: file)?.isPlain ?? false else { return nil }
    let bytes = try readBytes(file, beginning: .document)
    guard !bytes.isEmpty, bytes.beginsLikeText else { return nil }
    let name = shellQuoted(file)
    throw Failure(
      .usage, file: file,
      "is a plain file without a history; to have one kept from now on: pnmerge track \(name); "
        + "to make a document of it: pnmerge import \(name)")
  }
}

// MARK: - The commands

extension Conflicts: HistoryCommand {
  mutating func replaceFiles(
    _ replace: (FileName) throws(Failure) -> FileName
  ) throws(Failure) { try fileArguments.replaceNames(replace) }
}

extension ReviewMerge: HistoryCommand {
  mutating func replaceFiles(
    _ replace: (FileName) throws(Failure) -> FileName
  ) throws(Failure) { try fileArguments.replaceNames(replace) }
}

extension Log: HistoryCommand {
  mutating func replaceFiles(
    _ replace: (FileName) throws(Failure) -> FileName
  ) throws(Failure) { try fileArguments.replaceNames(replace) }
}

extension Cat: HistoryCommand {
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}

extension Export: HistoryCommand {
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}

extension Diff: HistoryCommand {
  mutating func replaceFiles(
    _ replace: (FileName) throws(Failure) -> FileName
  ) throws(Failure) {
    old = try replace(old)
    new = try new.map(replace)
  }
}

extension Inspect: HistoryCommand {
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}

extension Blame: HistoryCommand {
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}

extension Adopt: HistoryCommand {
  static var changesHistory: Bool { true }
  static var files: [WritableKeyPath<Self, FileName>] { [\.into, \.from] }
}

extension Resolve: HistoryCommand {
  static var changesHistory: Bool { true }
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}

extension Restore: HistoryCommand {
  static var changesHistory: Bool { true }
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}

extension Undo: HistoryCommand {
  static var changesHistory: Bool { true }
  static var files: [WritableKeyPath<Self, FileName>] { [\.file] }
}
