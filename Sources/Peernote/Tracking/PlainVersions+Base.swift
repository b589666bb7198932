/// Which version a file was made from, where nothing says it.
extension PlainVersions {
  /// The version that a file was edited at, as far as that can be told: among those older than the
  /// save the one from which it takes the fewest deletions of what stands in the file today, or
  /// would settle though the file did not show it, then the fewest deletions at all, then the
  /// preferred one, then that from which it deletes the shortest text, then that from which it takes
  /// the fewest insertions, then the one with the fewest changes.
  ///
  /// Edits are counted in words and signs: a long word is deleted as easily as a short one.
  func base(
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

  /// Whether a file that was saved here has nothing of some saves of the version that it would be an
  /// edit of, though it has all of a version without them.
  ///
  /// Then the file of another machine that lacks them took its place, and was edited before it was
  /// looked at. Whoever takes back one save, and writes at one place, has done just that.
  func lacksSaves(
    _ file: PlainFile, of version: Version, where isAllowed: (Version) -> Bool
  ) -> Bool {
    guard
      let older = base(
        of: file, preferring: nil,
        where: { isAllowed($0) && !version.changes.isSubset(of: $0.changes) }),
      older.time < file.saved, let changes = changes(of: version)
    else { return false }
    let edits = Self.editCounts(from: older.text, to: marked(file.text, as: older))
    let saves = saves(of: version, notIn: older)
    guard edits.deleted == 0, saves.count > 1 || saves.count == 1 && edits.places.count > 1 else {
      return false
    }
    let gone = Self.editCounts(from: version.text, to: marked(file.text, as: version)).places
    let scalars = Array(version.text.unicodeScalars)
    return changes.indices.allSatisfy { place in
      !saves.contains(changes[place]) || scalars[place].properties.isWhitespace
        || gone.contains { $0.contains(place) }
    }
  }

  /// Whether all words of a text stand in another one: then that was made from it, though a
  /// synchroniser says that they were written apart.
  static func isExtended(_ old: String, to new: String) -> Bool {
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

  typealias EditCounts = (
    deletedStanding: Int, deleted: Int, inserted: Int, deletedLetters: Int, places: [Range<Int>]
  )

  /// How many words and signs go and come where one text becomes another, how many scalars go, and
  /// where; of what goes also how much stands in the file today, going by each scalar of the old
  /// text: all of it where that is not known.
  static func editCounts(
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
