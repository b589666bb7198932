/// A text that comes back, put together of what an old version of it has, with markers for what was
/// redacted since, and of what stands in the place of passages that differ.
struct MarkedText {
  private let marker: UInt32
  private let limit: Int
  /// The text so far.
  private(set) var scalars: [UInt32] = []
  /// The line of the first passage that may hold redacted text, from 1.
  private(set) var doubtfulLine: Int?
  /// The line of the text that comes back at which the next piece begins.
  private var line = 1
  /// The words with markers that are missing from the text.
  private var gone: [ArraySlice<UInt32>] = []
  /// What is new in the text, with its line.
  private var added: [(line: Int, scalars: ArraySlice<UInt32>)] = []
  /// What was left out where there are markers now.
  private var leftOut: Set<ArraySlice<UInt32>> = []

  /// Shorter pieces of what was left out are not looked for elsewhere.
  private static let shortestCopy = 4

  private static let lineFeed = TextPattern.lineFeed

  /// An empty text.
  ///
  /// - Parameters:
  ///   - marker: stands for a redacted scalar.
  ///   - limit: the most comparisons of lines in one passage, and of words in the text.
  init(marker: UInt32, limit: Int) {
    (self.marker, self.limit) = (marker, limit)
  }

  /// Appends what both texts have.
  mutating func append(_ common: ArraySlice<UInt32>) {
    scalars += common
    line += common.count { $0 == Self.lineFeed }
  }

  /// Appends what stands in the place of a passage of the old version.
  mutating func append(_ new: ArraySlice<UInt32>, for old: ArraySlice<UInt32>) {
    defer { line += new.count { $0 == Self.lineFeed } }
    guard old.contains(marker) else {
      scalars += new
      if !new.isEmpty { added.append((line, new)) }
      return
    }
    if new.isEmpty {
      gone += redactedWords(of: old)
    } else if matches(new, old) {
      scalars += old
      leaveOut(new, old)
    } else if let marked = marked(new, as: old) {
      scalars += marked
      added.append((line, marked[...]))
    } else {
      record(doubtIn: line)
      // As near to the version as it can be.
      scalars += old.prefix(new.count) + new.suffix(max(0, new.count - old.count))
    }
  }

  /// Records a doubt if what is missing, or what was left out, may stand elsewhere among what is new.
  mutating func checkMoved() {
    let size = added.reduce(0) { $0 + $1.scalars.count }
    for (line, new) in added {
      let isCopy =
        (gone.count + leftOut.count) * size > limit
        || leftOut.contains { new.contains($0) } || gone.contains { holds(new, words: $0) }
      if isCopy { record(doubtIn: line) }
    }
  }

  /// The passages that are redacted, each with the rest of its words.
  private func redactedWords(of text: ArraySlice<UInt32>) -> [ArraySlice<UInt32>] {
    text.runs(of: marker).filter { $0.count >= Self.shortestCopy }.map { run in
      var start = run.lowerBound
      var end = run.upperBound
      while start > text.startIndex, !isSpace(text[start - 1]) { start -= 1 }
      while end < text.endIndex, !isSpace(text[end]) { end += 1 }
      return text[start..<end]
    }
  }

  /// Whether whole words of a text match a passage with markers.
  private func holds(_ text: ArraySlice<UInt32>, words: ArraySlice<UInt32>) -> Bool {
    var start = text.startIndex
    while start + words.count <= text.endIndex {
      let end = start + words.count
      let begins = start == text.startIndex || isSpace(text[start - 1]) || isSpace(text[start])
      let ends = end == text.endIndex || isSpace(text[end]) || isSpace(text[end - 1])
      if begins, ends, matches(text[start..<end], words) { return true }
      start += 1
    }
    return false
  }

  private func isSpace(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar)?.properties.isWhitespace ?? false
  }

  private mutating func leaveOut(_ new: ArraySlice<UInt32>, _ old: ArraySlice<UInt32>) {
    let offset = new.startIndex - old.startIndex
    for run in old.runs(of: marker) where run.count >= Self.shortestCopy {
      leftOut.insert(new[run.lowerBound + offset..<run.upperBound + offset])
    }
  }

  private mutating func record(doubtIn line: Int) {
    doubtfulLine = min(line, doubtfulLine ?? .max)
  }

  // MARK: Lines

  /// Whether a text may be what another one was before something of it was redacted.
  private func matches(_ new: ArraySlice<UInt32>, _ old: ArraySlice<UInt32>) -> Bool {
    new.count == old.count && zip(new, old).allSatisfy { $0 == $1 || $1 == marker }
  }

  /// The lines, each with the line feed at its end; a redacted one ends none.
  private func lines(of text: ArraySlice<UInt32>) -> [ArraySlice<UInt32>] {
    var result: [ArraySlice<UInt32>] = []
    var rest = text
    while let end = rest.firstIndex(of: Self.lineFeed) {
      result.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    if !rest.isEmpty { result.append(rest) }
    return result
  }

  /// What is new in place of a passage, with the passage's lines that have markers put in, where
  /// they can stand in one way only; `nil` where there is none, or more.
  private mutating func marked(
    _ new: ArraySlice<UInt32>, as old: ArraySlice<UInt32>
  ) -> [UInt32]? {
    let patterns = lines(of: old).filter { $0.contains(marker) }
    let starts = new.count { $0 == Self.lineFeed } + 1
    guard patterns.count * starts <= limit else { return nil }
    // By the end of the last line that is put in: how, and in how many ways up to two.
    var ways: [(end: Int, count: Int, places: [Int])] = [(new.startIndex, 1, [])]
    for pattern in patterns {
      var next: [(end: Int, count: Int, places: [Int])] = []
      for place in places(of: pattern, in: new) {
        let before = ways.prefix { $0.end <= place }
        let count = min(2, before.reduce(0) { $0 + $1.count })
        guard let first = before.first, count > 0 else { continue }
        next.append((place + pattern.count, count, first.places + [place]))
      }
      ways = next
      guard ways.count * patterns.count <= limit else { return nil }
    }
    guard ways.count == 1, let way = ways.first, way.count == 1 else { return nil }
    var result = Array(new)
    for (place, pattern) in zip(way.places, patterns) {
      let start = place - new.startIndex
      leaveOut(new[place..<place + pattern.count], pattern)
      result.replaceSubrange(start..<start + pattern.count, with: pattern)
    }
    return result
  }

  /// Where whole lines of a text match a line with markers, ascending.
  private func places(
    of pattern: ArraySlice<UInt32>, in text: ArraySlice<UInt32>
  ) -> [Int] {
    var result: [Int] = []
    var start = text.startIndex
    while start + pattern.count <= text.endIndex {
      let end = start + pattern.count
      let endsLine =
        end == text.endIndex || text[end - 1] == Self.lineFeed || text[end] == Self.lineFeed
      if endsLine, matches(text[start..<end], pattern) { result.append(start) }
      guard let feed = text[start...].firstIndex(of: Self.lineFeed) else { break }
      start = feed + 1
    }
    return result
  }
}

extension ArraySlice<UInt32> {
  /// Where a number stands, as runs.
  ///
  /// O(n).
  func runs(of number: UInt32) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = startIndex
    while let first = self[start...].firstIndex(of: number) {
      start = self[first...].firstIndex { $0 != number } ?? endIndex
      result.append(first..<start)
    }
    return result
  }
}
