/// Settling what two sides wrote against each other: the file shows just the text, and a phone cannot
/// choose.
extension PlainHistory {
  private static let message = "settled"

  /// What came of settling.
  package struct Settlement: Hashable, Sendable {
    /// The lines of other readings that stand beside those that were shown; or, where another reading
    /// has none of its own, since somebody deleted them, the lines that stand all the same; and lines
    /// that stand more often than on any side.
    package var added: [String] = []
    /// Those that do not stand.
    package var left: TakenOutLines?
  }

  /// Makes a text of what was merged that anybody can go on with, in a change of its own.
  ///
  /// Of a contested passage both readings stand, whole lines, the one that was shown first. Of lines
  /// that only make sense together one reading does; if the programs that they are for could not read
  /// what the merge made of them, though they could read both sides, those of the later side do. A
  /// line that both sides brought in at one place stands once. What was recorded as a save and is none
  /// is no side; see ``PlainVersions/withoutDeliveries()``. The change follows from the history, so
  /// that whoever settles the same makes the same. Nothing is done where nothing was merged.
  ///
  /// O(text) if the history has one head, else a walk over it for each, and for each merged version
  /// that some head lacks.
  package mutating func settle(as form: PlainForm) throws -> Settlement {
    let contested = document.contestedPassages
    let before = document.heads
    guard before.count > 1 || !contested.isEmpty else { return Settlement() }
    let counted =
      try before.count > 1
      ? PlainVersions(of: self, from: before).withoutDeliveries() : document
    let passages = counted.contestedPassages
    let merged = counted.bodyText
    let earlier = try counted.earlierContent(of: passages)
    var wanted = Self.withBothReadings(
      of: passages, since: Dictionary(zip(passages.map(\.id), earlier)) { first, _ in first },
      in: merged, form.structuredLines(merged))
    var left = wanted.left
    var added = wanted.added
    // Most often nothing stands twice, and all can be read: then no side is looked at.
    if counted.heads.count > 1, wanted.text.saysTwice || !form.isValid(wanted.text) {
      var sides: [String] = []
      // What was written last stands last.
      let heads = counted.headChanges.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
      for head in heads {
        sides.append(try document.at(version: [head.id]).bodyText)
      }
      wanted.text = Self.withoutDoubled(
        wanted.text, sides, after: form.structuredLines(wanted.text))
      if !form.isValid(wanted.text), sides.allSatisfy(form.isValid), let later = sides.last {
        let whole = Self.structured(of: later, in: wanted.text, form)
        // Of what is there no reading is, and a line that several sides had is one.
        left = sides.dropLast().reduce(into: []) { left, side in
          left += side.linesMissing(in: ([whole] + left).joined(separator: "\n"))
        }
        wanted.text = whole
      }
      let (counts, known) = (wanted.text.allLineCounts, sides.map(\.allLineCounts))
      // A line that both sides moved is a conflict, and told as that.
      let moved = document.conflicts.filter { $0.kind == .moved }.flatMap(\.sides)
      let told = wanted.added + moved.flatMap { $0.node?.lines ?? [] }
      added += counts.filter { line, count in
        line.unicodeScalars.sayAnything && count > known.map { $0[line, default: 0] }.max() ?? 0
      }.map(\.key.withoutCarriageReturn).filter { !told.contains($0) }.sorted()
    }
    // What was redacted since is not to come back.
    if let marker = counted.redactionMarker {
      wanted.text.unicodeScalars.removeAll { $0 == marker }
    }
    if contested.isEmpty, wanted.text.utf8.elementsEqual(text.utf8) {
      return Settlement(added: added)
    }
    let time = document.headChanges.map(\.time).max() ?? Timestamp(milliseconds: 0)
    try document.record(wanted.text, settling: contested, time: time, message: Self.message)
    var result = Settlement(added: added)
    if !left.isEmpty {
      // The side that has them; the merge of all sides does not show them either.
      let side = try before.first { head in
        let lines = try document.at(version: [head]).bodyText.splitAtLineFeeds()
        return Set(lines.map(\.withoutCarriageReturn)).isSuperset(of: left)
      }
      result.left = TakenOutLines(
        heads: document.heads, base: side.map { [$0] } ?? before, saved: time, lines: left)
    }
    return result
  }

