import ArgumentParser
import Peernote

/// `pnmerge restore`: brings an old state forward.
struct Restore: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Return to an old state by a new change.",
    discussion: """
      Gives the document, or the value at a path, the content that it had right after a change. \
      Nothing is taken out of the history, and what others changed meanwhile survives when it is \
      merged. 'undo' is different: it puts the old bytes of the file back. Redacted text cannot \
      come back; the report says how much is missing.

      Example:
        pnmerge restore notes.peernote --at 5f0c.12
        pnmerge restore notes.peernote /agenda --at 5f0c.12
      """)

  @Argument(
    help: ArgumentHelp(
      "The document; - reads standard input and writes standard output.", valueName: "file"))
  var file: FileName

  @Argument(
    help: ArgumentHelp("What: a JSON Pointer; everything by default.", valueName: "path"),
    transform: PathArgument.parse)
  var path = PathArgument(JSONPointer())

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      """
      The change (see 'log') to return to; the beginning of its ID is enough. Repeated, the state \
      after merging those changes.
      """, valueName: "change"))
  var versions: [String]

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    if versions.isEmpty { throw ValidationError("Give --at.") }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let change = FileChange(file, options, invocation)
    let path = path.path
    var gaps: [PastContent.Gap] = []
    try change.reportChanges(
      change { document in
        let past = try document.content(named: versions, in: file)
        gaps = past.gaps
        let old = past.root[path]
        // Told before the document is edited: it need not be kept as it was.
        let names = try names(ofChangesIn: document, to: old, change)
        let changed = try change.edit(&document) { editor in
          if let old {
            try editor.replaceContent(at: path, with: old)
          } else {
            try editor.remove(at: path)
          }
        }
        return changed ? names : nil
      })
    try invocation.say(gaps, below: path, in: file)
    return .done
  }

  private func names(
    ofChangesIn document: Document, to old: Node?, _ change: FileChange
  ) throws(Failure) -> [String] {
    let path = path.path
    let present = document.node(at: path)
    guard old != nil || present != nil else {
      throw Failure(.usage, file: file, "there was and is nothing at \(path.visible)")
    }
    return change.names(ofChangesFrom: present, to: old, at: path)
  }
}
