import Peernote
import PeernoteJSON

extension MergeOutcome {
  func report(_ invocation: Invocation) throws {
    let console = invocation.console
    try console.report("\(output.outputName): \(headline)")
    if leftOutCount > 0 {
      let names = enumerated(leftOut.map(\.description))
      let verb = hasChanged && !isWritten ? "would leave" : "left"
      try console.report(
        "  \(verb) out all changes by \(names), and those after them: \(leftOutCount)")
    }
    if console.isVerbose {
      for copy in copies { try console.report("  " + copy.line) }
    }
    if !console.isQuiet {
      let words = DivergenceWords(
        ours: "only here:", theirs: isWritten ? "came in:" : "would come in:",
        both: "changed on both sides:", here: "here", there: "there")
      try divergence?.report(words, invocation)
    }
    try invocation.report(conflicts, around: sentences)
    if let words = PnmergeCommands.conflictWords(arrived) {
      let them = arrived.count == 1 ? "it" : "them"
      let hint = "to see \(them): pnmerge conflicts \(shellQuoted(output))"
      try console.report("  of what others merged: \(words); \(hint)")
    }
    if console.isVerbose {
      try invocation.report(adjoining)
    } else if !adjoining.isEmpty {
      try console.report("  \(adjoiningWords(adjoining)); --verbose shows where")
    }
    for copy in copies {
      for text in copy.takenOut {
        try console.report("  \(copy.file.inputName) has redacted \(text.sentence)")
      }
    }
    for text in leftover { try console.report("  \(text.sentence)") }
    if let deletion { try console.report("  \(deletion.sentence(invocation))") }
    if hasChanged, let advice { try console.report("  \(advice)") }
    if isWritten, !conflicts.isEmpty, !isForeign, !output.isStandardStream {
      try console.report("  to settle: pnmerge resolve -i \(shellQuoted(output.shown))")
    }
    if isUndoable {
      try console.report("  to go back: pnmerge undo \(shellQuoted(output))")
    }
  }

  private var headline: String {
    let isDone = !hasChanged || isWritten
    func verb(_ done: String, _ would: String) -> String { isDone ? done : "would \(would)" }
    if copies.isEmpty { return hasChanged ? verb("written", "be written") : "held none of them" }
    let files =
      copies.count <= 3
      ? enumerated(copies.map(\.file.inputName)) : counted(copies.count, "copy")
    let isNew = result == .fastForward || result == .merged
    let isElsewhere = base != output
    if !isNew, hasChanged, !isElsewhere {
      if !leftOut.isEmpty { return "no new changes in \(files)" }
      if !output.isStandardStream {
        let what = isRedacted ? "what was redacted" : "optional sections"
        return "\(verb("took over", "take over")) \(what) in \(files); no new changes"
      }
    }
    let (first, count) = (base.inputName, counted(copies.count, "copy"))
    let conflicts = conflictWords(conflicts).map { "; " + $0 } ?? ""
    let news = "\(count): \(newChanges.summary)\(conflicts)"
    switch result {
    case .identical where isElsewhere:
      return "\(count) \(copies.count == 1 ? "is" : "are") the same as \(first)"
        + (isWritten ? "; written" : "")
    case .identical: return "same as \(files)"
    case .behind where isElsewhere:
      return (isWritten ? "written; the same as \(first), which" : first)
        + " had everything in \(files)"
    case .behind: return "already has everything in \(files)"
    case .fastForward:
      return "\(isElsewhere ? "\(first) " : "")\(verb("caught up", "catch up")) with \(news)"
    case .merged:
      return "\(verb("merged", "merge")) \(isElsewhere ? "\(first) and " : "")\(news)"
    }
  }
}

extension DocumentSummary.Deletion {
  fileprivate func sentence(_ invocation: Invocation) -> String {
    let mark = "deleted by \(authorName(author)), \(invocation.localText(time))"
    return isCurrent
      ? "marked as \(mark); 'tidy' moves it to the trash, an edit brings it back"
      : "kept: \(mark), and edited by who did not know that"
  }
}

