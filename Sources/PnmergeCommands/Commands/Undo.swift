import ArgumentParser
import AutomergeFormat
import Peernote

struct Undo: OptionsCommand, OneFileCommand {
  static let configuration = configured(
    "Put back the bytes from before the last change.", takes: "<file>",
    """
    Repeat it to go further back: the last 20 states of a document are kept. Other copies keep \
    their changes; merging one of them brings back what was undone here.

    Example:
      pnmerge undo notes.peernote
    """)
  static let changesHistory = true

  @Argument(help: .of("file", "The document."))
  var file: FileName

  @Flag(help: "Take back the last undo.")
  var redo = false

  @OptionGroup var options: WriteOptions

  var mistakes: Mistakes { ["undo needs a file": file.isStandardStream] }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let host = invocation.host
    var states: (current: KeptDocument, restored: KeptDocument)?
    let replacement = Replacement(of: file, expecting: .existing, invocation)
    let outcome = try replacement(
      prepare: { old, _ in
        guard let states else { return }
        // Unlike a merge this takes changes out of the file, so their safe place comes first.
        try Backups(of: states.current.state.id, host: host).keep(
          old.bytes, before: redo ? .redo : .undo, of: try host.target(of: file),
          at: try invocation.currentTime(), heads: states.restored.state.heads, isDurable: true)
      },
      compute: { contents in
        let current = try kept(Operand(contents?.bytes ?? [], from: file, invocation))
        let backups = try Backups(of: current.state.id, host: host)
        let entry = try entry(for: current, backups, host)
        let old = try invocation.operand(backups.file(of: entry))
        let restored = try kept(old)
        states = (current, restored)
        return Replacement.Proposal(old.bytes, report: (entry, current, restored))
      })
    let (former, current, restored) = outcome.report
    if let history = restored.document.flatMap({ PlainHistory(document: $0) }) {
      try PlainFileStates(host).follow(history, at: file)
    }
    try report(former, current, restored, invocation)
    return .done
  }

  /// What has to be known of a state of a document, which is `nil` for one of Automerge.
  private typealias KeptDocument = (state: DocumentHeads, changeCount: Int, document: Document?)

  private func kept(_ operand: Operand) throws(Failure) -> KeptDocument {
    // A merge keeps the old bytes under the names that changes have in the file.
    if let foreign = operand.foreign { return (foreign.heads, foreign.history.order.count, nil) }
    let document = try operand.document()
    return (document.state, document.changeCount, document)
  }

  /// The newest kept state that leads to the present one.
  private func entry(
    for document: KeptDocument, _ backups: Backups, _ host: any Host
  ) throws -> BackupEntry {
    let target = try host.target(of: file)
    // Other copies may have been in the same state; what was done to them is not ours to undo. A
    // file that is gone, so that nothing or another document has its name, got another name: this
    // one, if it is in the state that the other was left in.
    let entries = try backups.entries()
    var ours = entries.filter { $0.file == target }
    func leadsHere(_ entry: BackupEntry) -> Bool {
      entry.heads == document.state.heads && (entry.action == .undo) == redo
    }
    if !ours.contains(where: leadsHere),
      let last = entries.first(where: { leadsHere($0) && isGone($0.file, document.state.id, host) })
    {
      ours = entries.filter { $0.file == target || $0.file == last.file }
    }
    let candidates = ours.filter { ($0.action == .undo) == redo }
    if let entry = candidates.first(where: { $0.heads == document.state.heads }) { return entry }
    let isEnd = candidates.isEmpty || ours.contains { $0.heads == document.state.heads }
    var words =
      isEnd
      ? "there is nothing \(ours.isEmpty ? "" : "further ")to \(redo ? "redo" : "undo")"
        + (ours.isEmpty ? ": no state of it is kept on this machine" : "")
      : "has changed in other ways since the last merge, edit or undo; nothing was written"
    if !redo, let plainFile = file.plainFile {
      words +=
        "; to take back what was saved, or came in: pnmerge restore "
        + "\(shellQuoted(plainFile)) --at CHANGE, with a change that 'log' lists"
    }
    throw Failure(.unreadable, file: file, words)
  }

  /// Whether no copy of a document has a name any more; a damaged file may be one.
  private func isGone(_ file: FileName, _ id: UniqueID, _ host: any Host) -> Bool {
    do throws(HostError) {
      guard let entry = try host.identity(of: file, followingLinks: false) else { return true }
      guard entry.kind == .regular else { return false }
      let bytes = try host.read(file, limit: Invocation.inputLimit).bytes
      return (try? DocumentHeads(bytes: bytes)).map { $0.id != id } ?? false
    } catch {
      return false
    }
  }

  /// What is taken back or comes again, by its places; `nil` if that is not known.
  private func edited(from restored: KeptDocument, to current: KeptDocument) -> String? {
    guard let old = (redo ? current : restored).document,
      let new = (redo ? restored : current).document, old.id == new.id,
      old.commonVersion(with: new) == old.heads
    else { return nil }
    return new.places(changedSince: old).words
  }

  private func report(
    _ entry: BackupEntry, _ current: KeptDocument, _ restored: KeptDocument,
    _ invocation: Invocation
  ) throws {
    let verb = dryRun ? "would put back" : "put back"
    let time = invocation.localText(entry.time)
    let action = entry.action.rawValue
    var line = "\(file.visible): \(verb) the state from before the \(action) of \(time)"
    if let edited = edited(from: restored, to: current), !edited.isEmpty {
      line += " (\(edited))"
    }
    let difference = current.changeCount - restored.changeCount
    if difference > 0 { line += ", without \(counted(difference, "change")) since" }
    try invocation.console.report(line)
    // Redoing finds what belongs to the document that is there; joining two can change which it is.
    if !dryRun, !redo, restored.state.id == current.state.id {
      try invocation.console.report(
        "  to go forward again: pnmerge undo --redo \(shellQuoted(file))")
    }
    try warn(ofRedactedIn: restored, since: current, invocation)
  }

  /// Says how much text the state that is put back holds which the present one has redacted: what a
  /// merge with that would take out of it.
  private func warn(
    ofRedactedIn restored: KeptDocument, since current: KeptDocument, _ invocation: Invocation
  ) throws {
    guard var old = restored.document, let present = current.document,
      present.log.deletedText.redactedCount > 0, let report = try? old.merge(present)
    else { return }
    let count = report.takenOut.reduce(0) { $0 + $1.scalars }
    if count == 0 { return }
    let (verb, was) = (dryRun ? "would hold" : "holds", count == 1 ? "was" : "were")
    try invocation.console.warn(
      "\(file.visible): \(verb) \(counted(count, "character")) again that \(was) redacted since; "
        + "to take them out, delete what of them is shown; then: "
        + "pnmerge redact --clear-undo \(shellQuoted(file))")
  }
}
