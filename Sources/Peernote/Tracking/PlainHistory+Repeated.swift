/// A line of a plain file that stands there more often than in any of the last saves.
public struct RepeatedLine: Hashable, Sendable {
  /// What it says, without its line feed.
  public var text: String
  /// The number of the last of them in the file, from 1.
  public var number: Int
  /// How many there are.
  public var count: Int
}

extension PlainHistory {
  /// The lines that stand in the file more often than in any of the last saves, ascending: saves of
  /// which nobody says what version they were made from may bring a line twice.
  ///
  /// Whoever saves the file again has seen them; then they are listed no more.
  ///
  /// O(text) if no line is there several times or one save has seen all others, else a replay for each
  /// save that no other one has seen.
  ///
  /// - Returns: the lines, each once.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func repeatedInDoubt() throws(DocumentError) -> [RepeatedLine] {
    if Self.repeatedLines(in: text, butNotIn: []).isEmpty { return [] }
    let saves = lastSaves
    if saves.count < 2 { return [] }
    var saved: [String] = []
    for save in saves {
      saved.append(PlainHistory(document: try document.at(version: [save]))?.text ?? "")
    }
    let lines = text.splitAtLineFeeds(omittingEmptySubsequences: false)
    return Self.repeatedLines(in: text, butNotIn: saved).map { repeated in
      let last = lines.lastIndex { $0 == repeated } ?? 0
      return RepeatedLine(
        text: repeated.withoutCarriageReturn, number: last + 1,
        count: lines.count { $0 == repeated })
    }
    .sorted { $0.number < $1.number }
  }

  /// The saves that no other one has seen.
  private var lastSaves: [ChangeID] {
    let history = SeenHistory(of: document)
    var seen = SeenChanges(capacity: history.names.count)
    var result: [ChangeID] = []
    for (number, change) in document.changes.enumerated().reversed()
    where change.message != PlainTwins.message {
      if !seen.contains(number) { result.append(change.id) }
      seen.formUnion(history.pasts[number])
    }
    return result
  }
}
