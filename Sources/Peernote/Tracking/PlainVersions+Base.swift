/// Which version a file was made from, where nothing says it.
extension PlainVersions {
  /// The version that a file was edited at, as far as that can be told: among those older than the
  /// save the one from which it takes the fewest deletions of what stands in the file today, or
  /// would bring back of deleted lines while it deletes others, or settle though the file did not
  /// show it, then the fewest deletions at all, then the preferred one, then that from which it
  /// deletes the shortest text, then that from which it takes the fewest insertions, then the one
  /// with the fewest changes.
  ///
  /// Words that a version lacks though the file puts them right count as deleted from it, too; those of
  /// lines that it lacks though they stand in the file today count among the deletions at all.
  ///
  /// Edits are counted in words and signs: a long word is deleted as easily as a short one. But a
  /// line that a version had before and has no more was not made of another one that is like it:
  /// from there all of that is deleted, and the line is inserted.
  func base(
    of file: PlainFile, preferring preferred: [ChangeID]?, isCertain: Bool = false,
    where isAllowed: (Version) -> Bool
  ) -> Version? {
    typealias Key = (Int64, [Int])
    var best: (key: Key, version: Version)?
    let all = versions.filter(isAllowed)
    // Whoever wrote a reading beside the one that the file showed has seen both.
    let contested = all.filter { !$0.readings(besideShownIn: file.text).isEmpty }
    let possible = contested.isEmpty ? all : contested
    // Of what cannot be told from redacted text nothing can be recorded.
    let clear = possible.filter { doubtfulLine(of: file.text, as: $0) == nil }
    let allowed = clear.isEmpty ? possible : clear
    let returned = returnedLines(of: file.text, since: allowed)
    let missing = missingLines(of: file, among: allowed)
    for (version, returned) in zip(allowed, returned) {
      let isLate = version.time >= file.saved
      let text = marked(file.text, as: version)
      let edits = Self.editCounts(
        from: version.text, to: text, standing: standing(of: version), returned: returned)
      // The earliest of those that are no older.
      let late = isLate ? version.time.milliseconds : .min
      let key: Key = (
        late,
        [
          edits.deletedStanding + (edits.deleted == 0 ? 0 : Self.wordCount(of: returned))
            + (isCertain ? 0 : settledCount(of: version, by: edits.places))
            + Self.correctedCount(by: file.text, since: version, of: missing),
          edits.deleted + broughtInCount(of: file.text, since: version),
          version.heads == preferred ? 0 : 1,
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

  /// The version without the last saves of another one that a file would be an edit of if whoever
  /// saved it had not seen them; `nil` if there is none.
  func earlierBase(
    of file: PlainFile, than version: Version, where isAllowed: (Version) -> Bool
  ) -> Version? {
    let older = base(
      of: file, preferring: nil,
      where: { isAllowed($0) && !version.changes.isSubset(of: $0.changes) })
    return older.flatMap { $0.time < file.saved ? $0 : nil }
  }

  /// Whether a file that was saved here has nothing of some saves of the version that it would be an
  /// edit of, though it has all of an earlier one without them.
  ///
  /// Then the file of another machine that lacks them took its place, and was edited before it was
  /// looked at. Whoever takes back one save, and writes at one place, has done just that.
  func lacksSaves(_ file: PlainFile, of version: Version, since older: Version) -> Bool {
    let edits = Self.editCounts(from: older.text, to: marked(file.text, as: older))
    let saves = saves(of: version, notIn: older)
    guard edits.deleted == 0, saves.count > 1 || saves.count == 1 && edits.places.count > 1 else {
      return false
    }
    return goneSaves(file, of: version, since: older) != nil
  }

  /// Whether a file that was saved here has nothing of some saves of the version that it is an edit
  /// of, and lacks something older or was edited elsewhere, too: then it may as well be an edit of an
  /// earlier version without them, which deletes less.
  func mayLackSaves(_ file: PlainFile, of version: Version, since older: Version) -> Bool {
    guard older.changes.isSubset(of: version.changes),
      let gone = goneSaves(file, of: version, since: older)
    else { return false }
    let edits = Self.editCounts(from: older.text, to: marked(file.text, as: older))
    let own = Self.editCounts(from: version.text, to: marked(file.text, as: version))
    if edits.deleted >= own.deleted { return false }
    return edits.deleted > 0
      || own.places.contains { place in
        !gone.contains { place.lowerBound - 1 <= $0 && $0 <= place.upperBound }
      }
  }

  /// Whether a conflict copy has nothing of the last saves of a version, though it has all of an
  /// earlier one without them: then it was not written where that version was shown.
  func isOfOthers(_ copy: PlainFile, than heads: [ChangeID]) -> Bool {
    guard let version = versions.first(where: { $0.heads == heads }),
      let older = earlierBase(of: copy, than: version, where: { _ in true }),
      older.changes.isSubset(of: version.changes),
      Self.editCounts(from: older.text, to: marked(copy.text, as: older)).deleted == 0
    else { return false }
    return goneSaves(copy, of: version, since: older).map { !$0.isEmpty } ?? false
  }

  /// Where the text stands in a version that some saves brought in which an earlier one lacks, in
  /// scalars; `nil` if a file has a letter or digit of it, or if that is not known.
  private func goneSaves(
    _ file: PlainFile, of version: Version, since older: Version
  ) -> [Int]? {
    guard let changes = changes(of: version) else { return nil }
    let saves = saves(of: version, notIn: older)
    let gone = Self.editCounts(from: version.text, to: marked(file.text, as: version)).places
    let scalars = Array(version.text.unicodeScalars)
    let places = changes.indices.filter { saves.contains(changes[$0]) }
    let isGone = places.allSatisfy { place in
      !CollectionOfOne(scalars[place]).sayAnything
        || gone.contains { $0.contains(place) }
    }
    return isGone ? places : nil
  }

  /// Whether a file, taken for an edit of a version, takes nothing out and only brings what stands in
  /// the file today; but not if it brings nothing but other white space.
  func presentHolds(all file: PlainFile, madeFrom version: Version) -> Bool {
    let edits = Self.editCounts(from: version.text, to: marked(file.text, as: version))
    return edits.inserted > 0 && edits.deleted == 0
      && Self.isExtended(file.text, to: present.text)
  }

  /// Whether all words of a text stand in another one: then that was made from it, though a
  /// synchroniser says that they were written apart.
  static func isExtended(_ old: String, to new: String) -> Bool {
    editCounts(from: old, to: new).deleted == 0
  }

  /// How many words and signs some lines have.
  private static func wordCount(of lines: Set<Substring>) -> Int {
    lines.reduce(0) { $0 + tokens($1.unicodeScalars).count }
  }

  /// The lines that stand in the file today, that another file lacks, and that some of these versions
  /// had when that was saved.
  func missingLines(of file: PlainFile, among versions: [Version]) -> Set<Substring> {
    let missing = Set(present.text.splitAtLineFeeds())
      .subtracting(file.text.splitAtLineFeeds())
    if missing.isEmpty { return [] }
    let seen = versions.lazy.filter { $0.time < file.saved }
      .reduce(into: Set<Substring>()) { $0.formUnion($1.text.splitAtLineFeeds()) }
    return missing.intersection(seen)
  }

  /// For each version the lines of a text that it lacks, though an older one has them.
  private func returnedLines(of text: String, since versions: [Version]) -> [Set<Substring>] {
    let lines = Set(
      text.splitAtLineFeeds().filter { $0.unicodeScalars.sayAnything })
    let found = versions.map { lines.intersection($0.text.splitAtLineFeeds()) }
    let known = found.reduce(into: Set<Substring>()) { $0.formUnion($1) }
    return versions.indices.map { index in
      let missing = known.subtracting(found[index])
      if missing.isEmpty { return [] }
      return versions.indices.reduce(into: []) { result, other in
        let added = missing.intersection(found[other])
        guard !added.isEmpty, versions[other].changes.isSubset(of: versions[index].changes) else {
          return
        }
        result.formUnion(added)
      }
    }
  }

  /// How many words the lines have that a text has more often than a version, as the file has today:
  /// who brought them in is known, so that they would come twice.
  private func broughtInCount(of text: String, since version: Version) -> Int {
    let (old, today) = (version.text.lineCounts, present.text.lineCounts)
    return text.lineCounts.reduce(0) { sum, line in
      let more = min(line.value, today[line.key] ?? 0) - (old[line.key] ?? 0)
      return more > 0 ? sum + more * Self.tokens(line.key.unicodeScalars).count : sum
    }
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

  typealias EditCounts = (
    deletedStanding: Int, deleted: Int, inserted: Int, deletedLetters: Int, places: [Range<Int>]
  )

  /// What goes and comes where one text becomes another.
  ///
  /// How many words and signs go and come, how many scalars go, and where; of what goes also how much
  /// stands in the file today, going by each scalar of the old text: all of it where that is not
  /// known. Lines that returned are inserted as a whole. Lines that stand elsewhere in the new text
  /// were moved: of these all words are deleted, since what is kept of them is kept by chance, but no
  /// scalars, and nothing that stands in the file.
  static func editCounts(
    from old: String, to new: String, standing: [Bool]? = nil, returned: Set<Substring> = []
  ) -> EditCounts {
    let (scalars, written) = (Array(old.unicodeScalars), Array(new.unicodeScalars))
    var result: EditCounts = (0, 0, 0, 0, [])
    let moved = movedLines(of: old, in: new)
    func tokens(at places: some Sequence<Int>) -> [Int32] {
      Self.tokens(places.lazy.map { scalars[$0] })
    }
    // Both ascend: the first line that an edit may meet, and the first that is not counted yet.
    var (next, uncounted) = (0, 0)
    for edit in CountedEdit.edits(from: old, to: new, returned: returned) {
      result.places.append(edit.deleted)
      result.inserted += Self.tokens(written[edit.inserted]).count
      while next < moved.count, moved[next].upperBound <= edit.deleted.lowerBound { next += 1 }
      var others: [Int] = []
      var place = edit.deleted.lowerBound
      var index = next
      while index < moved.count, moved[index].lowerBound < edit.deleted.upperBound {
        let line = moved[index]
        if place < line.lowerBound { others += place..<line.lowerBound }
        place = line.upperBound
        if index >= uncounted, !edit.deleted.isEmpty {
          result.deleted += tokens(at: line).count
          uncounted = index + 1
        }
        index += 1
      }
      if place < edit.deleted.upperBound { others += place..<edit.deleted.upperBound }
      let gone = tokens(at: others)
      result.deleted += gone.count
      result.deletedStanding +=
        standing.map { standing in tokens(at: others.filter { standing[$0] }).count } ?? gone.count
      result.deletedLetters += Int(gone.reduce(0, +))
    }
    return result
  }
}

extension PlainVersions {
  /// Where the lines of a text are that another one has as often, or more often, in scalars.
  private static func movedLines(of old: String, in new: String) -> [Range<Int>] {
    let (before, after) = (old.allLineCounts, new.allLineCounts)
    var result: [Range<Int>] = []
    var place = 0
    for line in old.splitAtLineFeeds(omittingEmptySubsequences: false) {
      let range = place..<place + line.unicodeScalars.count
      place = range.upperBound + 1
      if line.unicodeScalars.sayAnything, before[line] ?? 1 <= after[line] ?? 0 {
        result.append(range)
      }
    }
    return result
  }
}

/// A place at which a text becomes another one, in scalars of both.
private struct CountedEdit {
  var deleted: Range<Int>
  var inserted: Range<Int>

  /// The edits, ascending, of which those that make a line of which it is known that it returned
  /// keep nothing of what was there.
  static func edits(
    from old: String, to new: String, returned: Set<Substring>
  ) -> [CountedEdit] {
    var edits: [CountedEdit] = []
    var shift = 0
    for splice in PlainDifference(from: old, to: new).splices {
      let start = splice.position + shift
      let count = splice.inserted.unicodeScalars.count
      edits.append(
        CountedEdit(
          deleted: splice.position..<splice.position + splice.deleted,
          inserted: start..<start + count))
      shift += count - splice.deleted
    }
    return returned.isEmpty ? edits : widened(edits, in: places(of: returned, in: new))
  }

  /// Where some lines stand in a text, in scalars.
  private static func places(of lines: Set<Substring>, in text: String) -> [Range<Int>] {
    var place = 0
    return text.splitAtLineFeeds(omittingEmptySubsequences: false).compactMap { line in
      let range = place..<place + line.unicodeScalars.count
      place = range.upperBound + 1
      return lines.contains(line) ? range : nil
    }
  }

  /// The edits with all that is kept within some places of the new text, if an edit meets them,
  /// deleted and inserted again.
  private static func widened(_ edits: [CountedEdit], in places: [Range<Int>]) -> [CountedEdit] {
    var all = edits
    for place in places {
      let meeting = edits.indices.filter {
        edits[$0].inserted.lowerBound <= place.upperBound
          && place.lowerBound <= edits[$0].inserted.upperBound
      }
      for index in meeting {
        let edit = edits[index]
        let before = max(place.lowerBound, index > 0 ? edits[index - 1].inserted.upperBound : 0)
        if before < edit.inserted.lowerBound {
          let shift = edit.deleted.lowerBound - edit.inserted.lowerBound
          all.append(
            CountedEdit(
              deleted: before + shift..<edit.deleted.lowerBound,
              inserted: before..<edit.inserted.lowerBound))
        }
        guard index == meeting.last, edit.inserted.upperBound < place.upperBound else { continue }
        let shift = edit.deleted.upperBound - edit.inserted.upperBound
        all.append(
          CountedEdit(
            deleted: edit.deleted.upperBound..<place.upperBound + shift,
            inserted: edit.inserted.upperBound..<place.upperBound))
      }
    }
    return joined(all)
  }

  /// The same edits, of which those that follow each other are one.
  private static func joined(_ edits: [CountedEdit]) -> [CountedEdit] {
    let ordered = edits.sorted {
      ($0.deleted.lowerBound, $0.inserted.lowerBound)
        < ($1.deleted.lowerBound, $1.inserted.lowerBound)
    }
    return ordered.reduce(into: []) { result, edit in
      if let last = result.last, last.deleted.upperBound == edit.deleted.lowerBound,
        last.inserted.upperBound == edit.inserted.lowerBound
      {
        result[result.count - 1] = CountedEdit(
          deleted: last.deleted.lowerBound..<edit.deleted.upperBound,
          inserted: last.inserted.lowerBound..<edit.inserted.upperBound)
      } else {
        result.append(edit)
      }
    }
  }
}
