import ArgumentParser
import Peernote

/// `pnmerge new`: starts a document.
struct New: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Start a note.",
    discussion: """
      Writes a new document with an identity of its own. To get a second copy of a note, copy its \
      file; a second 'new' makes a different document, which can never be merged with the first. \
      An existing file is left alone (status 73).

      Example:
        pnmerge new notes.peernote --title "Weekly" --tag work --body-file draft.md
      """)

  @Argument(help: ArgumentHelp("The file to create; - is standard output.", valueName: "file"))
  var file: FileName

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: TextArgument?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A tag; repeatable.", valueName: "text"))
  var tags: [TextArgument] = []

  @Option(
    help: ArgumentHelp("The priority: low, normal or high.", valueName: "priority"),
    transform: parsePriority)
  var priority: Note.Priority?

  @Option(help: ArgumentHelp("Read the body from a file; - is standard input.", valueName: "file"))
  var bodyFile: FileName?

  @Flag(name: [.customShort("n"), .long], help: "Write nothing.")
  var dryRun = false

  @Option(help: .hidden)
  var id: Parsed<UniqueID>?

  @OptionGroup var authorship: Authorship
  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    let host = invocation.host
    let session = try invocation.session(authorship, for: file)
    let note = Note(
      title: title?.text, body: try bodyFile.map { try invocation.readText($0) } ?? "",
      tags: tags.map(\.text), priority: priority, created: session.time)
    let id = self.id?.value ?? UniqueID(randomBits: host.randomBits(), host.randomBits())
    var document = Document(id: id)
    _ = try document.change(by: session, message: authorship.message?.text) { editor in
      try editor.create(note)
    }

    if file.isStandardStream {
      try invocation.writeDocument(document, dryRun: dryRun)
      return .done
    }
    let replacement = Replacement(of: file, expecting: .absent, host: host)
    _ = try replacement(dryRun: dryRun, verify: document.verify(file)) { _ in
      Replacement.Proposal(bytes: document.encoded(), report: ())
    }
    let verb = dryRun ? "would start" : "started"
    try invocation.console.report("\(file.outputName): \(verb) document \(id)")
    return .done
  }
}
