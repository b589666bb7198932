/// What a tracked file shows of a version: the text of the document without the lines that are left
/// out, since they were typed once and came in more than once (``PlainTwins``).
struct PlainView {
  /// What the file shows.
  private(set) var text: String

  /// A line that is left out.
  private struct Gap {
    /// Where it would stand, in scalars of what is shown.
    var place: Int
    /// Where it stands in the document, in scalars.
    var scalars: Range<Int>
    /// Where the line stands in the document that is shown in its stead, if one is.
    var shown: Range<Int>?
    /// Whether it begins with the line feed before it, rather than ending with its own.
    var beginsWithFeed: Bool

    /// The edit that takes it out.
    var leftOut: Editor.ShownEdit { Editor.ShownEdit(deleted: scalars, inserted: TextBuffer()) }
  }

  /// Ascending and disjoint.
  private var gaps: [Gap] = []
  /// Where passages of the document stand, in scalars.
  private var passages: [Range<Int>] = []

  /// The view of a version.
  ///
  /// O(bytes), and what ``PlainTwins/hidden(in:)`` takes.
  ///
  /// - Parameters:
  ///   - document: the document as it was at the version.
  ///   - version: the changes of the version, as the twins know them.
  ///   - twins: the twins of a document that has the version.
  init(of document: Document, _ version: SeenChanges, _ twins: PlainTwins) {
    text = document.bodyText
    guard !twins.isEmpty, let number = document.text(at: PlainHistory.path) else { return }
    // A twin that shares its line with something else may be in a reading that is not shown.
    let left = twins.hidden(in: version).filter {
      !$0.isOnOtherLine || text.ranges(of: $0.text).count > 1
    }
    let hidden = HiddenLines(
      left, document.file.passages[number] ?? [], raw: document.file.texts[number])
    if hidden.lines.isEmpty { return }
    let scalars = Array(text.unicodeScalars)
    var view = String.UnicodeScalarView()
    var end = 0
    for line in hidden.lines where line.scalars.upperBound > end {
      // Two lines of one change may share a line feed.
      let gone = max(line.scalars.lowerBound, end)..<line.scalars.upperBound
      view.append(contentsOf: scalars[end..<gone.lowerBound])
      end = gone.upperBound
      gaps.append(
        Gap(
          place: view.count, scalars: gone, shown: line.shown,
          beginsWithFeed: scalars[end - 1] != "\n"))
    }
    view.append(contentsOf: scalars[end...])
    text = String(view)
    passages = hidden.passageRanges
  }

  /// Whether the document shows the same.
  var isWhole: Bool { gaps.isEmpty }

  /// Where a part of the document's text stands in what is shown, in scalars; `nil` if something of it
  /// is left out.
  ///
  /// O(lines that are left out).
  func place(ofDocument range: Range<Int>) -> Range<Int>? {
    if gaps.contains(where: { $0.scalars.overlaps(range) }) { return nil }
    let before = gaps.prefix { $0.scalars.upperBound <= range.lowerBound }
    let shift = before.reduce(0) { $0 + $1.scalars.count }
    return range.lowerBound - shift..<range.upperBound - shift
  }

  /// What makes the file show another text: edits of the document's text, ascending.
  ///
  /// Lines that are left out stay, unless what is shown in their stead is edited.
  ///
  /// Near-linear in the length of both texts.
  func edits(to new: String) -> [Editor.ShownEdit] {
    var edits: [Editor.ShownEdit] = []
    for splice in PlainDifference(from: text, to: new).splices {
      edits += self.edits(of: splice)
    }
    var isKept = gaps.map { _ in true }
    var isDone = false
    while !isDone {
      isDone = true
      // A passage that an edit meets becomes ordinary text, with what it shows.
      let met = passages.filter { passage in
        edits.contains { edit in
          edit.deleted.lowerBound <= passage.upperBound
            && passage.lowerBound <= edit.deleted.upperBound
        }
      }
      for (number, gap) in gaps.enumerated() where isKept[number] {
        let isEdited = gap.shown.map { shown in
          edits.contains { $0.touches(shown) } || met.contains { $0.overlaps(shown) }
        }
        guard isEdited ?? false || met.contains(where: { $0.overlaps(gap.scalars) }) else {
          continue
        }
        isKept[number] = false
        isDone = false
        edits.append(gap.leftOut)
      }
    }
    return Self.joined(edits)
  }

