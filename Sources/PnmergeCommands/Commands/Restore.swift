import ArgumentParser
import Peernote

struct Restore: OptionsCommand, OneFileCommand {
  static let configuration = CommandConfiguration(
    abstract: "Return to an old state by a new change.",
    usage: "pnmerge restore [<options>] <file> [<path>] --at <change>",
    discussion: """
      Gives the document, or the value at a path, the content that it had right after a change. \
      Nothing is taken out of the history. Redacted text cannot come back.

      Example:
        pnmerge restore notes.peernote --at 5f0c.12
        pnmerge restore notes.peernote /agenda --at 5f0c.12
      """)
  static let changesHistory = true

  @Argument(
    help: ArgumentHelp("The document; - is standard input and output.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("What: a JSON Pointer; everything by default.", valueName: "path"),
    transform: PathArgument.parse)
  var path = JSONPointer()

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp("The change to return to (see 'log'); repeatable.", valueName: "change"))
  var versions: [String]

  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, invocation, replacesContent: true)
    var gaps: [RedactedGap] = []
    try change.reportChanges(
      change { document in
        let past = try document.content(named: versions, at: path, in: file)
        gaps = past.gaps
        // Told before the document is edited: it need not be kept as it was.
        var names = try names(ofChangesIn: document, to: past, change)
        let changed: Void? = try change.edit(&document) { editor in try editor.restore(past) }
        // What was removed since has a place again.
        if names.isEmpty {
          names = [(document.presentPath(of: past) ?? path).visible]
        }
        return changed.map { names }
      })
    try invocation.say(gaps, in: file)
    return .done
  }

  /// The paths of what will change; none for what comes back.
  private func names(
    ofChangesIn document: Document, to old: PastContent, _ change: FileChange
  ) throws(Failure) -> [String] {
    let content = old.node
    let place = content == nil ? path : document.presentPath(of: old)
    let present = place.flatMap { document.node(at: $0) }
    guard content != nil || present != nil else {
      throw Failure(
        .usage, file: file, "there is nothing at \(path.visible), and there was nothing then")
    }
    guard let place else { return [] }
    return change.names(ofChangesFrom: present, to: content, at: place)
  }
}
