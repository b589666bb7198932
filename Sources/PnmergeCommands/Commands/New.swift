import ArgumentParser
import JSONSchema
import Peernote
import PeernoteJSON

struct New: HostedCommand {
  static let configuration = configured(
    "Start a document.", takes: "<file>",
    """
    Makes a note, or with --json-file a document of that JSON. It merges with its own copies \
    only: copy the file to have another.

    Example:
      pnmerge new notes.peernote --title "Weekly" --tag work --body-file draft.md
    """)

  @Argument(help: .of("file", "The file to create; - is standard output."))
  var file: FileName

  @Option(parsing: .unconditional, help: .of("text", "The title."))
  var title: TextArgument?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: .of("text", "A tag; repeatable."))
  var tags: [TextArgument] = []

  @Option(help: .of("priority", "The priority: low, normal or high."), transform: parsePriority)
  var priority: Note.Priority?

  @Option(help: .of("file", "Read the body from a file; - is standard input."))
  var bodyFile: FileName?

  @Option(help: .of("file", "Take the content from JSON; - is standard input."))
  var jsonFile: FileName?

  @OptionGroup var texts: TextPlaces
  @OptionGroup(visibility: .hidden) var identity: ElementIdentity

  @OptionGroup var reading: JSONReading

  @Flag(name: [.customShort("n"), .long], help: "Write nothing.")
  var dryRun = false

  @Option(help: .private)
  var id: Parsed<UniqueID>?

  @OptionGroup var authorship: Authorship
  @OptionGroup var verbosity: Verbosity

  var mistakes: Mistakes {
    let isNote = title != nil || !tags.isEmpty || priority != nil || bodyFile != nil
    let isOfJSON = reading.plain || !texts.patterns.isEmpty || !identity.keys.isEmpty
    return [
      "--json-file and the options for notes exclude each other": jsonFile != nil && isNote,
      "--plain, --text-at and --identity belong to --json-file": jsonFile == nil && isOfJSON,
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let start = DocumentStart(
      file: file, sources: [bodyFile, jsonFile].compactMap(\.self), id: id?.value,
      authorship: authorship, identityKeys: identity.keys.map(\.text))
    if let jsonFile {
      let text = try invocation.readText(jsonFile)
      let console = invocation.console
      try start(
        invocation,
        with: texts.applied(
          to: try reading.root(
            reading.parsed(text, from: jsonFile, into: .new(texts), console).json, from: jsonFile,
            replacing: nil, identity.matching),
          console))
    } else {
      let body = try bodyFile.map { try invocation.readText($0) } ?? ""
      try start(invocation) { (editor, session) throws(EditError) in
        try editor.create(
          Note(
            title: title?.text, body: body, tags: tags.map(\.text), priority: priority,
            created: session.time))
      }
    }
    return .done
  }
}

/// The start of a document in a file that is not there yet.
struct DocumentStart {
  var file: FileName
  /// The files than which it may be no more readable.
  var sources: [FileName]
  /// The document's identity; random by default.
  var id: UniqueID?
  var authorship: Authorship
  /// The keys that were given by which elements of lists are known; the document remembers them.
  var identityKeys: [String] = []
  /// What the document must be like.
  var schema: Schema?

  /// Writes a document whose first change is a map, which is not held any longer than it takes.
  @discardableResult
  func callAsFunction(
    _ invocation: Invocation, with content: consuming DocumentNode
  ) throws -> DocumentHeads {
    var left: DocumentNode? = content
    return try self(invocation) { (editor, _) throws(EditError) in
      guard let content = left.take() else { preconditionFailure("a document is started once") }
      try editor.replaceContent(at: JSONPointer(), with: content)
    }
  }

  /// Writes a document whose first change is what some edits make, and which is not held any longer
  /// than its bytes take.
  @discardableResult
  func callAsFunction(
    _ invocation: Invocation, _ edits: (inout Editor, DocumentSession) throws(EditError) -> Void
  ) throws -> DocumentHeads {
    let host = invocation.host
    let session = try invocation.session(authorship, for: file)
    let id = self.id ?? UniqueID(randomBits: host.randomBits(), host.randomBits())
    var document = Document(id: id)
    let message = document.message(authorship.message?.text, namingIdentityKeys: identityKeys)
    _ = try file.changing {
      try document.change(by: session, message: message) { editor in try edits(&editor, session) }
    }
    try schema?.check(document.root, replacing: nil, in: file)
    let state = document.state
    let bytes = (consume document).bytes()
    _ = try DocumentFile(file, from: sources, invocation)(expecting: .absent) { _ in
      DocumentFile.Proposal(bytes, state, report: ())
    }
    if file.isStandardStream { return state }
    let verb = invocation.isTrial ? "would start" : "started"
    try invocation.console.report("\(file.outputName): \(verb) document \(id)")
    return state
  }
}
