import ArgumentParser
import Peernote

/// `pnmerge merge`: brings copies together.
struct Merge: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge copies of a document.",
    usage: """
      pnmerge merge [<options>] <into> <from> ...
      pnmerge merge [<options>] --output <file> <copy> <copy> ...
      pnmerge <into> <from> ...
      """,
    discussion: """
      Brings every change of all copies together. Without --output the first file is replaced; its \
      old bytes are kept for 'undo'. Copies merged in any order give the same bytes, and a merge \
      that brings nothing new writes nothing.

      Where two people set one value, the later setting is kept and the other reported; where both \
      changed one passage of text, it is worth a look. --strict makes the status 1 in such cases; \
      the result is written all the same.

      Example:
        pnmerge merge notes.peernote /media/usb/notes.peernote
        pnmerge merge --output all.peernote desk.peernote phone.peernote
      """)

  @Argument(help: ArgumentHelp("The copies; - is standard input.", valueName: "file"))
  var files: [FileName]

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the result here; - is standard output.", valueName: "file"))
  var output: FileName?

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @Flag(help: "Exit with status 1 if anything was decided automatically or overlaps.")
  var strict = false

  @Flag(
    name: [.short, .long],
    help: "Ask at the terminal about each place where something was decided or overlaps.")
  var interactive = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var schema: SchemaOption
  @OptionGroup var authorship: Authorship
  @OptionGroup var backups: BackupPolicy
  @OptionGroup var verbosity: Verbosity

  func validate() throws {
    if files.count < 2 { throw ValidationError("Give two files or more.") }
    if interactive, (files + [output].compactMap(\.self)).contains(where: \.isStandardStream) {
      throw ValidationError("--interactive needs files.")
    }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    var merge = CopyMerge(
      base: files[0], copies: Array(files.dropFirst()), output: output, isDryRun: dryRun,
      backups: backups)
    merge.schema = try schema.schema(invocation)
    if (output ?? files[0]).isStandardStream { invocation.console.reportStream = .error }
    let answers = interactive ? try ask(&merge, invocation) : nil
    var outcome = try merge(invocation)
    if let answers { outcome.conflicts = answers.open }
    if json {
      try invocation.console.say(outcome.json)
    } else {
      try outcome.say(invocation)
    }
    if let answers { return try say(answers, invocation) }
    return strict && !outcome.conflicts.isEmpty ? .different : .done
  }

  // MARK: Asking

  /// Asks what is to become of what the merge decides, and of what was undecided before.
  private func ask(
    _ merge: inout CopyMerge, _ invocation: Invocation
  ) throws -> Questions.Answers {
    let file = output ?? files[0]
    let questions = Questions(file: file, invocation: invocation)
    try questions.checkTerminal()
    var (document, outcome) = try merge.preview(invocation)
    let overlaps = outcome.conflicts.filter { $0.kind == .overlap && $0.isCurrent(in: document) }
    let conflicts = (document.conflicts + overlaps).inOrder(of: document)
    let answers = try questions(conflicts)
    let session = try invocation.session(authorship, for: file)
    do throws(EditError) {
      let change = try document.change(by: session, message: authorship.message?.text) {
        (editor) throws(EditError) in try editor.settle(answers.resolutions)
      }
      if change != nil { merge.settled = document }
    } catch {
      throw Failure(.usage, file: file, "\(error); nothing was written")
    }
    return answers
  }

  private func say(
    _ answers: Questions.Answers, _ invocation: Invocation
  ) throws -> ExitStatus {
    let verb = dryRun ? "would settle" : "settled"
    guard !answers.open.isEmpty else {
      if answers.settledCount > 0 {
        try invocation.console.report("  \(verb) all \(answers.settledCount)")
      }
      return .done
    }
    try invocation.console.report(
      "  \(verb) \(answers.settledCount), left \(answers.open.count); to go on: "
        + "pnmerge resolve --interactive \(shellQuoted(output ?? files[0]))")
    return strict ? .different : .done
  }
}

extension [Conflict] {
  /// The conflicts in the order of the content, as far as paths tell it.
  fileprivate func inOrder(of document: Document) -> [Conflict] {
    let places = document.root.paths
    let order = Dictionary(
      places.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    return sorted { left, right in
      let (first, second) = (order[left.path] ?? .max, order[right.path] ?? .max)
      return first != second
        ? first < second
        : (left.scalars?.lowerBound ?? 0) < (right.scalars?.lowerBound ?? 0)
    }
  }
}

extension Node {
  /// The paths of all that stands in the content, each before what is in it.
  fileprivate var paths: [JSONPointer] {
    var result: [JSONPointer] = []
    func walk(_ node: Node, _ path: JSONPointer) {
      result.append(path)
      switch node {
      case .map(let entries):
        for entry in entries { walk(entry.node, path.appending(entry.key)) }
      case .list(let elements):
        for (index, element) in elements.enumerated() {
          walk(element, path.appending(String(index)))
        }
      case .value, .text, .set, .counter: break
      }
    }
    walk(self, JSONPointer())
    return result
  }
}
