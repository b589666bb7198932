package import PeernoteEngine

/// Text that a merge took out of a document for good, because the other copy has redacted it: text
/// that was deleted before, or is only now.
///
/// A redaction is no change: it says neither who made it nor when. What is known is who brought it,
/// the other copy, and whose deletions held the text.
package struct TakenOutText: Hashable, Sendable {
  /// Where the text stands that the passages were deleted from; `nil` if its container was removed.
  package var path: JSONPointer?
  /// How many scalars are gone; one that several people deleted counts once for each.
  package var scalars: Int
  /// Who had deleted them, in the order of the changes, each name once.
  package var authors: [String]
}

extension Log {
  /// What some deletions, in ascending ranges, removed from each text, in the order of the first
  /// deletion; O(n), if there are any.
  func deletedTexts(_ deletions: [Range<Int32>], in objects: Objects) -> [TakenOutText] {
    if deletions.isEmpty { return [] }
    var result: [TakenOutText] = []
    var places: [ContainerIndex: Int] = [:]
    forEachDeletion(with: deletions) { operation, parts in
      for part in parts {
        let place = places[operation.container] ?? result.count
        if place == result.count {
          places[operation.container] = place
          let path = objects.path(to: operation.container).map { JSONPointer($0) }
          result.append(TakenOutText(path: path, scalars: 0, authors: []))
        }
        result[place].scalars += part.count
        let first = operation.first + (part.lowerBound - operation.firstScalar)
        for change in eventCounts.changes(of: first..<first + Int32(part.count)) {
          let author = authors[metadata(ofChange: change).author]
          if !result[place].authors.contains(author) { result[place].authors.append(author) }
        }
      }
    }
    return result
  }

  /// The deletions whose text is redacted, in runs: how many, by the first one of each; O(n).
  var redactedRuns: [EventID: Int] {
    var runs: [EventID: Int] = [:]
    if deletedText.redacted.isEmpty { return runs }
    forEachDeletion(with: deletedText.redacted) { operation, parts in
      for part in parts {
        let first = operation.first + (part.lowerBound - operation.firstScalar)
        runs[eventID(of: first)] = part.count
      }
    }
    return runs
  }

  /// Goes through all deletions of texts, each with the parts of it that lie in ascending ranges.
  private func forEachDeletion(
    with ranges: [Range<Int32>], _ body: (_ operation: Operation, _ parts: [Range<Int32>]) -> Void
  ) {
    for operation in operations where operation.kind.deletesText {
      body(operation, ranges.parts(in: operation.scalars))
    }
  }
}

/// Text that one copy has redacted, and that a merged document has in spite of it.
///
/// A redaction reaches what its author knew of. Who wrote the same words anew, or deleted the same
/// passage as well, brings them back with the next merge.
package enum LeftoverText: Hashable, Sendable {
  /// A word of it stands in a text, first on this line, from 1; `nil` if it stands only in a
  /// reading of a contested passage that is not shown.
  case shown(path: JSONPointer, line: Int?)
  /// Someone else's deletion of the same passage keeps it.
  case deleted(TakenOutText)
}

/// The words of redacted text that at most one of two copies had in its texts before a merge: what
/// both have was left in other places on purpose.
struct RedactedWords {
  /// How many letters and digits a word has at least; shorter ones stand everywhere.
  private static let leastLength = 4

  private let words: Set<Substring>

  /// Takes words out of texts; O(bytes); O(1) if nothing was redacted.
  init(_ redacted: [String], in ours: [TextBuffer], and theirs: [TextBuffer]) {
    var words = Set(
      redacted.flatMap { text in
        Self.words(of: text[...]) + Self.words(of: Substring(String(text.reversed())))
      })
    if !words.isEmpty { words.subtract(Self.words(of: ours).intersection(Self.words(of: theirs))) }
    self.words = words
  }

  /// Where a text has one of the words first: its line from 1; `nil` if it has none.
  fileprivate func line(in text: TextBuffer) -> Int? {
    let lines = text.string.splitAtLineFeeds(omittingEmptySubsequences: false)
    return lines.firstIndex { !words.isDisjoint(with: Self.words(of: $0)) }.map { $0 + 1 }
  }

  fileprivate var isEmpty: Bool { words.isEmpty }

  private static func words(of texts: [TextBuffer]) -> Set<Substring> {
    texts.reduce(into: []) { $0.formUnion(words(of: $1.string[...])) }
  }

  private static func words(of text: Substring) -> [Substring] {
    text.plainWords.filter { $0.unicodeScalars.count >= leastLength }
  }
}

extension DocumentFile {
  /// The texts that have some of the words, in the order of the containers.
  func places(of words: RedactedWords) -> [LeftoverText] {
    if words.isEmpty { return [] }
    let shown = shownTexts
    return texts.indices.compactMap { number in
      guard words.line(in: texts[number]) != nil,
        let path = objects.path(to: ContainerIndex(number))
      else { return nil }
      return .shown(path: JSONPointer(path), line: words.line(in: shown[number]))
    }
  }
}
