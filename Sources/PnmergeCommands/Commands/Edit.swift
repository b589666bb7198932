import ArgumentParser
import Peernote
import PeernoteJSON

struct Edit: OptionsCommand {
  static let configuration = configured(
    "Change a document in $EDITOR, or by options.", takes: "<file>",
    """
    Example:
      pnmerge edit notes.peernote
      pnmerge edit notes.peernote --title "Budget" --tag money --untag draft
    """)

  @Argument(help: .of("file", "The document; - is standard input and output."))
  var file: FileName

  @OptionGroup var edits: NoteEdits

  @Option(help: .of("file", "Take all of it from JSON; - is standard input."))
  var jsonFile: FileName?

  @OptionGroup var base: BaseOption
  @OptionGroup var reading: JSONReading
  @OptionGroup(visibility: .hidden) var identity: ElementIdentity
  @OptionGroup(visibility: .hidden) var schema: SchemaOption
  @OptionGroup var options: ChangeOptions

  var mistakes: Mistakes {
    let isInEditor = edits.isEmpty && jsonFile == nil
    return [
      "standard input can be edited by options only": file.isStandardStream && isInEditor,
      "--base belongs to --json-file and the options for notes": isInEditor && !base.names.isEmpty,
      "--json-file and the options for notes exclude each other": jsonFile != nil && !edits.isEmpty,
      "--plain and --identity exclude the options for notes":
        !edits.isEmpty && (reading.plain || !identity.keys.isEmpty),
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, schema: schema, identityKeys: identity.keys, invocation)
    let files = [file] + edits.files + [jsonFile].compactMap(\.self)
    try invocation.checkStandardInput(files.filter(\.isStandardStream))
    if let jsonFile {
      let json = try reading.parsed(
        invocation.readText(jsonFile), from: jsonFile, into: invocation.room(in: file),
        invocation.console
      ).json
      let changed = try change(at: base) { version in
        let new = try reading.root(json, from: jsonFile, replacing: version.root, identity.matching)
        return try change.update(&version, to: new, identity)
      }
      try change.reportChanges(changed)
    } else if edits.isEmpty {
      try editInEditor(change)
    } else {
      let edit = try edits.prepared(invocation)
      let changed = try change(at: base) { version in
        let old = try file.note(in: version.root, advice: "edit it as JSON, or use 'set'")
        return try change.update(&version, try edit(old), from: old)
      }
      try change.reportChanges(changed)
    }
    return .done
  }

  // MARK: In the editor

  private func editInEditor(_ change: FileChange) throws {
    let base = try change.invocation.readDocument(file)
    let root = base.root
    guard let note = Note(root: root) else {
      let shown = base.rootInOrderOfWriting
      let json = reading.plain ? shown.json : shown.exactJSON
      let text = String(decoding: json.bytes(indented: true), as: UTF8.self) + "\n"
      return try edit(base, as: text, ".json", "--json-file", change) { (text) throws(Failure) in
        let json = try reading.parsed(
          text, from: nil, into: change.invocation.room(in: file), change.invocation.console
        ).json
        let edited = try reading.root(json, from: nil, replacing: root, identity.matching)
        return { try change.update(&$0, to: edited, identity) }
      }
    }
    let text = NoteMarkdown.text(of: note)
    try edit(base, as: text, ".md", "--markdown-file", change) { (text) throws(Failure) in
      var edited = try edits.note(in: text, note)
      // Many editors end the last line of every file; that alone is no edit.
      if edited.body.utf8.elementsEqual((note.body + "\n").utf8) { edited.body = note.body }
      return { [edited] in try change.update(&$0, edited, from: note) }
    }
  }

  /// Makes what the editor makes of a text an edit of the version that was opened; the option takes a
  /// text that was corrected.
  private func edit(
    _ base: Document, as text: String, _ suffix: String, _ option: String, _ change: FileChange,
    _ parse: @escaping (String) throws(Failure) -> (inout Document) throws -> [String]?
  ) throws {
    let (id, heads) = (base.id, base.heads)
    let version = heads.map { "--base \($0) " }.joined()
    let editing = DraftEditing(
      file: file, suffix: suffix, invocation: change.invocation,
      retry: "pnmerge edit \(shellQuoted(file)) \(version)\(option)", parse: parse)
    try editing(text) { update in
      try change.reportChanges(
        change { document in
          guard document.id == id else {
            throw file.failure(
              .notSameDocument, "was replaced by something else meanwhile; nothing was written")
          }
          return try change.edit(&document, at: heads, update)
        })
    }
  }
}

extension FileChange {
  /// Makes one change of the difference between what was read of a document's note and its edited
  /// form, and names what changed; `nil` if nothing did.
  func update(_ document: inout Document, _ new: Note, from old: Note) throws -> [String]? {
    // YAML tells less about types than the document knows.
    var new = new
    for entry in new.fields.entries {
      guard let was = old.fields[entry.key] else { continue }
      new.fields[entry.key] = entry.node.adapted(to: Shape(of: was))
    }
    guard try edit(&document, { editor in try editor.apply(new, to: old) }) != nil else {
      return nil
    }
    let names = old.differences(from: Note(root: document.root) ?? new)
    return names.isEmpty ? ["the front matter"] : names
  }

