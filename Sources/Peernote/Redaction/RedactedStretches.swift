/// Puts what was redacted since into content that left the document before, and comes back.
///
/// The version that such content was read from shows a marker for each redacted scalar, while the
/// content still has the text. Compared as they are, the text would come back as new. So what stands
/// between the same neighbours as the markers, and is as long, is replaced by the markers first.
/// Whatever else stands there may hold redacted text: there is a doubt, and the content is refused.
struct RedactedStretches {
  /// The scalar that stands for each redacted one.
  let marker: Unicode.Scalar
  let matching: ContentMatching
  /// Where texts of the content were left without what was redacted.
  private(set) var gaps: [PastContent.Gap] = []
  /// The first place where the content may hold redacted text, and the line there.
  private(set) var doubt: (path: JSONPointer, line: Int)?

  /// The most comparisons of words or elements in one text or list; more are a doubt.
  private static let effort = 1 << 20

  init(marker: Unicode.Scalar, matching: ContentMatching = .exact) {
    self.marker = marker
    self.matching = matching
  }

  // MARK: Content

  /// The content with markers where a version has them.
  ///
  /// Near-linear in the size of both.
  mutating func marked(_ wanted: DocumentNode, as present: DocumentNode, at path: JSONPointer)
    -> DocumentNode
  {
    guard holdsMarker(present) else { return wanted }
    switch (wanted, present) {
    case (.text(let new), .text(let old)):
      return .text(marked(new, as: old, at: path))
    case (.value(.string(let new)), .text(let old)):
      return .value(.string(marked(new, as: old, at: path)))
    case (.map(let new), .map(let old)):
      let there = old.nodesByKey
      return .map(
        new.map { entry in
          guard let old = there[.string(entry.key)] else { return entry }
          return .init(
            key: entry.key, node: marked(entry.node, as: old, at: path.appending(entry.key)))
        })
    case (.list(let new), .list(let old)):
      return .list(marked(new, as: old, at: path))
    case (_, _):
      return wanted
    }
  }

  private func holdsMarker(_ node: DocumentNode) -> Bool {
    if case .text(let text) = node { return text.unicodeScalars.contains(marker) }
    return node.children.contains { holdsMarker($0.node) }
  }

  // MARK: Lists

  private mutating func marked(_ new: [DocumentNode], as old: [DocumentNode], at path: JSONPointer)
    -> [DocumentNode]
  {
    var result = new
    let redacted = old.indices.filter { holdsMarker(old[$0]) }
    guard redacted.count * new.count <= Self.effort else {
      record(doubtAt: path, line: 1)
      return new
    }
    // What is the same but for what is missing is the same.
    var isTaken = [Bool](repeating: false, count: new.count)
    for index in redacted {
      guard let place = new.indices.first(where: { !isTaken[$0] && isVersion(new[$0], old[index]) })
      else { continue }
      isTaken[place] = true
      result[place] = marked(new[place], as: old[index], at: path.appending(String(place)))
    }
    let partners = matching.partners(from: old, to: result)
    for (place, partner) in partners.enumerated() where !isTaken[place] {
      guard let partner else { continue }
      result[place] = marked(new[place], as: old[partner], at: path.appending(String(place)))
    }
    // An element of which nothing is left may stand there changed.
    let known = Set(partners.compactMap(\.self))
    if let place = partners.firstIndex(of: nil),
      redacted.contains(where: { !known.contains($0) })
    {
      record(doubtAt: path.appending(String(place)), line: 1)
    }
    return result
  }

  /// Whether content is the same as other content that has markers, whatever stands where they do.
  private func isVersion(_ wanted: DocumentNode, _ present: DocumentNode) -> Bool {
    switch (wanted, present) {
    case (.text(let new), .text(let old)), (.value(.string(let new)), .text(let old)):
      return isVersion(scalars(new)[...], scalars(old)[...])
    case (.map(let new), .map(let old)):
      return new.count == old.count
        && old.allSatisfy { entry in
          wanted[entry.key].map { isVersion($0, entry.node) } ?? false
        }
    case (.list(let new), .list(let old)):
      return new.count == old.count && zip(new, old).allSatisfy(isVersion)
    case (_, _):
      return wanted.comparable == present.comparable
    }
  }

  private func isVersion(_ new: ArraySlice<UInt32>, _ old: ArraySlice<UInt32>) -> Bool {
    new.count == old.count && zip(new, old).allSatisfy { $0 == $1 || $1 == marker.value }
  }

  // MARK: Texts

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  private mutating func record(doubtAt path: JSONPointer, line: Int) {
    if doubt == nil { doubt = (path, line) }
  }

  /// Shorter pieces of redacted text are not looked for elsewhere.
  private static let shortestCopy = 4

