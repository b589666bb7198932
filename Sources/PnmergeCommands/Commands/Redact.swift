import ArgumentParser
import Peernote
import PeernoteJSON

struct Redact: OptionsCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove deleted text from the history for good.",
    usage: "pnmerge redact [<options>] <file>",
    discussion: """
      Takes out all text that was deleted, or what a pattern matches: ? is any one character, * \
      any number of them on one line. It cannot be undone. Copies elsewhere stay as they are.

      Example:
        pnmerge redact notes.peernote
        pnmerge redact --matching 'password: *' --clear-undo notes.peernote
      """)

  @Argument(
    help: ArgumentHelp("The document; - is standard input and output.", valueName: "file"))
  var file: FileName

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take out only what this matches.", valueName: "pattern"))
  var matching: TextArgument?

  @Flag(help: "Remove the states kept for undo, too.")
  var clearUndo = false

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done, and write nothing.")
  var dryRun = false

  @OptionGroup var options: ReportOptions

  var mistakes: Mistakes {
    [
      "the pattern must hold a character besides *, ? and \\, and a backslash stands before another "
        + "character": matching.map { TextPattern($0.text) == nil } ?? false
    ]
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    let result = try redactFile(invocation)
    // The document is redacted by now, which is to be said whatever becomes of these states.
    var undo = UndoStates(left: nil)
    var failure: Failure?
    do {
      undo = try undoStates(of: result.document, invocation)
    } catch {
      failure = error
    }
    if json {
      try invocation.console.report(result.json(file, isWritten: !dryRun, undo: undo))
    } else {
      try report(result, undo, invocation)
    }
    guard let failure else { return .done }
    if clearUndo { throw failure }
    let place = failure.file.map { "\($0.visible): " } ?? ""
    try invocation.console.warn(
      "\(place)\(failure.message); states kept for undo may hold the text still")
    return .done
  }

  // MARK: Steps

  private func redactFile(_ invocation: Invocation) throws -> Result {
    if file.isStandardStream { invocation.console.reportStream = .error }
    invocation.console.step("reading \(file.visible)")
    return try DocumentFile(file, invocation, isDryRun: dryRun)() { bytes in
      let document = try invocation.parseDocument(bytes ?? [], from: file)
      invocation.console.step("looking for deleted text in \(file.visible)")
      let result = try redacted(document, invocation)
      return DocumentFile.Proposal(
        result.document, isNews: result.report.removedScalars > 0, report: result)
    }.report
  }

  private func redacted(_ document: Document, _ invocation: Invocation) throws -> Result {
    var redacted = document
    let passage = matching.flatMap { TextPattern($0.text) }
    do {
      let report = try redacted.redact(matching: passage) { try invocation.session(for: file) }
      guard redacted.root == document.root else {
        throw Failure(
          .damaged, file: file,
          "would show something else, which is a fault of this program; nothing was written")
      }
      return Result(
        document: redacted, report: report, places: passage.map { redacted.places(of: $0) })
    } catch let error as DocumentError {
      throw error.failure(in: file)
    } catch let error as EditError {
      throw Failure(.usage, file: file, "\(error); nothing was written")
    }
  }

  /// What became of the states of the document that are kept for undo.
  fileprivate struct UndoStates {
    var removed = 0
    /// How many are left; `nil` if they cannot be looked at, or not be removed.
    var left: Int? = 0
  }

  private func undoStates(
    of document: Document, _ invocation: Invocation
  ) throws(Failure) -> UndoStates {
    // Without a place for old states there are none.
    guard let backups = try? Backups(of: document.id, host: invocation.host) else {
      return UndoStates()
    }
    guard clearUndo, !dryRun else { return UndoStates(left: try backups.count()) }
    return UndoStates(removed: try backups.clear())
  }

  // MARK: Saying

  /// What came of it.
  fileprivate struct Result {
    var document: Document
    var report: RedactionReport
    /// Where else the pattern matches; `nil` without one.
    var places: PassagePlaces?
  }

  private func report(
    _ result: Result, _ undo: UndoStates, _ invocation: Invocation
  ) throws {
    let console = invocation.console
    let report = result.report
    let what = matching == nil ? "deleted text" : "deleted text that matches"
    let verb = dryRun ? "would remove" : "removed"
    try console.report(
      "\(file.inputName): "
        + (report.removedScalars == 0
          ? "holds no \(what)"
          : "\(verb) \(counted(report.removedScalars, "character")) of \(what)"))
    if report.contestedScalars > 0 {
      try console.report(
        "  \(counted(report.contestedScalars, "character")) of \(what) \(dryRun ? "would stay" : "stay")"
          + " where something is contested; resolve that first, then redact again")
    }
    for line in result.places?.lines ?? [] { try console.report("  " + line) }
    if undo.removed > 0 {
      try console.report("  removed \(counted(undo.removed, "state")) kept for undo")
    }
    if let count = undo.left, count > 0 {
      let states = count == 1 ? "1 state kept for undo is" : "\(count) states kept for undo are"
      try console.report("  \(states) left as before; --clear-undo removes them")
    }
  }
}

extension Redact.Result {
  /// The result for programs; pnmerge-json(5) describes the members.
  fileprivate func json(
    _ file: FileName, isWritten: Bool, undo: Redact.UndoStates
  ) -> JSONReport {
    var members = JSONReport([
      "file": .json(.string(file.visible)),
      "document": .json(.string(document.id.description)),
      "written": .json(.bool(isWritten && report.removedScalars > 0)),
      "removed_characters": .json(.count(report.removedScalars)),
      "kept_characters": .json(.count(report.keptScalars)),
      "contested_characters": .json(.count(report.contestedScalars)),
      "undo_states": .json(undo.left.map { .count($0) } ?? .null),
    ])
    if let places {
      members.append(
        "elsewhere",
        .json([
          "shown": .array(places.shown.map { .string($0.description) }),
          "replaced_values": .count(places.hiddenValues),
          "removed_texts": .count(places.hiddenTexts),
          "contested_passages": .count(places.hiddenReadings), "names": .count(places.names),
        ]))
    }
    return members
  }
}

extension PassagePlaces {
  /// What a person should know about places that were not touched.
  fileprivate var lines: [String] {
    var lines: [String] = []
    if !shown.isEmpty {
      let listed = shown.prefix(5).map(\.visible)
      let rest = shown.count > listed.count ? " and \(shown.count - listed.count) more" : ""
      lines.append(
        "still shown at \(listed.joined(separator: ", "))\(rest); "
          + "delete it there first, then redact again")
    }
    if hiddenReadings > 0 {
      lines.append(
        "still held in \(counted(hiddenReadings, "contested passage")); resolve what is contested "
          + "first, then redact again")
    }
    var held: [String] = []
    if hiddenValues > 0 { held.append(counted(hiddenValues, "replaced or removed value")) }
    if hiddenTexts > 0 { held.append(counted(hiddenTexts, "removed text")) }
    if names > 0 { held.append(names == 1 ? "1 name or message" : "\(names) names or messages") }
    if !held.isEmpty {
      lines.append(
        "still held in the history, where it cannot be taken out: \(enumerated(held)); "
          + "only a new document is without it")
    }
    return lines
  }
}
