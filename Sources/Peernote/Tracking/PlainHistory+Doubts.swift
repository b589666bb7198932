/// A line of a plain file that a save may have deleted.
public struct KeptLine: Hashable, Sendable {
  /// What it says, without its line feed.
  public var text: String
  /// Its number in the file, from 1.
  public var number: Int
  /// The change that wrote in it last.
  public var change: ChangeID
  /// When the file was saved that lacks it, or has it again.
  public var saved: Timestamp
  /// Whether it had been deleted, and the file has it again, as one does that is older.
  public var isBack: Bool
}

/// A line of a plain file that a save took out, though that may not have been meant.
public struct UndoneLine: Hashable, Sendable {
  /// What it said, without its line feed.
  public var text: String
  /// The change that wrote in it last.
  public var change: ChangeID
  /// When the file was saved that lacks it.
  public var saved: Timestamp
}

/// A save of which nothing said what version it was made from, so that this was guessed.
///
/// A file that another machine sent without its history may lack a line since it was deleted there,
/// or since it had not come there yet. In doubt it stays. But what was saved on this machine is an
/// edit of what the file showed here; if it lacks all of the last saves, and was edited elsewhere,
/// too, it may as well be an old file that took the place of this one: then these are listed.
public struct PlainGuess: Hashable, Sendable {
  /// The version that the file showed then, by its heads.
  var shown: [ChangeID]
  /// What was known of the history then, by its heads.
  var known: [ChangeID]
  /// When the file was saved.
  var saved: Timestamp
  /// The version that the file said it was made from, by its heads; `nil` if it said nothing.
  var base: [ChangeID]?
  /// Whether the save took something out, which may not have been meant: then ``base`` is the version
  /// that it was recorded as an edit of, and ``known`` the one without what is gone.
  var isUndone = false
  /// Lines that the save lacks and that stay, as it was made from no version that is known.
  var kept: [String] = []

  /// How many a machine remembers.
  static let limit = 8
}

