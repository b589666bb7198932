import Peernote
import PeernoteJSON

/// What came of bringing folders together.
struct SyncOutcome {
  /// Something that was done or noticed, first of which file or folder; ``line(dryRun:)`` says it.
  enum Event {
    case merged(FileName, ChangeTally)
    case conflicts(FileName, [Conflict])
    case copied(FileName)
    case renamed(from: FileName, to: FileName, forClash: Bool = false)
    case folded(FileName)
    case trashed(FileName)
    /// By `nil` if somebody edited it who did not know that it was deleted.
    case broughtBack(FileName, deletedBy: String, by: String?)
    case redacted(FileName, [TakenOutText])
    case otherCopy(FileName, of: FileName, folder: FileName)
    case automerge(FileName, [FileName])
    // Of tracked plain files:
    case recorded(FileName, Int)
    /// It was behind its history, and was written.
    case taken(FileName)
    case joined(FileName)
    case early(FileName)
    /// A conflict copy was left alone, and why.
    case apart(FileName, String)
    case tracked(FileName)
    case untracked(FileName)
    case restored(FileName, Restoration)
    case leftCopies(FileName, [FileName])
    case leftOut(FileName, [FileName])
    /// Lines left the file, and nobody was asked.
    case takenOut(FileName, [String])
    case bothStand(FileName, [String])
    // What no run does, and who asks for the state of a folder is told:
    /// How many conflicts are open, and how many lines were taken out.
    case open(FileName, conflicts: Int, takenOut: Int)
    /// A tracked file is gone, but its history is there.
    case missing(FileName)
    case sameHistory(FileName, as: FileName, folder: FileName)
    /// Text files that are not tracked, though others are.
    case untrackedTexts(FileName, [FileName])

    /// What was wrong with a history that this machine had kept; or that another folder has it.
    enum Restoration: String { case gone, damaged, copied }
  }

  var events: [Event] = []
  private(set) var failures: [Failure] = []
  /// What is wrong with files that nothing needs.
  var warnings: [Failure] = []
  /// How many milliseconds to wait before files can be taken in that were written a moment ago.
  var pause: Int64?

  /// What came of this run and one before it, which waited for files; what both noticed counts once.
  func following(_ earlier: SyncOutcome) -> SyncOutcome {
    var result = self
    let noticed = Set(events.filter(\.isIdle).map(\.sentence))
    result.events = earlier.events.filter { !noticed.contains($0.sentence) } + events
    return result
  }

  /// Keeps a failure, which is said once: many files may be behind one link.
  mutating func fail(_ failure: Failure) {
    if !failures.contains(where: { $0.line == failure.line }) { failures.append(failure) }
  }

  /// The status to exit with.
  var status: ExitStatus { failures.map(\.status).max() ?? .done }

  /// Whether nothing was written.
  var isIdle: Bool { events.allSatisfy(\.isIdle) }

  /// Whether nothing was written, and nothing is left to a person.
  var isSettled: Bool { events.allSatisfy { $0.line(dryRun: false).weight == .notice } }
}

extension SyncOutcome {
  /// What the summary counts, by what programs are told of it, in its order.
  private static let summarized = [
    ("recorded", "recorded"), ("tracked", "tracked"), ("taken", "brought up to date"),
    ("merged", "merged"), ("joined", "joined"), ("copied", "copied"), ("renamed", "renamed"),
    ("restored", "restored"), ("folded", "folded into their notes"),
    ("deleted", "moved to the trash"),
  ]

  /// Says in a line or two what was done, and each thing where that is asked for.
  func report(dryRun: Bool, noteCount: Int, _ invocation: Invocation) throws {
    let console = invocation.console
    let lines = events.map { $0.line(dryRun: dryRun) }
    for line in lines where line.weight != .detail || console.isVerbose || dryRun {
      try console.report(line.sentence)
    }
    for failure in failures + warnings { try console.printError(failure.line) }
    let verb = dryRun ? "would be " : ""
    var parts = Self.summarized.compactMap { what, words in
      let count = lines.count { $0.what == what }
      return count > 0 ? "\(count) \(verb)\(words)" : nil
    }
    let left = lines.count { $0.weight == .open }
    if left > 0 { parts.append("\(left) left to you") }
    if !failures.isEmpty { parts.append("\(failures.count) failed") }
    let notes = counted(noteCount, "note")
    try console.report(
      parts.isEmpty ? "\(notes), nothing to do" : "\(notes): \(parts.joined(separator: ", "))")
  }

  /// The report for programs; pnmerge-json(5) describes the members.
  func json(dryRun: Bool, noteCount: Int) -> JSONReport {
    JSONReport([
      ("written", .json(.bool(!dryRun && !isIdle))),
      ("notes", .json(.count(noteCount))),
      ("done", .list(events) { $0.line(dryRun: dryRun).json }),
      ("failures", .list(failures, \.json)), ("warnings", .list(warnings, \.json)),
    ])
  }

