/// What a save of a plain file was.
///
/// A synchroniser delivers a file and its history apart and in either order, and a phone changes the
/// file alone. So a file may be older than its history, newer, or edited elsewhere and recorded there
/// already. These rules come from a simulation of random deliveries.
extension PlainHistory {
  /// How far two times of one save may be apart, in milliseconds.
  private static let tolerance: Int64 = 2000

  /// Takes in a plain file.
  ///
  /// The change that records an edit follows from the base, the text and the time of the save, to
  /// two seconds, so that two machines which record one save make one change.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - memory: what this machine remembers; `nil` if that is nothing.
  ///   - copies: the conflict copies beside it.
  ///   - guesses: what this machine had to guess of earlier saves.
  /// - Returns: what was found.
  /// - Throws: ``DocumentError``, ``EditError`` or ``MergeError`` if the history takes more than the
  ///   limits.
  public mutating func record(
    _ file: PlainFile, memory: PlainMemory?, copies: [PlainFile], after guesses: [PlainGuess] = []
  ) throws -> Recording {
    if let heads = file.base {
      return try record(file, madeFrom: heads, memory, isAlone: copies.isEmpty)
    }
    let versions = try PlainVersions(of: self)
    let known = memory.flatMap { memory in versions.known(memory.shown).map { (memory, $0) } }
    if let (memory, _) = known, memory.text.utf8.elementsEqual(file.text.utf8),
      isSameSave(memory.modified, file)
    {
      return Recording(.shows(memory.shown))
    }
    // A synchroniser gives the name of a copy to the file of this machine, or to another one's.
    let mayBeOthers = copies.contains { copy in
      guard file.isSavedHere, let memory else { return true }
      return !versions.isOfOthers(copy, than: memory.floor)
    }
    let floor = floor(of: file, known, mayBeOthers: mayBeOthers, versions)
    let matching = versions.versions(
      with: file.text, knowing: memory.map { ($0.shown, $0.text) })
    let excluded =
      copies
      .filter { $0.modified <= file.modified && !PlainVersions.isExtended($0.text, to: file.text) }
      .flatMap { versions.versions(with: $0.text) }
    // It only looks like this one, of which it is known what was redacted.
    let unlike = versions.versions(with: file.text).map(\.heads)
      .filter { heads in !matching.contains { $0.heads == heads } }
    let isFree: (PlainVersions.Version) -> Bool = { version in
      !unlike.contains(version.heads)
        && !excluded.contains { $0.changes.isSubset(of: version.changes) }
    }
    guard matching.isEmpty else {
      if copies.isEmpty, let memory,
        isSavedAgain(file, memory, as: matching, after: guesses, versions)
          || isTakenBack(file, memory, as: matching, versions)
      {
        var result = try record(file, at: memory.shown, versions)
        // Of what is contested the other reading is there now, which is said.
        if result.undone == nil, !file.isSavedHere, versions.present.isPlain,
          let old = matching.first, case .recorded(_, let heads) = result.finding
        {
          result.undone = PlainGuess(
            shown: heads, known: old.heads, saved: file.saved, base: memory.shown, isUndone: true)
        }
        return result
      }
      return try record(file, showing: matching, floor, known == nil, versions)
    }
    var preferred = floor == nil ? nil : memory?.shown
    if let floor, file.isSavedHere {
      let base = versions.base(of: file, preferring: preferred, isCertain: true) {
        floor.changes.isSubset(of: $0.changes) && !unlike.contains($0.heads)
      }
      let older = base.flatMap { versions.earlierBase(of: file, than: $0, where: isFree) }
      let lacksSaves =
        if let base, let older { versions.lacksSaves(file, of: base, since: older) } else { false }
      if !lacksSaves {
        let seen = memory.flatMap { versions.changesShown(at: $0.floor) }
        let known = document.heads
        var result = try record(file, at: base, isCertain: true, versions, having: seen)
        if result.guess == nil, case .recorded(_, let heads) = result.finding,
          !text.utf8.elementsEqual(file.text.utf8)
        {
          // A reading that the file did not show stands in the place of one that was deleted.
          result.guess = PlainGuess(shown: heads, known: known, saved: file.saved, base: nil)
        }
        if result.undone == nil, let base, let older,
          versions.mayLackSaves(file, of: base, since: older),
          case .recorded(_, let heads) = result.finding
        {
          result.undone = PlainGuess(
            shown: heads, known: older.heads, saved: file.saved, base: base.heads, isUndone: true)
        }
        return result
      }
      preferred = nil
    }
    guard !versions.isForeign(file.text),
      let base = versions.base(of: file, preferring: preferred, where: isFree)
    else { return try record(unknown: file, versions) }
    return try record(file, guessedAt: base, versions)
  }

