/// Where two changes, each right by itself, would make a line together that neither has.
extension PassageFinder {
  /// Whether a line would go on in another one that both sides have apart from it: each deleted the
  /// line between, one with the line feed before it and one with the line feed after it; or one ends
  /// the text without a line feed, and the other goes on there with a line.
  ///
  /// O(n).
  func joinsLines(
    _ range: ClosedRange<Int>, _ left: ChangeSet, _ right: ChangeSet
  ) -> Bool {
    let both = left.union(right)
    let shown =
      [neighbour(before: range.lowerBound, in: both)].compactMap(\.self) + live(range, in: both)
      + [neighbour(after: range.upperBound, in: both)].compactMap(\.self)
    return zip(shown, shown.dropFirst()).contains { unit, next in
      !isLineFeed(unit) && !isLineFeed(next) && areOnTwoLines(unit, next, in: left)
        && areOnTwoLines(unit, next, in: right)
    }
  }

  /// Whether of the lines that one side inserted the first would begin within a line, or the last one
  /// end there: the other side joined the two lines between which they stand.
  ///
  /// O(n).
  func joinsInsertedLines(
    _ range: ClosedRange<Int>, _ left: ChangeSet, _ right: ChangeSet
  ) -> Bool {
    let (common, both) = (left.intersection(right), left.union(right))
    func ends(_ neighbour: Int?) -> Bool { neighbour.map(isLineFeed) ?? true }
    return [left, right].contains { side in
      live(range, in: side).split { stretch.isKnown($0, in: common) }.contains { run in
        guard let first = run.first, let last = run.last, run.contains(where: isLineFeed) else {
          return false
        }
        return !isLineFeed(first) && ends(neighbour(before: first, in: side))
          && !ends(neighbour(before: first, in: both))
          || !isLineFeed(last) && ends(neighbour(after: last, in: side))
            && !ends(neighbour(after: last, in: both))
      }
    }
  }

  /// Whether a line ends between two scalars in a version that shows one of them or both.
  private func areOnTwoLines(_ unit: Int, _ next: Int, in version: ChangeSet) -> Bool {
    switch (stretch.isLive(unit, in: version), stretch.isLive(next, in: version)) {
    case (true, true):
      (unit + 1..<next).contains { isLineFeed($0) && stretch.isLive($0, in: version) }
    case (true, false): neighbour(after: unit, in: version).map(isLineFeed) ?? true
    case (false, true): neighbour(before: next, in: version).map(isLineFeed) ?? true
    case (false, false): false
    }
  }

  private func neighbour(before unit: Int, in version: ChangeSet) -> Int? {
    stride(from: unit - 1, through: 0, by: -1).first { stretch.isLive($0, in: version) }
  }

  private func neighbour(after unit: Int, in version: ChangeSet) -> Int? {
    (unit + 1..<stretch.units.count).first { stretch.isLive($0, in: version) }
  }

  func isLineFeed(_ unit: Int) -> Bool { stretch.units[unit].scalar == 0x0A }

  /// Parts insertions where something stands between them that both sides have seen.
  ///
  /// - Parameters:
  ///   - insertions: ascending.
  ///   - common: what both have seen.
  /// - Returns: the runs, in order.
  private func runs(
    of insertions: [Int], in common: ChangeSet
  ) -> [ArraySlice<Int>] {
    var result: [ArraySlice<Int>] = []
    var start = insertions.startIndex
    while start < insertions.endIndex {
      var end = start + 1
      while end < insertions.endIndex,
        !(insertions[end - 1]..<insertions[end]).contains(where: { stretch.isLive($0, in: common) })
      { end += 1 }
      result.append(insertions[start..<end])
      start = end
    }
    return result
  }

  /// Whether both sides inserted at one end of a line, one something into the line and the other
  /// lines of its own, and the one would stand in the other's line: "Call " before "Bob", and a line
  /// "Pay rent" above, as "Call Pay rent" and "Bob".
  ///
  /// O(n) for each run.
  ///
  /// - Parameters:
  ///   - ours: what one side inserted, ascending.
  ///   - theirs: what the other did.
  ///   - common: what both have seen.
  /// - Returns: whether that holds anywhere.
  func mixLines(_ ours: [Int], _ theirs: [Int], in common: ChangeSet) -> Bool {
    if ours.isEmpty || theirs.isEmpty { return false }
    let own = Set(ours)
    for run in runs(of: (ours + theirs).sorted(), in: common) {
      guard let first = run.first, let last = run.last else { continue }
      let startsLine = neighbour(before: first, in: common).map(isLineFeed) ?? true
      let endsLine = neighbour(after: last, in: common).map(isLineFeed) ?? true
      // Within a line nobody can tell, and an empty one is nobody's.
      if startsLine == endsLine { continue }
      for (unit, next) in zip(run, run.dropFirst()) where own.contains(unit) != own.contains(next) {
        let isOwn = own.contains(unit)
        if startsLine, !isLineFeed(unit),
          run.last(where: { own.contains($0) != isOwn }).map(isLineFeed) == true
        {
          return true
        }
        if endsLine, !isLineFeed(next),
          run.first(where: { own.contains($0) == isOwn })
            .map(isLineFeed) == true
        {
          return true
        }
      }
    }
    return false
  }

  /// Whether something was inserted at the start or the end of a line of which the other side deleted
  /// all: it would stand alone, or on a line that it was not written for.
  ///
  /// O(n) for each line.
  ///
  /// - Parameters:
  ///   - insertions: what a side inserted, ascending.
  ///   - deleted: what the other side deleted.
  ///   - common: what both have seen.
  /// - Returns: whether that holds for any.
  func losesLine(
    _ insertions: [Int], to deleted: Set<Int>, in common: ChangeSet
  ) -> Bool {
    /// Whether there is something on the line there, and all of it up to where the line ends that
    /// way was deleted.
    func isGone(_ way: some Sequence<Int>) -> Bool {
      var isAny = false
      for unit in way where stretch.isLive(unit, in: common) {
        if isLineFeed(unit) { break }
        guard deleted.contains(unit) else { return false }
        isAny = true
      }
      return isAny
    }
    func isAtEnd(_ way: some Sequence<Int>) -> Bool {
      way.first { stretch.isLive($0, in: common) }.map(isLineFeed) ?? true
    }
    return runs(of: insertions, in: common).contains { run in
      guard let first = run.first, let last = run.last else { return false }
      let before = stride(from: first - 1, through: 0, by: -1)
      let after = last + 1..<stretch.units.count
      return !isLineFeed(last) && isGone(after) && isAtEnd(before)
        || !isLineFeed(first) && isGone(before) && isAtEnd(after)
    }
  }
}
