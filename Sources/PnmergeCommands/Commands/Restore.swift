import ArgumentParser
import Peernote

struct Restore: OptionsCommand, OneFileCommand {
  static let configuration = configured(
    "Return to an old state by a new change.", takes: "<file> [<path>] --at <change>",
    """
    Gives the document, or the value at a path, the content that it had right after a change. \
    Nothing is taken out of the history. Redacted text cannot come back.

    Example:
      pnmerge restore notes.peernote --at 5f0c.12
      pnmerge restore notes.peernote /agenda --at 5f0c.12
    """)
  static let changesHistory = true

  @Argument(help: .of("file", "The document; - is standard input and output."))
  var file: FileName

  @Argument(
    help: .of("path", "What: a JSON Pointer; everything by default."),
    transform: PathArgument.parse)
  var path = JSONPointer()

  @Option(
    name: .customLong("at"),
    help: .of("change", "The change to return to (see 'log'); repeatable."))
  var versions: [String]

  @OptionGroup var options: ChangeOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, invocation, replacesContent: true)
    var gaps: [RedactedGap] = []
    try change.reportChanges(
      change { document in
        let past = try document.content(named: versions, at: path, in: file)
        gaps = past.gaps
        let place = past.node == nil ? path : document.path(along: past.steps)
        let present = place.flatMap { document.node(at: $0) }
        guard past.node != nil || present != nil else {
          throw file.failure(
            .usage, "there is nothing at \(path.visible), and there was nothing then")
        }
        // Told before the document is edited: it need not be kept as it was.
        var names =
          place.map { change.names(ofChangesFrom: present, to: past.node, at: $0) } ?? []
        let changed: Void? = try change.edit(&document) { editor in try editor.restore(past) }
        // What was removed since has a place again.
        if names.isEmpty { names = [(document.path(along: past.steps) ?? path).visible] }
        return changed.map { names }
      })
    try invocation.say(gaps, in: file)
    return .done
  }
}
