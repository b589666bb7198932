import ArgumentParser
import Peernote

struct Watch: HostedCommand, FilesCommand {
  static let configuration = configured(
    "Do 'sync' or 'tidy' whenever folders change.", takes: "<folder> ...",
    """
    Does what 'sync' does with several folders, or 'tidy' with one, now and whenever they have \
    been quiet for a moment after a change. An interrupt ends it, never in the middle of a file. \
    The manual has a systemd unit for it.

    Example:
      pnmerge watch ~/notes
    """)

  @Argument(help: .of("folder", "The folders."))
  var files: [FileName]

  @OptionGroup var trash: TrashOptions
  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity

  /// How long folders have to be quiet, in milliseconds.
  private static let quiet = 200
  /// How long a run is put off at most because folders are not quiet, in milliseconds.
  private static let patience: Int64 = 2000
  /// How long to wait where nothing is told, in milliseconds: a file system of another machine may
  /// tell nothing at all.
  private static let longestPause = 300_000
  /// How long to wait after a failure, at first, in milliseconds.
  private static let firstRetry = 1000

  var mistakes: Mistakes { ["give a folder or more": files.isEmpty] }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    // Wrong names are told at once.
    _ = try OpenFolder.opening(files, invocation)
    var watcher = Watcher(command: self, invocation: invocation)
    while true { try watcher.step() }
  }

  /// What is kept between two runs.
  private struct Watcher {
    let command: Watch
    let invocation: Invocation
    /// What was said of files for which nothing was done.
    var said: Set<String> = []
    /// How long to wait for the next run if nothing changes, in milliseconds.
    var pause = Watch.longestPause
    var retry = Watch.firstRetry
    /// What failed in the last run, which is not said again.
    var lastFailures: [String] = []

    private var folders: [FileName] { command.files }
    private var host: any Host { invocation.host }

    /// Brings the folders together once, and waits until something changes.
    mutating func step() throws {
      // A signal that comes during the run takes effect after it.
      host.holdSignals()
      do {
        defer { host.releaseSignals() }
        try bringTogether()
      }
      try invocation.console.flush()
      try wait()
    }

    private mutating func bringTogether() throws {
      var failures: [Failure] = []
      // Until files can be taken in that were written a moment ago.
      var rest = Watch.longestPause
      do {
        let directories = try folders.flatMap(directories(of:))
        do throws(HostError) {
          try host.watch(directories)
        } catch {
          failures.append(Failure(.ioError, "cannot watch all folders: \(error.explanation)"))
        }
        let open = try OpenFolder.opening(folders, invocation)
        if let emptied = open.first(where: \.isEmptied), folders.count > 1 {
          throw Failure(
            .unreadable, file: emptied.name, "is empty now; to fill it: pnmerge sync --fill")
        }
        for group in folders.count > 1 ? [open] : open.map({ [$0] }) {
          var sync = FolderSync(group, invocation)
          (sync.backups, sync.trashDays) = (command.backups, command.trash.trashDays)
          let outcome = try sync()
          failures += outcome.failures
          if let next = outcome.pause { rest = min(rest, Int(next)) }
          for event in outcome.events {
            let line = event.line(dryRun: false)
            if event.isIdle, !said.insert(line.sentence).inserted { continue }
            try invocation.console.report(line.sentence)
          }
          if !outcome.isIdle { said = [] }
        }
      } catch let failure as Failure {
        if failure.status == .interrupted { throw failure }
        failures.append(failure)
      }
      let lines = failures.map(\.line)
      for line in lines where !lastFailures.contains(line) {
        try invocation.console.printError(line)
      }
      lastFailures = lines
      pause = min(rest, failures.isEmpty ? Watch.longestPause : retry)
      retry = failures.isEmpty ? Watch.firstRetry : min(2 * retry, Watch.longestPause)
    }

    /// All directories of a folder.
    private func directories(of folder: FileName) throws(Failure) -> [FileName] {
      let root = try folder.listing(host.resolved(folder))
      let listing = try FolderListing(of: root, host: host)
      return [root] + (listing.directories + listing.hiddenDirectories).map { root.appending($0) }
    }

    /// Waits until something changed and nothing more does.
    private func wait() throws {
      do throws(HostError) {
        guard try host.waitForChange(milliseconds: pause) else { return }
        let end = host.monotonicMilliseconds + Watch.patience
        while host.monotonicMilliseconds < end {
          if try !host.waitForChange(milliseconds: Watch.quiet) { return }
        }
      } catch {
        throw Failure(.interrupted, "interrupted")
      }
    }
  }
}
