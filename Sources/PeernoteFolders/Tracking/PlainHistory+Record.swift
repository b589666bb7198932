package import PeernoteEngine
import PeernoteMerging

/// What a save of a plain file was.
///
/// A synchroniser delivers a file and its history apart and in either order, and a phone changes the
/// file alone. So it has to be told from the text which version a save was made from, unless the file
/// says so.
extension PlainHistory {
  /// What was found of a file.
  package struct Recording: Hashable, Sendable {
    /// The version that it shows; `nil` if it names one that the history lacks: the file was delivered
    /// first.
    package var shown: [ChangeID]?
    /// The version that was edited, if that became a change.
    package var base: [ChangeID]?
    /// What the save lacks of that, if it was told by the text alone which version was edited.
    package var takenOut: TakenOutLines?
  }

  /// Takes in a plain file, and says what was found.
  ///
  /// The version that was edited is none older than the one that the file names, or, if it names none,
  /// than what this machine has shown there, unless a conflict copy lies beside the file. It is a
  /// version that was shown with just this text, or else the one with the least cost, see
  /// ``PlainVersions``: a machine without this program goes on to name the version from which it edits
  /// for the second time. A text of before is a return to it. The change follows from the version, the
  /// text and the time of the save, to two seconds, so that two machines which record one save make one
  /// change. It names nobody: only one of them may know who saved.
  ///
  /// `memory` is what this machine has shown there; `nil` if that is not known. Throws
  /// ``EditError/redacted(_:line:)`` if the text may hold what was redacted since, and
  /// ``DocumentError``, ``EditError`` or ``MergeError`` if the history takes more than the limits.
  package mutating func record(
    _ file: PlainFile, memory: PlainMemory?, hasCopies: Bool = false
  ) throws -> Recording {
    let named = file.base
    if let named, !document.has(named) { return Recording() }
    if named == nil, let memory, memory.text.utf8.elementsEqual(file.text.utf8),
      document.has(memory.shown)
    {
      return Recording(shown: memory.shown)
    }
    if text.utf8.elementsEqual(file.text.utf8) { return Recording(shown: document.heads) }
    let floor = named ?? (hasCopies ? [] : memory.map(\.shown) ?? [])
    // Nobody can have seen anything else.
    if !floor.isEmpty, floor == document.heads {
      return try record(file, at: floor, text, isGuess: named == nil && !file.isSavedHere)
    }
    let versions = try PlainVersions(of: self, from: floor)
    if let found = try versions.shown(file.text, orOlder: named == nil) {
      if !found.isOlder { return Recording(shown: found.heads) }
      let shown = versions.versions.first { $0.heads == floor }
      if let shown { return try record(file, at: floor, versions.known(shown), isGuess: true) }
    }
    try versions.checkRedacted(in: file.text)
    let base = versions.base(of: file.text, naming: named) { _ in true } ?? versions.present
    return try record(file, at: base.heads, versions.known(base), isGuess: named == nil)
  }

  /// What came of a conflict copy.
  package enum CopyFinding: Hashable, Sendable {
    /// The history has all of it, so that it is needed no more; the lines that it took out, which
    /// whoever wrote it may never have seen, and those of it that stand beside others, of which nobody
    /// knows which are newer.
    case taken(TakenOutLines? = nil, beside: [String] = [])
    /// It names a version that the history lacks.
    case early
    /// A line of it, from 1, cannot be told from text that was redacted since.
    case redacted(line: Int)
    /// The file would be this with it, which those that it is for could not read.
    case invalid(String)
  }

