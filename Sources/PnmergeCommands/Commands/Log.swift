import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge log`: the changes of a document.
struct Log: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List a document's changes, newest first.",
    discussion: """
      One line for each change: its ID, time (UTC), author, number of events (characters inserted \
      or deleted, values set) and message. A star marks the changes that no other follows.

      Example:
        pnmerge log -n 10 notes.peernote
      """)

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Option(
    name: [.customShort("n"), .long],
    help: ArgumentHelp("List this many changes at most.", valueName: "number"))
  var maxCount: Int?

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if let maxCount, maxCount < 0 { throw ValidationError("--max-count must not be negative.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let bytes = try invocation.readDocumentBytes(file)
    if let document = try AutomergeDocument(bytes, from: file) {
      try document.log(maxCount: maxCount, json: json, invocation)
      return .done
    }
    let document = try invocation.parseDocument(bytes, from: file)
    let changes = document.changes.reversed().prefix(maxCount ?? .max)
    let heads = Set(document.heads)
    if json {
      try invocation.console.printResult(
        JSONReport([
          ("schema", .json(1)), ("document", .json(.string(document.id.description))),
          ("heads", .list(document.heads) { .string($0.description) }),
          ("changes", .list(changes, \.json)),
        ]))
      return .done
    }
    let authorWidth = changes.lazy.map { authorName($0.author).count }.max() ?? 0
    let nameWidth = changes.lazy.map { $0.id.description.utf8.count }.max() ?? 0
    for change in changes {
      let author = authorName(change.author)
      let message = change.message.map { "  " + $0 } ?? ""
      let name = change.id.description
      let star = heads.contains(change.id) ? "* " : "  "
      let columns = [
        spaces(nameWidth - name.utf8.count), change.time.iso8601,
        author + spaces(authorWidth - author.count),
        counted(change.eventCount, "event"),
      ]
      try invocation.console.printResult(
        "\(star)\(name, .yellow)\(columns.joined(separator: "  "))\(message)")
      if verbosity.verbose {
        for parent in change.parents { try invocation.console.printResult("    after \(parent)") }
      }
    }
    return .done
  }
}

/// Blanks to fill a column.
func spaces(_ count: Int) -> String {
  String(repeating: " ", count: max(0, count))
}

extension ChangeSummary {
  /// The change as it appears in JSON output.
  var json: JSON {
    [
      "id": .string(id.description), "parents": .array(parents.map { .string($0.description) }),
      "time": .string(time.iso8601), "author": .string(author), "message": .optional(message),
      "events": .count(eventCount),
    ]
  }
}
