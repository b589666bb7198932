import ArgumentParser
import Peernote
import PeernoteJSON

struct Find: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Find text in documents.", takes: "<text> [<file> ...]",
    """
    Prints each line of a text or string that has the text, in upper or lower case. A directory \
    stands for its documents and tracked files; the current one is searched by default. The \
    status is 1 if nothing was found.

    Example:
      pnmerge find 'train ticket' ~/notes
      pnmerge find --tag travel --since 2026-11-01 ticket ~/notes
    """)

  @Argument(help: .of("text-and-files", "The text, then files; - is standard input."))
  var files: [FileName]

  @OptionGroup var filter: NoteFilter

  @OptionGroup var options: ReportOptions

  /// What is found, and where.
  private typealias Match = (file: FileName, found: TextSearch.Line)

  func run(_ invocation: Invocation) throws -> ExitStatus {
    var files = files
    let text = String(decoding: files.removeFirst().bytes, as: UTF8.self)
    guard let search = TextSearch(text) else { throw Failure(.usage, "the text is empty") }
    if files.isEmpty { files = [FileName(".")] }
    try invocation.checkStandardInput(files)
    var (known, searched) = (ExitStatus.done, FoundFiles())
    if !filter.isGiven {
      searched = try invocation.documentFiles(in: files, mayBeEmpty: true, with: .files)
    } else if files.contains(where: \.isStandardStream) {
      throw Failure(.usage, "--tag, --priority and --since take files, not standard input")
    } else {
      let (status, notes) = try filter.notes(in: files, invocation)
      (known, searched.files) = (status, notes.map(\.file))
    }
    let (status, results) = try invocation.forEachFile(searched) { file in
      search.lines(in: try content(of: file, invocation)).map { (file: file, found: $0) }
    }
    let found = Array(results.joined())
    try report(found, invocation)
    return max(known, status, found.isEmpty ? .different : .done)
  }

  private func report(_ matches: [Match], _ invocation: Invocation) throws {
    if json {
      try invocation.console.printResult([
        "matches": .array(
          matches.map {
            .object(present: [
              "file": .string($0.file.visible), "path": .string($0.found.path.description),
              "line": $0.found.line.map { .count($0) }, "value": .string($0.found.text),
            ])
          })
      ])
      return
    }
    for match in matches {
      var place = match.file.inputName
      if !Self.ofNote.contains(match.found.path) { place += ":" + match.found.path.visible }
      if let number = match.found.line { place += ":\(number)" }
      try invocation.console.printResult("\(place): \(match.found.text)")
    }
  }

  /// Where the title and the text of a note stand.
  private static let ofNote = [JSONPointer(["title"]), JSONPointer(["body"])]

  /// What is searched of a file.
  private func content(of file: FileName, _ invocation: Invocation) throws(Failure) -> DocumentNode
  {
    if !file.lastComponent.bytes.hasDocumentExtension, try invocation.isTracked(file) {
      return .map([DocumentNode.MapEntry(key: "body", node: .text(try invocation.readText(file)))])
    }
    return try invocation.operand(file).root
  }
}
