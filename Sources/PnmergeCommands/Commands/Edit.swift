import ArgumentParser
import Peernote

/// `pnmerge edit`: changes a note.
struct Edit: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a note, in an editor or by options.",
    discussion: """
      Without options the note is opened as Markdown with front matter in $VISUAL or $EDITOR. What \
      differs afterwards becomes one change. If another program writes the file meanwhile, both \
      changes are merged.

      Example:
        pnmerge edit notes.peernote
        pnmerge edit notes.peernote --title "Budget" --tag money --untag draft
      """)

  @Argument(
    help: ArgumentHelp(
      "The document; - reads standard input and writes standard output.", valueName: "file"))
  var file: FileName

  @OptionGroup var edits: NoteEdits

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @OptionGroup var authorship: Authorship
  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if file.isStandardStream && edits.isEmpty {
      throw ValidationError("Standard input can be edited by options only.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    if file.isStandardStream {
      try editStream(invocation)
    } else if edits.isEmpty {
      try editInEditor(invocation)
    } else {
      try editFile(invocation)
    }
    return .done
  }

  // MARK: Three ways

  private func editStream(_ invocation: Invocation) throws {
    try invocation.checkStandardInput([file] + edits.files)
    invocation.console.reportStream = .error
    var document = try invocation.readDocument(file)
    let changed = try change(&document, try edits.prepared(invocation), invocation)
    try invocation.writeDocument(document, dryRun: dryRun)
    try say(changed, invocation)
  }

  private func editFile(_ invocation: Invocation) throws {
    let edits = try edits.prepared(invocation)
    try replace(invocation) { document in
      try change(&document, edits, invocation)
    }
  }

  private func editInEditor(_ invocation: Invocation) throws {
    let base = try invocation.readDocument(file)
    let note = try note(base)
    let editing = NoteEditing(file: file, invocation: invocation)
    try editing(note) { edited in
      var ours = base
      let changed = try change(&ours, { _ in edited }, invocation)
      guard !changed.isEmpty else { return try say([], invocation) }
      try replace(invocation) { document in
        do throws(MergeError) {
          _ = try document.merge(ours)
          return changed
        } catch {
          var failure = error.failure(file, document, comparedWith: file, ours)
          failure.file = file
          failure.message = "was replaced by something else meanwhile; nothing was written"
          throw failure
        }
      }
    }
  }

  // MARK: Steps

  private func note(_ document: Document) throws(Failure) -> Note {
    guard let note = Note(root: document.root) else {
      throw Failure(.usage, file: file, "is not a note, and can't be edited as one")
    }
    return note
  }

  /// Makes one change of the difference between a document's note and its edited form.
  ///
  /// - Returns: the names of what changed.
  private func change(
    _ document: inout Document, _ edit: (Note) -> Note, _ invocation: Invocation
  ) throws -> [String] {
    let old = try note(document)
    let new = edit(old)
    let session = try invocation.session(authorship, for: file)
    let change = try document.change(by: session, message: authorship.message?.text) { editor in
      do {
        try editor.apply(new)
      } catch {
        throw Failure(.usage, file: file, "cannot be edited like that: \(error)")
      }
    }
    guard change != nil else { return [] }
    let names = old.differences(from: new)
    return names.isEmpty ? ["fields"] : names
  }

  private func replace(
    _ invocation: Invocation, _ edit: (inout Document) throws -> [String]
  ) throws {
    var edited: Document?
    let replacement = Replacement(of: file, expecting: .existing, host: invocation.host)
    let outcome = try replacement(
      dryRun: dryRun,
      verify: { bytes in try edited?.verify(file)(bytes) },
      prepare: { old in
        guard let edited else { return }
        try backups.keep(old, before: .edit, of: file, becoming: edited, invocation)
      },
      compute: { contents in
        var document = try invocation.parseDocument(contents?.bytes ?? [], from: file)
        let changed = try edit(&document)
        edited = document
        return Replacement.Proposal(
          bytes: changed.isEmpty ? nil : document.encoded(), report: changed)
      })
    try say(outcome.report, invocation)
  }

  private func say(_ changed: [String], _ invocation: Invocation) throws {
    let verb = dryRun ? "would change" : "changed"
    let what = changed.isEmpty ? "unchanged" : "\(verb) \(enumerated(changed))"
    try invocation.console.report("\(file.inputName): \(what)")
  }
}

extension Note {
  /// The tags, told apart by their bytes as in the document.
  private var tagBytes: Set<[UInt8]> { Set(tags.map { Array($0.utf8) }) }

  /// The names of what differs, in the order of the front matter, the body last.
  fileprivate func differences(from other: Note) -> [String] {
    var names: [String] = []
    func compare<Part: Equatable>(_ name: String, _ part: KeyPath<Note, Part>) {
      if self[keyPath: part] != other[keyPath: part] { names.append(name) }
    }
    compare("title", \.title?.unicodeScalarArray)
    compare("tags", \.tagBytes)
    compare("priority", \.priority)
    compare("created", \.created)
    names += Set(fields.keys).union(other.fields.keys)
      .filter { fields[$0] != other.fields[$0] }.sorted().map { visibleText($0) }
    compare("body", \.body.unicodeScalarArray)
    return names
  }
}

extension String {
  /// The scalars, since strings that only look the same count as equal.
  fileprivate var unicodeScalarArray: [Unicode.Scalar] { Array(unicodeScalars) }
}
