import ArgumentParser
import Peernote

/// How much a command says.
struct Verbosity: ParsableArguments {
  @Flag(
    name: [.short, .long], help: ArgumentHelp("Say nothing when all is well.", visibility: .hidden))
  var quiet = false

  @Flag(name: [.short, .long], help: ArgumentHelp("Say more.", visibility: .hidden))
  var verbose = false

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when", visibility: .hidden))
  var color = ColorChoice.auto

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }
}

extension ColorChoice: ExpressibleByArgument {}

/// The options of a command, with those on how much it says.
protocol CommandOptions: ParsableArguments {
  var verbosity: Verbosity { get }
}

/// Options of commands that report.
struct ReportOptions: CommandOptions {
  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity
}

/// Options of commands that write something.
struct WriteOptions: CommandOptions {
  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @OptionGroup var verbosity: Verbosity
}

/// Who makes a change.
struct Authorship: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Who makes the change; $PNMERGE_AUTHOR by default.", valueName: "name", visibility: .hidden))
  var author: TextArgument?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("A message to record with the change.", valueName: "text"))
  var message: TextArgument?

  @Option(help: .private)
  var agent: Parsed<AgentID>?

  /// Whether any of them is given.
  var isGiven: Bool { author != nil || message != nil || agent != nil }
}

/// The priority that an argument names.
func parsePriority(_ argument: String) throws -> Note.Priority {
  guard let priority = Note.Priority(rawValue: argument) else {
    let known = Note.Priority.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("The priority is one of \(known).")
  }
  return priority
}
