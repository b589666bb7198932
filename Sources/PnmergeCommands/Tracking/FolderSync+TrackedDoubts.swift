import Peernote

/// What is said of tracked plain files beside what was done: where a file does not show what somebody
/// just saved in it, and what is worth a look.
extension FolderSync {
  /// Says where a file shows something else than a save by somebody who has seen that, or where a save
  /// took out what may not have been meant.
  mutating func reportDoubts(of open: OpenPlace, _ history: PlainHistory) throws {
    guard let contents = open.contents, let state = open.state, !open.isBusy,
      contents.file.isSavedHere || open.isGuessed || open.isUndone
    else { return }
    let name = named(open.place.path, open.place.folder)
    do throws(DocumentError) {
      if open.isGuessed, let shown = open.before?.memory?.text {
        let before = Set(shown.splitAtLineFeeds().map(\.withoutCarriageReturn))
        let saved = Set(contents.file.text.splitAtLineFeeds().map(\.withoutCarriageReturn))
        let kept = try history.keptInDoubt(after: state.guesses).filter {
          before.contains($0.text) && !saved.contains($0.text)
        }
        if !kept.isEmpty { report(.kept(name, kept)) }
      }
      if open.isUndone {
        let undone = try history.undoneInDoubt(after: state.guesses)
        if !undone.isEmpty { report(.undone(name, undone)) }
      }
    } catch {
      throw error.failure(in: name)
    }
    if let reading = otherReading(in: open, contents, history) {
      report(.otherReading(name, reading))
    }
  }

  /// Says which lines stand in a file more often than in anything that was taken in: saves of which
  /// nobody says what version they were made from may bring a line twice.
  mutating func reportRepeated(
    in unit: TrackedUnit, _ places: [OpenPlace], _ history: PlainHistory
  ) {
    guard let place = unit.places.first, places.contains(where: { !$0.isBusy && $0.hasNews }) else {
      return
    }
    let known = places.flatMap { open in
      [open.contents?.file.text, open.before?.memory?.text].compactMap(\.self)
        + open.copies.map(\.contents.file.text)
    }
    let lines = PlainHistory.repeatedLines(in: history.text, butNotIn: known)
    if !lines.isEmpty {
      report(.repeated(named(place.path, place.folder), lines.map(\.withoutCarriageReturn)))
    }
  }

  /// The reading of a contested passage that a file shows now since the one that it showed was deleted
  /// from it.
  private func otherReading(
    in open: OpenPlace, _ contents: PlainContents, _ history: PlainHistory
  ) -> String? {
    guard let before = open.before, let shown = before.memory?.text else { return nil }
    let (saved, text) = (contents.file.text, history.text)
    func says(_ side: Conflict.Side) -> String? {
      guard case .text(let text)? = side.node, text.contains(where: { $0.isLetter || $0.isNumber })
      else { return nil }
      return text
    }
    for conflict in before.history.document.conflicts where conflict.kind == .passage {
      guard let kept = says(conflict.kept), shown.contains(kept), !saved.contains(kept) else {
        continue
      }
      let readings = conflict.others.compactMap(says)
      if let found = readings.first(where: {
        text.contains($0) && !saved.contains($0) && !shown.contains($0)
      }) {
        return found
      }
    }
    return nil
  }

  /// Says that edits which were combined adjoin, as 'merge' does.
  ///
  /// Some replays of the history if several saves were merged.
  mutating func reportAdjoining(of unit: TrackedUnit, _ history: PlainHistory) throws {
    let document = history.document
    guard document.heads.count > 1, let place = unit.places.first else { return }
    let name = named(place.path, place.folder)
    do throws(DocumentError) {
      let found = try document.adjoiningLines(ofMerging: document.heads.map { [$0] })
      let contested = document.conflicts
      let places = found.filter { found in !contested.contains { $0.sharesText(with: found) } }
      if !places.isEmpty { report(.adjoining(name, places)) }
    } catch {
      throw error.failure(in: name)
    }
  }
}