  /// Takes in a file that was made from a version as far as that can be told.
  ///
  /// One that only brings what stands in the file today is an earlier save of it. It is recorded, since
  /// later files may be edits of it, unless what stands there would come twice, or otherwise, or be
  /// contested.
  private mutating func record(
    _ file: PlainFile, guessedAt base: PlainVersions.Version, _ versions: PlainVersions
  ) throws -> Recording {
    guard versions.presentHolds(all: file, madeFrom: base) else {
      return try record(file, at: base, isCertain: false, versions)
    }
    var recorded = self
    let recording = try recorded.record(file, at: base, isCertain: false, versions)
    if recorded.text.utf8.elementsEqual(text.utf8),
      recorded.document.conflicts.count <= document.conflicts.count
    {
      self = recorded
      return recording
    }
    var result = Recording(.behind)
    let kept = versions.missingLines(of: file, among: versions.versions)
    if !kept.isEmpty {
      result.guess = PlainGuess(
        shown: document.heads, known: document.heads, saved: file.saved, base: nil,
        kept: kept.map(String.init).sorted())
    }
    return result
  }

  /// Takes in a file that was made from none of the versions, as one from before the history began.
  ///
  /// What it lacks may never have been seen by whoever wrote it: all lines stay. But where something
  /// was redacted it counts as an edit of the version that it is most like: a line that comes in
  /// beside one that stays could not be told from what was redacted.
  private mutating func record(unknown file: PlainFile, _ versions: PlainVersions) throws
    -> Recording
  {
    let known = document.heads
    let base = versions.base(of: file, preferring: nil, where: { _ in true })
    guard let base, !versions.areRedacted else {
      return try record(file, at: base, isCertain: false, versions)
    }
    let union = PlainDifference.united(base.text, file.text)
    var whole = file
    whole.text = union.text
    var result = Recording(.behind)
    var shown = base.heads
    if !union.text.utf8.elementsEqual(base.text.utf8) {
      result = try record(whole, at: base, isCertain: false, versions)
      if case .recorded(_, let heads) = result.finding { shown = heads }
    }
    result.guess = PlainGuess(
      shown: shown, known: known, saved: file.saved, base: nil, kept: union.kept)
    return result
  }

  /// Whether a file was saved with an older text for the second time: the first time it was not known
  /// that this was meant, so that the file was written again with all that came in since.
  private func isSavedAgain(
    _ file: PlainFile, _ memory: PlainMemory, as matching: [PlainVersions.Version],
    after guesses: [PlainGuess], _ versions: PlainVersions
  ) -> Bool {
    (file.isSavedHere || memory.wasSeen(before: file)) && memory.shown == document.heads
      && guesses.contains { guess in
        !guess.isUndone && guess.saved < file.saved
          && matching.contains { $0.heads == guess.shown }
          && versions.seen.heads(of: guess.known + guess.shown) == memory.shown
      }
  }

  /// Whether a file from elsewhere, with an older text, was saved by somebody who has seen the present
  /// one: that has stood here for minutes when the file was saved, and a synchroniser puts what was
  /// saved apart from it beside it.
  private func isTakenBack(
    _ file: PlainFile, _ memory: PlainMemory, as matching: [PlainVersions.Version],
    _ versions: PlainVersions
  ) -> Bool {
    !file.isSavedHere && memory.shown == document.heads && memory.wasSeen(before: file)
      && versions.present.time < file.saved
      && !matching.contains { $0.heads == versions.present.heads }
  }

  /// Takes in a file that shows one of these versions.
  private mutating func record(
    _ file: PlainFile, showing matching: [PlainVersions.Version], _ floor: Floor?,
    _ isUnknown: Bool, _ versions: PlainVersions
  ) throws -> Recording {
    if matching.contains(where: { $0.heads == versions.present.heads }) {
      return Recording(.shows(versions.present.heads))
    }
    let newest = { (versions: [PlainVersions.Version]) in
      versions.max { $0.changes.count < $1.changes.count }
    }
    // Whoever saved it elsewhere may not have seen what came since.
    guard let floor, file.isSavedHere else {
      let shown = newest(matching)?.heads ?? []
      return Recording(
        .behind, guessedFrom: file, showing: shown, known: document.heads)
    }
    if let newest = newest(matching.filter { floor.changes.isSubset(of: $0.changes) }) {
      return Recording(
        isUnknown ? .behind : .shows(newest.heads), guessedFrom: file, showing: newest.heads,
        known: document.heads)
    }
    // A person took something back, or wrote an old copy over the file.
    let known = document.heads
    var result = guessed(
      try record(file, at: floor.heads, versions), of: file, known: known,
      isCertain: known == floor.heads)
    if result.undone == nil, let old = newest(matching),
      case .recorded(_, let heads) = result.finding,
      let seen = versions.versions.first(where: { $0.heads == floor.heads }),
      let written = versions.changes(of: seen),
      versions.saves(of: seen, notIn: old).intersection(written).count > 1
    {
      result.undone = PlainGuess(
        shown: heads, known: old.heads, saved: file.saved, base: floor.heads, isUndone: true)
    }
    return result
  }