  /// What is said of an event.
  struct Line {
    /// Whom it is told.
    enum Weight {
      /// People who ask for more.
      case detail
      /// Everybody.
      case news
      /// Everybody, and nothing was written for it.
      case notice
      /// The same, and a person has to do something.
      case open
    }

    var what: String
    var weight: Weight
    var sentence: String
    var json: JSON

    /// `words` are of the file, by another name where people know it by that.
    init(
      _ file: FileName, _ what: String, _ weight: Weight,
      with members: KeyValuePairs<String, JSON> = [:], known name: FileName? = nil, _ words: String
    ) {
      (self.what, self.weight) = (what, weight)
      sentence = "\((name ?? file).visible): \(words)"
      let start: KeyValuePairs = ["what": JSON.string(what), "file": .string(file.visible)]
      json = .object((Array(start) + members).map { .init(name: $0.key, value: $0.value) })
    }
  }
}

extension SyncOutcome.Event {
  var sentence: String { line(dryRun: false).sentence }

  /// Whether nothing was written for it.
  var isIdle: Bool { [.notice, .open].contains(line(dryRun: false).weight) }

  /// What is said of it: what was done, or what would be in a dry run.
  func line(dryRun: Bool) -> SyncOutcome.Line {
    typealias Line = SyncOutcome.Line
    let (be, was) = dryRun ? ("would be ", "would be") : ("", "is")
    func names(_ files: [FileName]) -> JSON { .array(files.map { .string($0.visible) }) }
    func texts(_ lines: [String]) -> JSON { .array(lines.map { .string($0) }) }
    switch self {
    case .merged(let file, let changes):
      let news = changes.count > 0 ? changes.summary : dryRun ? "nothing new" : "merged"
      return Line(
        file, "merged", .detail, with: ["new_changes": .count(changes.count)],
        (dryRun ? "would get " : "") + news)
    case .conflicts(let file, let conflicts):
      let them = conflicts.count == 1 ? "it" : "them"
      // In a dry run nothing is open in the file yet.
      let advice =
        dryRun
        ? "to decide first: pnmerge review with these folders"
        : "to see \(them): pnmerge conflicts \(shellQuoted(file.shown))"
      return Line(
        file, "conflicts", .news, with: ["conflicts": .array(conflicts.map { $0.json() })],
        known: file.shown, "\(conflictWords(conflicts) ?? "merged"); \(advice)")
    case .copied(let file): return Line(file, "copied", .detail, "\(be)new")
    case .renamed(let old, let new, let isForClash):
      let words =
        isForClash
        ? "\(be)called \(new.visible), since the name is taken or not possible there"
        : "\(be)renamed to \(new.visible)"
      return Line(
        new, "renamed", isForClash ? .news : .detail, with: ["from": .string(old.visible)],
        known: old, words)
    case .folded(let file):
      return Line(file, "folded", .detail, "\(be)folded into its note, and moved to the trash")
    case .trashed(let file):
      let verb = dryRun ? "is deleted, and would be" : "deleted, and"
      return Line(file, "deleted", .news, "\(verb) moved to the trash")
    case .broughtBack(let file, let deleter, let author):
      let (who, whoDeleted) = (authorName(author ?? ""), authorName(deleter))
      let words =
        switch author {
        case nil: "\(whoDeleted) deleted it without knowing of later edits"
        case "": "it was edited after \(whoDeleted) deleted it"
        case deleter: "\(who) deleted it, and brought it back"
        default: "\(who) brought it back after \(whoDeleted) deleted it"
        }
      return Line(file, "brought-back", .news, "\(was) back; \(words)")
    case .redacted(let file, let taken):
      return Line(
        file, "redacted", .news, with: ["texts": .array(taken.map(\.json))],
        "a copy has redacted \(enumerated(taken.map(\.sentence)))")
    case .otherCopy(let file, let other, let folder):
      return Line(
        file, "other-copy", .open, with: ["with": .string(other.visible)],
        "is the same document as \(other.visible), and differs; \(joiningAdvice(folder))")
    case .automerge(let folder, let files):
      return Line(
        folder, "automerge", .notice, with: ["files": names(files)], automergeWords(files))
    case .recorded(let file, let count):
      return Line(
        file, "recorded", .detail, with: ["new_changes": .count(count)],
        "\(counted(count, "save")) \(be)recorded")
    case .taken(let file): return Line(file, "taken", .detail, "\(be)brought up to date")
    case .joined(let file):
      let verb = dryRun ? "would be" : "are"
      return Line(
        file, "joined", .news, "its histories, which were started apart, \(verb) one")
    case .early(let file):
      return Line(file, "early", .notice, "waits for its history, which is not here yet")
    case .apart(let file, let reason):
      return Line(
        file, "apart", .open, with: ["message": .string(reason)],
        "a conflict copy that was left alone: with it in the file \(reason); take over by hand what "
          + "is to stay, and delete it")
    case .tracked(let file): return Line(file, "tracked", .news, "new, and \(be)tracked")
    case .untracked(let file):
      return Line(
        file, "untracked", .open,
        "is not tracked any more, since its history is gone; to track it: pnmerge track "
          + shellQuoted(file))
    case .restored(let file, let restoration):
      let words =
        switch restoration {
        case .gone: "was gone; it is now what this machine had kept of it"
        case .damaged:
          "was damaged, and is in the trash; in its place is what this machine had kept of it"
        case .copied: "was damaged, and is in the trash; in its place is what another folder has"
        }
      return Line(
        file, "restored", .news, with: ["was": .string(restoration.rawValue)],
        "its history \(words)")
    case .leftCopies(let folder, let files):
      let (looks, was) = files.count == 1 ? ("looks", "was") : ("look", "were")
      return Line(
        folder, "left-copies", .open, with: ["files": names(files)],
        "\(counted(files.count, "file")) \(looks) like a conflict copy of nothing that is there, and "
          + "\(was) left alone (\(firstNames(files)))")
    case .leftOut(let folder, let files):
      let (verb, they) = files.count == 1 ? ("is", "it is") : ("are", "they are")
      return Line(
        folder, "left-out", .notice, with: ["files": names(files)],
        "\(counted(files.count, "file")) \(verb) no tracked text, and \(verb) left as \(they) "
          + "(\(firstNames(files)))")
    case .takenOut(let file, let lines):
      let them = lines.count == 1 ? "it" : "them"
      return Line(
        file, "taken-out", .news, with: ["lines": texts(lines)],
        "\(counted(lines.count, "line")) \(be)taken out (\(preview(lines))); to see \(them): "
          + "pnmerge conflicts \(shellQuoted(file))")
    case .bothStand(let file, let lines):
      let verb = dryRun ? "would stand" : "stand"
      return Line(
        file, "both-stand", .news, with: ["lines": texts(lines)],
        "both sides changed or deleted the same lines, and these \(verb) as well "
          + "(\(preview(lines))); delete what is too much")
    case .open(let file, let conflicts, let takenOut):
      let parts = [(conflicts, "conflict"), (takenOut, "line")].filter { $0.0 > 0 }
        .map { counted($0, $1) + ($1 == "line" ? " taken out" : "") }
      let them = conflicts + takenOut == 1 ? "it" : "them"
      return Line(
        file, "open", .open,
        with: ["conflicts": .count(conflicts), "taken_out": .count(takenOut)],
        "\(enumerated(parts)); to see \(them): pnmerge conflicts \(shellQuoted(file))")
    case .missing(let file):
      return Line(
        file, "missing", .open,
        "is missing; to have it back: pnmerge track \(shellQuoted(file))")
    case .sameHistory(let file, let other, let folder):
      return Line(
        file, "same-history", .open, with: ["with": .string(other.visible)],
        "has the same history as \(other.visible); \(joiningAdvice(folder))")
    case .untrackedTexts(let folder, let files):
      let (verb, them) = files.count == 1 ? ("is", "it") : ("are", "them")
      return Line(
        folder, "untracked-texts", .notice, with: ["files": names(files)],
        "\(counted(files.count, "text file")) \(verb) not tracked (\(firstNames(files))); to track "
          + "\(them): pnmerge track \(shellQuoted(files.count == 1 ? files[0] : folder))")
    }
  }
}

/// The first of some names or lines, and how many more there are.
private func first(_ count: Int, of texts: [String]) -> String {
  let rest = texts.count - count
  return enumerated(rest > 0 ? texts.prefix(count) + ["\(rest) more"] : texts)
}

private func preview(_ lines: [String]) -> String {
  first(12, of: lines.map { DocumentNode.text($0).preview })
}

private func firstNames(_ files: [FileName]) -> String { first(3, of: files.map(\.visible)) }

/// How files of a folder that are one document become one file.
private func joiningAdvice(_ folder: FileName) -> String {
  "to make them one: pnmerge tidy --match=id \(shellQuoted(folder))"
}

/// What is said of MeetingNotes' files and other Automerge documents in a folder, which are none of its
/// notes.
func automergeWords(_ files: [FileName]) -> String {
  "\(counted(files.count, "Automerge document")) (\(firstNames(files))) "
    + "\(files.count == 1 ? "is" : "are") no note of the folder; 'merge', 'log' and others take "
    + "\(files.count == 1 ? "it" : "them") by name"
}
