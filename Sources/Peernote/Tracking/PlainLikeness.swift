/// How much a text is like that of a tracked file: whether it may be the file under another name.
extension PlainHistory {
  /// From what likeness on a text is taken for that of the file.
  package static let enough = 0.5

  /// How much a text has in common with what the file says now, or said when it was last looked at:
  /// 1 for the same text, or another one that the file has shown, 0 for one that shares no word.
  ///
  /// O(text), and if that is not like the file a walk over the history for each of its versions.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - remembered: what the file said when it was last looked at, if that is known.
  /// - Returns: from 0 to 1.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  package func likeness(
    of text: String, remembered: String? = nil
  ) throws(DocumentError) -> Double {
    let known = [self.text] + (remembered.map { [$0] } ?? [])
    let best = known.map { Self.likeness(of: text, to: $0) }.max() ?? 0
    if best >= Self.enough { return best }
    return try hasShown(text) ? 1 : best
  }

  /// The highest likeness of a text to anything that the file has shown.
  ///
  /// O(history), and if most words of the text are in it a walk over it for each version.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  package func likenessToVersions(of text: String) throws(DocumentError) -> Double {
    let written = try document.insertedText().text.string
    let known = Set(written.wordCounts.keys)
    func size(_ words: some Sequence<Substring>) -> Int { words.reduce(0) { $0 + $1.utf8.count } }
    let words = text.wordCounts.keys
    guard 4 * size(words.filter(known.contains)) >= size(words) else { return 0 }
    let versions = try PlainVersions(of: self).versions
    return versions.map { Self.likeness(of: text, to: $0.text) }.max() ?? 0
  }

  /// Whether a text goes on from what the file says now, or said when it was last looked at: all lines
  /// of that stand in it, in their order, and say enough that this is no chance.
  ///
  /// O(text).
  package func isGrown(into text: String, remembered: String? = nil) -> Bool {
    ([self.text] + (remembered.map { [$0] } ?? [])).contains { old in
      let wanted = old.splitAtLineFeeds().filter { $0.unicodeScalars.sayAnything }
      let size = wanted.reduce(0) { $0 + Self.letterCount($1) }
      var rest = wanted[...]
      for line in text.splitAtLineFeeds() where line == rest.first { rest.removeFirst() }
      return rest.isEmpty && size >= Self.enoughLetters
    }
  }

  /// The lines that a text has more often than any of some others, and that say enough that this is no
  /// chance.
  ///
  /// O(texts).
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - others: the others.
  /// - Returns: the lines, each once, in the order of the text.
  package static func repeatedLines(in text: String, butNotIn others: [String]) -> [String] {
    let known = others.map(\.allLineCounts)
    var found = text.allLineCounts.filter { line, count in
      count > 1 && letterCount(line) >= enoughLetters
        && known.allSatisfy { $0[line] ?? 0 < count }
    }
    return text.splitAtLineFeeds().compactMap { line in
      found.removeValue(forKey: line).map { _ in String(line) }
    }
  }

  /// How many letters and digits a text has to have that is found again within another one.
  fileprivate static let enoughLetters = 8

  /// How many letters and digits a line has.
  fileprivate static func letterCount(_ line: Substring) -> Int {
    line.unicodeScalars.count { CollectionOfOne($0).sayAnything }
  }

  /// How many letters and digits two texts have in words of both, of all that they have.
  package static func likeness(of first: String, to second: String) -> Double {
    if first.utf8.elementsEqual(second.utf8) { return 1 }
    let (first, second) = (first.wordCounts, second.wordCounts)
    func size(_ counts: [Substring: Int]) -> Int {
      counts.reduce(0) { $0 + $1.key.utf8.count * $1.value }
    }
    let shared = first.reduce(0) { $0 + $1.key.utf8.count * min($1.value, second[$1.key] ?? 0) }
    let all = size(first) + size(second)
    return all == 0 ? 0 : 2 * Double(shared) / Double(all)
  }
}

extension PlainVersions {
  /// Whether a text has next to nothing in common with any version, though both say enough that this
  /// is no chance: then it was made from none of them.
  ///
  /// O(texts).
  func isForeign(_ text: String) -> Bool {
    let words = Words(of: text)
    guard words.letterCount >= PlainHistory.enoughLetters else { return false }
    let others = versions.map { Words(of: $0.text) }
      .filter { $0.letterCount >= PlainHistory.enoughLetters }
    return !others.isEmpty
      && others.allSatisfy { 20 * words.shared(with: $0) < words.letterCount + $0.letterCount }
  }

  /// The words of a text; where a script writes no spaces, its signs.
  private struct Words {
    private var counts: [ArraySlice<UInt8>: Int] = [:]
    private(set) var letterCount = 0

    init(of text: String) {
      let bytes = Array(text.utf8)
      let tokens = Tokens.words(bytes, in: bytes.indices)
      for token in 0..<tokens.count where tokens.isWord[token] {
        counts[bytes[tokens.bounds[token]..<tokens.bounds[token + 1]], default: 0] += 1
        letterCount += Int(tokens.weights[token])
      }
    }

    /// About how many letters and digits both have.
    func shared(with other: Words) -> Int {
      counts.reduce(0) { $0 + $1.key.count * min($1.value, other.counts[$1.key] ?? 0) }
    }
  }
}