  /// Records an edit of a version.
  private mutating func record(
    _ file: PlainFile, at base: PlainVersions.Version?, isCertain: Bool, _ versions: PlainVersions,
    having seen: SeenChanges? = nil
  ) throws -> Recording {
    let known = document.heads
    let base = base?.heads ?? known
    return guessed(
      try record(file, at: base, versions, having: seen), of: file, known: known,
      isCertain: isCertain && base == known)
  }

  /// A recording of an edit; whoever made it may have seen more than the version that it is one of.
  private func guessed(
    _ recording: Recording, of file: PlainFile, known: [ChangeID], isCertain: Bool
  ) -> Recording {
    guard !isCertain, case .recorded(_, let heads) = recording.finding else { return recording }
    var result = recording
    result.guess = PlainGuess(shown: heads, known: known, saved: file.saved, base: file.base)
    return result
  }

  /// Whether the file has shown a text, going by the history.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func hasShown(_ text: String) throws(DocumentError) -> Bool {
    try !PlainVersions(of: self).versions(with: text).isEmpty
  }

  /// Takes in a conflict copy of the file, which is needed no more then.
  ///
  /// - Parameters:
  ///   - copy: the copy.
  ///   - file: the file beside it; `nil` if there is none.
  ///   - others: the other copies, which nobody had seen who wrote this one.
  ///   - cameUnderOtherName: whether it is a file that came under a name which this one had before,
  ///     not one that a synchroniser put aside.
  /// - Returns: what was found.
  /// - Throws: as ``record(_:memory:copies:after:)``; ``EditError/redacted(_:line:)`` if a line cannot
  ///   be told from text that was redacted since.
  public mutating func record(
    copy: PlainFile, of file: PlainFile?, beside others: [PlainFile] = [],
    cameUnderOtherName: Bool = false
  ) throws -> Recording {
    if let heads = copy.base { return try record(copy, madeFrom: heads, nil, isAlone: false) }
    let versions = try PlainVersions(of: self)
    if let version = versions.versions(with: copy.text).first {
      return Recording(
        .shows(version.heads), guessedFrom: copy, showing: version.heads, known: document.heads)
    }
    // It may be an edit of any version, and what was redacted is not to come back.
    for version in versions.versions {
      if let line = versions.doubtfulLine(of: copy.text, as: version) {
        throw EditError.redacted(Self.path, line: line)
      }
    }
    let partner = file.flatMap { file in
      file.modified < copy.modified || PlainVersions.isExtended(file.text, to: copy.text)
        ? nil
        : versions.versions(with: file.text).min { $0.changes.count < $1.changes.count }
    }
    let excluded = others.filter { !PlainVersions.isExtended($0.text, to: copy.text) }
      .flatMap { versions.versions(with: $0.text) }
    let base = versions.base(of: copy, preferring: nil) { version in
      !([partner].compactMap(\.self) + excluded).contains {
        $0.changes.isSubset(of: version.changes)
      }
    }
    // Whoever has seen the first version, which the file shows, has no copy beside it.
    let isFirst =
      !cameUnderOtherName && base?.changes.count == 1
      && file?.text.utf8.elementsEqual(base?.text.utf8 ?? "".utf8) == true
    guard let base, !isFirst, !versions.isForeign(copy.text) else {
      return try record(unknown: copy, versions)
    }
    return try record(copy, guessedAt: base, versions)
  }

  private typealias Floor = (heads: [ChangeID], changes: SeenChanges)

  /// The version that whoever saved the file has seen at least; `nil` if that is not known, as of a
  /// file that may have taken the place of the one that was here.
  private func floor(
    of file: PlainFile, _ known: (PlainMemory, SeenChanges)?, mayBeOthers: Bool,
    _ versions: PlainVersions
  ) -> Floor? {
    guard let (memory, shown) = known, !mayBeOthers else { return nil }
    let isNewer =
      file.saved.milliseconds >= memory.modified.ofSave.milliseconds || file.isSavedHere
    guard isNewer else { return nil }
    if memory.wasSeen(before: file) { return (memory.shown, shown) }
    return versions.known(memory.floor).map { (memory.floor, $0) }
  }

  /// Takes in a file that says which version it was made from.
  ///
  /// It shows that version, or one after it in which it was recorded elsewhere; else it was edited.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - heads: that version.
  ///   - memory: what this machine remembers of the file; `nil` if that is nothing.
  ///   - isAlone: whether it is the file itself, without conflict copies.
  /// - Returns: what was found.
  /// - Throws: as ``record(_:memory:copies:after:)``.
  private mutating func record(
    _ file: PlainFile, madeFrom heads: [ChangeID], _ memory: PlainMemory?, isAlone: Bool
  ) throws -> Recording {
    let versions = try PlainVersions(of: self, and: heads)
    guard let seen = versions.known(heads) else { return Recording(.early) }
    let known = document.heads
    let matching = versions.versions(with: file.text).filter { seen.isSubset(of: $0.changes) }
    let shown =
      matching.first { $0.heads == versions.present.heads } ?? matching.first { $0.heads == heads }
      ?? matching.max { $0.changes.count < $1.changes.count }
    guard let shown else {
      return guessed(
        try record(file, at: heads, versions), of: file, known: known,
        isCertain: file.isSavedHere && memory?.shown == heads && isAlone)
    }
    // Else somebody saved it who may have gone back to it.
    let isKnown =
      shown.heads == heads
      ? memory?.shown == heads && memory.map { isSameSave($0.modified, file) } == true
      : shown.heads.contains { name in
        document.changes.contains { $0.id == name && isSameSave($0.time, file) }
      }
    return isKnown
      ? Recording(.shows(shown.heads))
      : Recording(
        .shows(shown.heads), guessedFrom: file, showing: shown.heads, known: known, base: heads)
  }

  /// Whether a file was saved at a time, as far as file systems keep that.
  private func isSameSave(_ time: Timestamp, _ file: PlainFile) -> Bool {
    abs(file.saved.milliseconds - time.ofSave.milliseconds) < Self.tolerance
  }

  /// Records what a file holds as an edit of a version.
  ///
  /// Of what is contested the file shows one reading: an edit of that is one of a version that has
  /// no other; where there is none, the readings that it settles are listed. But whoever writes
  /// something else in its place has decided over the readings that they wrote, or had before them
  /// when they last saved: those of the known changes.
  private mutating func record(
    _ file: PlainFile, at base: [ChangeID], _ versions: PlainVersions,
    having known: SeenChanges? = nil
  ) throws -> Recording {
    let known = versions.changes(ofBothReadingsIn: file.text, at: base) ?? known
    let seen = known.flatMap { versions.decides(file.text, at: base, having: $0) ? $0 : nil }
    let base = seen == nil ? versions.visiblePart(of: base)?.heads ?? base : base
    var past = base == document.heads ? document : try document.late(version: base)
    let view = versions.view(of: past, base)
    var edits = view.edits(to: file.text)
    let (parts, settled) = try versions.takeReadingEdits(
      from: &edits, of: past, base, in: document, having: seen)
    var heads = base
    if parts.isEmpty || !edits.isEmpty {
      try past.record(time: file.saved) { (editor) throws(EditError) in
        try editor.edit(edits)
      }
      heads = past.heads
      try add(past)
    }
    for var part in parts {
      try part.past.record(time: file.saved) { (editor) throws(EditError) in
        try editor.edit(part.edits)
      }
      heads += part.past.heads
      try add(part.past)
    }
    let shown = parts.isEmpty ? heads : SeenHistory(of: document).heads(of: heads)
    var result = Recording(.recorded(base: base, shown))
    if !settled.isEmpty {
      result.undone = PlainGuess(
        shown: shown, known: base, saved: file.saved, base: base, isUndone: true, kept: settled)
    }
    return result
  }
}

extension Editor {
  /// Edits what the file shows.
  fileprivate mutating func edit(_ edits: [ShownEdit]) throws(EditError) {
    let path = PlainHistory.path
    let container = try container(at: path, .text)
    // What was redacted is found again by what stands beside it in the whole text.
    if redactionMarker != nil {
      let whole = shownText(of: container).applying(edits)
      return try replaceText(at: path, with: whole.string)
    }
    try Self.performing(path) { () throws(HistoryError) in try editShown(container, edits) }
  }
}

extension TextBuffer {
  /// The text after some edits, which ascend.
  fileprivate func applying(_ edits: [Editor.ShownEdit]) -> TextBuffer {
    var result = TextBuffer()
    var place = TextPlace()
    for edit in edits {
      result.append(self, from: place, to: self.place(ofScalar: edit.deleted.lowerBound))
      result.append(edit.inserted)
      place = self.place(ofScalar: edit.deleted.upperBound)
    }
    result.append(self, from: place, to: end)
    return result
  }
}
