import ArgumentParser
import Peernote

/// Where the old bytes of a file go before it is replaced.
struct BackupPolicy: ParsableArguments {
  @Flag(help: "Also put a dated .bak with the old bytes beside the file.")
  var backupBeside = false

  @Flag(help: "Keep no old bytes; the merge or edit cannot be undone.")
  var noBackup = false

  func validate() throws {
    if backupBeside && noBackup {
      throw ValidationError("--backup-beside and --no-backup exclude each other.")
    }
  }

  /// Keeps the old bytes.
  ///
  /// A union loses nothing, so that the bytes cannot be kept for `undo` is only worth a warning.
  /// A backup beside the file was asked for by name, and must succeed.
  ///
  /// - Returns: whether `undo` will find the old bytes.
  @discardableResult
  func keep(
    _ old: FileContents, before action: BackupEntry.Action, of file: FileName,
    becoming state: DocumentState, _ invocation: Invocation
  ) throws -> Bool {
    guard !noBackup else { return false }
    let time = try invocation.currentTime()
    if backupBeside { try keepBeside(old, file, time, invocation.host) }
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

  /// Writes `NAME.20261120T140211Z.bak`; a number follows the date if that is taken.
  private func keepBeside(
    _ old: FileContents, _ file: FileName, _ time: Timestamp, _ host: any Host
  ) throws {
    let target: FileName
    do throws(HostError) {
      target = try host.resolved(file)
    } catch {
      throw error.whileCreating(file)
    }
    do {
      try writeBeside(old, file, target, time, host)
    } catch let error as FileError {
      throw Failure(error)
    }
  }

  private func writeBeside(
    _ old: FileContents, _ file: FileName, _ target: FileName, _ time: Timestamp, _ host: any Host
  ) throws {
    let undated = FileReplacement.undatedBackup(of: target)
    let temporary = try TemporaryFile(beside: undated, for: file, files: host)
    do {
      try temporary.fill(with: old.bytes, like: old.identity)
      for number in 1... {
        let suffix = number == 1 ? ".bak" : "-\(number).bak"
        let name = target.bytes + Array(".\(time.compactISO8601)\(suffix)".utf8)
        if try temporary.take(name: FileName(bytes: name), replacing: false) { return }
      }
    } catch {
      temporary.discard()
      throw error
    }
  }
}
