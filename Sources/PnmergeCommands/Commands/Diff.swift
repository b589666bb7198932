import ArgumentParser
import Peernote

/// `pnmerge diff`: compares content.
struct Diff: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how the content of two documents differs.",
    discussion: """
      Compares notes as Markdown with front matter and other documents as JSON, line by line, in \
      the unified format. The status is 1 if they differ. See 'status' for how their histories \
      relate.

      Example:
        pnmerge diff notes.peernote /media/usb/notes.peernote
      """)

  @Argument(help: ArgumentHelp("The first document; - is standard input.", valueName: "a"))
  var old: FileName

  @Argument(help: ArgumentHelp("The second document; - is standard input.", valueName: "b"))
  var new: FileName

  @Flag(help: "Print one JSON object with the places that differ.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    try invocation.checkStandardInput([old, new])
    let oldRoot = try invocation.readContent(old).root
    let newRoot = try invocation.readContent(new).root
    if json {
      let differences = ContentDifference(from: oldRoot, to: newRoot)
      try invocation.console.result(differences.json)
      return differences.places.isEmpty ? .done : .different
    }
    guard oldRoot != newRoot else { return .done }
    guard !verbosity.quiet else { return .different }
    let difference = UnifiedDifference(
      from: PlainText.readableForm(of: oldRoot), to: PlainText.readableForm(of: newRoot))
    let console = invocation.console
    try console.result(console.styled("--- \(old.inputName)", .bold))
    try console.result(console.styled("+++ \(new.inputName)", .bold))
    let isShownRaw = !invocation.host.isTerminal(.output)
    for line in difference.lines {
      let text = isShownRaw ? line.text : visibleText(line.text, keepingLines: true)
      switch line.kind {
      case .place: try console.result(console.styled(text, .cyan))
      case .removed: try console.result(console.styled("-" + text, .red))
      case .added: try console.result(console.styled("+" + text, .green))
      case .same: try console.result(" " + text)
      case .unended: try console.result("\\ No newline at end of text")
      }
    }
    return .different
  }
}
