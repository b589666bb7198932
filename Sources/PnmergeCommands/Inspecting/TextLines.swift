import Peernote

/// A text by its lines, in Unicode scalars.
struct TextLines {
  private let scalars: [Unicode.Scalar]
  /// Where each line starts, and where the text ends.
  let starts: [Int]

  /// Lines that read otherwise than before, and where they stand.
  struct Hunk {
    /// The lines, with what stood there before in place of contested passages.
    var lines: ChangedLines
    var scalars: Range<Int>
    /// The same without contested passages.
    var parts: [Range<Int>]
    /// Whether it reaches to a contested passage, which an edit of it would settle.
    var touchesPassage: Bool
  }

  /// O(n).
  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    let feeds = scalars.indices.dropLast().filter { [scalars] in scalars[$0] == "\n" }
    starts = [0] + feeds.map { $0 + 1 } + [scalars.count]
  }

  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  /// The lines that hold a part of the text, by number from 0.
  func lines(of range: Range<Int>) -> Range<Int> {
    let first = max(starts.partitionPoint { $0 > range.lowerBound } - 1, 0)
    let last = starts.partitionPoint { $0 >= range.upperBound }
    return min(first, starts.count - 2)..<max(first + 1, min(last, starts.count - 1))
  }

  func scalars(ofLines lines: Range<Int>) -> Range<Int> {
    let start = starts[min(lines.lowerBound, starts.count - 1)]
    return start..<max(start, starts[min(lines.upperBound, starts.count - 1)])
  }

  /// The number of the line in which a scalar stands, from 1.
  func line(of scalar: Int) -> Int { starts.partitionPoint { $0 > scalar } }

  /// The column in which something begins on its line, in characters from 1.
  func column(of scalar: Int) -> Int {
    let start = scalars[..<scalar].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    return text(start..<scalar).count + 1
  }

  /// The text with other readings of some parts, ascending, and where these stand in it; of parts that
  /// overlap the first one counts.
  func replacing(_ parts: [TextReplacement]) -> (text: String, places: [Range<Int>]) {
    var (result, places) = ("", [Range<Int>]())
    var (end, count) = (0, 0)
    for part in parts where part.scalars.lowerBound >= end {
      result += text(end..<part.scalars.lowerBound) + part.text
      count += part.scalars.lowerBound - end
      places.append(count..<count + part.text.unicodeScalars.count)
      (end, count) = (part.scalars.upperBound, places[places.count - 1].upperBound)
    }
    return (result + text(end..<scalars.count), places)
  }

  /// The lines, in order, in which the text differs from an earlier one besides contested passages: in
  /// which it would if there stood what stood there before, if that is known.
  func hunks(
    from old: String, besides passages: [(scalars: Range<Int>, before: EarlierContent)]
  ) -> [Hunk] {
    let passages = passages.sorted { $0.scalars.lowerBound < $1.scalars.lowerBound }
    let (undecided, places) = replacing(
      passages.map { scalars, before in
        let earlier = before.isKnown ? before.node?.string ?? "" : text(scalars)
        return TextReplacement(scalars: scalars, text: earlier)
      })
    let lines = TextLines(undecided)
    /// Where that starts or ends in this text which does so there.
    func place(of border: Int, isStart: Bool) -> Int {
      let number = places.partitionPoint {
        isStart ? $0.upperBound > border : $0.upperBound >= border
      }
      if number < places.count, places[number].lowerBound < border {
        return isStart ? passages[number].scalars.lowerBound : passages[number].scalars.upperBound
      }
      guard number > 0 else { return border }
      return border + passages[number - 1].scalars.upperBound - places[number - 1].upperBound
    }
    return ChangedLines.find(from: old, to: undecided).flatMap(\.singleLines).compactMap {
      changed in
      let range = lines.scalars(ofLines: changed.newLines)
      let upper = place(of: range.upperBound, isStart: false)
      let own = min(place(of: range.lowerBound, isStart: true), upper)..<upper
      let near = passages.filter {
        $0.scalars.lowerBound <= own.upperBound && own.lowerBound <= $0.scalars.upperBound
      }
      // What is not known of a passage cannot be told from what was done beside it.
      if near.contains(where: { !$0.before.isKnown && $0.scalars.overlaps(own) }) { return nil }
      return Hunk(
        lines: changed, scalars: own, parts: near.map(\.scalars).gaps(in: own),
        touchesPassage: !near.isEmpty)
    }
  }

  /// Lines that were added, apart from those beside them that are of other people; what stands in place
  /// of other lines, or reaches to a contested passage, stays one.
  func parted(_ hunk: Hunk, by authors: (Range<Int>) -> Set<String>) -> [Hunk] {
    guard hunk.lines.old.isEmpty, !hunk.touchesPassage, authors(hunk.scalars).count > 1 else {
      return [hunk]
    }
    let all = lines(of: hunk.scalars)
    let people = all.map { authors(scalars(ofLines: $0..<$0 + 1)) }
    let starts = people.indices.filter { $0 == 0 || people[$0] != people[$0 - 1] }
    return zip(starts, starts.dropFirst() + [people.count]).map { start, end in
      var part = hunk
      part.scalars = scalars(ofLines: all.lowerBound + start..<all.lowerBound + end)
      part.parts = [part.scalars]
      let first = hunk.lines.newLines.lowerBound
      part.lines.newLines = first + start..<first + end
      part.lines.new = text(part.scalars)
      return part
    }
  }

  /// The most of a sentence that is shown on either side of a passage.
  private static let sentenceLimit = 400

  /// The rest of the sentence, or of the line, in which a passage stands.
  func sentence(around passage: Range<Int>) -> (head: String, tail: String) {
    var start = passage.lowerBound
    while start > 0, scalars[start - 1] != "\n", !endsSentence(before: start) { start -= 1 }
    var end = passage.upperBound
    if passage.isEmpty || scalars[end - 1] != "\n" {
      while end < scalars.count, scalars[end] != "\n",
        end == passage.lowerBound || !endsSentence(before: end)
      {
        end += 1
      }
    }
    let head = max(start, passage.lowerBound - Self.sentenceLimit)
    let tail = min(end, passage.upperBound + Self.sentenceLimit)
    return (
      (head > start ? "…" : "") + text(head..<passage.lowerBound),
      text(passage.upperBound..<tail) + (tail < end ? "…" : "")
    )
  }

  /// Whether a sentence ends right before a place: with a sign, and blanks after it.
  private func endsSentence(before place: Int) -> Bool {
    var index = place - 1
    guard index >= 0 else { return false }
    if "。！？".unicodeScalars.contains(scalars[index]) { return true }
    guard scalars[index].properties.isWhitespace,
      place == scalars.count || !scalars[place].properties.isWhitespace
    else { return false }
    while index >= 0, scalars[index].properties.isWhitespace { index -= 1 }
    while index >= 0, "\"'”’»)]".unicodeScalars.contains(scalars[index]) { index -= 1 }
    return index >= 0 && ".!?…".unicodeScalars.contains(scalars[index])
  }
}

