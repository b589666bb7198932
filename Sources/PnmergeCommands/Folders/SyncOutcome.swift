import Peernote
import PeernoteJSON

/// What came of bringing folders together.
struct SyncOutcome {
  /// Something that was done.
  enum Event {
    /// A file got changes.
    case merged(FileName, ChangeTally)
    /// Something was decided in a merge.
    case conflicts(FileName, [Conflict])
    /// A file is new in a folder.
    case copied(FileName)
    /// A file is new in a folder, which has another one with the same history.
    case copiedBeside(FileName, FileName, folder: FileName)
    /// A tracked file was gone and is there again, beside text files that are not tracked, one of which
    /// may be that file under a new name.
    case writtenAgain(FileName, beside: [FileName])
    /// A file has another name.
    case renamed(from: FileName, to: FileName)
    /// A file has another name, since the first was taken or cannot be had there.
    case renamedForClash(from: FileName, to: FileName)
    /// A conflict copy, whose changes are in its note, is in the trash.
    case folded(FileName)
    /// A file or conflict copy was an edit of another file, and is a conflict copy of that now.
    case belongsElsewhere(FileName, FileName)
    /// A file or conflict copy was an old copy of a deleted one that had the name before, and is in
    /// the trash.
    case oldCopyOfDeleted(FileName)
    /// A file that came under a name is an edit of a deleted one that had the name, and has another one
    /// now.
    case editOfDeleted(FileName, FileName)
    /// A conflict copy of a file that is deleted, or has another name, is none of it, and got the second
    /// name.
    case otherFile(FileName, FileName)
    /// A deleted note is in the trash.
    case trashed(FileName)
    /// A deleted note is there again, since somebody edited it who did not know.
    case broughtBack(FileName, by: String)
    /// A deleted note is there again, since somebody brought it back, or edited it, who knew.
    case returned(FileName, deletedBy: String, by: String)
    /// Histories of a tracked plain file that were started apart are one now.
    case joined(FileName)
    /// Saves of a tracked plain file became so many changes.
    case recorded(FileName, Int)
    /// A tracked plain file was behind its history, and was written.
    case taken(FileName)
    /// A tracked plain file was saved as it was once, and was written with what came in since.
    case putBack(FileName)
    /// A tracked plain file, or a copy, was made from a version that is not here yet; it was left
    /// alone.
    case early(FileName)
    /// A tracked plain file cannot be read any more by what it is for, since both sides' edits are
    /// in it.
    case invalid(FileName, MergeFault)
    /// A plain file is tracked no more, since its history is gone.
    case untracked(FileName)
    /// The history of a plain file was gone or damaged, and is there again.
    case restored(FileName, Restoration)
    /// A conflict copy is left of a tracked plain file that is deleted.
    case copyOfDeleted(FileName, of: FileName)
    /// Lines stand in a tracked plain file which a save on this machine lacks.
    case kept(FileName, [KeptLine])
    /// Lines stand in a tracked plain file more often than in anything that was taken in.
    case repeated(FileName, [String])
    /// A save on this machine took out lines, which may not have been meant.
    case undone(FileName, [UndoneLine])
    /// A tracked plain file shows another reading of what is contested than the one that a save
    /// deleted.
    case otherReading(FileName, String)
    /// Both sides' edits that were combined overlap or adjoin.
    case adjoining(FileName, [Conflict])

    /// Where a history comes from that was gone or damaged.
    enum Restoration: String {
      /// It was gone, and this machine had kept it.
      case gone
      /// It was damaged, and this machine had kept it.
      case damaged
      /// It was damaged, and another folder has it.
      case copied
    }

    /// Whether nothing was written for it.
    var isIdle: Bool {
      switch self {
      case .early, .invalid, .untracked, .copyOfDeleted: true
      default: false
      }
    }
  }

  var events: [Event] = []
  /// What could not be done.
  private(set) var failures: [Failure] = []
  /// What is wrong with files that nothing needs.
  private(set) var warnings: [Failure] = []
  /// How many milliseconds to wait before files can be taken in that were written a moment ago;
  /// `nil` if there are none.
  private(set) var pause: Int64?

  mutating func wait(_ milliseconds: Int64) { pause = max(pause ?? 0, milliseconds) }