extension PlainHistory {
  /// The lines that stand in the file though a save may have deleted them, ascending.
  ///
  /// These are lines that may have been written before a file was saved which lacks them, where it
  /// had to be guessed whether whoever saved it had them before their eyes, and lines that had been
  /// deleted and that such a file has. Whoever saves a version that has both has seen them; then
  /// they are listed no more.
  ///
  /// Two walks over the whole history if there are such; O(changes) for each guess.
  ///
  /// - Parameter guesses: what this machine guessed.
  /// - Returns: the lines.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func keptInDoubt(after guesses: [PlainGuess]) throws(DocumentError) -> [KeptLine] {
    let guesses = guesses.filter { !$0.isUndone }
    if guesses.isEmpty { return [] }
    let history = SeenHistory(of: document)
    let doubts = doubts(guesses, history)
    var result = keptLines(guesses, history)
    guard !doubts.isEmpty, let text = document.text(at: Self.path) else { return result }
    let sequence = try PlainSequence(of: text, in: document)
    let shownLines = guesses.map { sequence.lines(of: history.changes(of: $0.shown)) }
    let goneLines = guesses.map { sequence.lines(goneFrom: history.changes(of: $0.known)) }
    let places = lineNumbers
    let listed = Set(result.map(\.text))
    var line = ""
    var found: [(change: Int, guesses: [Int])] = []
    func endLine() {
      defer { (line, found) = ("", []) }
      let said = line.withoutCarriageReturn
      guard PlainTwins.saysAnything(line.unicodeScalars), !listed.contains(said),
        let number = places[line[...]]
      else { return }
      let kept = found.compactMap { change, numbers -> KeptLine? in
        let name = history.names[change]
        let meant = numbers.filter { number in
          guesses[number].shown.contains(name)
            ? goneLines[number].contains(line) : !shownLines[number].contains(line)
        }
        guard let last = meant.max(by: { guesses[$0].saved < guesses[$1].saved }) else {
          return nil
        }
        return KeptLine(
          text: said, number: number, change: name, saved: guesses[last].saved,
          isBack: guesses[last].shown.contains(name))
      }
      if let last = kept.last { result.append(last) }
    }
    let present = history.changes(of: document.heads)
    for run in sequence.runs where sequence.shows(run, in: present) {
      let guesses = doubts[run.change]
      for scalar in sequence.scalars[run.scalars] {
        if scalar == "\n" {
          endLine()
          continue
        }
        line.unicodeScalars.append(scalar)
        if let guesses, found.last?.change != run.change { found.append((run.change, guesses)) }
      }
    }
    endLine()
    return result.sorted { $0.number < $1.number }
  }

  /// The number of each line of the file.
  private var lineNumbers: [Substring: Int] {
    Dictionary(
      text.splitAtLineFeeds(omittingEmptySubsequences: false).enumerated()
        .map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
  }

  /// The lines that saves of no known version lack, ascending, until somebody has saved the file who
  /// has seen them.
  private func keptLines(_ guesses: [PlainGuess], _ history: SeenHistory) -> [KeptLine] {
    let places = guesses.contains { !$0.kept.isEmpty } ? lineNumbers : [:]
    var result: [String: KeptLine] = [:]
    for guess in guesses where !guess.kept.isEmpty && !isSeen(guess, history) {
      guard let change = guess.shown.last else { continue }
      for line in guess.kept where PlainTwins.saysAnything(line.unicodeScalars) {
        guard let number = places[line[...]] else { continue }
        result[line] = KeptLine(
          text: line.withoutCarriageReturn, number: number, change: change, saved: guess.saved,
          isBack: false)
      }
    }
    return result.values.sorted { $0.number < $1.number }
  }

  /// Whether somebody has saved the file since a guess who has seen what it showed then, or what was
  /// known if nothing was recorded.
  private func isSeen(_ guess: PlainGuess, _ history: SeenHistory) -> Bool {
    let shown = history.changes(of: guess.shown)
    let known = history.changes(of: guess.known)
    let isRecorded = !shown.isSubset(of: known)
    return zip(document.changes, history.pasts).enumerated().contains { number, save in
      save.0.message != PlainTwins.message
        && (isRecorded ? shown : known).isSubset(of: save.1)
        && !guess.shown.contains(history.names[number]) && !known.contains(number)
    }
  }

  /// The lines that saves took out which may not have been meant, in the order of the saves.
  ///
  /// Whoever saves the file again has seen that they are gone; then they are listed no more.
  ///
  /// A walk over the whole history if there are such.
  ///
  /// - Parameter guesses: what this machine guessed.
  /// - Returns: the lines.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func undoneInDoubt(after guesses: [PlainGuess]) throws(DocumentError) -> [UndoneLine] {
    let guesses = guesses.filter(\.isUndone)
    guard !guesses.isEmpty, let text = document.text(at: Self.path) else { return [] }
    let history = SeenHistory(of: document)
    let isSave = document.changes.map { $0.message != PlainTwins.message }
    let sequence = try PlainSequence(of: text, in: document)
    let present = Set(self.text.splitAtLineFeeds().map(String.init))
    var result: [UndoneLine] = []
    for guess in guesses {
      guard let base = guess.base, !isSeen(guess, history) else { continue }
      let older = history.changes(of: guess.known)
      for line in sequence.writtenLines(of: history.changes(of: base)) {
        let last = line.changes.last { isSave[$0] && !older.contains($0) }
        guard let last, PlainTwins.saysAnything(line.text.unicodeScalars),
          !present.contains(line.text)
        else { continue }
        result.append(
          UndoneLine(
            text: line.text.withoutCarriageReturn, change: history.names[last],
            saved: guess.saved))
      }
    }
    return result
  }

  /// For the changes that a save undid if whoever made it had seen them the guesses of such saves.
  private func doubts(_ guesses: [PlainGuess], _ history: SeenHistory) -> [Int: [Int]] {
    let changes = Array(document.changes)
    let isSave = changes.map { $0.message != PlainTwins.message }
    // What a save brings may have been written at any time since its parents.
    var earliest: [Timestamp] = []
    var latest: [Timestamp] = []
    for change in changes {
      let before = change.parents.compactMap { history.numbers[$0] }.map { latest[$0] }.max()
      earliest.append(before ?? Timestamp(milliseconds: .min))
      latest.append(max(change.time, before ?? change.time))
    }
    var result: [Int: [Int]] = [:]
    for (index, guess) in guesses.enumerated() {
      let shown = history.changes(of: guess.shown)
      let known = history.changes(of: guess.known)
      let isRecorded = !shown.isSubset(of: known)
      // What somebody has saved since had all this before their eyes.
      var seenSince = SeenChanges(capacity: isSave.count)
      for number in isSave.indices
      where isSave[number] && !known.contains(number)
        && !guess.shown.contains(history.names[number])
        && (isRecorded ? shown : known).isSubset(of: history.pasts[number])
        && (isRecorded || history.times[number] >= guess.saved)
      {
        seenSince.formUnion(history.pasts[number])
      }
      for number in isSave.indices where isSave[number] && !seenSince.contains(number) {
        let isMeant =
          if shown.contains(number) {
            isRecorded && guess.shown.contains(history.names[number])
          } else {
            // A file that is as its base was is behind, unless it was saved later.
            (guess.base == guess.shown ? history.times[number] : earliest[number]) < guess.saved
              && guess.base.map { $0 == changes[number].parents.sorted() } ?? true
          }
        if isMeant { result[number, default: []].append(index) }
      }
    }
    return result
  }
}

extension PlainSequence {
  /// What the lines say that some changes show, as far as nothing in them is contested.
  fileprivate func lines(of version: SeenChanges) -> Set<String> {
    lines(runs.lazy.filter { shows($0, in: version) })
  }

  /// What the lines said that some changes brought and others of them deleted.
  fileprivate func lines(goneFrom version: SeenChanges) -> Set<String> {
    lines(runs.lazy.filter { version.contains($0.change) && !shows($0, in: version) })
  }

  /// The lines that some changes show, as far as nothing in them is contested, each with the changes
  /// that wrote in it.
  fileprivate func writtenLines(of version: SeenChanges) -> [(text: String, changes: [Int])] {
    var result: [(text: String, changes: [Int])] = []
    var line = ""
    var changes: [Int] = []
    func endLine() {
      result.append((line, changes))
      (line, changes) = ("", [])
    }
    for run in runs where shows(run, in: version) {
      for scalar in scalars[run.scalars] {
        if scalar == "\n" {
          endLine()
          continue
        }
        line.unicodeScalars.append(scalar)
        if changes.last != run.change { changes.append(run.change) }
      }
    }
    endLine()
    return result
  }

  private func lines(_ runs: some Sequence<Run>) -> Set<String> {
    var text = String.UnicodeScalarView()
    for run in runs { text.append(contentsOf: scalars[run.scalars]) }
    return Set(String(text).splitAtLineFeeds().map(String.init))
  }
}
