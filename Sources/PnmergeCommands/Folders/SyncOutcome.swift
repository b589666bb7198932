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
    /// A file has another name, maybe since the first was taken or cannot be had there.
    case renamed(from: FileName, to: FileName, forClash: Bool = false)
    /// A conflict copy, whose changes are in its note, is in the trash.
    case folded(FileName)
    /// A deleted note is in the trash.
    case trashed(FileName)
    /// A deleted note is there again, since somebody brought it back, or edited it, who knew; `nil` if
    /// somebody edited it who did not know.
    case broughtBack(FileName, deletedBy: String, by: String?)
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
  }

  var events: [Event] = []
  /// What could not be done.
  private(set) var failures: [Failure] = []
  /// What is wrong with files that nothing needs.
  private(set) var warnings: [Failure] = []
  /// How many milliseconds to wait before files can be taken in that were written a moment ago;
  /// `nil` if there are none.
  var pause: Int64?

  /// What came of this run and one before it, which waited for files; what both noticed counts once.
  func following(_ earlier: SyncOutcome) -> SyncOutcome {
    var result = self
    let noticed = Set(events.filter(\.isIdle).map { $0.line(dryRun: false).sentence })
    result.events =
      earlier.events.filter { !noticed.contains($0.line(dryRun: false).sentence) } + events
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
    }

    var what: String
    var weight: Weight
    /// What was done, or what would be in a dry run.
    var sentence: String
    /// The same for programs.
    var json: JSON

    /// `words` are of the file, by another name where people know it by that.
    init(
      _ file: FileName, what: String, with members: KeyValuePairs<String, JSON> = [:],
      _ weight: Weight, known name: FileName? = nil, _ words: String
    ) {
      (self.what, self.weight) = (what, weight)
      sentence = "\((name ?? file).visible): \(words)"
      json = .object(
        [
          .init(name: "what", value: .string(what)),
          .init(name: "file", value: .string(file.visible)),
        ]
          + members.map { .init(name: $0.key, value: $0.value) })
    }
  }
}

extension SyncOutcome.Event {
  /// Whether nothing was written for it.
  var isIdle: Bool { line(dryRun: false).weight == .notice }