  /// The same of a document's content; gives the paths of what changed.
  func update(
    _ document: inout Document, to new: DocumentNode, _ identity: ElementIdentity
  ) throws -> [String]? {
    let old = document.root
    return try edit(&document) { editor in
      try editor.replaceContent(at: JSONPointer(), with: new, matching: identity.matching)
    }.map { names(ofChangesFrom: old, to: document.root) }
  }

  /// The paths where two contents of a place differ, not all if they are many.
  func names(
    ofChangesFrom old: DocumentNode?, to new: DocumentNode?, at path: JSONPointer = JSONPointer()
  ) -> [String] {
    var paths: [String] = []
    var count = 0
    ContentDifference.forEachPlace(from: old, to: new, at: path) { place in
      if paths.count < Self.shownPaths {
        let name = place.path.visible + (place.from == nil ? "" : " (moved)")
        // Where one element went another one may stand now.
        if paths.contains(name) { return }
        paths.append(name)
      }
      count += 1
    }
    guard count > Self.shownPaths else { return paths.isEmpty ? ["types"] : paths }
    let more = count - Self.shownPaths + 1
    return paths.prefix(Self.shownPaths - 1) + [counted(more, "more place")]
  }

  private static let shownPaths = 6

  /// Says what changed.
  func reportChanges(_ names: [String]?) throws {
    try report(names != nil, "changed", "change", enumerated(names ?? []))
  }
}

extension Note {
  /// The names of what differs, in the order of the front matter, the body last.
  fileprivate func differences(from other: Note) -> [String] {
    let profile = NoteMarkdown.Key.allCases.filter { self[$0] != other[$0] }.map(\.rawValue)
    let hasOtherBody = !body.utf8.elementsEqual(other.body.utf8)
    return profile + fields.keys(differingFrom: other.fields).sorted()
      + (hasOtherBody ? ["body"] : [])
  }
}

/// Options that say how to change a note.
struct NoteEdits: ParsableArguments {
  @Option(parsing: .unconditional, help: .of("text", "Set the title."))
  var title: TextArgument?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: .of("text", "Add a tag; repeatable."))
  var tags: [TextArgument] = []

  @Option(
    name: .customLong("untag"), parsing: .unconditionalSingleValue,
    help: .of("text", "Remove a tag; repeatable."))
  var untags: [TextArgument] = []

  @Option(help: .of("priority", "Set the priority: low, normal or high."), transform: parsePriority)
  var priority: Note.Priority?

  @Option(help: .of("file", "Take the body from a file; - is standard input."))
  var bodyFile: FileName?

  @Option(help: .of("file", "Take the note from Markdown, as 'cat' prints it."))
  var markdownFile: FileName?

  func validate() throws {
    if markdownFile != nil && bodyFile != nil {
      throw ValidationError("--markdown-file and --body-file exclude each other.")
    }
  }

  /// Whether there are none.
  var isEmpty: Bool {
    title == nil && tags.isEmpty && untags.isEmpty && priority == nil && files.isEmpty
  }

  /// The files to read.
  var files: [FileName] { [bodyFile, markdownFile].compactMap(\.self) }

  /// Reads the files; the result turns an old note into the new one.
  func prepared(_ invocation: Invocation) throws -> (Note) throws(Failure) -> Note {
    let body = try bodyFile.map { try invocation.readText($0) }
    let whole = try markdownFile.map { try invocation.readText($0) }
    return { (old) throws(Failure) in
      var note = try whole.map { (text) throws(Failure) in try self.note(in: text, old) } ?? old
      if let title { note.title = title.text }
      if let body { note.body = body }
      if let priority { note.priority = priority }
      // Tags are told apart by their bytes, not by how they look.
      let unwanted = Set((tags + untags).map { Array($0.text.utf8) })
      note.tags.removeAll { unwanted.contains(Array($0.utf8)) }
      var seen = Set(untags.map { Array($0.text.utf8) })
      note.tags += tags.map(\.text).filter { seen.insert(Array($0.utf8)).inserted }
      return note
    }
  }

  /// The note that Markdown makes of an old one.
  func note(in text: String, _ old: Note) throws(Failure) -> Note {
    do {
      return try NoteMarkdown.note(from: text, replacing: old)
    } catch {
      throw Failure(.unreadable, file: markdownFile, error.description)
    }
  }
}

extension FileName {
  /// The note that a document in this file holds; the advice is for another one.
  func note(
    in root: DocumentNode, advice: String = "try --format json"
  ) throws(Failure) -> Note {
    guard let note = Note(root: root) else {
      throw Failure(.usage, file: self, "is not a note; \(advice)")
    }
    return note
  }
}
