import ArgumentParser
import Peernote
import PeernoteJSON

/// `pnmerge diff`: compares content.
struct Diff: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how the content of two documents differs.",
    discussion: """
      Compares notes as Markdown with front matter and other documents as JSON, line by line, in \
      the unified format. Of two directories the notes are compared, paired by their identity. \
      With --at, two states of one document are compared. The status is 1 if they differ. See \
      'status' for how their histories relate.

      Example:
        pnmerge diff notes.peernote /media/usb/notes.peernote
        pnmerge diff notes.peernote --at 5f0c.12
      """)

  @Argument(
    help: ArgumentHelp(
      "The first document; - is standard input, but not with --at.", valueName: "a"))
  var old: FileName

  @Argument(
    help: ArgumentHelp(
      "The second document; - is standard input. None with --at.", valueName: "b"))
  var new: FileName?

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      Compare the document as it was right after this change (see 'log') with what it is now, or, \
      if given twice, with what it was after the second one.
      """, valueName: "change"))
  var versions: [String] = []

  @Flag(help: "Print one JSON object with the places that differ.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if versions.isEmpty, new == nil {
      throw ValidationError("Give a second document, or --at for an earlier state of this one.")
    }
    if !versions.isEmpty, new != nil {
      throw ValidationError("--at compares two states of one document; give one.")
    }
    if versions.count > 2 { throw ValidationError("--at is given twice at most.") }
  }

  /// A state of a document.
  private struct State {
    var file: FileName
    /// The change after which it was so; `nil` for the present one.
    var version: String?

    var name: String { file.inputName + (version.map { " (\($0))" } ?? "") }

    func root(_ invocation: Invocation) throws -> Node {
      try invocation.readRoot(file, at: version.map { [$0] } ?? [])
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    guard let new else {
      if old.isStandardStream {
        throw Failure(.usage, "standard input can be read only once; give a file")
      }
      return try compare(
        State(file: old, version: versions[0]),
        State(file: old, version: versions.count > 1 ? versions[1] : nil), invocation)
    }
    try invocation.checkStandardInput([old, new])
    if invocation.isDirectory(old) || invocation.isDirectory(new) {
      return try compareFolders(old, new, invocation)
    }
    return try compare(State(file: old), State(file: new), invocation)
  }

  /// Compares the notes of two folders.
  private func compareFolders(
    _ old: FileName, _ new: FileName, _ invocation: Invocation
  ) throws -> ExitStatus {
    if json { throw Failure(.usage, "--json compares two files") }
    let folders = try OpenFolder.opening([old, new], invocation)
    let pairs = FolderPairs(folders[0], folders[1])
    var status = folders.flatMap(\.faults).map(\.status).max() ?? .done
    for fault in folders.flatMap(\.faults) { try invocation.console.printError(fault.line) }
    for pair in pairs.pairs where !pair.isSame {
      status = max(
        status,
        try compare(State(file: pair.files.0), State(file: pair.files.1), invocation))
    }
    for file in pairs.onlyInFirst + pairs.onlyInSecond {
      try invocation.console.report("only here: \(file.visible)")
      status = max(status, .different)
    }
    return status
  }

  private func compare(
    _ old: State, _ new: State, _ invocation: Invocation
  ) throws -> ExitStatus {
    let oldRoot = try old.root(invocation)
    let newRoot = try new.root(invocation)
    if json {
      var isSame = true
      ContentDifference.forEachPlace(from: oldRoot, to: newRoot) { _ in isSame = false }
      try invocation.console.printResult(
        JSONReport([
          ("schema", .json(1)), ("same", .json(.bool(isSame))),
          (
            "differences",
            .list { add in
              try ContentDifference.forEachPlace(from: oldRoot, to: newRoot) { try add($0.json) }
            }
          ),
        ]))
      return isSame ? .done : .different
    }
    guard oldRoot != newRoot else { return .done }
    guard !verbosity.quiet else { return .different }
    let text = unifiedDifference(
      from: PlainText.readableForm(of: oldRoot), to: PlainText.readableForm(of: newRoot),
      oldName: old.name, newName: new.name)
    try invocation.console.writeDifference(text[...])
    return .different
  }
}
