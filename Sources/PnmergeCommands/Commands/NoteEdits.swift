import ArgumentParser
import Peernote

/// Options that say how to change a note.
struct NoteEdits: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("Set the title.", valueName: "text"))
  var title: TextArgument?

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Add a tag; repeatable.", valueName: "text"))
  var tags: [TextArgument] = []

  @Option(
    name: .customLong("untag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Remove a tag; repeatable.", valueName: "text"))
  var untags: [TextArgument] = []

  @Option(
    help: ArgumentHelp("Set the priority: low, normal or high.", valueName: "priority"),
    transform: parsePriority)
  var priority: Note.Priority?

  @Option(help: ArgumentHelp("Take the body from a file; - is standard input.", valueName: "file"))
  var bodyFile: FileName?

  @Option(
    help: ArgumentHelp("Take the note from Markdown, as 'cat' prints it.", valueName: "file"))
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

  private func note(in text: String, _ old: Note) throws(Failure) -> Note {
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
