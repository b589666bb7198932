import ArgumentParser
import Peernote

/// Where the old bytes of a file go before it is replaced.
struct BackupPolicy: ParsableArguments {
  @Flag(help: ArgumentHelp("Keep no old bytes; the change cannot be undone.", visibility: .hidden))
  var noBackup = false

  /// Keeps the old bytes.
  ///
  /// A union loses nothing, so that the bytes cannot be kept for `undo` is only worth a warning.
  ///
  /// Tells whether `undo` will find them.
  @discardableResult
  func keep(
    _ old: FileContents, before action: BackupEntry.Action, of file: FileName,
    becoming state: DocumentState, _ invocation: Invocation
  ) throws -> Bool {
    guard !noBackup else { return false }
    let time = try invocation.currentTime()
    do {
      let target = try invocation.host.resolved(file)
      try Backups(of: state.id, host: invocation.host).keep(
        old.bytes, before: action, of: target, at: time, heads: state.heads)
      return true
    } catch let failure as Failure {
      try invocation.console.warn(failure.message)
    } catch let error as HostError where error.kind == .notFound {
      // Whoever writes finds that the file is gone.
    } catch let error as HostError {
      try invocation.console.warn("cannot keep the old bytes for undo: \(error.explanation)")
    }
    return false
  }
}
