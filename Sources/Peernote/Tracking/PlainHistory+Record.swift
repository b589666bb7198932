/// What a save of a plain file was.
///
/// A synchroniser delivers a file and its history apart and in either order, and a phone changes the
/// file alone. So a file may be older than its history, newer, or edited elsewhere and recorded there
/// already. These rules come from a simulation of random deliveries.
extension PlainHistory {
  /// What was found of a file.
  public enum Finding: Hashable, Sendable {
    /// It shows this version.
    case shows([ChangeID])
    /// It shows an old version that this machine has no memory of, and is behind.
    case behind
    /// It was made from a version that the history lacks: the file was delivered first.
    case early
    /// It was edited at this version, which became a change; it shows the version after it.
    case recorded(base: [ChangeID], [ChangeID])
  }

  /// A finding, and whether it was certain.
  public struct Recording: Hashable, Sendable {
    /// What was found.
    public var finding: Finding
    /// What may have been deleted, if the version that was edited had to be guessed.
    public var guess: PlainGuess?

    /// One that was certain.
    fileprivate init(_ finding: Finding) { self.finding = finding }

    /// One that had to be guessed, of a file that shows a version.
    fileprivate init(
      _ finding: Finding, guessedFrom file: PlainFile, showing heads: [ChangeID],
      known: [ChangeID]
    ) {
      self.finding = finding
      guess = PlainGuess(shown: heads, known: known, saved: file.saved)
    }
  }

  /// How long a version has to have been shown before a save, so that whoever saved has seen it, in
  /// milliseconds.
  private static let seenAfter: Int64 = 120_000
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
  /// - Returns: what was found.
  /// - Throws: ``DocumentError``, ``EditError`` or ``MergeError`` if the history takes more than the
  ///   limits.
  public mutating func record(
    _ file: PlainFile, memory: PlainMemory?, copies: [PlainFile]
  ) throws -> Recording {
    if let heads = file.base { return Recording(try record(file, madeFrom: heads)) }
    let versions = try PlainVersions(of: self)
    let known = memory.flatMap { memory in versions.known(memory.shown).map { (memory, $0) } }
    if let (memory, _) = known, memory.text.utf8.elementsEqual(file.text.utf8),
      abs(file.saved.milliseconds - Self.saveTime(memory.modified).milliseconds) < Self.tolerance
    {
      return Recording(.shows(memory.shown))
    }
    let floor = floor(of: file, known, hasCopies: !copies.isEmpty, versions)
    let matching = versions.versions(with: file.text)
    let excluded =
      copies
      .filter { $0.modified <= file.modified && !PlainVersions.isExtended($0.text, to: file.text) }
      .flatMap { versions.versions(with: $0.text) }
    let isFree: (PlainVersions.Version) -> Bool = { version in
      !excluded.contains { $0.changes.isSubset(of: version.changes) }
    }
    guard matching.isEmpty else {
      return try record(file, showing: matching, floor, known == nil, versions)
    }
    let isCertain = floor != nil && file.isSavedHere
    let preferred = floor == nil ? nil : memory?.shown
    let base =
      if let floor, isCertain {
        versions.base(of: file, preferring: memory?.shown, isCertain: true) {
          floor.changes.isSubset(of: $0.changes)
        }
      } else {
        versions.base(of: file, preferring: preferred, where: isFree)
          ?? versions.base(of: file, preferring: nil) { _ in true }
      }
    return try record(file, at: base, isCertain: isCertain, versions)
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
    // A person took something back.
    return Recording(try record(file, at: floor.heads, versions))
  }

