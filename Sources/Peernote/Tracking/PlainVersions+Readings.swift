/// Edits of lines that are contested: the file shows one reading, and whoever edits it has seen no
/// other.
extension PlainVersions {
  /// The changes that whoever saved a version has seen in the file: all but those of readings that
  /// it did not show; `nil` if the version is not looked at.
  func changesShown(at heads: [ChangeID]) -> SeenChanges? {
    versions.first { $0.heads == heads }.map { changesShown(of: $0) }
  }

  /// The changes of a version without those of the readings that the file did not show, but with those
  /// of some of them.
  private func changesShown(of version: Version, and found: [HiddenReading] = []) -> SeenChanges {
    func changes(of readings: [HiddenReading]) -> SeenChanges {
      var result = SeenChanges(capacity: seen.pasts.count)
      for number in readings.flatMap(\.changes).compactMap({ seen.numbers[$0] }) {
        result.insert(number)
      }
      return result
    }
    var shown = version.changes
    shown.subtract(changes(of: version.hidden))
    shown.formUnion(changes(of: found))
    return shown
  }

  /// Whether a text has something else in the place of what a version shows of a contested passage,
  /// or another reading beside it, and a hidden reading was written by changes that whoever wrote the
  /// text has seen.
  func decides(_ text: String, at heads: [ChangeID], having known: SeenChanges) -> Bool {
    guard let version = versions.first(where: { $0.heads == heads }), version.view.isWhole else {
      return false
    }
    let places = version.hidden.filter { isSeen($0.changes, known) }.map(\.place)
    if places.isEmpty { return false }
    return !version.readings(besideShownIn: text).isEmpty
      || TextDifference(from: version.text, to: text).splices.contains { splice in
        let deleted = splice.position..<splice.position + splice.deleted
        return !splice.inserted.isEmpty && places.contains { $0.overlaps(deleted) }
      }
  }

  /// The changes of a version that whoever wrote a text has seen which has a reading that the file did
  /// not show beside the one that it showed; `nil` if there is none.
  func changes(ofBothReadingsIn text: String, at heads: [ChangeID]) -> SeenChanges? {
    guard let version = versions.first(where: { $0.heads == heads }) else { return nil }
    let found = version.readings(besideShownIn: text)
    return found.isEmpty ? nil : changesShown(of: version, and: found)
  }

  private func isSeen(_ changes: [ChangeID], _ known: SeenChanges?) -> Bool {
    changes.allSatisfy { change in
      seen.numbers[change].map { known?.contains($0) ?? false } ?? false
    }
  }

  /// Edits of a version that has just the reading which the file shows.
  struct ReadingEdits {
    /// The document at that version.
    var past: Document
    /// Its heads.
    var heads: [ChangeID]
    var edits: [Editor.ShownEdit]
  }