  /// A text with markers where that of a version has them.
  private mutating func marked(_ new: String, as old: String, at path: JSONPointer) -> String {
    let before = scalars(old)
    var result: [UInt32] = []
    var added: [(line: Int, text: ArraySlice<UInt32>)] = []
    // What may stand elsewhere in the text: words of which something is missing, and what was missing.
    var missing: [ArraySlice<UInt32>] = []
    var (next, line) = (0, 1)
    for splice in TextDifference(from: old, to: new).splices.joinedAcrossLineEnds(in: before) {
      result += before[next..<splice.position]
      line += before[next..<splice.position].count { $0 == TextPattern.lineFeed }
      next = splice.position + splice.deleted
      let (gone, new) = (before[splice.position..<next], scalars(splice.inserted)[...])
      if new.isEmpty {
        let runs = gone.runs(of: marker.value).filter { $0.count >= Self.shortestCopy }
        missing += runs.map { gone.words(around: $0) }
      } else if let piece = marked(new, as: gone, &missing) {
        if !piece.elementsEqual(gone) { added.append((line, piece[...])) }
        result += piece
      } else {
        record(doubtAt: path, line: line)
        result += new
      }
      line += new.count { $0 == TextPattern.lineFeed }
    }
    result += before[next...]
    let size = added.reduce(0) { $0 + $1.text.count }
    for (line, text) in added
    where missing.count * size > Self.effort || missing.contains(where: { holds(text, $0) }) {
      record(doubtAt: path, line: line)
    }
    let count = result.count { $0 == marker.value }
    if count > 0 { gaps.append(PastContent.Gap(path: path, scalars: count)) }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: result.lazy.compactMap(Unicode.Scalar.init))
    return String(view)
  }

  /// What stands in the place of a passage, with the markers that its lines have, or else all of it;
  /// `nil` where what has markers was edited.
  ///
  /// Adds what the markers stand for to what is missing.
  private func marked(
    _ new: ArraySlice<UInt32>, as old: ArraySlice<UInt32>,
    _ missing: inout [ArraySlice<UInt32>]
  ) -> [UInt32]? {
    let feed = TextPattern.lineFeed
    var lines = new.split(separator: feed, omittingEmptySubsequences: false)
    var patterns = old.split(separator: feed, omittingEmptySubsequences: false)
    if lines.count != patterns.count { (lines, patterns) = ([new], [old]) }
    let marked = patterns.filter { $0.contains(marker.value) }
    var result: [[UInt32]] = []
    for (line, pattern) in zip(lines, patterns) {
      let runs = pattern.runs(of: marker.value)
      // Another line may have changed places with it.
      let mayBeMoved = runs.isEmpty && marked.contains { isVersion(line, $0) }
      if mayBeMoved || !runs.isEmpty && !isVersion(line, pattern) { return nil }
      result.append(Array(runs.isEmpty ? line : pattern))
      let offset = line.startIndex - pattern.startIndex
      missing += runs.filter { $0.count >= Self.shortestCopy }
        .map { line[$0.lowerBound + offset..<$0.upperBound + offset] }
    }
    return Array(result.joined(separator: [feed]))
  }

  /// Whether a text holds another one, or whole words that may be what words with markers were.
  private func holds(_ text: ArraySlice<UInt32>, _ words: ArraySlice<UInt32>) -> Bool {
    let isKnown = !words.contains(marker.value)
    return text.indices.dropLast(words.count - 1).contains { start in
      let end = start + words.count
      return isVersion(text[start..<end], words)
        && (isKnown || text.partsWords(at: start) && text.partsWords(at: end))
    }
  }
}

extension ArraySlice<UInt32> {
  /// Where a number stands, as runs.
  ///
  /// O(n).
  fileprivate func runs(of number: UInt32) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = startIndex
    while let first = self[start...].firstIndex(of: number) {
      start = self[first...].firstIndex { $0 != number } ?? endIndex
      result.append(first..<start)
    }
    return result
  }

  /// Whether no word goes on over a place.
  fileprivate func partsWords(at place: Int) -> Bool {
    func isSpace(_ index: Int) -> Bool {
      Unicode.Scalar(self[index])?.properties.isWhitespace ?? false
    }
    return place == startIndex || place == endIndex || isSpace(place - 1) || isSpace(place)
  }

  /// A range with the rest of the words at its ends.
  fileprivate func words(around range: Range<Int>) -> ArraySlice<UInt32> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while !partsWords(at: start) { start -= 1 }
    while !partsWords(at: end) { end += 1 }
    return self[start..<end]
  }
}

extension [TextSplice] {
  /// The edits, of which a change in a line and the lines that come or go after it are one: what was
  /// redacted in one line may stand in the next one now.
  fileprivate func joinedAcrossLineEnds(in text: [UInt32]) -> [TextSplice] {
    let feed = TextPattern.lineFeed
    return reduce(into: []) { result, splice in
      guard let last = result.last else { return result.append(splice) }
      let end = last.position + last.deleted
      let between = text[end..<splice.position].compactMap(Unicode.Scalar.init)
      let areLines =
        splice.deleted == 0
        ? splice.inserted.unicodeScalars.last == "\n"
        : splice.inserted.isEmpty && text[splice.position + splice.deleted - 1] == feed
      guard areLines, between == ["\n"] || between == ["\r", "\n"] else {
        return result.append(splice)
      }
      var inserted = last.inserted.unicodeScalars
      inserted.append(contentsOf: between)
      inserted.append(contentsOf: splice.inserted.unicodeScalars)
      result[result.count - 1] = TextSplice(
        position: last.position, deleted: splice.position + splice.deleted - last.position,
        inserted: String(inserted))
    }
  }
}

extension Document {
  /// Content that comes back to this version, with the marker for what was redacted since; see
  /// ``late(version:)``.
  package func withoutRedacted(
    _ wanted: DocumentNode, _ matching: ContentMatching = .exact
  ) -> (content: DocumentNode, gaps: [PastContent.Gap]) {
    guard let redactionMarker else { return (wanted, []) }
    var stretches = RedactedStretches(marker: redactionMarker, matching: matching)
    let content = stretches.marked(wanted, as: root, at: JSONPointer())
    return (content, stretches.gaps)
  }

  /// Puts the marker into the body of a note that comes back to this version, and returns where.
  package func leaveOutRedacted(of note: inout Note) -> [PastContent.Gap] {
    let path = JSONPointer([Note.Key.body])
    guard let redactionMarker, let present = node(at: path) else { return [] }
    var stretches = RedactedStretches(marker: redactionMarker)
    if case .text(let body) = stretches.marked(.text(note.body), as: present, at: path) {
      note.body = body
    }
    return stretches.gaps
  }
}
