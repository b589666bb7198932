import ArgumentParser
import Peernote

/// `pnmerge import`: makes documents of other programs' files.
struct Import: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a document of JSON, Markdown, text or an Automerge document.",
    discussion: """
      Starts a document if there is none. An existing one is brought to what the input says: the \
      differences become one change, so that an export which another program changed comes back \
      as edits. Markdown without front matter, and text, replace the body only.

      A file of the MeetingNotes app, or another Automerge document, is imported with its whole \
      history. Copies that are imported apart are copies of one document, and imported again they \
      bring what is new.

      Example:
        pnmerge import notes.json --output notes.peernote
        pnmerge import *.md
        pnmerge import Weekly.meetingnotes
      """)

  @Argument(help: ArgumentHelp("What to import; - is standard input.", valueName: "input"))
  var inputArguments: [FileNames]
  var inputs: [FileName] { inputArguments.flatMap(\.names) }

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The document; by default the input's name with .peernote at the end.",
      valueName: "file"))
  var output: FileName?

  @Option(
    help: ArgumentHelp(
      """
      Read json, markdown, text, meetingnotes or automerge; by default what the input begins with or \
      its name decides (.json, .md, .txt).
      """,
      valueName: "format"))
  var format: DocumentFormat?

  @OptionGroup var texts: TextPlaces
  @OptionGroup var reading: JSONReading
  @OptionGroup var identity: ElementIdentity

  @Option(help: .hidden)
  var id: Parsed<UniqueID>?

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    if inputs.isEmpty { throw ValidationError("Give a file or more.") }
    if output != nil && inputs.count > 1 {
      throw ValidationError("--output takes one input.")
    }
    if output == nil && inputs.contains(where: \.isStandardStream) {
      throw ValidationError("Standard input needs --output.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(options.verbosity)
    for input in inputs {
      try run(input, to: output ?? documentName(input), invocation)
    }
    return .done
  }

  /// The document that stands beside an input.
  private func documentName(_ input: FileName) -> FileName {
    let directory = input.bytes.dropLast(input.lastComponent.bytes.count)
    return FileName(bytes: directory + input.stem.bytes + Array(".peernote".utf8))
  }

  private func run(
    _ input: FileName, to file: FileName, _ invocation: Invocation
  ) throws {
    let bytes = try invocation.readBytes(input)
    if let document = try foreignDocument(bytes, of: input) {
      return try document.importDocument(to: file, options, invocation)
    }
    guard let format = format ?? DocumentFormat(of: input) else {
      throw Failure(
        .usage, file: input,
        "its name does not tell what it is; give --format")
    }
    let text = try invocation.text(bytes, of: input)
    let entry = try? invocation.host.identity(of: file, followingLinks: true)
    guard entry == nil || file.isStandardStream else {
      return try update(file, with: text, of: input, format, invocation)
    }
    let start = DocumentStart(
      file: file, id: id?.value, authorship: options.authorship, dryRun: options.dryRun,
      schema: try options.schema.schema(invocation))
    switch format {
    case .json:
      let root = texts.applied(to: try reading.root(text, from: input, replacing: nil))
      try start(invocation) { (editor, _) throws(EditError) in
        try editor.replaceContent(at: JSONPointer(), with: root)
      }
    case .markdown, .text:
      var note = try note(text, format, input, replacing: nil)
      try start(invocation) { (editor, session) throws(EditError) in
        if note.created == nil { note.created = session.time }
        try editor.create(note)
      }
    case .meetingNotes, .automerge: throw Self.isNoDocument(input)
    }
  }

  /// The Automerge document that an input is, by what it begins with or what was asked for.
  private func foreignDocument(
    _ bytes: [UInt8], of input: FileName
  ) throws(Failure) -> AutomergeDocument? {
    switch format {
    case .json, .markdown, .text: return nil
    case .meetingNotes, .automerge:
      guard let document = try AutomergeDocument(bytes, from: input) else {
        throw Self.isNoDocument(input)
      }
      return document
    case nil: return try AutomergeDocument(bytes, from: input)
    }
  }

  private static func isNoDocument(_ input: FileName) -> Failure {
    Failure(.unreadable, file: input, "is no Automerge document")
  }

  private func update(
    _ file: FileName, with text: String, of input: FileName, _ format: DocumentFormat,
    _ invocation: Invocation
  ) throws {
    let change = FileChange(file, options, invocation)
    try change.reportChanges(
      change { document in
        switch format {
        case .json:
          let new = try reading.root(text, from: input, replacing: document.root)
          return try change.update(&document, to: texts.applied(to: new), identity)
        case .markdown, .text:
          guard let old = Note(root: document.root) else {
            throw Failure(.usage, file: file, "is not a note; import JSON")
          }
          return try change.update(
            &document, try note(text, format, input, replacing: old), from: old)
        case .meetingNotes, .automerge: throw Self.isNoDocument(input)
        }
      })
  }

  /// The note that Markdown or text stands for.
  private func note(
    _ text: String, _ format: DocumentFormat, _ input: FileName, replacing old: Note?
  ) throws(Failure) -> Note {
    var note = old ?? Note()
    guard format == .markdown, NoteMarkdown.hasFrontMatter(text) else {
      note.body = text
      return note
    }
    do {
      return try NoteMarkdown.note(from: text)
    } catch {
      throw Failure(.unreadable, file: input, error.description)
    }
  }
}
