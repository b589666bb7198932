import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge cat`: prints a document's content.
struct Cat: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Print a document.",
    discussion: """
      A note is printed as Markdown with front matter, any other document as JSON, unless --format \
      says otherwise. Control characters are escaped at a terminal, and unchanged in a file or a \
      pipe.

      Example:
        pnmerge cat notes.peernote
        pnmerge cat --body notes.peernote | wc -w
      """)

  /// What to print a document as.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown
    case text
    case json
  }

  @Argument(help: ArgumentHelp("The document; - is standard input.", valueName: "file"))
  var file: FileName

  @Option(help: ArgumentHelp("Print as markdown, text or json.", valueName: "format"))
  var format: Format?

  @Flag(help: "Print the body's exact text, nothing added.")
  var body = false

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      Print the document as it was right after this change (see 'log'); the beginning of its ID \
      is enough. Repeated, the state after merging those changes.
      """, valueName: "change"))
  var versions: [String] = []

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if body && format != nil { throw ValidationError("--body and --format exclude each other.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    try write(invocation.readRoot(file, at: versions), invocation.console)
    return .done
  }

  private func write(_ root: Node, _ console: Console) throws {
    let text: String
    if format != .json, let plain = file.plainText(in: root) {
      text = plain
    } else if body {
      text = try note(root).body
    } else {
      switch format ?? (Note.isNote(root) ? .markdown : .json) {
      case .markdown: text = NoteMarkdown.text(of: try note(root))
      case .text: text = PlainText.text(of: root)
      case .json: return try console.writeJSON(root.json)
      }
    }
    try console.writeText(text)
  }

  private func note(_ root: Node) throws(Failure) -> Note {
    guard let note = Note(root: root) else {
      throw Failure(.usage, file: file, "is not a note; try --format json")
    }
    return note
  }
}
