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
    /// A file has another name.
    case renamed(from: FileName, to: FileName)
    /// A file has another name, since the first was taken or cannot be had there.
    case renamedForClash(from: FileName, to: FileName)
    /// A conflict copy, whose changes are in its note, is in the trash.
    case folded(FileName)
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
    /// A tracked plain file, or a copy, was made from a version that is not here yet; it was left
    /// alone.
    case early(FileName)
    /// A conflict copy was left alone, since the file could not be read with it, and why.
    case apart(FileName, String)
    /// A new note in a tracked folder has a history from now on.
    case tracked(FileName)
    /// A plain file is tracked no more, since its history is gone.
    case untracked(FileName)
    /// The history of a plain file was gone or damaged, and is there again.
    case restored(FileName, Restoration)
    /// Files of a folder look like conflict copies, and belong to nothing.
    case leftCopies(FileName, [FileName])
    /// A file is the same document as another one that comes before it, differs from it, and is not
    /// called like a conflict copy.
    case otherCopy(FileName, of: FileName, folder: FileName)
    /// MeetingNotes' files and other Automerge documents of a folder are left as they are.
    case automerge(FileName, [FileName])
    /// Files of a folder are neither tracked nor copied.
    case leftOut(FileName, [FileName])
    /// Text is gone from a file, since a copy has redacted it.
    case redacted(FileName, [TakenOutText])
    /// Lines left a tracked plain file, and nobody was asked.
    case takenOut(FileName, [String])
    /// Both sides changed or deleted the same lines of a tracked plain file, and these stand as well.
    case bothStand(FileName, [String])

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
      case .early, .apart, .untracked, .leftCopies, .leftOut, .otherCopy, .automerge: true
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
      if event.isAlwaysSaid || console.isVerbose || dryRun {
        try console.report(event.sentence(dryRun: dryRun))
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
    add("tracked") { if case .tracked = $0 { true } else { false } }
    add("brought up to date") { if case .taken = $0 { true } else { false } }
    add("merged") { if case .merged = $0 { true } else { false } }
    add("joined") { if case .joined = $0 { true } else { false } }
    add("copied") { if case .copied = $0 { true } else { false } }
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

  /// The report for programs; pnmerge-json(5) describes the members.
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
    case .conflicts, .renamedForClash, .broughtBack, .returned,
      .joined, .trashed, .early, .apart, .tracked, .untracked, .restored, .leftCopies, .leftOut,
      .otherCopy, .automerge, .takenOut, .redacted, .bothStand:
      true
    case .merged, .copied, .renamed, .folded, .recorded, .taken: false
    }
  }

  /// What was done, or what would be in a dry run.
  func sentence(dryRun: Bool) -> String {
    let (be, was) = dryRun ? ("would be ", "would be") : ("", "is")
    switch self {
    case .merged(let file, let changes):
      if dryRun {
        return "\(file.visible): would get \(changes.count == 0 ? "nothing new" : changes.summary)"
      }
      return "\(file.visible): \(changes.count == 0 ? "merged" : changes.summary)"
    case .conflicts(let file, let conflicts):
      let words = conflictWords(conflicts) ?? "merged"
      let (file, them) = (file.shown, conflicts.count == 1 ? "it" : "them")
      if dryRun {
        // Nothing is open in the file yet.
        return "\(file.visible): \(words); to decide first: pnmerge review with these folders"
      }
      return "\(file.visible): \(words); to see \(them): pnmerge conflicts \(shellQuoted(file))"
    case .copied(let file): return "\(file.visible): \(be)new"
    case .renamed(let old, let new): return "\(old.visible): \(be)renamed to \(new.visible)"
    case .renamedForClash(let old, let new):
      return
        "\(old.visible): \(be)called \(new.visible), since the name is taken or not possible there"
    case .folded(let file):
      return "\(file.visible): \(be)folded into its note, and moved to the trash"
    case .trashed(let file):
      let verb = dryRun ? "is deleted, and would be" : "deleted, and"
      return "\(file.visible): \(verb) moved to the trash"
    case .broughtBack(let file, let author):
      return
        "\(file.visible): \(was) back; \(authorName(author)) deleted it without knowing of later "
        + "edits"
    case .returned(let file, let deleter, let author):
      let (who, whoDeleted) = (authorName(author), authorName(deleter))
      if author.isEmpty {
        return "\(file.visible): \(was) back; it was edited after \(whoDeleted) deleted it"
      }
      return deleter == author
        ? "\(file.visible): \(was) back; \(who) deleted it, and brought it back"
        : "\(file.visible): \(was) back; \(who) brought it back after \(whoDeleted) deleted it"
    case .joined(let file):
      return
        "\(file.visible): its histories, which were started apart, \(dryRun ? "would be" : "are") one"
    case .recorded(let file, let count):
      return "\(file.visible): \(counted(count, "save")) \(be)recorded"
    case .taken(let file): return "\(file.visible): \(be)brought up to date"
    case .early(let file):
      return "\(file.visible): waits for its history, which is not here yet"
    case .apart(let file, let reason):
      return "\(file.visible): a conflict copy that was left alone: with it in the file \(reason); "
        + "take over by hand what is to stay, and delete it"
    case .tracked(let file): return "\(file.visible): new, and \(be)tracked"
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
    case .leftCopies(let folder, let files):
      return "\(folder.visible): \(counted(files.count, "file")) "
        + "\(files.count == 1 ? "looks" : "look") like a conflict copy of nothing that is there, and "
        + "\(files.count == 1 ? "was" : "were") left alone (\(firstNames(files)))"
    case .otherCopy(let file, let other, let folder):
      return "\(file.visible): \(otherCopyWords(of: other, in: folder))"
    case .automerge(let folder, let files): return automergeWords(folder, files)
    case .leftOut(let folder, let files):
      return
        "\(folder.visible): \(counted(files.count, "file")) \(files.count == 1 ? "is" : "are") "
        + "no tracked text, and \(files.count == 1 ? "is" : "are") left as they are (\(firstNames(files)))"
    case .redacted(let file, let texts):
      return "\(file.visible): a copy has redacted \(enumerated(texts.map(\.sentence)))"
    case .takenOut(let file, let lines):
      return
        "\(file.visible): \(counted(lines.count, "line")) \(be)taken out (\(preview(lines))); to see "
        + "\(lines.count == 1 ? "it" : "them"): pnmerge conflicts \(shellQuoted(file))"
    case .bothStand(let file, let lines):
      return
        "\(file.visible): both sides changed or deleted the same lines, and these "
        + "\(dryRun ? "would stand" : "stand") as well (\(preview(lines))); delete what is too much"
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
    case .renamed(let old, let new), .renamedForClash(let old, let new):
      ["what": "renamed", "file": .string(new.visible), "from": .string(old.visible)]
    case .folded(let file): ["what": "folded", "file": .string(file.visible)]
    case .trashed(let file): ["what": "deleted", "file": .string(file.visible)]
    case .broughtBack(let file, _), .returned(let file, _, _):
      ["what": "brought-back", "file": .string(file.visible)]
    case .joined(let file): ["what": "joined", "file": .string(file.visible)]
    case .recorded(let file, let count):
      ["what": "recorded", "file": .string(file.visible), "new_changes": .count(count)]
    case .taken(let file): ["what": "taken", "file": .string(file.visible)]
    case .early(let file): ["what": "early", "file": .string(file.visible)]
    case .apart(let file, let reason):
      ["what": "apart", "file": .string(file.visible), "message": .string(reason)]
    case .tracked(let file): ["what": "tracked", "file": .string(file.visible)]
    case .untracked(let file): ["what": "untracked", "file": .string(file.visible)]
    case .restored(let file, let restoration):
      [
        "what": "restored", "file": .string(file.visible), "was": .string(restoration.rawValue),
      ]
    case .leftCopies(let folder, let files):
      [
        "what": "left-copies", "file": .string(folder.visible),
        "files": .array(files.map { .string($0.visible) }),
      ]
    case .otherCopy(let file, let other, _):
      ["what": "other-copy", "file": .string(file.visible), "with": .string(other.visible)]
    case .automerge(let folder, let files):
      [
        "what": "automerge", "file": .string(folder.visible),
        "files": .array(files.map { .string($0.visible) }),
      ]
    case .leftOut(let folder, let files):
      [
        "what": "left-out", "file": .string(folder.visible),
        "files": .array(files.map { .string($0.visible) }),
      ]
    case .redacted(let file, let texts):
      [
        "what": "redacted", "file": .string(file.visible), "texts": .array(texts.map(\.json)),
      ]
    case .takenOut(let file, let lines):
      [
        "what": "taken-out", "file": .string(file.visible),
        "lines": .array(lines.map { .string($0) }),
      ]
    case .bothStand(let file, let lines):
      [
        "what": "both-stand", "file": .string(file.visible),
        "lines": .array(lines.map { .string($0) }),
      ]
    }
  }

  /// Some lines, as far as a person reads on.
  private func preview(_ lines: [String]) -> String {
    let first = lines.prefix(12).map { Node.text($0).preview }
    return enumerated(lines.count > 12 ? first + ["\(lines.count - 12) more"] : first)
  }
}

/// The first of some names, and how many more there are.
func firstNames(_ files: [FileName]) -> String {
  let first = files.prefix(3).map(\.visible)
  return enumerated(files.count > 3 ? first + ["\(files.count - 3) more"] : Array(first))
}

/// What is said of a file that is the same document as another one.
func otherCopyWords(of other: FileName, in folder: FileName) -> String {
  "is the same document as \(other.visible), and differs; to make them one: pnmerge tidy "
    + "--match=id \(shellQuoted(folder))"
}

/// What is said of MeetingNotes' files and other Automerge documents in a folder, which are none of its
/// notes.
func automergeWords(_ folder: FileName, _ files: [FileName]) -> String {
  "\(folder.visible): \(counted(files.count, "Automerge document")) (\(firstNames(files))) "
    + "\(files.count == 1 ? "is" : "are") no note of the folder; 'merge', 'log' and others take "
    + "\(files.count == 1 ? "it" : "them") by name"
}
