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

  /// Takes words out of texts.
  ///
  /// O(bytes); O(1) if nothing was redacted.
  init(_ redacted: [String], in ours: [TextBuffer], and theirs: [TextBuffer]) {
    var words: Set<Substring> = []
    for text in redacted {
      words.formUnion(Self.words(of: text[...]))
      words.formUnion(Self.words(of: Substring(String(text.reversed()))))
    }
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
  ///
  /// O(bytes); O(1) if there are no words.
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