/// The texts of a document by their lines, each looked at once.
struct TextsByLine {
  private let document: Document
  private var known: [JSONPointer: TextLines] = [:]

  init(of document: Document) { self.document = document }

  /// The text at a path; `nil` if there is none.
  mutating func lines(_ path: JSONPointer) -> TextLines? {
    if known[path] == nil, case .text(let text)? = document.node(at: path) {
      known[path] = TextLines(text)
    }
    return known[path]
  }
}

extension ChangedLines {
  /// Each line by itself, with its end, where as many stand there as before.
  var singleLines: [ChangedLines] {
    guard oldLines.count == newLines.count, oldLines.count > 1 else { return [self] }
    let (before, after) = (TextLines(old), TextLines(new))
    return zip(oldLines, newLines).enumerated().compactMap { number, places in
      let line = number..<number + 1
      let old = before.text(before.scalars(ofLines: line))
      let new = after.text(after.scalars(ofLines: line))
      if old.utf8.elementsEqual(new.utf8) { return nil }
      return ChangedLines(
        oldLines: places.0..<places.0 + 1, newLines: places.1..<places.1 + 1, old: old, new: new)
    }
  }
}

/// The lines of a text, each with the change that last wrote something in it.
///
/// They are found anew each time they are gone through, and take no memory, unlike the passages that
/// changes wrote: a text can have as many lines as it has bytes.
struct BlamedLines {
  /// A line without its end.
  struct Line {
    /// Its number, from 1.
    var number: Int
    /// Where it stands in the text.
    var range: Range<String.Index>
    /// The place of the change in the document's list.
    var change: Int
  }

  let text: String
  /// All changes of the document; in the file they stand after those that they follow.
  let changes: ChangeList
  /// The passages of the text: one past the last scalar, and the place of the change in the list.
  ///
  /// See ``Peernote/Document/passages(ofTextAt:)``.
  let passages: [(end: Int32, change: ChangeIndex)]

  /// Whether a change is the later one of two.
  private func isLater(_ left: Int, than right: Int) -> Bool {
    left != right && (changes[left].time, left) > (changes[right].time, right)
  }

  func text(of line: Line) -> String { String(text[line.range]) }

  /// Calls `body` with each line, in order.
  func forEachLine(_ body: (Line) throws -> Void) rethrows {
    let scalars = text.unicodeScalars
    var (start, number) = (scalars.startIndex, 1)
    var (position, passage) = (0, 0)
    var latest: Int?
    for index in scalars.indices {
      while passages[passage].end <= position { passage += 1 }
      position += 1
      let writer = passages[passage].change.number
      if scalars[index] == "\n" {
        // The end of a line counts only where there is nothing else.
        try body(Line(number: number, range: start..<index, change: latest ?? writer))
        (start, number, latest) = (scalars.index(after: index), number + 1, nil)
      } else if latest.map({ isLater(writer, than: $0) }) ?? true {
        latest = writer
      }
    }
    if let latest {
      try body(Line(number: number, range: start..<scalars.endIndex, change: latest))
    }
  }
}
