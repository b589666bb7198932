/// Puts what was redacted since into content that left the document before, and comes back.
///
/// The version that such content was read from shows a marker for each redacted scalar, while the
/// content still has the text. Compared as they are, the text would come back as new. So the
/// stretches of the content that stand where the markers do are replaced by the markers first;
/// what is compared then differs only by what was edited. Nothing but the length of redacted text is
/// known: a stretch is one for a run of markers if it stands between the same neighbours and is as
/// long. Where that can be read in several ways, or what stands there was edited as well, there is
/// a doubt, and the content is not to be taken in.
struct RedactedStretches {
  /// The scalar that stands for each redacted one.
  let marker: Unicode.Scalar
  let matching: ContentMatching
  /// Where texts of the content were left without what was redacted.
  private(set) var gaps: [PastContent.Gap] = []
  /// The first place where the content may hold redacted text, and the line there.
  private(set) var doubt: (path: JSONPointer, line: Int)?

  /// The most comparisons of lines or elements in one text or list; more are a doubt.
  private static let effort = 1 << 20

  init(marker: Unicode.Scalar, matching: ContentMatching = .exact) {
    self.marker = marker
    self.matching = matching
  }

  // MARK: Content

  /// The content with markers where a version has them.
  ///
  /// Near-linear in the size of both.
  ///
  /// - Parameters:
  ///   - wanted: the content.
  ///   - present: what the version holds there.
  ///   - path: where that is.
  /// - Returns: the content, with its kinds as they were.
  mutating func marked(_ wanted: Node, as present: Node, at path: JSONPointer) -> Node {
    guard holdsMarker(present) else { return wanted }
    switch (wanted, present) {
    case (.text(let new), .text(let old)):
      return .text(marked(new, as: old, at: path))
    case (.value(.string(let new)), .text(let old)):
      return .value(.string(marked(new, as: old, at: path)))
    case (.map(let new), .map(let old)):
      let there = Dictionary(
        old.map { (Value.string($0.key), $0.node) }, uniquingKeysWith: { first, _ in first })
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

  private func holdsMarker(_ node: Node) -> Bool {
    if case .text(let text) = node { return text.unicodeScalars.contains(marker) }
    return node.children.contains { holdsMarker($0.node) }
  }

  // MARK: Lists

  private mutating func marked(_ new: [Node], as old: [Node], at path: JSONPointer) -> [Node] {
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
  private func isVersion(_ wanted: Node, _ present: Node) -> Bool {
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

  /// A text with markers where that of a version has them.
  private mutating func marked(_ new: String, as old: String, at path: JSONPointer) -> String {
    // Whoever knew the text has put them there.
    if new.unicodeScalars.contains(marker) || matching.markedTexts.contains(.string(new)) {
      recordGap(in: new.unicodeScalars.map(\.value), at: path)
      return new
    }
    let before = scalars(old)
    var text = MarkedText(marker: marker.value, limit: Self.effort)
    var next = 0
    for splice in TextDifference(from: old, to: new).splices.joinedAcrossLineEnds(in: before) {
      text.append(before[next..<splice.position])
      next = splice.position + splice.deleted
      text.append(scalars(splice.inserted)[...], for: before[splice.position..<next])
    }
    text.append(before[next...])
    text.checkMoved()
    if let line = text.doubtfulLine { record(doubtAt: path, line: line) }
    recordGap(in: text.scalars, at: path)
    return string(text.scalars)
  }

  private mutating func recordGap(in text: [UInt32], at path: JSONPointer) {
    let missing = text.count { $0 == marker.value }
    if missing > 0 { gaps.append(PastContent.Gap(path: path, scalars: missing)) }
  }

  private func string(_ scalars: some Sequence<UInt32>) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars.lazy.compactMap(Unicode.Scalar.init))
    return String(result)
  }

  // MARK: Edits of a known text

  /// Pieces of redacted text that are this long are recognized where they were moved to.
  private static let shortestMoved = 4

  /// A text with markers where that of a version has them, going by what it was edited from.
  ///
  /// - Parameters:
  ///   - edited: the text.
  ///   - original: what it was edited from: the version's text before something was redacted.
  ///   - present: the version's text.
  /// - Returns: the text without what was redacted; `nil` if `original` is not what it was.
  func marked(_ edited: String, editedFrom original: String, as present: String) -> String? {
    let (before, now) = (scalars(original), scalars(present))
    guard isVersion(before[...], now[...]) else { return nil }
    let moved = stretches(of: before, as: now).filter { $0.count >= Self.shortestMoved }
    var result: [UInt32] = []
    var next = 0
    for splice in TextDifference(from: original, to: edited).splices {
      let range = splice.position..<splice.position + splice.deleted
      let (old, new) = (before[range], scalars(splice.inserted))
      result += now[next..<range.lowerBound]
      next = range.upperBound
      // Of a word with redacted scalars, these stay.
      let isKnown = !now[range].contains(marker.value)
      let start = isKnown ? 0 : zip(old, new).prefix { $0 == $1 }.count
      let end =
        isKnown
        ? 0
        : zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
          .prefix { $0 == $1 }.count
      result += now[range].prefix(start)
      result += Self.without(moved, new[start..<new.count - end])
      result += now[range].suffix(end)
    }
    return string(result + now[next...])
  }

  /// What stands where another text has runs of markers.
  private func stretches(of text: [UInt32], as marked: [UInt32]) -> [ArraySlice<UInt32>] {
    marked[...].runs(of: marker.value).map { text[$0] }
  }

  /// A text without all occurrences of some others.
  private static func without(
    _ others: [ArraySlice<UInt32>], _ text: ArraySlice<UInt32>
  ) -> [UInt32] {
    var result: [UInt32] = []
    var rest = text
    while let first = rest.first {
      if let other = others.first(where: { rest.starts(with: $0) }) {
        rest = rest.dropFirst(other.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}

extension [TextSplice] {
  /// The edits, of which a change in a line and the lines that come or go after it are one: what was
  /// redacted in one line may stand in the next one now.
  ///
  /// - Parameter text: what they are edits of.
  /// - Returns: the edits.
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
  ///
  /// - Parameters:
  ///   - wanted: the content of the whole document.
  ///   - matching: which elements of lists are the same.
  /// - Returns: the content, and where it was left without something.
  package func withoutRedacted(
    _ wanted: Node, _ matching: ContentMatching = .exact
  ) -> (content: Node, gaps: [PastContent.Gap]) {
    guard let redactionMarker else { return (wanted, []) }
    var stretches = RedactedStretches(marker: redactionMarker, matching: matching)
    let content = stretches.marked(wanted, as: root, at: JSONPointer())
    return (content, stretches.gaps)
  }

  /// Puts the marker into the body of a note that comes back to this version.
  ///
  /// - Returns: where the note was left without something.
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