  /// Takes in conflict copies of the file, and says what was found of each.
  ///
  /// Each was edited apart from the file, and so at no version that has all edits of the text that the
  /// file shows. If all do, or it has next to nothing of the others, it is from before the history began,
  /// and its lines come in beside those that stand there.
  ///
  /// Some walks over the history, and one for each version that a copy was made from. The file
  /// shows the version with the heads `shown`; they are empty if that is not known. Throws as
  /// ``record(_:memory:hasCopies:)``.
  package mutating func record(
    copies: [PlainFile], besideFile shown: [ChangeID], as form: PlainForm
  ) throws -> [CopyFinding] {
    if copies.isEmpty { return [] }
    let versions = try PlainVersions(of: self, from: [], with: copies.compactMap(\.base))
    let file = shown.isEmpty ? nil : versions.edits(of: shown)
    var pasts: [[ChangeID]: Document] = [:]
    var edited: [Document] = []
    var trial = document
    func finding(of copy: PlainFile) throws -> CopyFinding {
      if copy.base == nil, try versions.shown(copy.text) != nil { return .taken() }
      let named = copy.base.flatMap(versions.events)
      if copy.base != nil, named == nil { return .early }
      let base = versions.base(of: copy.text, naming: copy.base, orNone: copy.base == nil) {
        version in
        if version.heads == copy.base { return true }
        return (named?.isSubset(of: version.events) ?? true)
          && !(file?.isSubset(of: version.events) ?? false)
      }
      let heads = (base ?? versions.versions.last ?? versions.present).heads
      var past = try pasts[heads] ?? document.late(version: heads)
      pasts[heads] = past
      var (text, beside) = (copy.text, [String]())
      if base == nil {
        var isNews = false
        let known = past.bodyText
        let united = known.unitedByLines(with: text, comparing: \.withoutEnd) { lines, others in
          isNews = true
          if lines.contains(where: { !$0.isBlank && versions.present.lines[$0] != nil }) {
            beside += others.filter { !$0.isBlank }.map(\.withoutCarriageReturn)
          }
        }
        text = isNews ? united : known
      }
      do throws(EditError) {
        try versions.checkRedacted(in: copy.text, from: named)
        try past.record(text, time: copy.saved)
      } catch {
        guard case .redacted(_, let line) = error else { throw error }
        return .redacted(line: line)
      }
      if form.structuredLines(self.text) > 0 {
        var next = trial
        _ = try next.merge(past)
        // It has to be a side that can be read; with what cannot be read yet it is settled.
        let results = form.isValid(self.text) ? [next, past] : [past]
        if let result = results.map(\.bodyText).first(where: { !form.isValid($0) }) {
          return .invalid(result)
        }
        trial = next
      }
      edited.append(past)
      let lines = copy.base == nil ? base.map { versions.doubtful($0, lackedBy: text) } ?? [] : []
      let left = TakenOutLines(heads: past.heads, base: shown, saved: copy.modified, lines: lines)
      return .taken(left.orNone, beside: beside)
    }
    let findings = try copies.map(finding)
    if !edited.isEmpty { _ = try document.merge(edited) }
    return findings
  }

  /// Records what a file holds as an edit of a version, which had a text.
  private mutating func record(
    _ file: PlainFile, at base: [ChangeID], _ text: String, isGuess: Bool,
    settling contested: [Conflict] = []
  ) throws -> Recording {
    let made = try document.changing(at: base) { past in
      try past.record(file.text, settling: contested, time: file.saved)
      return past.heads
    }
    if made.result == base { return Recording(shown: base) }
    let left = TakenOutLines(
      heads: made.result, base: base, saved: file.modified,
      lines: isGuess ? text.linesMissing(in: file.text) : [])
    return Recording(shown: made.result, base: base, takenOut: left.orNone)
  }

  /// Takes in a file that was put there together with the history, as git does.
  ///
  /// It was made from all that the history has. So what is contested there is settled as the file has
  /// it, and nothing has to be guessed.
  package mutating func record(together file: PlainFile) throws -> Recording {
    try record(
      file, at: document.heads, text, isGuess: false, settling: document.contestedPassages)
  }

  /// Whether the file has shown a text, going by the history.
  package func hasShown(_ text: String) throws -> Bool {
    try PlainVersions(of: self, from: document.heads).shown(text) != nil
  }
}
