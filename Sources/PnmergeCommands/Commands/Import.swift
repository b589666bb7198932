import ArgumentParser
import Peernote
import PeernoteJSON

struct Import: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Make a document of JSON, Markdown, text or Automerge.", takes: "<input> ...",
    """
    Starts a document, or brings what was edited into the one there is: as a change of the \
    version that was exported, merged with what came later.

    Example:
      pnmerge import notes.json --output notes.peernote
    """)

  @Argument(help: .of("input", "Files and directories; - is standard input."))
  var files: [FileName]

  @Option(
    name: [.short, .long],
    help: .of("file", "The document; by default the input's name decides."))
  var output: FileName?

  @Option(help: .of("format", "The form; by default the input decides."))
  var format: DocumentFormat?

  @OptionGroup var base: BaseOption
  @OptionGroup var texts: TextPlaces
  @OptionGroup var reading: JSONReading
  @OptionGroup(visibility: .hidden) var identity: ElementIdentity

  @Option(help: .private)
  var id: Parsed<UniqueID>?

  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var options: ChangeOptions

  var mistakes: Mistakes {
    [
      "--output takes one input": output != nil && files.count > 1,
      "--base takes one input": !base.names.isEmpty && files.count > 1,
      "standard input needs --output": output == nil && files.contains(where: \.isStandardStream),
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    if output != nil, let directory = files.first(where: invocation.isDirectory) {
      throw directory.failure(.usage, "--output takes one file, not a directory")
    }
    var taken: [FileName: FileName] = [:]
    let named = Set(files)
    let found = try invocation.documentFiles(in: files, mayBeEmpty: true) { name in
      DocumentFormat(of: FileName(bytes: name)) != nil
    }
    if found.files.isEmpty, found.failures.isEmpty {
      for input in files {
        try invocation.console.report("\(input.inputName): holds no files to import")
      }
    }
    return try invocation.forEachFile(found) { input in
      let file = output ?? sibling(of: input, input.stem.bytes + Array(".peernote".utf8))
      if let other = taken[file] {
        throw Failure(
          .cannotCreate, file: input,
          "\(file.visible) was made of \(other.visible); give it another one with --output")
      }
      let original = ConflictCopyName.original(of: input.lastComponent.bytes)
        .map { sibling(of: input, $0) }
      if let original, !named.contains(input),
        (try? invocation.host.identity(of: original, followingLinks: false)) != nil
      {
        throw input.failure(
          .unreadable, "is a conflict copy of \(original.visible), and was left alone")
      }
      let entry = try? invocation.host.identity(of: file, followingLinks: false)
      if !named.contains(input), entry?.kind == .symbolicLink {
        throw Failure(
          .cannotCreate, file: input,
          "was left alone, since \(file.visible) is a symbolic link, which is not followed here; to "
            + "write what it leads to: pnmerge import \(shellQuoted(input)) -o "
            + shellQuoted(file))
      }
      try run(input, to: file, invocation)
      taken[file] = input
    }.status
  }

  private func sibling(of input: FileName, _ name: [UInt8]) -> FileName {
    FileName(bytes: input.bytes.dropLast(input.lastComponent.bytes.count) + name)
  }

  private func run(
    _ input: FileName, to file: FileName, _ invocation: Invocation
  ) throws {
    let bytes = try invocation.readBytes(input)
    if DocumentHeads.isDocument(bytes) { throw isDocument(input, invocation) }
    let isText = format?.isPlain ?? false
    if !isText, let document = try AutomergeDocument(bytes, from: input) {
      return try document.importDocument(to: file, options, schema, invocation)
    }
    guard let format = format ?? DocumentFormat(of: input) else {
      throw input.failure(.usage, "its name does not tell its format; give --format")
    }
    guard format.isPlain else {
      throw Failure(.unreadable, file: input, "is not an Automerge document")
    }
    let isForJSON = !texts.patterns.isEmpty || reading.plain
    if format != .json, isForJSON, files == [input] {
      throw input.failure(.usage, "is not read as JSON, which --text-at and --plain are for")
    }
    let text = try invocation.text(bytes, of: input)
    if text.unicodeScalars.first == "\u{FEFF}",
      format == .json || (format == .markdown && NoteMarkdown.hasFrontMatter(text))
    {
      try invocation.console.warn(
        "\(input.inputName): the byte order mark at its start is left out, and will be missing in "
          + "what is exported")
    }
    guard invocation.kind(of: file) == nil else {
      return try update(file, with: text, of: input, format, invocation)
    }
    if !base.names.isEmpty {
      throw Failure(.unreadable, file: file, "does not exist, so it has no version for --base")
    }
    let start = DocumentStart(
      file: file, sources: [input], id: id?.value, authorship: options.authorship,
      identityKeys: identity.keys.map(\.text), schema: try schema.schema(invocation))
    let started: DocumentHeads
    var isWhole = true
    if format == .json {
      let (json, mark) = try reading.parsed(
        text, from: input, into: .new(texts), invocation.console)
      try warn(of: mark, input, invocation)
      started = try start(
        invocation,
        with: texts.applied(
          to: try reading.root(json, from: input, replacing: nil, identity.matching),
          invocation.console))
    } else {
      let parsed = try note(text, format, input, invocation)
      try warn(of: parsed?.mark, input, invocation)
      var note = parsed?.note ?? Note(body: text)
      isWhole = parsed?.saysCreated ?? false
      // So that an export comes out as this came in.
      if !isWhole { note.frontMatter = parsed?.frontMatter ?? "" }
      started = try start(invocation) { (editor, session) throws(EditError) in
        if !isWhole { note.created = session.time }
        try editor.create(note)
      }
    }
    if !started.heads.isEmpty {
      try invocation.remember(
        .init(file: input, origin: isWhole ? .edited : .started, heads: started.heads),
        of: started.id)
    }
  }

  /// Refuses to import what needs no import.
  private func isDocument(_ input: FileName, _ invocation: Invocation) -> Failure {
    let next: String
    if input.isStandardStream {
      next = "'pnmerge merge' merges it into another copy"
    } else if let output, !output.isStandardStream {
      next =
        invocation.kind(of: output) != nil
        ? "to merge it: pnmerge merge \(shellQuoted(output)) \(shellQuoted(input))"
        : "for a copy of it: cp \(shellQuoted(input)) \(shellQuoted(output))"
    } else {
      next = "to merge it into another copy: pnmerge merge COPY \(shellQuoted(input))"
    }
    return Failure(.usage, file: input, "is a peernote document already; \(next)")
  }

  /// Warns that an export of one document starts another one.
  private func warn(
    of mark: VersionMark?, _ input: FileName, _ invocation: Invocation
  ) throws {
    guard let mark else { return }
    try invocation.console.warn(
      "\(input.inputName): was exported from document \(mark.document.shortText), and starts "
        + "another one, which cannot be merged with it; to take it for an edit of that document, "
        + "give its file with --output")
  }

  private func update(
    _ file: FileName, with text: String, of input: FileName, _ format: DocumentFormat,
    _ invocation: Invocation
  ) throws {
    let change = FileChange(file, options, schema: schema, identityKeys: identity.keys, invocation)
    change.saved = try saveTime(of: input, invocation)
    var update: ImportUpdate?
    _ = try change { document -> Bool? in
      let known = try? ExportMemory(of: document.id, host: invocation.host)
      let memory = known?.entry(for: input) ?? adoptedEntry(for: input, document, invocation)
      if output == nil, memory == nil, let other = known?.file(alike: input) {
        throw Failure(
          .cannotCreate, file: input,
          "\(file.visible) belongs to \(other.lastComponent.visible); to import this file into "
            + "that document, give --output \(shellQuoted(file))")
      }
      let content = try content(text, format, input, change, memory?.origin)
      let made = try ImportUpdate(
        of: &document, with: content, named: base.heads(in: document, file), memory, change)
      update = made
      return made.names == nil ? nil : true
    }
    guard let update else { return }
    try update.report(advice(file, input, format), change)
    try invocation.remember(update.entry, of: update.document)
  }

  /// When an input was saved, if it is a file, and no other time or agent is asked for.
  private func saveTime(of input: FileName, _ invocation: Invocation) throws -> Timestamp? {
    guard options.authorship.agent == nil, try invocation.givenTime() == nil,
      !input.isStandardStream,
      let identity = try? invocation.host.identity(of: input, followingLinks: true)
    else { return nil }
    return min(Timestamp(milliseconds: identity.modified / 1_000_000), invocation.host.now)
  }

  /// What is known of a file that a document was exported to before it was adopted by this one, as it
  /// was then.
  private func adoptedEntry(
    for input: FileName, _ document: Document, _ invocation: Invocation
  ) -> ExportMemory.Entry? {
    for adopted in document.adopted.reversed() {
      let memory = try? ExportMemory(of: adopted.document, host: invocation.host)
      guard var entry = memory?.entry(for: input), entry.heads == adopted.version else { continue }
      entry.heads = [adopted.change]
      entry.mark = []
      return entry
    }
    return nil
  }

  /// The command that makes the document read like an input, whatever came in since.
  private func advice(_ file: FileName, _ input: FileName, _ format: DocumentFormat) -> String {
    let option =
      switch format {
      case .json: "--json-file"
      case .markdown: "--markdown-file"
      case .text, .meetingNotes, .automerge: "--body-file"
      }
    return "pnmerge edit \(shellQuoted(file)) \(option) \(shellQuoted(input))"
  }

  /// What comes in, to be compared with versions of a document.
  private func content(
    _ text: String, _ format: DocumentFormat, _ input: FileName, _ change: FileChange,
    _ origin: ExportMemory.Origin?
  ) throws -> IncomingContent {
    if format == .json {
      let (json, mark) = try reading.parsed(
        text, from: input, into: change.invocation.room(in: change.file),
        change.invocation.console)
      let isWhole = mark != nil || origin?.isWhole == true
      func root(_ version: Document) throws -> DocumentNode {
        let new = texts.applied(
          to: try reading.root(json, from: input, replacing: version.root, identity.matching))
        guard !isWhole, let created = Note(root: version.root)?[.created],
          case .map(let entries) = new, new["created"] == nil
        else { return new }
        return DocumentNode.map(entries + [.init(key: "created", node: created)]).sorted
      }
      return IncomingContent(
        file: input, mark: mark, isWhole: isWhole,
        forms: { version in
          let old = version.root.sorted
          let (content, gaps) = version.withoutRedacted(try root(version), identity.matching)
          let new = content.sorted
          let isSame = old.exactJSON.bytes() == new.exactJSON.bytes()
          return .init(old.partCounts, new.partCounts, isSame: isSame, of: version, gaps)
        },
        update: { try change.update(&$0, to: root($0), identity) })
    }
    // Without front matter the text stands for the body alone.
    let parsed = try note(text, format, input, change.invocation)
    let isWhole =
      parsed.map { $0.saysCreated || $0.mark != nil || origin?.isWhole == true } ?? false
    func new(_ old: Note) throws -> Note {
      guard let parsed else {
        var new = old
        new.body = text.withLineEnds(of: old.body)
        return new
      }
      let read = text.withLineEnds(of: NoteMarkdown.text(of: old))
      let isAsItWas = read.utf8.count == text.utf8.count
      var new = (isAsItWas ? parsed : try NoteMarkdown.parsed(read)).replacing(old)
      if !isWhole, new.created == nil { new.created = old.created }
      return new
    }
    func form(of note: Note) -> String {
      parsed == nil ? note.body : NoteMarkdown.text(of: note)
    }
    return IncomingContent(
      file: input, mark: parsed?.mark, isWhole: isWhole,
      forms: { version in
        try Note(root: version.root).map { old in
          var new = try new(old)
          let body = version.withoutRedacted(.text(new.body), at: ["body"])
          if case .text(let text) = body.content { new.body = text }
          let (oldForm, newForm) = (form(of: old), form(of: new))
          return .init(
            oldForm.allLineCounts, newForm.allLineCounts,
            isSame: oldForm.utf8.elementsEqual(newForm.utf8), of: version, body.gaps)
        }
      },
      update: { version in
        let old = try change.file.note(in: version.root, advice: "import JSON")
        // The line that ends the front matter, or what makes it a mapping, may have been lost.
        if parsed == nil, format == .markdown, NoteMarkdown.beginsWithDelimiter(text) {
          _ = try markdown(input, NoteMarkdown.note(from: text, replacing: old))
        }
        return try change.update(&version, try new(old), from: old)
      })
  }

  /// What Markdown with front matter says; `nil` for a text that stands for the body alone.
  private func note(
    _ text: String, _ format: DocumentFormat, _ input: FileName, _ invocation: Invocation
  ) throws -> NoteMarkdown.Parsed? {
    guard format == .markdown, NoteMarkdown.hasFrontMatter(text) else { return nil }
    let parsed = try markdown(input, NoteMarkdown.parsed(text))
    if !parsed.isWhole {
      try invocation.console.warn(
        "\(input.visible): what the front matter says is kept, but not its form")
    }
    return parsed
  }

  /// Reads Markdown.
  private func markdown<Content>(
    _ input: FileName, _ read: @autoclosure () throws(NoteMarkdown.ParseError) -> Content
  ) throws(Failure) -> Content {
    do {
      return try read()
    } catch {
      throw Failure(
        .unreadable, file: input,
        "\(error.description); mend it, or give --format text to take the whole file for the body")
    }
  }
}