  /// Takes those edits out that would settle what the file does not show, as edits of the part of
  /// the version that has the reading which it shows.
  ///
  /// Where no part of the version shows the same lines once, the edits stay. So do those that put
  /// something else in the place of a passage all of whose readings were seen.
  ///
  /// A walk over the history for each contested passage that an edit meets.
  ///
  /// - Parameters:
  ///   - edits: of the text that the document shows, ascending.
  ///   - past: the document at a version.
  ///   - heads: of that version.
  ///   - document: the document with all changes.
  ///   - known: the changes that whoever made the edits has seen, though the file shows other
  ///     readings by now; `nil` if that is not known.
  /// - Returns: what was taken out, none of them at the same version as another one; and the lines of
  ///   the readings that were not seen and that the edits which stay settle.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  func takeReadingEdits(
    from edits: inout [Editor.ShownEdit], of past: Document, _ heads: [ChangeID],
    in document: Document, having known: SeenChanges? = nil
  ) throws(DocumentError) -> (parts: [ReadingEdits], settled: [String]) {
    guard past.redactionMarker == nil, let text = past.text(at: PlainHistory.path),
      let passages = past.file.passages[text], passages.contains(where: { !$0.others.isEmpty })
    else { return ([], []) }
    let shown = PassageMap(passages).shownRanges
    let lines = ShownLines(past.bodyText)
    if known != nil { edits = edits.map { lines.touching($0, passages, shown) } }
    var result: [ReadingEdits] = []
    var settled: [String] = []
    var next = 0
    while next < passages.count {
      let met = edits.partsMeeting(passages, shown, from: next)
      next = max(next + 1, met.passages.upperBound)
      guard !met.edits.isEmpty else { continue }
      let own = Array(edits[met.edits])
      let others = passages[met.passages].flatMap(\.others)
      let ranges = shown[met.passages] + own.map(\.deleted)
      let stretch = ranges.dropFirst().reduce(ranges[ranges.startIndex]) {
        min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
      }
      // Another reading beside the one that is shown takes its place, too.
      let standBeside = others.contains { reading in
        own.contains { $0.inserted.string.contains(reading.text.string) }
      }
      let isReplaced = own.contains { edit in
        !edit.inserted.utf8.isEmpty && shown[met.passages].contains { $0.overlaps(edit.deleted) }
      }
      let seen = isReplaced || standBeside ? known : nil
      let unseen = others.filter { !isSeen($0.changes, seen) }
      let hidden = unseen.flatMap(\.changes)
      if hidden.isEmpty, standBeside {
        edits.replaceSubrange(met.edits, with: [lines.edit(of: stretch, making: own)])
      }
      guard !hidden.isEmpty else { continue }
      let readings = passages[met.passages].flatMap(\.shown.changes)
      guard
        let part = try self.part(
          of: heads, without: hidden, showing: stretch, of: lines, readings, in: document, seen)
      else {
        settled += unseen.flatMap { $0.text.string.splitAtLineFeeds().map(String.init) }
        continue
      }
      edits.removeSubrange(met.edits)
      let moved = own.map { $0.moved(by: part.shift) }
      if let index = result.firstIndex(where: { $0.heads == part.heads }) {
        result[index].edits += moved
        result[index].edits.sort { $0.deleted.lowerBound < $1.deleted.lowerBound }
      } else {
        result.append(ReadingEdits(past: part.past, heads: part.heads, edits: moved))
      }
    }
    return (result, settled)
  }

  private typealias Part = (past: Document, heads: [ChangeID], shift: Int)

  /// The part of a version that shows some lines once, and nothing contested there of which a
  /// reading was not seen.
  private func part(
    of heads: [ChangeID], without hidden: [ChangeID], showing stretch: Range<Int>,
    of lines: ShownLines, _ readings: [ChangeID], in document: Document, _ known: SeenChanges?
  ) throws(DocumentError) -> Part? {
    for version in [seen.part(of: heads, without: hidden), seen.heads(of: readings)]
    where !version.isEmpty {
      let past = try document.late(version: version)
      guard past.redactionMarker == nil, let text = past.text(at: PlainHistory.path),
        let place = ShownLines(past.bodyText).place(ofSame: stretch, of: lines)
      else { continue }
      let passages = past.file.passages[text] ?? []
      let isContested = zip(passages, PassageMap(passages).shownRanges).contains {
        $0.others.contains { !isSeen($0.changes, known) } && $1.lowerBound <= place.upperBound
          && place.lowerBound <= $1.upperBound
      }
      if !isContested { return (past, version, place.lowerBound - stretch.lowerBound) }
    }
    return nil
  }
}

