package import PeernoteEngine

/// Puts what was redacted since into content that left the document before, and comes back.
///
/// The version that such content was read from shows a marker for each redacted scalar, while the
/// content still has the text. Compared as they are, the text would come back as new. So a text that
/// is the same but for the markers gets these, and so does a passage of one. Whatever else comes in
/// where the markers are may hold redacted text, and so may what comes in elsewhere in the text and
/// is half as long: there is a doubt, and the content is refused.
package struct RedactedStretches {
  /// The scalar that stands for each redacted one.
  let marker: Unicode.Scalar
  var matching = ContentMatching.exact
  /// Where texts of the content were left without what was redacted.
  private(set) var gaps: [RedactedGap] = []
  /// The first place where the content may hold redacted text, and the line there.
  package private(set) var doubt: (path: JSONPointer, line: Int)?

  package init(marker: Unicode.Scalar, matching: ContentMatching = .exact) {
    self.marker = marker
    self.matching = matching
  }

  /// The most comparisons of elements in one list; more are a doubt.
  private static let effort = 1 << 20
  /// Shorter pieces of redacted text are not looked for elsewhere.
  private static let shortestCopy = 4

  // MARK: Content

  /// The content with markers where a version has them; near-linear in the size of both.
  package mutating func marked(
    _ wanted: DocumentNode, as present: DocumentNode, at path: JSONPointer
  )
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
      // What is of another kind may hold any of the text, unless it is a number or the like.
      if case .value = wanted.form, wanted.string == nil { return wanted }
      record(doubtAt: path, line: 1)
      return wanted
    }
  }

  private func holdsMarker(_ node: DocumentNode) -> Bool {
    if case .text(let text) = node { return text.unicodeScalars.contains(marker) }
    return node.children.contains { holdsMarker($0.node) }
  }

  private mutating func record(doubtAt path: JSONPointer, line: Int) {
    if doubt == nil { doubt = (path, line) }
  }

  // MARK: Lists

  private mutating func marked(_ new: [DocumentNode], as old: [DocumentNode], at path: JSONPointer)
    -> [DocumentNode]
  {
    let redacted = old.indices.filter { holdsMarker(old[$0]) }
    guard redacted.count * new.count <= Self.effort else {
      record(doubtAt: path, line: 1)
      return new
    }
    // What is the same but for what is missing is the same.
    var result = new
    var isTaken = [Bool](repeating: false, count: new.count)
    for index in redacted {
      let place = new.indices.first { !isTaken[$0] && isVersion(new[$0], old[index]) }
      guard let place else { continue }
      isTaken[place] = true
      result[place] = old[index]
    }
    let partners = matching.partners(from: old, to: result)
    for (place, partner) in partners.enumerated() {
      guard let partner else { continue }
      result[place] = marked(result[place], as: old[partner], at: path.appending(String(place)))
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
      return isVersion(new.unicodeScalars, old.unicodeScalars)
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

  // MARK: Texts

  /// Whether a text is the same as one that has markers, whatever stands where they do.
  package func isVersion(
    _ new: some Sequence<Unicode.Scalar>, _ old: some Sequence<Unicode.Scalar>
  ) -> Bool {
    new.elementsEqual(old) { $0 == $1 || $1 == marker }
  }

  /// A text with markers where that of a version has them.
  private mutating func marked(_ new: String, as old: String, at path: JSONPointer) -> String {
    let before = Array(old.unicodeScalars)
    let edits =
      isVersion(new.unicodeScalars, before) ? [] : TextDifference(from: old, to: new).edits
    let missing = edits.flatMap { before[$0.deleted].split { $0 != marker } }
    let shortest = missing.map(\.count).filter { $0 >= Self.shortestCopy }.min() ?? .max
    var result = String.UnicodeScalarView()
    var (next, line) = (0, 1)
    for edit in edits {
      let kept = before[next..<edit.deleted.lowerBound]
      result.append(contentsOf: kept)
      line += kept.count { $0 == "\n" }
      next = edit.deleted.upperBound
      let (gone, new) = (before[edit.deleted], edit.inserted.string.unicodeScalars)
      if isVersion(new, gone) {
        result.append(contentsOf: gone)
      } else {
        // What moved may share words with what it replaces, so that not all of it comes in.
        if !new.isEmpty, gone.contains(marker) || 2 * new.count >= shortest {
          record(doubtAt: path, line: line)
        }
        result.append(contentsOf: new)
      }
      line += new.count { $0 == "\n" }
    }
    result.append(contentsOf: before[next...])
    let count = result.count { $0 == marker }
    if count > 0 { gaps.append(RedactedGap(path: path, scalars: count)) }
    return String(result)
  }
}

extension Document {
  /// Content that comes back to a place of this version, with the marker for what was redacted since;
  /// see ``late(version:)``.
  package func withoutRedacted(
    _ wanted: DocumentNode, at path: JSONPointer = JSONPointer(),
    _ matching: ContentMatching = .exact
  ) -> (content: DocumentNode, gaps: [RedactedGap]) {
    guard let redactionMarker, let present = node(at: path) else { return (wanted, []) }
    var stretches = RedactedStretches(marker: redactionMarker, matching: matching)
    let content = stretches.marked(wanted, as: present, at: path)
    return (content, stretches.gaps)
  }
}