  /// Edits put together that touch, ascending.
  private static func joined(_ edits: [Editor.ShownEdit]) -> [Editor.ShownEdit] {
    var result: [Editor.ShownEdit] = []
    let sorted = edits.sorted {
      ($0.deleted.lowerBound, $0.deleted.upperBound) < (
        $1.deleted.lowerBound, $1.deleted.upperBound
      )
    }
    for edit in sorted {
      guard let last = result.last, last.deleted.upperBound >= edit.deleted.lowerBound else {
        result.append(edit)
        continue
      }
      result[result.count - 1] = last.joined(with: edit)
    }
    return result
  }

  /// One edit of what is shown, in the document's text.
  private func edits(of splice: TextSplice) -> [Editor.ShownEdit] {
    let inserted = TextBuffer(splice.inserted)
    let end = splice.position + splice.deleted
    guard splice.deleted > 0 else {
      let place = place(ofInsertionAt: end)
      return [Editor.ShownEdit(deleted: place..<place, inserted: inserted)]
    }
    var parts: [Range<Int>] = []
    var start = place(after: splice.position)
    for gap in gaps where splice.position < gap.place && gap.place < end {
      if start < gap.scalars.lowerBound { parts.append(start..<gap.scalars.lowerBound) }
      start = gap.scalars.upperBound
    }
    let rest = splice.deleted - parts.reduce(0) { $0 + $1.count }
    if rest > 0 { parts.append(start..<start + rest) }
    var edits = parts.map { Editor.ShownEdit(deleted: $0, inserted: TextBuffer()) }
    let target = splice.insertsBeforeDeleted ? 0 : edits.count - 1
    edits[target].inserted = inserted
    edits[target].insertsBefore = splice.insertsBeforeDeleted
    return edits
  }

  /// Where a scalar of what is shown stands in the document.
  private func place(after position: Int) -> Int {
    gaps.reduce(position) { $1.place <= position ? $0 + $1.scalars.count : $0 }
  }

  /// Where an insertion goes in the document: where lines are left out, behind those that end with
  /// their own line feed, as it may not end with one, and before others.
  private func place(ofInsertionAt position: Int) -> Int {
    let here = gaps.filter { $0.place == position }
    if here.contains(where: \.beginsWithFeed) { return here[0].scalars.lowerBound }
    return place(after: position)
  }
}

extension Editor.ShownEdit {
  /// Whether it changes anything in a line, or within it.
  fileprivate func touches(_ line: Range<Int>) -> Bool {
    if deleted.overlaps(line) { return true }
    guard !inserted.utf8.isEmpty else { return false }
    let place = insertsBefore ? deleted.lowerBound : deleted.upperBound
    return place == line.lowerBound
      ? inserted.utf8.last != 0x0A : line.lowerBound < place && place < line.upperBound
  }

  /// Both edits, of which the other one begins where this one ends.
  fileprivate func joined(with other: Editor.ShownEdit) -> Editor.ShownEdit {
    var text = inserted
    text.append(other.inserted)
    return Editor.ShownEdit(
      deleted: deleted.lowerBound..<max(deleted.upperBound, other.deleted.upperBound),
      inserted: text, insertsBefore: insertsBefore && !inserted.utf8.isEmpty)
  }
}

/// The lines of a document's text that are left out.
private struct HiddenLines {
  /// A line in the document's text, in scalars, and where one stands that is shown in its stead.
  struct Line {
    var scalars: Range<Int>
    var shown: Range<Int>?
  }