  /// The text with both readings of contested passages, but for the lines at its start that only make
  /// sense together; the lines of other readings that stand, or that stand though one side had not
  /// wanted them; and the lines of other readings that do not stand.
  ///
  /// What was there `earlier` goes by the names of the passages.
  private static func withBothReadings(
    of passages: [Conflict], since earlier: [String: EarlierContent], in text: String,
    _ structuredLines: Int
  ) -> (text: String, added: [String], left: [String]) {
    var scalars = Array(text.unicodeScalars)
    var (standing, left): ([String], [String]) = ([], [])
    for group in groups(of: passages, in: scalars).reversed() {
      let shown = string(scalars[group.range])
      var lines = shown.splitAtLineFeeds(omittingEmptySubsequences: false).map(String.init)
      let isStructured =
        scalars[..<group.range.lowerBound].count { $0 == "\n" } < structuredLines
      /// The lines with other readings of the passages.
      func text(_ node: (Conflict) -> DocumentNode?) -> String {
        var other = Array(scalars[group.range])
        for passage in group.passages.reversed() {
          guard let range = passage.scalars, !passage.others.isEmpty else { continue }
          let place =
            range.lowerBound
            - group.range.lowerBound..<min(range.upperBound - group.range.lowerBound, other.count)
          var read = ""
          if case .text(let reading)? = node(passage) { read = reading }
          other.replaceSubrange(place, with: read.unicodeScalars)
        }
        return string(other[...])
      }
      let before = text { earlier[$0.id]?.node }
      let isKnown = group.passages.allSatisfy { earlier[$0.id]?.isKnown ?? false }
      for number in 0..<(group.passages.map(\.others.count).max() ?? 0) {
        let reading = text { $0.others[min(number, $0.others.count - 1)].node }
        let count = lines.count
        for line in reading.splitAtLineFeeds()
        where !line.isBlank && !lines.contains(where: { $0[...].withoutEnd == line.withoutEnd }) {
          if isStructured {
            left.append(line.withoutCarriageReturn)
          } else {
            lines.append(String(line))
          }
        }
        if isStructured { continue }
        // Lines that were inserted where nobody took any out stand against nothing.
        if isKnown, [shown, reading].allSatisfy({ before.linesMissing(in: $0).isEmpty }) {
          continue
        }
        standing +=
          lines.count > count
          ? lines[count...].map(\.withoutCarriageReturn) : shown.linesMissing(in: reading)
      }
      let whole = lines.joined(separator: "\n")
      scalars.replaceSubrange(group.range, with: whole.unicodeScalars)
    }
    return (string(scalars[...]), standing, left)
  }

  /// Contested passages of the same lines, and those lines, without the last one's line feed.
  private static func groups(
    of passages: [Conflict], in scalars: [Unicode.Scalar]
  ) -> [(range: Range<Int>, passages: [Conflict])] {
    var result: [(range: Range<Int>, passages: [Conflict])] = []
    for passage in passages {
      guard let place = passage.scalars else { continue }
      var (start, end) = (place.lowerBound, place.upperBound)
      while start > 0, scalars[start - 1] != "\n" { start -= 1 }
      if end > start, scalars[end - 1] == "\n" { end -= 1 }
      while end < scalars.count, scalars[end] != "\n" { end += 1 }
      if let last = result.last, start <= last.range.upperBound {
        result[result.count - 1].range = last.range.lowerBound..<max(last.range.upperBound, end)
        result[result.count - 1].passages.append(passage)
      } else {
        result.append((start..<end, [passage]))
      }
    }
    return result
  }

  /// A text in which lines that say anything stand once, if they stand there more often than on any
  /// side, with nothing between them but what is not on all sides, too.
  private static func withoutDoubled(
    _ text: String, _ sides: [String], after structuredLines: Int
  ) -> String {
    var lines = text.splitAtLineFeeds(omittingEmptySubsequences: false)
    var counts = text.allLineCounts
    let known = sides.map(\.allLineCounts)
    var last: [Substring: Int] = [:]
    var doubled: [Int] = []
    // The start of the stretch that nothing interrupts which all sides have.
    var start = 0
    for (number, line) in lines.enumerated()
    where number >= structuredLines && line.unicodeScalars.sayAnything {
      let most = known.map { $0[line, default: 0] }.max() ?? 0
      if counts[line, default: 0] > most, let other = last[line], other >= start {
        doubled.append(number)
        counts[line, default: 0] -= 1
      } else {
        last[line] = number
        if known.allSatisfy({ $0[line] != nil }), counts[line, default: 0] <= most {
          start = number + 1
        }
      }
    }
    if doubled.isEmpty { return text }
    for number in doubled.reversed() { lines.remove(at: number) }
    return lines.joined(separator: "\n")
  }

  /// A text with the lines at its start of another one that only make sense together; all of that one
  /// if it is one value.
  private static func structured(of other: String, in text: String, _ form: PlainForm) -> String {
    let count = form.structuredLines(other)
    let head = other.splitAtLineFeeds(omittingEmptySubsequences: false)
    let body = text.splitAtLineFeeds(omittingEmptySubsequences: false)
    let own = form.structuredLines(text)
    guard count < head.count, own < body.count else { return other }
    let result = (head[..<count] + body[own...]).joined(separator: "\n")
    return form.isValid(result) ? result : other
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

extension DocumentNode {
  /// The lines of a text.
  fileprivate var lines: [String] {
    guard case .text(let text) = self else { return [] }
    return text.splitAtLineFeeds().map(\.withoutCarriageReturn)
  }
}

extension String {
  /// Whether a line that says anything stands more than once.
  fileprivate var saysTwice: Bool {
    allLineCounts.contains { $0.value > 1 && $0.key.unicodeScalars.sayAnything }
  }
}
