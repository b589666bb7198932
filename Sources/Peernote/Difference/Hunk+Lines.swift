extension Hunk {
  /// Hunks of bytes so that lines that come and lines that go are edits of their own.
  ///
  /// O(text in and between the hunks).
  static func partedAtLines(_ hunks: [Hunk], old: [UInt8], new: [UInt8]) -> [Hunk] {
    var result: [Hunk] = []
    result.reserveCapacity(hunks.count)
    for hunk in hunks {
      let floor = result.last?.old.upperBound
      result +=
        hunk.withAddedLines(old: old, new: new)
        ?? hunk.withDeletedLines(old: old, new: new, after: floor) ?? [hunk]
    }
    return joined(result)
  }

  /// An insertion at the end of a line that goes on with more lines, as two: what is added to the
  /// line, and the lines after it, each with its own line end.
  ///
  /// O(count).
  private func withAddedLines(old text: [UInt8], new: [UInt8]) -> [Hunk]? {
    let place = old.upperBound
    guard old.isEmpty, place > 0, text[place - 1] != 0x0A, place < text.count else { return nil }
    let end: [UInt8] = text[place...].starts(with: [0x0D, 0x0A]) ? [0x0D, 0x0A] : [0x0A]
    let inserted = new[self.new]
    guard text[place...].starts(with: end), let feed = inserted.firstIndex(of: 0x0A) else {
      return nil
    }
    let start = feed + 1 - end.count
    guard start > inserted.startIndex, feed + 1 < inserted.endIndex,
      inserted[start...].starts(with: end), end.count == 2 || inserted[feed - 1] != 0x0D
    else { return nil }
    let next = place + end.count
    return [
      Hunk(old: old, new: self.new.lowerBound..<start),
      Hunk(old: next..<next, new: feed + 1..<self.new.upperBound + end.count),
    ]
  }

  /// A replacement from inside one line into a later one that begins alike and goes on behind it, as
  /// two: the lines that go, and what changes in the one that stays.
  ///
  /// The beginning that is kept is then the later line's. `floor` is where the edit before ends.
  /// O(count).
  private func withDeletedLines(old text: [UInt8], new: [UInt8], after floor: Int?) -> [Hunk]? {
    guard !self.new.isEmpty, !new[self.new].contains(0x0A), old.upperBound < text.count,
      text[old.upperBound] != 0x0A, text[old.upperBound] != 0x0D,
      let feed = text[old].lastIndex(of: 0x0A)
    else { return nil }
    let line = feed + 1
    var start = old.lowerBound
    while start > 0, text[start - 1] != 0x0A, old.lowerBound - start <= old.upperBound - line {
      start -= 1
    }
    let isFree = floor.map { $0 < start } ?? true
    let end = line + old.lowerBound - start
    guard isFree, start < old.lowerBound, start == 0 || text[start - 1] == 0x0A,
      end <= old.upperBound, text[start..<old.lowerBound] == text[line..<end],
      WordBoundaries(text).mayEdit(at: end)
    else { return nil }
    let kept = self.new.lowerBound - (old.lowerBound - start)
    return [
      Hunk(old: start..<line, new: kept..<kept),
      Hunk(old: end..<old.upperBound, new: self.new),
    ]
  }
}
