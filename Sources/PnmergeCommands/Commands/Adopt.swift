import ArgumentParser
import Peernote

struct Adopt: OptionsCommand, HistoryCommand {
  static let configuration = configured(
    "Join two documents that were made from one text.", takes: "<into> <from>",
    """
    Two imports of one file make two documents, which cannot be merged. This joins them: the one \
    that was started first goes on, and what was changed in the other comes in as one change. \
    The result replaces the first file, whichever goes on. The same command gives the same bytes \
    on every machine.

    Example:
      pnmerge adopt notes.peernote /media/usb/notes.peernote
    """)
  static let changesHistory = true

  @Argument(help: .of("into", "The document that is replaced."))
  var into: FileName

  @Argument(help: .of("from", "The other document; - is standard input."))
  var from: FileName

  @OptionGroup var options: WriteOptions
  @OptionGroup var backups: BackupPolicy

  var mistakes: Mistakes { ["adopt needs a file to replace": into.isStandardStream] }

  var files: [FileName] {
    get { [into, from] }
    set { (into, from) = (newValue[0], newValue[1]) }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let other = try invocation.readDocument(from)
    var dropped: [DroppedValue] = []
    var undecided: [Conflict] = []
    var target = DocumentFile(into, invocation)
    (target.backups, target.action) = (backups, .merge)
    let outcome = try target { bytes in
      var document = try invocation.parseDocument(bytes ?? [], from: into)
      let known = Set(document.conflicts)
      let outcome = try into.changing {
        do {
          return try document.adopt(other)
        } catch let error as MergeError {
          throw error.failure(from, other, comparedWith: into, document)
        }
      }
      undecided = document.conflicts.filter { !known.contains($0) }
      dropped = outcome.dropped
      return DocumentFile.Proposal(
        document, isNews: outcome.hasChanged, report: titleAndID(document.id, document.root))
    }
    let verb = dryRun ? "would adopt" : "adopted"
    let (shown, name) = (into.shown.visible, from.shown.inputName)
    try invocation.console.report(
      outcome.hasChanged
        ? "\(shown): \(verb) \(name); the document that goes on is \(outcome.report)"
        : "\(shown): already has \(dropped.isEmpty ? "everything" : "all else") in \(name)")
    if let words = conflictWords(undecided) {
      let them = undecided.count == 1 ? "it" : "them"
      let hint = "; to see \(them): pnmerge conflicts \(shellQuoted(into.shown))"
      try invocation.console.report("  \(words)\(dryRun ? "" : hint)")
    }
    try invocation.console.report(dropped)
    if outcome.isUndoable {
      try invocation.console.report("  to go back: pnmerge undo \(shellQuoted(into.shown))")
    }
    return .done
  }
}
