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
      the unified format. Of two directories the notes are compared, paired by their identity. The \
      status is 1 if they differ. See 'status' for how their histories relate.

      Example:
        pnmerge diff notes.peernote /media/usb/notes.peernote
      """)

  @Argument(help: ArgumentHelp("The first document; - is standard input.", valueName: "a"))
  var old: FileName

  @Argument(help: ArgumentHelp("The second document; - is standard input.", valueName: "b"))
  var new: FileName

  @Flag(help: "Print one JSON object with the places that differ.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    try invocation.checkStandardInput([old, new])
    if invocation.isDirectory(old) || invocation.isDirectory(new) {
      return try compareFolders(invocation)
    }
    return try compare(old, new, invocation)
  }

  /// Compares the notes of two folders.
  private func compareFolders(_ invocation: Invocation) throws -> ExitStatus {
    if json { throw Failure(.usage, "--json compares two files") }
    let folders = try OpenFolder.opening([old, new], invocation)
    let pairs = FolderPairs(folders[0], folders[1])
    var status = folders.flatMap(\.faults).map(\.status).max() ?? .done
    for fault in folders.flatMap(\.faults) { try invocation.console.printError(fault.line) }
    for pair in pairs.pairs where !pair.isSame {
      status = max(status, try compare(pair.files.0, pair.files.1, invocation))
    }
    for file in pairs.onlyInFirst + pairs.onlyInSecond {
      try invocation.console.report("only here: \(file.visible)")
      status = max(status, .different)
    }
    return status
  }

  private func compare(
    _ old: FileName, _ new: FileName, _ invocation: Invocation
  ) throws -> ExitStatus {
    let oldRoot = try invocation.readRoot(old)
    let newRoot = try invocation.readRoot(new)
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
      oldName: old.inputName, newName: new.inputName)
    try show(text, invocation)
    return .different
  }

  private func show(_ text: String, _ invocation: Invocation) throws {
    let console = invocation.console
    var isHeader = true
    // By bytes: to a string, CR LF is one character and no line feed.
    for row in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      if row.starts(with: "@@".utf8) { isHeader = false }
      let style: Style? =
        switch row.first {
        case _ where isHeader: .bold
        case UInt8(ascii: "@"): .cyan
        case UInt8(ascii: "-"): .red
        case UInt8(ascii: "+"): .green
        default: nil
        }
      try console.writeText(String(Substring(row)), style, end: "\n")
    }
  }
}