  /// Ascending.
  private(set) var lines: [Line] = []
  private let passages: [TextPassage]
  private let map: PassageMap

  /// Where the passages stand in the document's text.
  var passageRanges: [Range<Int>] { map.shownRanges }

  /// Finds the lines that are left out of the raw text in the text that is shown, where passages
  /// show something else.
  ///
  /// - Parameters:
  ///   - hidden: the lines that are left out of the raw text, ascending.
  ///   - passages: the passages of the text.
  ///   - raw: the raw text.
  init(_ hidden: [PlainTwins.Hidden], _ passages: [TextPassage], raw: TextBuffer) {
    self.passages = passages
    map = PassageMap(passages)
    for line in hidden
    where !line.scalars.isEmpty && passage(at: line.scalars) == nil && isReplaced(line) {
      lines.append(Line(scalars: shown(line.scalars), shown: line.shown.map(shown)))
    }
    if !passages.isEmpty {
      let scalars = Array(raw.string.unicodeScalars)
      for number in passages.indices {
        let raw = passages[number].raw
        let inside = hidden.filter {
          $0.scalars.overlaps(raw)
            || $0.scalars.isEmpty && raw.lowerBound <= $0.scalars.lowerBound
              && $0.scalars.lowerBound <= raw.upperBound
        }
        if !inside.isEmpty { hide(inside, in: number, raw: scalars) }
      }
    }
    lines.sort { $0.scalars.lowerBound < $1.scalars.lowerBound }
  }

  private func shown(_ raw: Range<Int>) -> Range<Int> {
    map.shown(ofRaw: raw.lowerBound)..<map.shown(ofRaw: raw.upperBound, forward: true)
  }

  private func passage(at raw: Range<Int>) -> Int? {
    passages.firstIndex { $0.raw.overlaps(raw) }
  }

  /// Whether what is to stand for a line is shown.
  private func isReplaced(_ line: PlainTwins.Hidden) -> Bool {
    guard let shown = line.shown, let number = passage(at: shown) else { return true }
    return passages[number].shown.text.string.splitAtLineFeeds().contains { $0 == line.text }
  }

  /// Leaves lines out of what a passage shows: as many as it has more of than the raw text shows.
  private mutating func hide(
    _ hidden: [PlainTwins.Hidden], in number: Int, raw: [Unicode.Scalar]
  ) {
    let passage = passages[number]
    var left = String.UnicodeScalarView()
    for place in passage.raw where !hidden.contains(where: { $0.scalars.contains(place) }) {
      left.append(raw[place])
    }
    let kept = String(left).splitAtLineFeeds()
    let scalars = Array(passage.shown.text.string.unicodeScalars)
    let start = map.shownRanges[number].lowerBound
    for text in Set(hidden.map(\.text)) {
      // Where somebody edited the twin, the passage may show what stood there before.
      let outside = hidden.first { line in
        line.text == text && isReplaced(line)
          && line.shown.map { !$0.overlaps(passage.raw) } ?? passage.others.isEmpty
      }
      let count = kept.count { $0 == text }
      if count == 0, outside == nil { continue }
      let all = scalars.lines(saying: text)
      let first = count == 0 ? outside?.shown.map(shown) : all.first?.shifted(by: start)
      for line in all.dropFirst(count) {
        lines.append(Line(scalars: line.shifted(by: start), shown: first))
      }
    }
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}

extension [Unicode.Scalar] {
  /// Where whole lines stand that say a text, each with its line feed.
  fileprivate func lines(saying text: String) -> [Range<Int>] {
    let wanted = Array(text.unicodeScalars)
    var result: [Range<Int>] = []
    var start = 0
    while start < count {
      guard let end = self[start...].firstIndex(of: "\n") else { break }
      if self[start..<end].elementsEqual(wanted) { result.append(start..<end + 1) }
      start = end + 1
    }
    return result
  }
}
