/// A line of a plain file that a save may have deleted.
public struct KeptLine: Hashable, Sendable {
  /// What it says, without its line feed.
  public var text: String
  /// Its number in the file, from 1.
  public var number: Int
  /// The change that wrote in it last.
  public var change: ChangeID
  /// When the file was saved that lacks it.
  public var saved: Timestamp
}

/// A save of which nothing said what version it was made from, so that this was guessed.
///
/// A file that another machine sent without its history may lack a line since it was deleted there,
/// or since it had not come there yet. In doubt it stays.
public struct PlainGuess: Hashable, Sendable {
  /// The version that the file showed then, by its heads.
  var shown: [ChangeID]
  /// What was known of the history then, by its heads.
  var known: [ChangeID]
  /// When the file was saved.
  var saved: Timestamp

  /// How many a machine remembers.
  static let limit = 8
}

extension PlainHistory {
  /// The lines that stand in the file though a save may have deleted them, ascending.
  ///
  /// These are lines that somebody wrote before a file was saved which lacks them, where it had to
  /// be guessed whether whoever saved it had them before their eyes. Whoever saves a version that
  /// has both has seen them; then they are listed no more.
  ///
  /// Two walks over the whole history if there are such; O(changes) for each guess.
  ///
  /// - Parameter guesses: what this machine guessed.
  /// - Returns: the lines.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func keptInDoubt(after guesses: [PlainGuess]) throws(DocumentError) -> [KeptLine] {
    if hasMarker || guesses.isEmpty { return [] }
    let history = SeenHistory(of: document)
    let saves = undoneIfSeen(guesses, history)
    guard !saves.isEmpty, let text = document.text(at: Self.path) else { return [] }
    let sequence = try PlainSequence(of: text, in: document)
    let present = history.changes(of: document.heads)
    let places = Dictionary(
      self.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    var result: [KeptLine] = []
    var line = ""
    var found: (change: Int, saved: Timestamp)?
    func endLine() {
      if let found, PlainTwins.saysAnything(line.unicodeScalars), let number = places[line[...]] {
        result.append(
          KeptLine(
            text: line, number: number, change: history.names[found.change], saved: found.saved))
      }
      (line, found) = ("", nil)
    }
    for run in sequence.runs where sequence.shows(run, in: present) {
      let saved = saves[run.change]
      for scalar in sequence.scalars[run.scalars] {
        if scalar == "\n" {
          endLine()
          continue
        }
        line.unicodeScalars.append(scalar)
        if let saved { found = (run.change, saved) }
      }
    }
    endLine()
    return result.sorted { $0.number < $1.number }
  }

  /// The changes that a save undid if whoever made it had seen them, each with the time of the last
  /// such save.
  private func undoneIfSeen(
    _ guesses: [PlainGuess], _ history: SeenHistory
  ) -> [Int: Timestamp] {
    let isSave = document.changes.map { $0.message != PlainTwins.message }
    var result: [Int: Timestamp] = [:]
    for guess in guesses {
      let shown = history.changes(of: guess.shown)
      let known = history.changes(of: guess.known)
      // What somebody has saved since had all this before their eyes.
      var seenSince = SeenChanges(capacity: isSave.count)
      for number in isSave.indices
      where isSave[number] && !known.contains(number)
        && !guess.shown.contains(history.names[number])
        && shown.isSubset(of: history.pasts[number])
      {
        seenSince.formUnion(history.pasts[number])
      }
      for number in isSave.indices
      where isSave[number] && history.times[number] < guess.saved && !shown.contains(number)
        && !seenSince.contains(number)
      {
        result[number] = max(result[number] ?? guess.saved, guess.saved)
      }
    }
    return result
  }
}
