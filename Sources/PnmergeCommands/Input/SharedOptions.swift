import ArgumentParser
import Peernote

/// How much a command says.
struct Verbosity: ParsableArguments {
  @Flag(name: [.short, .long], help: "Say nothing when all is well.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say more.")
  var verbose = false

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  func validate() throws {
    if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }
}

extension ColorChoice: ExpressibleByArgument {}

/// Who makes a change.
struct Authorship: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Who makes the change (default: $PNMERGE_AUTHOR, git's user.name inside a repository, or the \
      login name).
      """, valueName: "name"))
  var author: TextArgument?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("A message to record with the change.", valueName: "text"))
  var message: TextArgument?

  @Option(help: .hidden)
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