  /// What came of this run and one before it, which waited for files.
  func following(_ earlier: SyncOutcome) -> SyncOutcome {
    var result = self
    result.events = earlier.events + events
    return result
  }

  /// Keeps a failure, which is said once: many files may be behind one link.
  mutating func fail(_ failure: Failure) {
    if !failures.contains(where: { $0.line == failure.line }) { failures.append(failure) }
  }

  mutating func warn(_ failure: Failure) { warnings.append(failure) }

  /// The status to exit with.
  var status: ExitStatus { failures.map(\.status).max() ?? .done }

  /// Whether anything was done.
  var isIdle: Bool { events.allSatisfy(\.isIdle) }
}

extension SyncOutcome {
  /// Says in a line or two what was done, and each thing where that is asked for.
  func report(dryRun: Bool, noteCount: Int, _ invocation: Invocation) throws {
    let console = invocation.console
    for event in events {
      if dryRun, case .conflicts(let file, let conflicts) = event {
        // Nothing is open in the file yet.
        try console.report(
          "\(file.shown.visible): \(conflictWords(conflicts) ?? "merged"); to decide first: "
            + "pnmerge review with these folders")
      } else if event.isAlwaysSaid || console.isVerbose {
        try console.report(event.sentence(invocation))
      }
    }
    for failure in failures + warnings { try console.printError(failure.line) }
    let verb = dryRun ? "would be " : ""
    var parts: [String] = []
    func add(_ what: String, _ isCounted: (Event) -> Bool) {
      let count = events.count(where: isCounted)
      if count > 0 { parts.append("\(count) \(verb)\(what)") }
    }
    add("recorded") { if case .recorded = $0 { true } else { false } }
    add("brought up to date") { if case .taken = $0 { true } else { false } }
    add("merged") { if case .merged = $0 { true } else { false } }
    add("joined") { if case .joined = $0 { true } else { false } }
    add("copied") { event in
      switch event {
      case .copied, .copiedBeside, .writtenAgain: true
      default: false
      }
    }
    add("renamed") { event in
      switch event {
      case .renamed, .renamedForClash: true
      default: false
      }
    }
    add("restored") { if case .restored = $0 { true } else { false } }
    add("folded into their notes") { if case .folded = $0 { true } else { false } }
    add("moved to the trash") { if case .trashed = $0 { true } else { false } }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    let notes = counted(noteCount, "note")
    try console.report(
      parts.isEmpty ? "\(notes), nothing to do" : "\(notes): \(parts.joined(separator: ", "))")
  }

  /// The report for programs; pnmerge(1) describes the members.
  func json(dryRun: Bool, noteCount: Int) -> JSONReport {
    JSONReport([
      ("schema", .json(1)), ("written", .json(.bool(!dryRun && !isIdle))),
      ("notes", .json(.count(noteCount))), ("done", .list(events) { $0.json }),
      ("failures", .list(failures, \.json)), ("warnings", .list(warnings, \.json)),
    ])
  }
}

extension SyncOutcome.Event {
  /// Whether people have to know, also if they did not ask.
  var isAlwaysSaid: Bool {
    switch self {
    case .conflicts, .copiedBeside, .writtenAgain, .renamedForClash, .broughtBack, .returned,
      .joined, .trashed,
      .putBack, .early, .invalid, .untracked, .belongsElsewhere, .oldCopyOfDeleted, .editOfDeleted,
      .otherFile,
      .restored,
      .copyOfDeleted, .kept, .repeated, .undone, .otherReading, .adjoining:
      true
    case .merged, .copied, .renamed, .folded, .recorded, .taken: false
    }
  }

