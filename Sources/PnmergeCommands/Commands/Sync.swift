import ArgumentParser
import Peernote

struct Sync: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Make folders hold the same notes and changes.", takes: "<folder> ...",
    """
    Copies new notes, merges those that drifted apart, renames renamed ones, and folds in \
    conflict copies, on all sides. A note that is missing on one side is copied again: to delete \
    one, use 'delete'. A run that was ended early is finished by the next.

    Example:
      pnmerge sync ~/notes /media/usb/notes
    """)

  @Argument(help: .of("folder", "The folders."))
  var files: [FileName]

  @Flag(help: "Fill a folder that is empty, but held notes.")
  var fill = false

  @OptionGroup var options: FolderOptions

  var mistakes: Mistakes { ["give two folders or more": files.count < 2] }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let open = try OpenFolder.opening(files, invocation)
    for folder in open where folder.isEmptied && !fill {
      throw Failure(
        .unreadable, file: folder.name,
        "is empty, but held notes when it was last looked at; if it is the right one and nothing "
          + "has to be mounted there: --fill")
    }
    return try options.run(FolderSync(open, invocation))
  }
}

/// Options of the commands that write to folders.
struct FolderOptions: CommandOptions {
  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var trash: TrashOptions
  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity

  /// Brings folders together, and reports.
  func run(_ sync: FolderSync) throws -> ExitStatus {
    var sync = sync
    (sync.backups, sync.trashDays) = (backups, trash.trashDays)
    return try sync.run(json: json).status
  }
}

extension FolderSync {
  /// How often files are waited for that were written a moment ago.
  private static let waits = 3

  /// Does it all, and reports what was done, or would be by a run on trial; nothing unless it
  /// `tellsIdle` where nothing was.
  @discardableResult
  mutating func run(json: Bool, tellsIdle: Bool = true) throws -> SyncOutcome {
    let beginning = self
    var outcome = try self()
    for _ in 0..<Self.waits {
      guard let pause = outcome.pause else { break }
      try invocation.pause(milliseconds: pause)
      self = beginning
      folders = try OpenFolder.opening(folders.map(\.name), invocation)
      outcome = try self().following(outcome)
    }
    if tellsOpen {
      sayOpen(besides: outcome)
      outcome = self.outcome
    }
    let dryRun = invocation.isTrial
    if json {
      try invocation.console.report(outcome.json(dryRun: dryRun, noteCount: noteCount))
    } else if tellsIdle || !outcome.isIdle || outcome.status != .done {
      try outcome.report(dryRun: dryRun, noteCount: noteCount, invocation)
      try reportLeftAlone()
    }
    return outcome
  }

  /// Says which files are left alone.
  private func reportLeftAlone() throws {
    let console = invocation.console
    for folder in folders {
      for entry in folder.listing.leftAlone.sorted(by: { $0.path < $1.path })
      where !entry.isLink || console.isVerbose {
        let words = entry.isLink ? "a link" : "is still being received"
        try console.report("\(folder.shown(entry.path)): \(words), left alone")
      }
      if console.isVerbose {
        try console.report("\(folder.name.visible): \(counted(folder.openedCount, "file")) opened")
      }
    }
  }
}

/// How long the trash of a folder keeps what is in it.
struct TrashOptions: ParsableArguments {
  @Option(help: .of("days", "Empty the trash after so many days; 0 is never."))
  var trashDays = 30

  func validate() throws {
    if trashDays < 0 { throw ValidationError("--trash-days is 0 or more.") }
  }
}

struct Tidy: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Fold conflict copies into their notes.", takes: "[<folder> ...]",
    """
    A copy is folded if a sync program named it so, and it is the same document: its changes are \
    merged into the note, and it is moved to .peernote/trash. Notes that are marked as deleted \
    go there, too.

    Example:
      pnmerge tidy ~/notes
    """)

  /// What makes a file a conflict copy.
  enum Match: String, CaseIterable, ExpressibleByArgument {
    /// Its name and its identity.
    case name
    /// Its identity.
    case id
  }

  @Argument(help: .of("folder", "The folders; the current one by default."))
  var files: [FileName] = []

  @Option(help: .of("how", "Whether the name has to fit, too."))
  var match = Match.name

  @OptionGroup var options: FolderOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let folders = try OpenFolder.opening(files.isEmpty ? [FileName(".")] : files, invocation)
    return try folders.map { folder in
      var sync = FolderSync([folder], invocation)
      sync.matchesByID = match == .id
      return try options.run(sync)
    }.max() ?? .done
  }
}
