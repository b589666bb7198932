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

    /// Whether nothing was written for it.
    var isIdle: Bool {
      switch self {
      case .early, .invalid, .untracked: true
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

  mutating func fail(_ failure: Failure) { failures.append(failure) }

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
      if event.isAlwaysSaid || console.isVerbose { try console.report(event.sentence(invocation)) }
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
    add("copied") { if case .copied = $0 { true } else { false } }
    add("renamed") { event in
      switch event {
      case .renamed, .renamedForClash: true
      default: false
      }
    }
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
    case .conflicts, .renamedForClash, .broughtBack, .trashed, .putBack, .early, .invalid,
      .untracked:
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
      return "\(file.visible): \(words); to see them: pnmerge conflicts \(shellQuoted(file))"
    case .copied(let file): return "\(file.visible): new"
    case .renamed(let old, let new): return "\(old.visible): renamed to \(new.visible)"
    case .renamedForClash(let old, let new):
      return "\(old.visible): called \(new.visible), since the name is taken or not possible there"
    case .folded(let file): return "\(file.visible): folded into its note, and moved to the trash"
    case .trashed(let file): return "\(file.visible): deleted, and moved to the trash"
    case .broughtBack(let file, let author):
      return "\(file.visible): is back; \(authorName(author)) deleted it without knowing of later "
        + "edits"
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
    case .broughtBack(let file, _): ["what": "brought-back", "file": .string(file.visible)]
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
    }
  }
}