  func sentence(_ invocation: Invocation) -> String {
    switch self {
    case .merged(let file, let changes):
      return "\(file.visible): \(changes.count == 0 ? "merged" : changes.summary)"
    case .conflicts(let file, let conflicts):
      let words = conflictWords(conflicts) ?? "merged"
      let (file, them) = (file.shown, conflicts.count == 1 ? "it" : "them")
      return "\(file.visible): \(words); to see \(them): pnmerge conflicts \(shellQuoted(file))"
    case .copied(let file): return "\(file.visible): new"
    case .copiedBeside(let file, let other, let folder):
      return "\(file.visible): new, though \(other.visible) has the same history; "
        + "to make them one, in each folder that has both: pnmerge tidy --match=id \(shellQuoted(folder))"
    case .writtenAgain(let file, let others):
      let (names, first) = (others.prefix(3).map(\.visible), others[0])
      let rest = others.count > names.count ? ["\(others.count - names.count) more"] : []
      return "\(file.visible): was gone, and is there again; \(enumerated(names + rest)) "
        + "\(others.count == 1 ? "is" : "are") not tracked: if one is this file under a new name, "
        + "put its text here, or track it as a file of its own: pnmerge track \(shellQuoted(first))"
    case .renamed(let old, let new): return "\(old.visible): renamed to \(new.visible)"
    case .renamedForClash(let old, let new):
      return "\(old.visible): called \(new.visible), since the name is taken or not possible there"
    case .folded(let file): return "\(file.visible): folded into its note, and moved to the trash"
    case .belongsElsewhere(let file, let owner):
      return "\(file.visible): came under this name, but is an edit of \(owner.visible), and is "
        + "taken in there"
    case .editOfDeleted(let file, let now):
      return "\(file.visible): came under this name, but is an edit of a file that is deleted, and "
        + "is now \(now.visible); to track it: pnmerge track \(shellQuoted(now))"
    case .otherFile(let file, let now):
      return "\(file.visible): is another file than the one that had this name, and is now "
        + "\(now.visible); to track it: pnmerge track \(shellQuoted(now))"
    case .oldCopyOfDeleted(let file):
      return "\(file.visible): came under this name, but is an old copy of a file that is deleted; "
        + "moved to the trash"
    case .trashed(let file): return "\(file.visible): deleted, and moved to the trash"
    case .broughtBack(let file, let author):
      return "\(file.visible): is back; \(authorName(author)) deleted it without knowing of later "
        + "edits"
    case .returned(let file, let deleter, let author):
      let (who, whoDeleted) = (authorName(author), authorName(deleter))
      if author.isEmpty {
        return "\(file.visible): is back; it was edited after \(whoDeleted) deleted it"
      }
      return deleter == author
        ? "\(file.visible): is back; \(who) deleted it, and brought it back"
        : "\(file.visible): is back; \(who) brought it back after \(whoDeleted) deleted it"
    case .joined(let file):
      return "\(file.visible): its histories, which were started apart, are one"
    case .recorded(let file, let count):
      return "\(file.visible): \(counted(count, "save")) recorded"
    case .taken(let file): return "\(file.visible): brought up to date"
    case .putBack(let file):
      return "\(file.visible): was saved as it had been before others' edits came in, which are in "
        + "it again; to take them back, save it so once more"
    case .early(let file):
      return "\(file.visible): waits for its history, which lacks the version that it was made from"
    case .invalid(let file, let fault): return "\(file.visible): \(fault.words); mend it there"
    case .untracked(let file):
      return "\(file.visible): is not tracked any more, since its history is gone; to track it: "
        + "pnmerge track \(shellQuoted(file))"
    case .restored(let file, let restoration):
      let words =
        switch restoration {
        case .gone: "was gone; it is now what this machine had kept of it"
        case .damaged:
          "was damaged, and is in the trash; in its place is what this machine had kept of it"
        case .copied: "was damaged, and is in the trash; in its place is what another folder has"
        }
      return "\(file.visible): its history \(words)"
    case .copyOfDeleted(let copy, let file):
      return "\(copy.visible): a conflict copy of \(file.visible), which is deleted; to have it "
        + "back: mv \(shellQuoted(copy)) \(shellQuoted(file)); else delete it"
    case .kept(let file, let lines):
      let (verb, them) = lines.count == 1 ? ("is", "it") : ("are", "them")
      return "\(file.visible): \(counted(lines.count, "line")) that the save lacks \(verb) kept, "
        + "since whoever saved it may not have seen \(them) (\(preview(lines.map(\.text)))); "
        + "to have \(them) deleted, delete \(them) once more"
    case .repeated(let file, let lines):
      let (verb, one) = lines.count == 1 ? ("stands", "it") : ("stand", "one of each")
      return
        "\(file.visible): \(counted(lines.count, "line")) \(verb) there more often than in what "
        + "was taken in (\(preview(lines))); delete \(one) if that was not meant"
    case .undone(let file, let lines):
      return "\(file.visible): the save took out what may have been meant to stay "
        + "(\(preview(lines.map(\.text)))); to see it: pnmerge conflicts \(shellQuoted(file))"
    case .otherReading(let file, let text):
      return "\(file.visible): what was deleted is contested, and the other reading is in its "
        + "place (\(preview([text]))); to have that deleted, too, delete it once more"
    case .adjoining(let file, let places):
      let adjacent = places.filter { $0.kind == .adjacent }
      let parts = [
        conflictWords(places), adjacent.isEmpty ? nil : adjoiningWords(adjacent),
      ].compactMap(\.self)
      return "\(file.visible): \(enumerated(parts)); to see that: "
        + "pnmerge conflicts --all \(shellQuoted(file))"
    }
  }