  /// What is said of it.
  func line(dryRun: Bool) -> SyncOutcome.Line {
    typealias Line = SyncOutcome.Line
    let (be, was) = dryRun ? ("would be ", "would be") : ("", "is")
    func array(_ lines: [String]) -> JSON { .array(lines.map { .string($0) }) }
    switch self {
    case .merged(let file, let changes):
      let news = changes.count > 0 ? changes.summary : dryRun ? "nothing new" : "merged"
      return Line(
        file, what: "merged", with: ["new_changes": .count(changes.count)], .detail,
        (dryRun ? "would get " : "") + news)
    case .conflicts(let file, let conflicts):
      let them = conflicts.count == 1 ? "it" : "them"
      // In a dry run nothing is open in the file yet.
      let advice =
        dryRun
        ? "to decide first: pnmerge review with these folders"
        : "to see \(them): pnmerge conflicts \(shellQuoted(file.shown))"
      return Line(
        file, what: "conflicts", with: ["conflicts": .array(conflicts.map { $0.json() })], .news,
        known: file.shown, "\(conflictWords(conflicts) ?? "merged"); \(advice)")
    case .copied(let file): return Line(file, what: "copied", .detail, "\(be)new")
    case .renamed(let old, let new, let isForClash):
      let words =
        isForClash
        ? "\(be)called \(new.visible), since the name is taken or not possible there"
        : "\(be)renamed to \(new.visible)"
      return Line(
        new, what: "renamed", with: ["from": .string(old.visible)], isForClash ? .news : .detail,
        known: old, words)
    case .folded(let file):
      return Line(
        file, what: "folded", .detail, "\(be)folded into its note, and moved to the trash")
    case .trashed(let file):
      let verb = dryRun ? "is deleted, and would be" : "deleted, and"
      return Line(file, what: "deleted", .news, "\(verb) moved to the trash")
    case .broughtBack(let file, let deleter, let author):
      let (who, whoDeleted) = (authorName(author ?? ""), authorName(deleter))
      let words =
        switch author {
        case nil: "\(whoDeleted) deleted it without knowing of later edits"
        case "": "it was edited after \(whoDeleted) deleted it"
        case deleter: "\(who) deleted it, and brought it back"
        default: "\(who) brought it back after \(whoDeleted) deleted it"
        }
      return Line(file, what: "brought-back", .news, "\(was) back; \(words)")
    case .joined(let file):
      return Line(
        file, what: "joined", .news,
        "its histories, which were started apart, \(dryRun ? "would be" : "are") one")
    case .recorded(let file, let count):
      return Line(
        file, what: "recorded", with: ["new_changes": .count(count)], .detail,
        "\(counted(count, "save")) \(be)recorded")
    case .taken(let file): return Line(file, what: "taken", .detail, "\(be)brought up to date")
    case .early(let file):
      return Line(file, what: "early", .notice, "waits for its history, which is not here yet")
    case .apart(let file, let reason):
      return Line(
        file, what: "apart", with: ["message": .string(reason)], .notice,
        "a conflict copy that was left alone: with it in the file \(reason); take over by hand what "
          + "is to stay, and delete it")
    case .tracked(let file): return Line(file, what: "tracked", .news, "new, and \(be)tracked")
    case .untracked(let file):
      return Line(
        file, what: "untracked", .notice,
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
        file, what: "restored", with: ["was": .string(restoration.rawValue)], .news,
        "its history \(words)")
    case .leftCopies(let folder, let files):
      let (looks, was) = files.count == 1 ? ("looks", "was") : ("look", "were")
      return Line(
        folder, what: "left-copies", with: ["files": array(files.map(\.visible))], .notice,
        "\(counted(files.count, "file")) \(looks) like a conflict copy of nothing that is there, and "
          + "\(was) left alone (\(firstNames(files)))")
    case .otherCopy(let file, let other, let folder):
      return Line(
        file, what: "other-copy", with: ["with": .string(other.visible)], .notice,
        otherCopyWords(of: other, in: folder))
    case .automerge(let folder, let files):
      return Line(
        folder, what: "automerge", with: ["files": array(files.map(\.visible))], .notice,
        automergeWords(files))
    case .leftOut(let folder, let files):
      let verb = files.count == 1 ? "is" : "are"
      return Line(
        folder, what: "left-out", with: ["files": array(files.map(\.visible))], .notice,
        "\(counted(files.count, "file")) \(verb) no tracked text, and \(verb) left as they are "
          + "(\(firstNames(files)))")
    case .redacted(let file, let texts):
      return Line(
        file, what: "redacted", with: ["texts": .array(texts.map(\.json))], .news,
        "a copy has redacted \(enumerated(texts.map(\.sentence)))")
    case .takenOut(let file, let lines):
      return Line(
        file, what: "taken-out", with: ["lines": array(lines)], .news,
        "\(counted(lines.count, "line")) \(be)taken out (\(preview(lines))); to see "
          + "\(lines.count == 1 ? "it" : "them"): pnmerge conflicts \(shellQuoted(file))")
    case .bothStand(let file, let lines):
      let verb = dryRun ? "would stand" : "stand"
      return Line(
        file, what: "both-stand", with: ["lines": array(lines)], .news,
        "both sides changed or deleted the same lines, and these \(verb) as well "
          + "(\(preview(lines))); delete what is too much")
    }
  }

  /// Some lines, as far as a person reads on.
  private func preview(_ lines: [String]) -> String {
    let first = lines.prefix(12).map { DocumentNode.text($0).preview }
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
func automergeWords(_ files: [FileName]) -> String {
  "\(counted(files.count, "Automerge document")) (\(firstNames(files))) "
    + "\(files.count == 1 ? "is" : "are") no note of the folder; 'merge', 'log' and others take "
    + "\(files.count == 1 ? "it" : "them") by name"
}
