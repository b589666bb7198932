import ArgumentParser
import Peernote

/// `pnmerge review`: shows a merge before it is written, and asks what is to be decided.
struct ReviewMerge: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Look at a merge, make its decisions, and write it.",
    discussion: """
      Lists what comes in and what only the first file has, place by place; asks about each place \
      that needs a decision, with what stood there before; shows the result; and writes it to the \
      first file, or not. Until then nothing is written. With a directory, its documents are \
      listed to choose from.

      With --html the review becomes a page that needs no network and no other program, to read \
      and decide in any browser; it saves decisions.json, which --apply takes: it merges the same \
      copies, decides as the page did, and writes the result.

      What is left open stays in the document for 'resolve'. An interrupt keeps what was decided so \
      far: the merge is written with it, if anything was decided. The status is 1 if something is \
      left open, or nothing was written.

      Example:
        pnmerge review notes.peernote /media/usb/notes.peernote
        pnmerge review --html page.html notes.peernote usb.peernote
        pnmerge review --apply decisions.json notes.peernote usb.peernote
      """)

  @Argument(help: ArgumentHelp("The file to merge into.", valueName: "into"))
  var into: FileName

  @Argument(
    help: ArgumentHelp("The copies, or a directory to choose from.", valueName: "from"))
  var fileArguments: [FileNames]
  var files: [FileName] { fileArguments.flatMap(\.names) }

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Leave out the changes of this agent, and those after them; may be repeated.",
      valueName: "agent"), transform: AgentArgument.init(parsing:))
  var without: [AgentArgument] = []

  @Flag(help: "Ask line by line, for screen readers and simple terminals.")
  var plain = false

  @Option(
    help: ArgumentHelp(
      "Write the review as a page, and nothing else; - is standard output.", valueName: "file"))
  var html: FileName?

  @Option(
    help: ArgumentHelp(
      "Decide as the page of this merge did; - is standard input.", valueName: "decisions"))
  var apply: FileName?

  @OptionGroup var schema: SchemaOption
  @OptionGroup var authorship: Authorship
  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if files.isEmpty { throw ValidationError("Give a copy, or a directory of copies.") }
    if ([into] + files).contains(where: \.isStandardStream) {
      throw ValidationError("A review needs files.")
    }
    if html != nil, apply != nil || plain {
      throw ValidationError("--html excludes --apply and --plain.")
    }
    if apply != nil, plain { throw ValidationError("--apply and --plain exclude each other.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let isAsking = html == nil && apply == nil
    guard !isAsking || TerminalReview.isPossible(invocation.host) else {
      throw Failure(
        .usage,
        "a review needs a terminal; to see what a merge would do: pnmerge merge -n "
          + ([into] + files).map(shellQuoted).joined(separator: " "))
    }
    let decisions = try apply.map { try DecisionFile(reading: $0, invocation) }
    guard let copies = try chosen(isAsking: isAsking, invocation) else { return .different }
    var merge = CopyMerge(base: into, copies: copies, isDryRun: dryRun, backups: backups)
    merge.leftOut = Set(without.map(\.agent))
    merge.schema = try schema.schema(invocation)
    var reviewed = try merge.reviewed(invocation)
    if let html {
      try ReviewPage(
        reviewed: reviewed, into: into, schema: merge.schema, invocation: invocation
      ).made().write(to: html, invocation)
      return .done
    }
    let session = try invocation.session(authorship, for: into)
    let (end, review): (ReviewEnd, Review)
    if let decisions {
      try decisions.check(reviewed.merged.id, reviewed.copies)
      try decisions.apply(to: &reviewed.review)
      (end, review) = (.write, reviewed.review)
    } else {
      (end, review) = try merge.ask(
        about: reviewed, isPlain: plain, by: session, invocation)
    }
    return try merge.finish(
      reviewed, end, review, by: session, message: authorship.message?.text, invocation
    ) { try $0.report(invocation) }
  }

  /// The copies to look at; `nil` if the user chose none.
  private func chosen(isAsking: Bool, _ invocation: Invocation) throws -> [FileName]? {
    if invocation.isDirectory(into) {
      throw Failure(
        .usage, file: into,
        isAsking
          ? "is a directory; to merge folders: pnmerge sync"
          : "is a directory; for what two folders have: pnmerge diff --html")
    }
    guard let directory = files.first(where: invocation.isDirectory) else { return files }
    if files.count > 1 || !isAsking {
      throw Failure(
        .usage, file: directory,
        isAsking ? "is a directory; give it alone, or files only" : "is a directory; give files")
    }
    return try CopyChoice(of: directory, for: into, invocation).ask()
  }
}
