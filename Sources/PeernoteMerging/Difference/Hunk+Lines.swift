extension Hunk {
  /// Hunks of bytes so that lines that come and lines that go are edits of their own, in
  /// O(text in and between the hunks).
  static func partedAtLines(_ hunks: [Hunk], old: [UInt8], new: [UInt8]) -> [Hunk] {
    var result: [Hunk] = []
    result.reserveCapacity(hunks.count)
    for (number, hunk) in hunks.enumerated() {
      let floor = result.last?.old.upperBound
      let ceiling = number + 1 < hunks.count ? hunks[number + 1].old.lowerBound : old.count
      result +=
        hunk.withLinesAfter(old: old, new: new, before: ceiling)
        ?? hunk.withDeletedLines(old: old, new: new, after: floor) ?? [hunk]
    }
    return joined(result)
  }

  /// An edit in a line that brings more lines after it, or takes those away that follow, as two: what
  /// changes in the line, and the lines after it, each with its own line end.
  ///
  /// What the line has behind the edit stays in it, not at the end of the last of the lines, if all of
  /// it stands at the end of the first one, too. The line has to keep something before the edit, or it
  /// is not clear that it is the first of the lines that are there now. `ceiling` is where the next
  /// edit begins.
  /// O(count + length of the line).
  private func withLinesAfter(old text: [UInt8], new: [UInt8], before ceiling: Int) -> [Hunk]? {
    let place = old.upperBound
    guard old.lowerBound > 0, text[old.lowerBound - 1] != 0x0A,
      let feed = text[place...].firstIndex(of: 0x0A)
    else { return nil }
    let end: [UInt8] = feed > place && text[feed - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
    guard feed < ceiling else { return nil }
    let tail = text[place..<feed + 1 - end.count]
    let next = (old: feed + 1, new: self.new.upperBound + feed + 1 - place)
    let (removed, inserted) = (text[old], new[self.new])
    let bringsLines = inserted.contains(0x0A)
    guard bringsLines != removed.contains(0x0A) else { return nil }
    let (short, long) = bringsLines ? (removed, inserted) : (inserted, removed)
    guard let line = Self.firstLine(of: long, end, without: tail),
      !line.isEmpty || !short.isEmpty
    else { return nil }
    let lines = line.upperBound + tail.count + end.count
    guard !Self.stands(short, in: long[lines...]),
      tail.isEmpty || WordBoundaries(text: bringsLines ? new : text).mayEdit(at: line.upperBound)
    else { return nil }
    return bringsLines
      ? [Hunk(old: old, new: line), Hunk(old: next.old..<next.old, new: lines..<next.new)]
      : [Hunk(old: line, new: self.new), Hunk(old: lines..<next.old, new: next.new..<next.new)]
  }

  /// Whether words of a line stand in the lines after it, too, so that they may be the same ones.
  ///
  /// Numbers tell nothing, and of long words the beginning is enough.
  /// O(count).
  private static func stands(_ words: ArraySlice<UInt8>, in lines: ArraySlice<UInt8>) -> Bool {
    let words = words.prefix(64)
    return words.contains { $0 >= 0x80 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
      && lines.indices.contains { lines[$0...].starts(with: words) }
  }

  /// The first line of a text, without its end and what it has to end in; `nil` if it does not, is the
  /// only one, or has another line end.
  private static func firstLine(
    of text: ArraySlice<UInt8>, _ end: [UInt8], without tail: ArraySlice<UInt8>
  ) -> Range<Int>? {
    guard let feed = text.firstIndex(of: 0x0A), feed + 1 < text.endIndex || !tail.isEmpty else {
      return nil
    }
    let start = feed + 1 - end.count
    guard start >= text.startIndex, text[start...].starts(with: end),
      end.count == 2 || feed == text.startIndex || text[feed - 1] != 0x0D,
      text[..<start].suffix(tail.count).elementsEqual(tail)
    else { return nil }
    return text.startIndex..<start - tail.count
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
      WordBoundaries(text: text).mayEdit(at: end)
    else { return nil }
    let kept = self.new.lowerBound - (old.lowerBound - start)
    return [
      Hunk(old: start..<line, new: kept..<kept),
      Hunk(old: end..<old.upperBound, new: self.new),
    ]
  }
}
