import ArgumentParser
import Peernote

struct Delete: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Mark documents as deleted, for 'sync'.", takes: "<file> ...",
    """
    The mark reaches the other copies as any change does; 'sync' and 'tidy' then move each copy \
    to the trash of its folder. If somebody edits a copy without knowing, the document comes \
    back. To take the mark back: 'undo', or any edit. A tracked file goes with its history.

    Example:
      pnmerge delete ~/notes/old.peernote
    """)

  @Argument(help: .of("file", "The documents; - is standard input."))
  var files: [FileName]

  @OptionGroup var options: ChangeOptions

  var mistakes: Mistakes { ["give a file or more": files.isEmpty] }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    for file in files {
      if file.isPlain, try invocation.isTracked(file) {
        try deleteTracked(file, invocation)
        continue
      }
      if invocation.isDirectory(file) {
        throw Failure(.unreadable, file: file, "is a directory; name the documents in it to delete")
      }
      try checkIsNoText(file, invocation)
      let change = FileChange(file, options, invocation)
      let isNews = try change { document -> Bool? in
        if document.deletion?.isCurrent ?? false { return nil }
        let session = try invocation.session(options.authorship, for: file)
        do throws(EditError) {
          let message = options.authorship.message?.text ?? "deleted"
          return try document.markDeleted(by: session, message: message) == nil ? nil : true
        } catch {
          throw file.refusal(error.explanation(in: document.root))
        }
      }
      if isNews == nil {
        try invocation.console.report("\(file.inputName): is marked as deleted already")
      } else {
        try change.report(true, "marked", "mark", "as deleted")
      }
    }
    return .done
  }

  /// Refuses a text file without a history, of which there is nothing to mark.
  private func checkIsNoText(_ file: FileName, _ invocation: Invocation) throws {
    guard file.isPlain, invocation.kind(of: file) == .regular else { return }
    let bytes = try invocation.readDocumentBytes(file)
    guard bytes.beginsLikeText else { return }
    let name = shellQuoted(file)
    throw Failure(
      .usage, file: file,
      "is not tracked, so that no copy would know of a mark; to delete it: rm \(name); to keep its "
        + "history first: pnmerge track \(name)")
  }

  /// Marks a tracked plain file as deleted, after what was saved of it was recorded.
  private func deleteTracked(_ file: FileName, _ invocation: Invocation) throws {
    let host = invocation.host
    let history = file.history
    let plain = try host.target(of: file.directory).appending(file.lastComponent)
    let states = PlainFileStates(host)
    let change = FileChange(history, options, invocation)
    let deleted = try change { document -> PlainFileState? in
      var kept = try PlainHistory(document, from: history)
      if kept.document.deletion?.isCurrent ?? false { return nil }
      var state = states.state(of: plain)
      state?.compare(with: kept)
      if let known = state, (try? kept.merge(known.history)) == nil { state = nil }
      var contents = try PlainContents(plain, shown: file, host)
      contents?.takeMarker(of: kept)
      do {
        if let contents {
          _ = try kept.record(contents.file, memory: state?.memory)
          guard kept.text.utf8.elementsEqual(contents.file.text.utf8) else {
            throw Failure(
              .tryAgain, file: file,
              "does not show yet what came in; to look at it first: pnmerge tidy "
                + shellQuoted(file.directory))
          }
        }
        let session = try invocation.session(options.authorship, for: file)
        try kept.document.markDeleted(
          by: session, message: options.authorship.message?.text ?? "deleted")
      } catch let error as DocumentError {
        throw error.failure(in: history)
      } catch let error as EditError {
        throw Failure(.usage, file: file, "\(error); nothing was written")
      } catch let error as MergeError {
        throw error.failure(file, kept.document, comparedWith: file, kept.document)
      }
      document = kept.document
      return PlainFileState(
        history: kept, memory: contents == nil ? nil : PlainMemory(showing: kept))
    }
    if let deleted { try states.keep(deleted, of: plain) }
    let verb = options.dryRun ? "would mark as deleted" : "marked as deleted"
    try invocation.console.report(
      "\(file.visible): \(deleted == nil ? "is marked as deleted already" : verb)")
  }
}

extension FileName {
  /// Whether this is no document by its name.
  fileprivate var isPlain: Bool {
    !isStandardStream && !lastComponent.bytes.hasDocumentExtension
  }
}
