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
  /// The change that wrote in it last; the save, if it was a reading that the file did not show.
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
  /// Lines that the save lacks and that stay, as it was made from no version that is known; or those
  /// of readings that the file did not show and that the save settled.
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
    var numbers = Set(result.map(\.number))
    /// Lists what may have been deleted of a line that some changes wrote.
    func list(_ line: String, writtenBy changes: [Int]) {
      let said = line.withoutCarriageReturn
      guard line.unicodeScalars.sayAnything, let number = places[line[...]],
        !numbers.contains(number)
      else { return }
      let kept = changes.compactMap { change -> KeptLine? in
        let name = history.names[change]
        let meant = (doubts[change] ?? []).filter { number in
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
      guard let last = kept.last else { return }
      numbers.insert(number)
      result.append(last)
    }
    let present = history.changes(of: document.heads)
    let isSave = areSaves
    for line in sequence.writtenLines(of: present) { list(line.text, writtenBy: line.changes) }
    // Of a line that came in more than once the one that stands may not be the one in doubt.
    for line in sequence.writtenLines(where: { run in
      present.contains(run.change) && !run.deletedBy.contains { isSave[$0] }
    }) {
      list(line.text, writtenBy: line.changes)
    }
    return result.sorted { $0.number < $1.number }
  }

  /// For each change whether it is one of a file, not one that counts lines once.
  private var areSaves: [Bool] { document.changes.map { $0.message != PlainTwins.message } }

  /// The same guesses of saves of which nothing was recorded; if something has come in since that they
  /// may have deleted, and that whoever wrote it did not add to all that was known, then only who has
  /// seen what is there now has seen that.
  ///
  /// O(changes²) bits if there are such guesses, and O(changes) for each.
  func renewed(_ guesses: [PlainGuess]) -> [PlainGuess] {
    let history = SeenHistory(of: document)
    let saves = Saves(of: document, history)
    return guesses.map { guess in
      let known = history.changes(of: guess.known)
      guard !guess.isUndone, history.changes(of: guess.shown).isSubset(of: known) else {
        return guess
      }
      let isMore = saves.mayBeUndone(by: guess).contains {
        !known.contains($0) && !known.isSubset(of: history.pasts[$0])
      }
      if !isMore { return guess }
      var renewed = guess
      renewed.known = document.heads
      return renewed
    }
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
      for line in guess.kept where line.unicodeScalars.sayAnything {
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
    let isSave = areSaves
    return history.pasts.enumerated().contains { number, past in
      isSave[number] && (isRecorded ? shown : known).isSubset(of: past)
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
    let isSave = areSaves
    let sequence = try PlainSequence(of: text, in: document)
    let present = Set(self.text.splitAtLineFeeds().map(String.init))
    var result: [UndoneLine] = []
    for guess in guesses {
      guard let base = guess.base, !isSeen(guess, history) else { continue }
      if !guess.kept.isEmpty {
        result += guess.kept.filter {
          $0.unicodeScalars.sayAnything && !present.contains($0)
        }.map {
          UndoneLine(
            text: $0.withoutCarriageReturn, change: guess.shown[0], saved: guess.saved)
        }
        continue
      }
      let older = history.changes(of: guess.known)
      for line in sequence.writtenLines(of: history.changes(of: base)) {
        let last = line.changes.last { isSave[$0] && !older.contains($0) }
        guard let last, line.text.unicodeScalars.sayAnything,
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
    let saves = Saves(of: document, history)
    var result: [Int: [Int]] = [:]
    for (index, guess) in guesses.enumerated() {
      let shown = history.changes(of: guess.shown)
      let known = history.changes(of: guess.known)
      let isRecorded = !shown.isSubset(of: known)
      // What somebody has saved since had all this before their eyes.
      var seenSince = SeenChanges(capacity: history.pasts.count)
      for number in saves.numbers
      where !known.contains(number) && !guess.shown.contains(history.names[number])
        && (isRecorded ? shown : known).isSubset(of: history.pasts[number])
        && (isRecorded || history.times[number] >= guess.saved)
      {
        seenSince.formUnion(history.pasts[number])
      }
      for number in saves.mayBeUndone(by: guess) where !seenSince.contains(number) {
        result[number, default: []].append(index)
      }
    }
    return result
  }
}

/// The changes that are saves of the file.
private struct Saves {
  /// Ascending.
  let numbers: [Int]
  private let history: SeenHistory
  /// For each change its parents, ascending.
  private let parents: [[ChangeID]]
  /// For each change the earliest time at which what it brings may have been written: that of its
  /// parents.
  private var earliest: [Timestamp] = []

  init(of document: Document, _ history: SeenHistory) {
    self.history = history
    let changes = Array(document.changes)
    numbers = changes.indices.filter { changes[$0].message != PlainTwins.message }
    parents = changes.map { $0.parents.sorted() }
    var latest: [Timestamp] = []
    for change in changes {
      let before = change.parents.compactMap { history.numbers[$0] }.map { latest[$0] }.max()
      earliest.append(before ?? Timestamp(milliseconds: .min))
      latest.append(max(change.time, before ?? change.time))
    }
  }

  /// The saves that another one undid if whoever made that had seen them, and itself if it was
  /// recorded: it may bring back what had been deleted.
  func mayBeUndone(by guess: PlainGuess) -> [Int] {
    let shown = history.changes(of: guess.shown)
    let isRecorded = !shown.isSubset(of: history.changes(of: guess.known))
    return numbers.filter { number in
      if shown.contains(number) {
        return isRecorded && guess.shown.contains(history.names[number])
      }
      // A file that is as its base was is behind, unless it was saved later.
      let time = guess.base == guess.shown ? history.times[number] : earliest[number]
      return time < guess.saved && guess.base.map { $0 == parents[number] } ?? true
    }
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
    writtenLines { shows($0, in: version) }
  }

  fileprivate func writtenLines(
    where isShown: (Run) -> Bool
  ) -> [(text: String, changes: [Int])] {
    var result: [(text: String, changes: [Int])] = []
    var line = ""
    var changes: [Int] = []
    func endLine() {
      result.append((line, changes))
      (line, changes) = ("", [])
    }
    for run in runs where isShown(run) {
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
