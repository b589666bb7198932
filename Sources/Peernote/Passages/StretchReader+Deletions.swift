extension StretchReader {
  /// Notes who deletes the passages that stay so far, and drops those of which somebody leaves a part.
  ///
  /// - Returns: those of them that one change after the other touched, each of which has seen the one
  ///   before, ascending: what concurrent ones touched is as they make it.
  mutating func noteDeletions(in round: Range<LocalVersion>) -> [KeptPassage] {
    if nextTouch >= round.upperBound { return [] }
    var left: [KeptPassage] = []
    kept = kept.compactMap { passage in
      guard let touch = passage.touchedBy, touch < round.upperBound else { return passage }
      guard let deleters = deleters(of: passage, in: round) else {
        if isTouchedInTurn(passage, in: round) { left.append(passage) }
        return nil
      }
      var passage = passage
      passage.deletedBy = deleters
      return passage
    }
    return left
  }

  /// Whether of the changes of a round that touch a passage each has seen the one before.
  ///
  /// More than 64 are not looked at.
  private func isTouchedInTurn(
    _ passage: KeptPassage, in round: Range<LocalVersion>
  ) -> Bool {
    var changes: Set<ChangeIndex> = []
    var known: KnownChange = (.beforeAll, .first ..< .first)
    for run in passage.first.run..<passage.last.run + 1 where changes.count <= 64 {
      let first = text.runs[run].first
      let start = run == passage.first.run ? passage.first.offset : 0
      let end = run == passage.last.run ? passage.last.offset + 1 : text.runs[run].count
      for offset in start..<end {
        let name = first + offset
        for event in [name] + text.deletions(of: run).map({ $0.event(of: name) })
        where round.contains(event) {
          changes.insert(change(of: event, &known))
        }
      }
    }
    if changes.count > 64 { return false }
    let seen = SeenMatrix(changes.sorted(), of: log)
    return (1..<max(changes.count, 1)).allSatisfy { seen.isSeen($0 - 1, by: $0) }
  }

  /// The changes of a round that touch a passage, if each of them deletes all of it; else `nil`.
  private func deleters(
    of passage: KeptPassage, in round: Range<LocalVersion>
  ) -> [ChangeIndex]? {
    var result: Set<ChangeIndex>?
    var inserters: Set<ChangeIndex> = []
    var known: KnownChange = (.beforeAll, .first ..< .first)
    for run in passage.first.run..<passage.last.run + 1 {
      let first = text.runs[run].first
      if first >= round.upperBound { continue }
      let start = run == passage.first.run ? passage.first.offset : 0
      let end = run == passage.last.run ? passage.last.offset + 1 : text.runs[run].count
      if first >= round.lowerBound {
        for offset in start..<end { inserters.insert(change(of: first + offset, &known)) }
        continue
      }
      var deleters: Set<ChangeIndex> = []
      var isThere = true
      for entry in text.deletions(of: run) {
        let (one, other) = (entry.event(of: first + start), entry.event(of: first + end - 1))
        if one < round.lowerBound { isThere = false }
        if one >= round.upperBound { continue }
        let deleter = change(of: one, &known)
        if change(of: other, &known) != deleter { return nil }
        deleters.insert(deleter)
      }
      if !isThere { continue }
      if deleters != result ?? deleters { return nil }
      result = deleters
    }
    guard let result, inserters.isSubset(of: result) else { return nil }
    return result.sorted()
  }
}