  /// Records an edit of a version.
  private mutating func record(
    _ file: PlainFile, at base: PlainVersions.Version?, isCertain: Bool, _ versions: PlainVersions
  ) throws -> Recording {
    let known = document.heads
    let finding = try record(file, at: base?.heads ?? known, versions)
    guard !isCertain, case .recorded(_, let heads) = finding else { return Recording(finding) }
    return Recording(finding, guessedFrom: file, showing: heads, known: known)
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
  /// - Returns: what was found.
  /// - Throws: as ``record(_:memory:copies:)``.
  public mutating func record(
    copy: PlainFile, of file: PlainFile?, beside others: [PlainFile] = []
  ) throws -> Recording {
    if let heads = copy.base { return Recording(try record(copy, madeFrom: heads)) }
    let versions = try PlainVersions(of: self)
    if let version = versions.versions(with: copy.text).first {
      return Recording(
        .shows(version.heads), guessedFrom: copy, showing: version.heads, known: document.heads)
    }
    let partner = file.flatMap { file in
      file.modified < copy.modified || PlainVersions.isExtended(file.text, to: copy.text)
        ? nil
        : versions.versions(with: file.text).min { $0.changes.count < $1.changes.count }
    }
    let excluded = others.filter { !PlainVersions.isExtended($0.text, to: copy.text) }
      .flatMap { versions.versions(with: $0.text) }
    let base =
      versions.base(of: copy, preferring: nil) { version in
        !([partner].compactMap(\.self) + excluded).contains {
          $0.changes.isSubset(of: version.changes)
        }
      } ?? versions.base(of: copy, preferring: nil) { _ in true }
    return try record(copy, at: base, isCertain: false, versions)
  }

  private typealias Floor = (heads: [ChangeID], changes: SeenChanges)

  /// The version that whoever saved the file has seen at least; `nil` if that is not known.
  private func floor(
    of file: PlainFile, _ known: (PlainMemory, SeenChanges)?, hasCopies: Bool,
    _ versions: PlainVersions
  ) -> Floor? {
    guard let (memory, shown) = known, !hasCopies else { return nil }
    let isNewer =
      file.saved.milliseconds >= Self.saveTime(memory.modified).milliseconds || file.isSavedHere
    guard isNewer else { return nil }
    if file.saved.milliseconds >= memory.since.milliseconds + Self.seenAfter {
      return (memory.shown, shown)
    }
    return versions.known(memory.floor).map { (memory.floor, $0) }
  }

  /// Takes in a file that says which version it was made from.
  ///
  /// It shows that version, or one after it in which it was recorded elsewhere; else it was edited.
  private mutating func record(_ file: PlainFile, madeFrom heads: [ChangeID]) throws -> Finding {
    let versions = try PlainVersions(of: self, and: heads)
    guard let seen = versions.known(heads) else { return .early }
    let matching = versions.versions(with: file.text).filter { seen.isSubset(of: $0.changes) }
    for version in [versions.present.heads, heads]
    where matching.contains(where: { $0.heads == version }) {
      return .shows(version)
    }
    if let last = matching.max(by: { $0.changes.count < $1.changes.count }) {
      return .shows(last.heads)
    }
    return try record(file, at: heads, versions)
  }

  /// Records what a file holds as an edit of a version.
  private mutating func record(
    _ file: PlainFile, at base: [ChangeID], _ versions: PlainVersions
  ) throws -> Finding {
    let base = versions.visiblePart(of: base)?.heads ?? base
    var past = base == document.heads ? document : try document.late(version: base)
    let view = versions.view(of: past, base)
    try past.record(time: file.saved) { (editor) throws(EditError) in
      try editor.replaceText(with: file.text, seenAs: view)
    }
    let heads = past.heads
    try add(past)
    return .recorded(base: base, heads)
  }
}

extension Editor {
  /// Makes the file show another text.
  fileprivate mutating func replaceText(
    with text: String, seenAs view: PlainView
  ) throws(EditError) {
    let path = PlainHistory.path
    let edits = view.edits(to: text)
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

extension PlainVersions {
  /// The version that a file was edited at, as far as that can be told: among those older than the
  /// save the one from which it takes the fewest deletions of what stands in the file today, or
  /// would settle though the file did not show it, then the fewest deletions at all, then the
  /// preferred one, then that from which it deletes the shortest text, then that from which it takes
  /// the fewest insertions, then the one with the fewest changes.
  ///
  /// Edits are counted in words and signs: a long word is deleted as easily as a short one.
  fileprivate func base(
    of file: PlainFile, preferring preferred: [ChangeID]?, isCertain: Bool = false,
    where isAllowed: (Version) -> Bool
  ) -> Version? {
    typealias Key = (Int64, [Int])
    var best: (key: Key, version: Version)?
    for version in versions where isAllowed(version) {
      let isLate = version.time >= file.saved
      let text = marked(file.text, as: version)
      let edits = Self.editCounts(from: version.text, to: text, standing: standing(of: version))
      // The earliest of those that are no older.
      let late = isLate ? version.time.milliseconds : .min
      let key: Key = (
        late,
        [
          edits.deletedStanding + (isCertain ? 0 : settledCount(of: version, by: edits.places)),
          edits.deleted, version.heads == preferred ? 0 : 1,
          edits.deletedLetters, edits.inserted, version.changes.count,
        ]
      )
      if let found = best {
        let isFirst =
          key == found.key
          ? version.heads.lexicographicallyPrecedes(found.version.heads)
          : key.0 < found.key.0
            || key.0 == found.key.0 && key.1.lexicographicallyPrecedes(found.key.1)
        guard isFirst else { continue }
      }
      best = (key, version)
    }
    return best?.version
  }

  /// Whether all words of a text stand in another one: then that was made from it, though a
  /// synchroniser says that they were written apart.
  fileprivate static func isExtended(_ old: String, to new: String) -> Bool {
    editCounts(from: old, to: new).deleted == 0
  }

  /// How many words of readings that a version did not show its edits in some places would settle.
  private func settledCount(of version: Version, by edits: [Range<Int>]) -> Int {
    let met = version.hidden.filter { passage in
      edits.contains {
        $0.lowerBound <= passage.place.upperBound && passage.place.lowerBound <= $0.upperBound
      }
    }
    if met.isEmpty || visiblePart(of: version.heads) != nil { return 0 }
    return met.reduce(0) { $0 + Self.tokens($1.text.unicodeScalars).count }
  }

  /// For each word and sign of a text how many scalars it has.
  private static func tokens(_ text: some Sequence<Unicode.Scalar>) -> [Int32] {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text)
    let bytes = Array(String(view).utf8)
    return Tokens.words(bytes, in: bytes.indices).weights.filter { $0 > 0 }
  }

  private typealias EditCounts = (
    deletedStanding: Int, deleted: Int, inserted: Int, deletedLetters: Int, places: [Range<Int>]
  )

  /// How many words and signs go and come where one text becomes another, how many scalars go, and
  /// where; of what goes also how much stands in the file today, going by each scalar of the old
  /// text: all of it where that is not known.
  private static func editCounts(
    from old: String, to new: String, standing: [Bool]? = nil
  ) -> EditCounts {
    let scalars = Array(old.unicodeScalars)
    var result: EditCounts = (0, 0, 0, 0, [])
    for splice in TextDifference(from: old, to: new).splices {
      let places = splice.position..<splice.position + splice.deleted
      result.places.append(places)
      let deleted = tokens(scalars[places])
      result.deleted += deleted.count
      result.deletedStanding +=
        standing.map { standing in
          tokens(places.lazy.filter { standing[$0] }.map { scalars[$0] }).count
        } ?? deleted.count
      result.inserted += tokens(splice.inserted.unicodeScalars).count
      result.deletedLetters += Int(deleted.reduce(0, +))
    }
    return result
  }
}
