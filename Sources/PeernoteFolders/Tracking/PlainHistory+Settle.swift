import PeernoteEngine
import PeernoteMerging

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
  /// that only make sense together one reading does. If the programs that they are for could not read
  /// what the merge made of them, though they could read all sides, so it is where several sides
  /// brought in lines at one place, or else with all of these lines: the latest side's stand. A
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
    var (text, added, left) = Self.withBothReadings(
      of: Array(zip(passages, try counted.earlierContent(of: passages))), in: merged,
      form.structuredLines(merged))
    let saysTwice = text.allLineCounts.contains { $1 > 1 && $0.unicodeScalars.sayAnything }
    // Most often nothing stands twice, and all can be read: then no side is looked at.
    if counted.heads.count > 1, saysTwice || !form.isValid(text) {
      // What was written last stands last.
      let sides = try counted.headChanges.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
        .map { try document.at(version: [$0.id]).bodyText }
      text = Self.withoutDoubled(text, sides, after: form.structuredLines(text))
      if !form.isValid(text), sides.allSatisfy(form.isValid), let later = sides.last {
        let latest = Self.withLatest(of: sides, in: text, form.structuredLines(text))
        if form.isValid(latest.text) {
          (text, left) = (latest.text, left + latest.left)
        } else {
          text = Self.structured(of: later, in: text, form)
          // Of what is there no reading is, and a line that several sides had is one.
          left = sides.dropLast().reduce(into: []) { left, side in
            left += side.linesMissing(in: ([text] + left).joined(separator: "\n"))
          }
        }
      }
      let known = sides.map(\.allLineCounts)
      // A line that both sides moved is a conflict, and told as that.
      let moved = document.conflicts.filter { $0.kind == .moved }.flatMap(\.sides)
      let told =
        added
        + moved.flatMap { ($0.node?.string ?? "").splitAtLineFeeds().map(\.withoutCarriageReturn) }
      added += text.allLineCounts.filter { line, count in
        line.unicodeScalars.sayAnything && count > known.map { $0[line, default: 0] }.max() ?? 0
      }.map(\.key.withoutCarriageReturn).filter { !told.contains($0) }.sorted()
    }
    // What was redacted since is not to come back.
    if let marker = counted.redactionMarker {
      text.unicodeScalars.removeAll { $0 == marker }
    }
    if contested.isEmpty, text.utf8.elementsEqual(self.text.utf8) {
      return Settlement(added: added)
    }
    let time = document.headChanges.map(\.time).max() ?? Timestamp(milliseconds: 0)
    try document.record(text, settling: contested, time: time, message: Self.message)
    if left.isEmpty { return Settlement(added: added) }
    // The side that has them; the merge of all sides does not show them either.
    let side = try before.first { head in
      let lines = try document.at(version: [head]).bodyText.splitAtLineFeeds()
      return Set(lines.map(\.withoutCarriageReturn)).isSuperset(of: left)
    }
    let taken = TakenOutLines(
      heads: document.heads, base: side.map { [$0] } ?? before, saved: time, lines: left)
    return Settlement(added: added, left: taken)
  }

  /// A contested passage, and what stood there before.
  private typealias Contested = (passage: Conflict, earlier: EarlierContent)

  /// The text with both readings of contested passages, but for the lines at its start that only make
  /// sense together; the lines of other readings that stand, or that stand though one side had not
  /// wanted them; and the lines of other readings that do not stand.
  private static func withBothReadings(
    of passages: [Contested], in text: String, _ structuredLines: Int
  ) -> (text: String, added: [String], left: [String]) {
    var scalars = Array(text.unicodeScalars)
    var (standing, left): ([String], [String]) = ([], [])
    for (range, passages) in groups(of: passages, in: scalars).reversed() {
      /// The lines with a reading of each passage that is contested there.
      func text(_ node: (Contested) -> DocumentNode?) -> String {
        var result = scalars[range]
        for contested in passages.reversed() {
          guard let place = contested.passage.scalars?.clamped(to: range) else { continue }
          result.replaceSubrange(place, with: (node(contested)?.string ?? "").unicodeScalars)
        }
        return String(String.UnicodeScalarView(result))
      }
      let shown = String(String.UnicodeScalarView(scalars[range]))
      var lines = shown.splitAtLineFeeds(omittingEmptySubsequences: false).map(String.init)
      let isStructured = scalars[..<range.lowerBound].count { $0 == "\n" } < structuredLines
      let before = passages.allSatisfy(\.earlier.isKnown) ? text { $0.earlier.node } : nil
      for number in 0..<(passages.map(\.passage.others.count).max() ?? 0) {
        let reading = text { contested in
          let others = contested.passage.others
          return others[min(number, others.count - 1)].node
        }
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
        if let before, [shown, reading].allSatisfy({ before.linesMissing(in: $0).isEmpty }) {
          continue
        }
        standing +=
          lines.count > count
          ? lines[count...].map(\.withoutCarriageReturn) : shown.linesMissing(in: reading)
      }
      scalars.replaceSubrange(range, with: lines.joined(separator: "\n").unicodeScalars)
    }
    return (String(String.UnicodeScalarView(scalars)), standing, left)
  }

  /// Contested passages of the same lines, and those lines, without the last one's line feed.
  private static func groups(
    of passages: [Contested], in scalars: [Unicode.Scalar]
  ) -> [(range: Range<Int>, passages: [Contested])] {
    var result: [(range: Range<Int>, passages: [Contested])] = []
    for contested in passages {
      guard let place = contested.passage.scalars else { continue }
      let start = scalars[..<place.lowerBound].lastIndex(of: "\n").map { $0 + 1 } ?? 0
      var end = place.upperBound
      if end > start, scalars[end - 1] == "\n" { end -= 1 }
      end = scalars[end...].firstIndex(of: "\n") ?? scalars.count
      if let last = result.last, start <= last.range.upperBound {
        result[result.count - 1] = (
          last.range.lowerBound..<max(last.range.upperBound, end), last.passages + [contested]
        )
      } else {
        result.append((start..<end, [contested]))
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
      let isTooMuch = counts[line, default: 0] > known.map { $0[line, default: 0] }.max() ?? 0
      if isTooMuch, let other = last[line], other >= start {
        doubled.append(number)
        counts[line, default: 0] -= 1
      } else {
        last[line] = number
        if !isTooMuch, known.allSatisfy({ $0[line] != nil }) { start = number + 1 }
      }
    }
    for number in doubled.reversed() { lines.remove(at: number) }
    return lines.joined(separator: "\n")
  }

  /// A text in which, of lines at its start that follow each other and that some sides have and some
  /// have not, those of the latest side stand; and the others.
  private static func withLatest(
    of sides: [String], in text: String, _ structuredLines: Int
  ) -> (text: String, left: [String]) {
    let lines = text.splitAtLineFeeds(omittingEmptySubsequences: false)
    let known = sides.map { Set($0.splitAtLineFeeds(omittingEmptySubsequences: false)) }
    var (standing, left, run): ([Substring], [String], [Substring]) = ([], [], [])
    func endRun() {
      let side = known.last { !$0.isDisjoint(with: run) } ?? []
      standing += run.filter { side.contains($0) }
      left += run.filter { !side.contains($0) }.map(\.withoutCarriageReturn)
      run = []
    }
    for line in lines.prefix(structuredLines) {
      if (1..<known.count).contains(known.count { $0.contains(line) }) {
        run.append(line)
      } else {
        endRun()
        standing.append(line)
      }
    }
    endRun()
    return ((standing + lines.dropFirst(structuredLines)).joined(separator: "\n"), left)
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
}
