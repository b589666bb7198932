import ArgumentParser
import Peernote

struct Merge: OptionsCommand, FilesCommand {
  static let configuration = CommandConfiguration(
    abstract: "Merge copies of a document, or folders.",
    usage: """
      pnmerge merge [<options>] <into> <from> ...
      pnmerge merge [<options>] --output <file> <copy> <copy> ...
      pnmerge <into> <from> ...
      """,
    discussion: """
      Example:
        pnmerge merge notes.peernote /media/usb/notes.peernote
        pnmerge merge --dry-run notes.peernote /media/usb/notes.peernote
      """)

  @Argument(help: .of("file", "The copies; - is standard input."))
  var files: [FileName]

  @Option(name: [.short, .long], help: .of("file", "Write the result here; - is standard output."))
  var output: FileName?

  @Option(
    help: .of("agent", "Leave out the changes of this agent; repeatable."),
    transform: parseAgent)
  var without: [AgentID] = []

  @OptionGroup var options: WriteOptions

  @Flag(help: "Exit with status 1 if something is worth a look.")
  var strict = false

  @Flag(name: [.short, .long], help: "Ask about each conflict.")
  var interactive = false

  @Flag(help: ArgumentHelp("With --interactive, ask in whole words.", visibility: .hidden))
  var plain = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var authorship: Authorship
  @OptionGroup var backups: BackupPolicy

  var mistakes: Mistakes {
    let all = files + [output].compactMap(\.self)
    return [
      "give two files or more": files.count < (without.isEmpty ? 2 : 1),
      "--interactive needs files": interactive && all.contains(where: \.isStandardStream),
      "--interactive excludes --json": interactive && json,
      "--plain goes with --interactive": plain && !interactive,
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    if files.contains(where: invocation.isDirectory) { return try mergeFolders(invocation) }
    var merge = CopyMerge(
      base: files[0], copies: Array(files.dropFirst()), output: output, backups: backups)
    merge.leftOut = Set(without)
    let console = invocation.console
    merge.tellsPlaces = console.isVerbose || (dryRun && (json || !console.isQuiet))
    // Those options are for documents of our own, which the merge says of any other.
    let isForeign =
      !interactive && without.isEmpty
      && CopyMerge.isOfAutomerge(files, &merge.streams, invocation)
    if merge.target.isStandardStream { invocation.console.reportStream = .error }
    if interactive {
      try ReviewDialog.checkTerminal(
        invocation.host,
        or: "on a page instead: pnmerge review --html NEW.html "
          + files.map(shellQuoted).joined(separator: " "))
      var run = try CopyMerge.review([merge], invocation)
      // What is answered changes the run.
      let end = try run.ask(isPlain: plain)
      return try run.finish(end, authorship)
    }
    let outcome = try isForeign ? merge.mergeAutomerge(invocation) : merge(invocation)
    if json {
      try invocation.console.report(outcome.json)
    } else {
      try outcome.report(invocation)
    }
    return strict && outcome.needsAttention ? .different : .done
  }

  /// Brings what other folders hold into the first one.
  private func mergeFolders(_ invocation: Invocation) throws -> ExitStatus {
    if let file = files.first(where: { !invocation.isDirectory($0) }) {
      throw file.failure(
        .usage, "is not a directory, and is not merged with one; give folders only, or documents")
    }
    if output != nil || interactive || strict || !without.isEmpty || authorship.isGiven {
      throw Failure(
        .usage,
        "folders are merged without --output, --interactive, --strict, --without, and --message")
    }
    var sync = try FolderSync(intoFirstOf: files, backups, invocation)
    return try sync.run(json: json).status
  }
}

extension FolderSync {
  /// Brings what other folders hold into the first one.
  init(
    intoFirstOf files: [FileName], _ backups: BackupPolicy, _ invocation: Invocation
  ) throws {
    self.init(try OpenFolder.opening(files, invocation), invocation)
    self.backups = backups
    isWritable = files.indices.map { $0 == 0 }
  }
}