  var json: JSON {
    switch self {
    case .merged(let file, let changes):
      ["what": "merged", "file": .string(file.visible), "new_changes": .count(changes.count)]
    case .conflicts(let file, let conflicts):
      [
        "what": "conflicts", "file": .string(file.visible),
        "conflicts": .array(conflicts.map(\.json)),
      ]
    case .copied(let file): ["what": "copied", "file": .string(file.visible)]
    case .copiedBeside(let file, let other, _):
      ["what": "copied", "file": .string(file.visible), "beside": .string(other.visible)]
    case .writtenAgain(let file, let others):
      [
        "what": "copied", "file": .string(file.visible),
        "untracked": .array(others.map { .string($0.visible) }),
      ]
    case .renamed(let old, let new), .renamedForClash(let old, let new):
      ["what": "renamed", "file": .string(new.visible), "from": .string(old.visible)]
    case .folded(let file): ["what": "folded", "file": .string(file.visible)]
    case .belongsElsewhere(let file, let owner):
      ["what": "elsewhere", "file": .string(file.visible), "of": .string(owner.visible)]
    case .editOfDeleted(let file, let now):
      ["what": "edit-of-deleted", "file": .string(file.visible), "now": .string(now.visible)]
    case .otherFile(let file, let now):
      ["what": "other-file", "file": .string(file.visible), "now": .string(now.visible)]
    case .oldCopyOfDeleted(let file): ["what": "old-copy", "file": .string(file.visible)]
    case .trashed(let file): ["what": "deleted", "file": .string(file.visible)]
    case .broughtBack(let file, _), .returned(let file, _, _):
      ["what": "brought-back", "file": .string(file.visible)]
    case .joined(let file): ["what": "joined", "file": .string(file.visible)]
    case .recorded(let file, let count):
      ["what": "recorded", "file": .string(file.visible), "new_changes": .count(count)]
    case .taken(let file): ["what": "taken", "file": .string(file.visible)]
    case .putBack(let file): ["what": "put-back", "file": .string(file.visible)]
    case .early(let file): ["what": "early", "file": .string(file.visible)]
    case .invalid(let file, let fault):
      [
        "what": "invalid", "file": .string(file.visible), "message": .string(fault.reason),
      ]
    case .untracked(let file): ["what": "untracked", "file": .string(file.visible)]
    case .restored(let file, let restoration):
      [
        "what": "restored", "file": .string(file.visible), "was": .string(restoration.rawValue),
      ]
    case .copyOfDeleted(let copy, let file):
      [
        "what": "copy-of-deleted", "file": .string(copy.visible), "of": .string(file.visible),
      ]
    case .kept(let file, let lines):
      [
        "what": "kept", "file": .string(file.visible),
        "lines": .array(lines.map { .string($0.text) }),
      ]
    case .repeated(let file, let lines):
      [
        "what": "repeated", "file": .string(file.visible),
        "lines": .array(lines.map { .string($0) }),
      ]
    case .undone(let file, let lines):
      [
        "what": "undone", "file": .string(file.visible),
        "lines": .array(lines.map { .string($0.text) }),
      ]
    case .otherReading(let file, let text):
      ["what": "other-reading", "file": .string(file.visible), "text": .string(text)]
    case .adjoining(let file, let places):
      [
        "what": "adjoining", "file": .string(file.visible),
        "places": .array(places.map(\.json)),
      ]
    }
  }

  /// The first of some lines, and how many more there are.
  private func preview(_ lines: [String]) -> String {
    let first = Node.text(lines.first ?? "").preview
    return lines.count < 2 ? first : "\(first) and \(lines.count - 1) more"
  }
}
