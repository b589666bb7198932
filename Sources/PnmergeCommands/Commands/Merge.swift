import ArgumentParser
import Peernote

/// `pnmerge merge`: brings copies together.
struct Merge: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge copies of a document.",
    usage: """
      pnmerge merge [<options>] <into> <from> ...
      pnmerge merge [<options>] --output <file> <copy> <copy> ...
      pnmerge <into> <from> ...
      """,
    discussion: """
      Brings every change of all copies together. Without --output the first file is replaced; its \
      old bytes are kept for 'undo'. Copies merged in any order give the same bytes, and a merge \
      that brings nothing new writes nothing.

      Where two people set one value, the later setting is kept and the other reported; where both \
      changed one passage of text, it is worth a look. --strict makes the status 1 in such cases; \
      the result is written all the same.

      Example:
        pnmerge merge notes.peernote /media/usb/notes.peernote
        pnmerge merge --output all.peernote desk.peernote phone.peernote
      """)

  @Argument(help: ArgumentHelp("The copies; - is standard input.", valueName: "file"))
  var files: [FileName]

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the result here; - is standard output.", valueName: "file"))
  var output: FileName?

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @Flag(help: "Exit with status 1 if anything was decided automatically or overlaps.")
  var strict = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if files.count < 2 { throw ValidationError("Give two files or more.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let merge = CopyMerge(
      base: files[0], copies: Array(files.dropFirst()), output: output, isDryRun: dryRun,
      backups: backups)
    if (output ?? files[0]).isStandardStream { invocation.console.reportStream = .error }
    let outcome = try merge(invocation)
    if json {
      try invocation.console.say(outcome.json)
    } else {
      try outcome.say(invocation)
    }
    return strict && !outcome.conflicts.isEmpty ? .different : .done
  }
}
