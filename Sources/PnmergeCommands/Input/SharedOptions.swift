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

extension ArgumentHelp {
  /// The help of an argument whose value is called so.
  static func of(_ valueName: String, _ abstract: String) -> ArgumentHelp {
    ArgumentHelp(abstract, valueName: valueName)
  }
}

/// The options of a command, with those on how much it says.
protocol CommandOptions: ParsableArguments {
  var verbosity: Verbosity { get }
  var dryRun: Bool { get }
}

extension CommandOptions {
  var dryRun: Bool { false }
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
    help: .of("text", "A message to record with the change."))
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

/// Which version of a document content from outside is an edit of.
struct BaseOption: ParsableArguments {
  @Option(
    name: .customLong("base"),
    help: .of("change", "Edit the state after this change, and merge it."))
  var names: [String] = []

  /// The heads of the version; `nil` if none is given; throws if the document, in `file`, has no
  /// such change.
  func heads(in document: Document, _ file: FileName) throws(Failure) -> [ChangeID]? {
    names.isEmpty ? nil : try document.changes(named: names, in: file)
  }
}

extension Document {
  /// A version for people: `5f0c21ab9d3e4477.12 (20 Nov 14:02)`.
  func words(forVersion heads: [ChangeID], _ invocation: Invocation) -> String {
    let places = places(ofChanges: heads)
    let changes = changes
    return enumerated(
      zip(heads, places).map { head, place in
        place.map { "\(head) (\(invocation.localText(changes[$0].time)))" } ?? head.description
      })
  }
}

/// How elements of lists are told apart where a whole list comes in.
struct ElementIdentity: ParsableArguments {
  @Option(
    name: .customLong("identity"),
    help: .of("key", "The key that tells list elements apart (id)."))
  var keys: [TextArgument] = []

  /// The keys by which elements are known in a document.
  func keys(in document: Document) -> [String] {
    matching.identityKeys + document.identityKeys.filter { !matching.identityKeys.contains($0) }
  }

  /// The rules for comparing what comes in with what a document holds.
  var matching: ContentMatching {
    keys.isEmpty ? .exact : ContentMatching(identityKeys: keys.map(\.text))
  }
}

/// The number that an argument stands for, which is at least `lowest`.
func parseInteger<Value: FixedWidthInteger>(
  _ argument: String, from lowest: Value = .min
) throws -> Value {
  guard let value = Value(argument), value >= lowest else {
    let kind = lowest > .min ? "from \(lowest)" : "of \(Value.bitWidth) bits"
    throw ValidationError("An integer \(kind) is expected.")
  }
  return value
}

/// The agent that an argument names: by itself, or by one of its changes.
func parseAgent(_ argument: String) throws -> AgentID {
  guard let agent = ChangeID(argument)?.agent ?? AgentID(argument) else {
    throw ValidationError("An agent such as 5f0c21ab9d3e4477 is expected; 'log' shows them.")
  }
  return agent
}