/// A text and its lines.
private struct ShownLines {
  let scalars: [Unicode.Scalar]
  /// Where each line begins, and the end of the text.
  private let starts: [Int]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var starts = [0]
    for (place, scalar) in scalars.enumerated() where scalar == "\n" { starts.append(place + 1) }
    if starts[starts.count - 1] < scalars.count { starts.append(scalars.count) }
    self.starts = starts
  }

  /// An edit that puts another reading beside the one that is shown, with the white space between the
  /// two; any other edit as it is.
  func touching(
    _ edit: Editor.ShownEdit, _ passages: [TextPassage], _ shown: [Range<Int>]
  ) -> Editor.ShownEdit {
    for (passage, place) in zip(passages, shown) {
      let gap =
        edit.deleted.lowerBound >= place.upperBound
        ? place.upperBound..<edit.deleted.lowerBound
        : edit.deleted.upperBound..<max(edit.deleted.upperBound, place.lowerBound)
      let isBeside = scalars[gap].allSatisfy { $0.properties.isWhitespace && $0 != "\n" }
      guard !gap.isEmpty, isBeside,
        passage.others.contains(where: { edit.inserted.string.contains($0.text.string) })
      else { continue }
      let range =
        min(gap.lowerBound, edit.deleted.lowerBound)..<max(gap.upperBound, edit.deleted.upperBound)
      return self.edit(of: range, making: [edit])
    }
    return edit
  }

  /// The edit that replaces a whole stretch by what some edits in it, ascending, make of it.
  func edit(of stretch: Range<Int>, making edits: [Editor.ShownEdit]) -> Editor.ShownEdit {
    var result = Editor.ShownEdit(deleted: stretch, inserted: TextBuffer())
    var place = stretch.lowerBound
    func append(_ end: Int) {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[place..<end])
      result.inserted.append(TextBuffer(String(text)))
    }
    for edit in edits {
      append(edit.deleted.lowerBound)
      result.inserted.append(edit.inserted)
      place = edit.deleted.upperBound
    }
    append(stretch.upperBound)
    return result
  }

  /// Where the same stretch stands as in another text, by the lines that it is in and, if these
  /// are not there once, those beside them.
  func place(ofSame stretch: Range<Int>, of other: ShownLines) -> Range<Int>? {
    let first = (other.starts.lastIndex { $0 <= stretch.lowerBound }) ?? 0
    let last = other.starts.firstIndex { $0 >= stretch.upperBound } ?? other.starts.count - 1
    for (before, after) in [(0, 0), (1, 1), (1, 0), (0, 1)] {
      let from = other.starts[max(0, first - before)]
      let to = other.starts[min(other.starts.count - 1, last + after)]
      guard from < to else { continue }
      let wanted = other.scalars[from..<to]
      let found = starts.filter { start in
        scalars[start...].starts(with: wanted)
          && (wanted.last == "\n" || start + wanted.count == scalars.count)
      }
      if found.count == 1 {
        let start = found[0] + stretch.lowerBound - from
        return start..<start + stretch.count
      }
    }
    return nil
  }
}

extension SeenHistory {
  /// The heads of the largest part of a version that has seen none of some changes, ascending.
  fileprivate func part(of heads: [ChangeID], without changes: [ChangeID]) -> [ChangeID] {
    let version = self.changes(of: heads)
    let hidden = changes.compactMap { numbers[$0] }
    var part = SeenChanges(capacity: pasts.count)
    for number in pasts.indices
    where version.contains(number) && !hidden.contains(where: { pasts[number].contains($0) }) {
      part.insert(number)
    }
    return self.heads(of: part)
  }
}

extension [Editor.ShownEdit] {
  /// The passages from one on that edits hold together, and these edits, by number: all that meet
  /// the passage, if only at its border, and all passages that those meet.
  fileprivate func partsMeeting(
    _ passages: [TextPassage], _ shown: [Range<Int>], from first: Int
  ) -> (passages: Range<Int>, edits: Range<Int>) {
    func meets(_ edit: Editor.ShownEdit, _ range: Range<Int>) -> Bool {
      edit.deleted.lowerBound <= range.upperBound && range.lowerBound <= edit.deleted.upperBound
    }
    var last = first
    while true {
      let found = indices.filter { index in
        (first...last).contains { meets(self[index], shown[$0]) }
      }
      guard let start = found.first, let end = found.last else {
        return (first..<last + 1, 0..<0)
      }
      guard last + 1 < passages.count, meets(self[end], shown[last + 1]) else {
        return (first..<last + 1, start..<end + 1)
      }
      last += 1
    }
  }
}

extension Editor.ShownEdit {
  fileprivate func moved(by distance: Int) -> Editor.ShownEdit {
    var result = self
    result.deleted = deleted.lowerBound + distance..<deleted.upperBound + distance
    return result
  }
}
