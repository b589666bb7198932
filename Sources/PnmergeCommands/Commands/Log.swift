import ArgumentParser
import Peernote
import PeernoteJSON

struct Log: OptionsCommand, HistoryCommand, FilesCommand {
  static let configuration = configured(
    "List a document's changes, newest first.", takes: "<file> ...",
    """
    One line for each change: its time, author, what it edited, its message and its ID. A star \
    marks the changes that no other follows. A directory stands for the documents and tracked \
    files in it.

    Example:
      pnmerge log -n 10 notes.peernote
      pnmerge log -p -n 1 notes.peernote
    """)

  @Argument(help: .of("file", "Documents and directories; - is standard input."))
  var files: [FileName]

  @Option(
    name: [.customShort("n", allowingJoined: true), .long], parsing: .unconditional,
    help: .of("number", "List this many changes at most."),
    transform: { try parseInteger($0, from: 0) })
  var maxCount: Int?

  @Flag(name: [.customShort("p"), .long], help: "Show what each change did, as 'diff' does.")
  var patch = false

  @Option(help: .of("file", "Write the history as a page."))
  var html: FileName?

  @OptionGroup var options: ReportOptions

  var mistakes: Mistakes {
    [
      "--patch and --json exclude each other": patch && json,
      "--html takes one document, without --patch and --json":
        html != nil && (patch || json || files.count > 1),
    ]
  }

  /// A change that is listed.
  private struct Row {
    var change: ChangeSummary
    /// Who made it, for people.
    var author: String
    /// What it edited, for people.
    var places: () -> String
    var isHead: Bool
    /// Where there are several.
    var file: FileName?
    /// The number of its document.
    var document = 0
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    try invocation.checkStandardInput(files)
    if let html {
      if invocation.isDirectory(files[0]) {
        throw Failure(.usage, file: files[0], "is a directory; give a document in it")
      }
      try LogPage(
        document: try invocation.operand(files[0]).document(), file: files[0],
        invocation: invocation
      ).made(maxCount: maxCount).write(to: html, invocation)
      return .done
    }
    if files.count == 1, !invocation.isDirectory(files[0]) {
      let document = try invocation.operand(files[0]).document()
      if json {
        try invocation.console.printResult(
          JSONReport([
            ("document", .json(.string(document.id.description))),
            ("heads", .list(document.heads) { .string($0.description) }),
            ("changes", .list(document.changes.reversed().prefix(maxCount ?? .max), \.json)),
          ]))
      } else {
        var patches = patch ? [LogPatch(document, in: files[0])] : []
        try report(try rows(of: document, from: files[0], invocation), &patches, invocation)
      }
      return .done
    }
    var patches: [LogPatch] = []
    let documents = try invocation.documentFiles(in: files, with: .histories)
    let (status, read) = try invocation.forEachFile(documents) { file in
      let document = try invocation.operand(file).document()
      let listed = try self.rows(of: document, from: file, invocation).map { row in
        var row = row
        let places = row.places()
        row.places = { places }
        (row.file, row.document) = (file, patches.count)
        return row
      }
      if patch { patches.append(LogPatch(document, in: file)) }
      return listed
    }
    // Of files that cannot be read nothing is known.
    if read.isEmpty, status != .done { return status }
    var rows = Array(read.joined())
    // Those of one time stay in the order of their files.
    let order = rows.indices.sorted {
      (rows[$1].change.time, $0) < (rows[$0].change.time, $1)
    }
    rows = order.prefix(maxCount ?? .max).map { rows[$0] }
    if json {
      try invocation.console.printResult(
        JSONReport([
          "changes": .list(rows) { row in
            ["file": .optional(row.file?.visible), "change": row.change.json]
          }
        ]))
    } else {
      try report(rows, &patches, invocation)
    }
    return status
  }

  /// The newest changes of a document, as many as are asked for; each is described when it is printed.
  private func rows(
    of document: Document, from file: FileName, _ invocation: Invocation
  ) throws(Failure) -> some Collection<Row> {
    let authors = AuthorWords(of: document, from: file, invocation.host)
    let heads = Set(document.heads)
    let numbers = document.changes.indices.reversed().prefix(maxCount ?? .max)
    let edited =
      json ? nil : try file.parsing(ChangedPlaces(of: numbers, in: document))
    return numbers.lazy.map { number in
      let change = document.changes[number]
      return Row(
        change: change, author: authors.words(for: change),
        places: { edited?.places(editedBy: number).words ?? "" },
        isHead: heads.contains(change.id))
    }
  }

  private func report(
    _ rows: some Collection<Row>, _ patches: inout [LogPatch], _ invocation: Invocation
  ) throws {
    let timeWidth = rows.lazy.map { invocation.time(of: $0.change).count }.max() ?? 0
    let authorWidth = rows.lazy.map { $0.author.count }.max() ?? 0
    for (index, row) in rows.enumerated() {
      let (change, time) = (row.change, invocation.time(of: row.change))
      let columns = [
        time + spaces(timeWidth - time.count), row.author + spaces(authorWidth - row.author.count),
        row.places(), change.message, row.file.map { "(\($0.inputName))" },
      ].compactMap(\.self).filter { !$0.isEmpty }
      let line = (row.isHead ? "* " : "  ") + columns.joined(separator: "  ")
      try invocation.console.printResult("\(line)  \(change.id.description, .yellow)")
      if verbosity.verbose {
        for parent in change.parents { try invocation.console.printResult("    after \(parent)") }
      }
      if patch {
        invocation.console.progress("comparing change \(index + 1) of \(rows.count)")
        try patches[row.document].show(change, invocation.console)
      }
    }
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
