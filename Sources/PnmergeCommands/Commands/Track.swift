import ArgumentParser
import Peernote

/// `pnmerge track`: keeps the histories of plain files.
struct Track: HostedCommand, ManyFilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Keep the history of plain text files, which stay what they are.",
    discussion: """
      The history of notes/trip.md is notes/.peernote/trip.md.peernote, which Syncthing, rsync and \
      sticks carry along. 'tidy', 'sync' and 'watch' then record what any editor saves, merge what \
      was saved elsewhere, also on machines without pnmerge, fold conflict copies in, and write \
      the file when it is behind. A file is text, to the byte: front matter, line ends and all. A \
      directory stands for all Markdown, text and JSON files in it. A file that is missing though \
      its history is there is written again.

      Reload a file in the editor after it changed under it. On a machine without pnmerge wait \
      until an edit has been taken in before deleting or undoing it.

      Example:
        pnmerge track ~/notes
        pnmerge watch ~/notes
      """)

  @OptionGroup var arguments: PlainFileArguments
  var files: [FileName] { arguments.files }

  /// What was done for a file.
  private enum Outcome {
    case started, known, written
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(arguments.verbosity)
    let found = try plainFiles(invocation)
    var started = 0
    var known = 0
    let status = try invocation.forEachFile(found) { file in
      let name = file.visible
      switch try track(file, invocation) {
      case .started:
        started += 1
        if found.count == 1 || invocation.console.isVerbose {
          try invocation.console.report(
            "\(name): \(arguments.dryRun ? "would be tracked" : "tracked")")
        }
      case .known:
        known += 1
        if found.count == 1 { try invocation.console.report("\(name): is tracked already") }
      case .written:
        try invocation.console.report(
          "\(name): \(arguments.dryRun ? "would be " : "")written again from its history")
      }
      return .done
    }
    if found.count != 1 {
      let verb = arguments.dryRun ? "would be tracked" : "tracked"
      let rest = known == 0 ? "" : ", \(known) tracked already"
      try invocation.console.report("\(counted(started, "file")) \(verb)\(rest)")
    }
    return status
  }

  /// The files that are named, and those of directories that are text by their names.
  private func plainFiles(_ invocation: Invocation) throws -> [FileName] {
    let named = Set(files)
    let found = try invocation.documentFiles(in: files, mayBeEmpty: true) { name in
      switch DocumentFormat(of: FileName(bytes: name)) {
      case .json, .markdown, .text: true
      case .meetingNotes, .automerge, nil: false
      }
    }
    return found.filter { file in
      named.contains(file)
        || ConflictCopyName.deliveredOriginal(of: file.lastComponent.bytes) == nil
    }
  }

  private func track(_ file: FileName, _ invocation: Invocation) throws -> Outcome {
    let host = invocation.host
    let history = file.history
    if history.lastComponent.bytes.count > FileName.longestComponent {
      throw Failure(
        .cannotCreate, file: file,
        "its name is too long: that of the history would have more than "
          + "\(FileName.longestComponent) bytes")
    }
    if file.lastComponent.bytes.hasDocumentExtension {
      throw Failure(.usage, file: file, "is a document, which has its history in it")
    }
    let contents = try PlainContents(file, shown: file, host)
    let known: FileIdentity?
    do throws(HostError) {
      known = try host.identity(of: history, followingLinks: false)
    } catch {
      throw error.whileReading(history)
    }
    if known != nil {
      return contents == nil ? try writeAgain(file, from: history, invocation) : .known
    }
    guard let contents else {
      throw Failure(.unreadable, file: file, "no such file or directory")
    }
    let id = UniqueID(randomBits: host.randomBits(), host.randomBits())
    let started: PlainHistory
    do throws(EditError) {
      started = try PlainHistory(
        id: id, text: contents.file.text, time: contents.file.modified)
    } catch {
      throw Failure(.unreadable, file: file, "\(error); nothing was written")
    }
    if arguments.dryRun { return .started }
    do throws(HostError) {
      if try host.identity(of: history.directory, followingLinks: true) == nil {
        try host.makeDirectory(history.directory, isPrivate: false)
      }
    } catch {
      throw error.whileCreating(history.directory)
    }
    let bytes = started.document.encoded()
    let replacement = Replacement(of: history, expecting: .absent, host: host)
    _ = try replacement(verify: { try started.document.state.check($0, history) }) { _ in
      Replacement.Proposal(bytes: bytes, report: ())
    }
    try keepShown(started, contents.identity, file, invocation)
    return .started
  }

  private func writeAgain(
    _ file: FileName, from history: FileName, _ invocation: Invocation
  ) throws -> Outcome {
    guard let kept = PlainHistory(document: try invocation.readDocument(history)) else {
      throw Failure(.damaged, file: history, "is no history of a plain file")
    }
    if arguments.dryRun { return .written }
    let replacement = Replacement(of: file, expecting: .absent, host: invocation.host)
    _ = try replacement { _ in Replacement.Proposal(bytes: Array(kept.text.utf8), report: ()) }
    if let identity = try? invocation.host.identity(of: file, followingLinks: false) {
      try keepShown(kept, identity, file, invocation)
    }
    return .written
  }

  /// Keeps that the file shows the present version.
  private func keepShown(
    _ history: PlainHistory, _ identity: FileIdentity, _ file: FileName, _ invocation: Invocation
  ) throws {
    let host = invocation.host
    let resolved: FileName
    do throws(HostError) {
      resolved = try host.resolved(file)
    } catch {
      throw error.whileReading(file)
    }
    try PlainFileStates(host).keepShown(history, at: resolved, identity)
  }
}
