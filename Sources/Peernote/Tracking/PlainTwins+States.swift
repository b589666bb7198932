/// Files that were recorded as an edit of an older version, and show a version whose history came
/// later.
extension PlainTwins {
  /// A version of the history, and what it shows.
  private struct State {
    /// The change after which it is; `nil` for a merged version.
    var change: Int?
    var changes: SeenChanges
  }

  /// Two versions that show the same text, of which the first is that of a change which the second
  /// lacks.
  private struct EqualStates {
    var change: Int
    var other: SeenChanges
  }

  /// The newest changes, and the newest merged versions that the file has shown, that are looked at.
  private static let stateLimit = 64

  /// Finds versions apart that show the same text.
  ///
  /// O(versions · runs) for up to 128 versions, and room for the texts of two.
  private func equalStates(
    _ document: Document, _ sequence: PlainSequence
  ) -> [EqualStates] {
    let first = max(0, history.names.count - Self.stateLimit)
    var states = (first..<history.names.count).map { State(change: $0, changes: history.pasts[$0]) }
    // The newest by the places of their heads in the document, from the last.
    let shown = document.shownVersions.versions.compactMap { heads -> [Int]? in
      let numbers = heads.compactMap { history.numbers[$0] }
      return numbers.count == heads.count ? numbers.sorted(by: >) : nil
    }
    let newest = shown.sorted { $1.lexicographicallyPrecedes($0) }.prefix(Self.stateLimit)
    states += newest.map { heads in
      State(change: nil, changes: history.changes(of: heads.map { history.names[$0] }))
    }
    // By a hash: the texts of all versions may be large together.
    let groups = Dictionary(grouping: states) { text(of: $0.changes, sequence).hashValue }
    var result: [EqualStates] = []
    for group in groups.values where group.count > 1 {
      for state in group {
        guard let change = state.change else { continue }
        for other in group where !other.changes.contains(change) {
          let isApart = other.change.map { !state.changes.contains($0) } ?? true
          if isApart, !other.changes.isSubset(of: state.changes) {
            result.append(EqualStates(change: change, other: other.changes))
          }
        }
      }
    }
    return result
  }

  /// What a version shows, as far as nothing in it is contested.
  private func text(of version: SeenChanges, _ sequence: PlainSequence) -> [Unicode.Scalar] {
    places(of: version, sequence).map { sequence.scalars[$0] }
  }

  /// The scalars that a version shows, by number in the sequence.
  private func places(of version: SeenChanges, _ sequence: PlainSequence) -> [Int] {
    var places: [Int] = []
    for run in sequence.runs where sequence.shows(run, in: version) { places += run.scalars }
    var start = places.count
    for line in hidden(in: version).reversed() where line.scalars.lowerBound < start {
      // Two lines of one change may share a line feed.
      places.removeSubrange(line.scalars.lowerBound..<min(line.scalars.upperBound, start))
      start = line.scalars.lowerBound
    }
    return places
  }

  /// Pairs the lines that stand in the same place of two texts that are equal.
  mutating func pairEqualStates(_ document: Document, _ sequence: PlainSequence) {
    let states = equalStates(document, sequence)
    if states.isEmpty { return }
    let starts = Dictionary(
      lines.indices.map { (lines[$0].start, $0) }, uniquingKeysWith: { first, _ in first })
    for state in states {
      let ours = places(of: history.pasts[state.change], sequence)
      let theirs = places(of: state.other, sequence)
      let isEqual = ours.elementsEqual(theirs) { sequence.scalars[$0] == sequence.scalars[$1] }
      for (place, other) in zip(ours, theirs) where isEqual && place != other {
        guard let line = starts[place], let twin = starts[other],
          lines[line].change == state.change, lines[line].text == lines[twin].text,
          !history.pasts[state.change].contains(lines[twin].change),
          !history.pasts[lines[twin].change].contains(state.change)
        else { continue }
        pair(line, twin, witness: state.other)
      }
    }
  }
}

extension PlainTwins.Line {
  /// The first scalar that it says something with, by number in the sequence.
  fileprivate var start: Int {
    if !takesFeedBefore { return scalars[0].lowerBound }
    return scalars[0].count > 1 ? scalars[0].lowerBound + 1 : scalars[1].lowerBound
  }
}
