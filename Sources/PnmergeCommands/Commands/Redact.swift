import ArgumentParser
import Peernote
import PeernoteJSON

struct Redact: OptionsCommand {
  static let configuration = configured(
    "Remove deleted text from the history for good.", takes: "<file>",
    """
    Takes out all text that was deleted, or what a pattern matches: ? is any one character, * \
    any number of them on one line. It cannot be undone. Copies elsewhere stay as they are.

    Example:
      pnmerge redact notes.peernote
      pnmerge redact --matching 'password: *' --clear-undo notes.peernote
    """)

  @Argument(help: .of("file", "The document; - is standard input and output."))
  var file: FileName

  @Option(parsing: .unconditional, help: .of("pattern", "Take out only what this matches."))
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
    if file.isStandardStream { invocation.console.reportStream = .error }
    invocation.console.step("reading \(file.visible)")
    let pattern = matching.flatMap { TextPattern($0.text) }
    let (document, report) = try DocumentFile(file, invocation)() { bytes in
      let document = try invocation.parseDocument(bytes ?? [], from: file)
      invocation.console.step("looking for deleted text in \(file.visible)")
      var redacted = document
      let report = try file.changing {
        try redacted.redact(matching: pattern) { try invocation.session(for: file) }
      }
      guard redacted.root == document.root else {
        throw Failure(
          .damaged, file: file,
          "would show something else, which is a fault of this program; nothing was written")
      }
      return DocumentFile.Proposal(
        redacted, isNews: report.removedScalars > 0, report: (redacted, report))
    }.report
    let places = pattern.map { document.places(of: $0) }
    // The document is redacted by now, which is to be said whatever becomes of these states.
    let undo = Result { () throws(Failure) in try undoStates(of: document, invocation) }
    let (removed, left) = (try? undo.get()) ?? (0, nil)
    if json {
      try invocation.console.report(self.json(document, report, places, undoStates: left))
    } else {
      for line in lines(report, places, removed, left) { try invocation.console.report(line) }
    }
    do throws(Failure) {
      _ = try undo.get()
    } catch {
      if clearUndo { throw error }
      let place = error.file.map { "\($0.visible): " } ?? ""
      try invocation.console.warn(
        "\(place)\(error.message); states kept for undo may hold the text still")
    }
    if let history = PlainHistory(document: document) {
      try PlainFileStates(invocation.host).follow(history, at: file, isShown: false)
    }
    return .done
  }

  /// How many of the states of the document that are kept for undo were removed, and how many are left.
  private func undoStates(
    of document: Document, _ invocation: Invocation
  ) throws(Failure) -> (removed: Int, left: Int?) {
    // Without a place for old states there are none.
    guard let backups = try? Backups(of: document.id, host: invocation.host) else { return (0, 0) }
    return clearUndo ? (try backups.clear(), 0) : (0, try backups.count())
  }

  private func lines(
    _ report: RedactionReport, _ places: PassagePlaces?, _ removedStates: Int, _ leftStates: Int?
  ) -> [String] {
    let what = matching == nil ? "deleted text" : "deleted text that matches"
    let removed = "\(counted(report.removedScalars, "character")) of \(what)"
    let verb = dryRun ? "would remove" : "removed"
    var lines = [report.removedScalars == 0 ? "holds no \(what)" : "\(verb) \(removed)"]
    lines[0] = "\(file.inputName): \(lines[0])"
    if report.contestedScalars > 0 {
      lines.append(
        "  \(counted(report.contestedScalars, "character")) of \(what) \(dryRun ? "would stay" : "stay")"
          + " where something is contested; resolve that first, then redact again")
    }
    lines += (places?.lines ?? []).map { "  \($0)" }
    if removedStates > 0 {
      lines.append("  \(verb) \(counted(removedStates, "state")) kept for undo")
    }
    if let leftStates, leftStates > 0 {
      let are = leftStates == 1 ? "is" : "are"
      lines.append(
        "  \(counted(leftStates, "state")) kept for undo \(are) left as before; --clear-undo removes "
          + "them")
    }
    return lines
  }

  /// The result for programs; pnmerge-json(5) describes the members.
  private func json(
    _ document: Document, _ report: RedactionReport, _ places: PassagePlaces?, undoStates: Int?
  ) -> JSONReport {
    var members = JSONReport([
      "file": .json(.string(file.visible)),
      "document": .json(.string(document.id.description)),
      "written": .json(.bool(!dryRun && report.removedScalars > 0)),
      "removed_characters": .json(.count(report.removedScalars)),
      "kept_characters": .json(.count(report.keptScalars)),
      "contested_characters": .json(.count(report.contestedScalars)),
      "undo_states": .json(undoStates.map { .count($0) } ?? .null),
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
