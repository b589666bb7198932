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
        hunk.withLinesAfter(old: old, new: new)
        ?? hunk.withDeletedLines(old: old, new: new, after: floor) ?? [hunk]
    }
    return joined(result)
  }

  /// An edit at the end of a line that brings more lines after it, or takes those away that follow,
  /// as two: what changes in the line, and the lines after it, each with its own line end.
  ///
  /// The line has to keep something before the edit, or it is not clear that it is the first of the
  /// lines that are there now.
  /// O(count).
  private func withLinesAfter(old text: [UInt8], new: [UInt8]) -> [Hunk]? {
    let place = old.upperBound
    guard old.lowerBound > 0, text[old.lowerBound - 1] != 0x0A, place < text.count else {
      return nil
    }
    let end: [UInt8] = text[place...].starts(with: [0x0D, 0x0A]) ? [0x0D, 0x0A] : [0x0A]
    let (removed, inserted) = (text[old], new[self.new])
    guard text[place...].starts(with: end) else { return nil }
    let next = (old: place + end.count, new: self.new.upperBound + end.count)
    switch (Self.firstLine(of: removed, end), Self.firstLine(of: inserted, end)) {
    case (nil, let line?) where !removed.contains(0x0A) && (!line.isEmpty || !old.isEmpty):
      if Self.stands(removed, in: inserted[line.upperBound...]) { return nil }
      return [
        Hunk(old: old, new: line),
        Hunk(old: next.old..<next.old, new: line.upperBound + end.count..<next.new),
      ]
    case (let line?, nil) where !inserted.contains(0x0A) && (!line.isEmpty || !inserted.isEmpty):
      if Self.stands(inserted, in: removed[line.upperBound...]) { return nil }
      return [
        Hunk(old: line, new: self.new),
        Hunk(old: line.upperBound + end.count..<next.old, new: next.new..<next.new),
      ]
    case (_, _):
      return nil
    }
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

  /// The first line of a text, without its end; `nil` if it is the only one, or ends otherwise.
  private static func firstLine(of text: ArraySlice<UInt8>, _ end: [UInt8]) -> Range<Int>? {
    guard let feed = text.firstIndex(of: 0x0A), feed + 1 < text.endIndex else { return nil }
    let start = feed + 1 - end.count
    guard start >= text.startIndex, text[start...].starts(with: end),
      end.count == 2 || feed == text.startIndex || text[feed - 1] != 0x0D
    else { return nil }
    return text.startIndex..<start
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