extension Invocation {
  /// Conflicts shown before the rest is only counted, unless verbose.
  private static let shownConflicts = 20

  /// Lists what was decided, a line each, with what stands around it, by name.
  func report(_ conflicts: [Conflict], around: [String: PassageSentence] = [:]) throws {
    let shown = console.isVerbose ? conflicts[...] : conflicts.prefix(Self.shownConflicts)
    let width = min(shown.map { $0.place.count }.max() ?? 0, 36) + 4
    for conflict in shown {
      let gap = spaces(max(2, width - conflict.place.count))
      let sentence = conflict.sentence(self, around: around[conflict.id] ?? ("", ""))
      try console.report("  \(conflict.place, .bold)\(gap)\(sentence)")
    }
    if shown.count < conflicts.count {
      try console.report("  and \(conflicts.count - shown.count) more; --verbose shows all")
    }
  }
}

/// How many conflicts there are, and of which kinds: `3 conflicts (2 values, 1 passage)`; `nil` if none.
func conflictWords(_ conflicts: [Conflict]) -> String? {
  // The driver runs once for each file, and to make a dictionary takes time even where it is empty.
  let conflicts = conflicts.filter { !$0.isCombined }
  if conflicts.isEmpty { return nil }
  let counts = Dictionary(grouping: conflicts, by: \.words.kind).mapValues(\.count)
  let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  let words =
    conflicts.count == 1
    ? kinds[0].key : kinds.map { counted($0.value, $0.key) }.joined(separator: ", ")
  return "\(counted(conflicts.count, "conflict")) (\(words))"
}

/// At how many places lines that both sides changed adjoin.
func adjoiningWords(_ places: [Conflict]) -> String {
  "both sides changed lines next to each other at \(counted(places.count, "place"))"
}

extension TakenOutText {
  /// How much is gone, from where, and who had deleted it.
  var sentence: String { "\(words); \(scalars == 1 ? "it is" : "they are") gone here, too" }

  fileprivate var words: String {
    let place = path.map { "deleted from \($0.visible)" } ?? "in a removed text"
    return "\(counted(scalars, "character")) \(place) by \(authorNames(authors))"
  }
}

extension LeftoverText {
  /// Where it is left, and what to do about it.
  var sentence: String {
    switch self {
    case .shown(let path, let line?):
      "words that one copy redacted stand in \(path.visible), first on line \(line): somebody "
        + "wrote them anew; delete them there and redact again"
    case .shown(let path, nil):
      "words that one copy redacted stand in a reading of \(path.visible) that is not shown; "
        + "settle that passage and redact again"
    case .deleted(let text):
      "\(text.words) \(text.scalars == 1 ? "was" : "were") redacted in one copy, and this "
        + "deletion still keeps \(text.scalars == 1 ? "it" : "them"): redact again"
    }
  }
}

extension MergeOutcome.Copy {
  fileprivate var line: String {
    switch result {
    case .identical: "\(file.inputName): the same"
    case .behind: "\(file.inputName): nothing new"
    case .fastForward, .merged: "\(file.inputName): \(newChanges.summary)"
    }
  }
}

extension DocumentNode {
  /// The content on one line, cut.
  var preview: String { preview(limit: 60) }

  func preview(limit: Int) -> String {
    if let string { return quoted(string, limit: limit) }
    let text = String(decoding: json.bytes(), as: UTF8.self)
    let start = text.prefix(limit)
    return start.endIndex == text.endIndex ? text : start.dropLast() + "…"
  }
}

extension DocumentNode? {
  /// The content on one line, cut; a word for none.
  var preview: String { self?.preview ?? "nothing" }
}

extension Conflict.Side {
  /// Who wrote it, the last one first.
  var authors: [String] { [author] + otherAuthors }

  var names: String { authorNames(authors) }

  func signature(_ invocation: Invocation) -> String { invocation.signature(names, time) }
}
