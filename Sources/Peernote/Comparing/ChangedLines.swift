/// Lines of a text that read otherwise in another one.
package struct ChangedLines: Hashable, Sendable {
  /// Which lines of the old text, counted from 0; empty where lines were added.
  package var oldLines: Range<Int>
  /// Which lines of the new text, counted from 0; empty where lines were removed.
  package var newLines: Range<Int>
  /// What stood there, with the ends of the lines.
  package var old: String
  /// What stands there.
  package var new: String

  package init(oldLines: Range<Int>, newLines: Range<Int>, old: String, new: String) {
    self.oldLines = oldLines
    self.newLines = newLines
    self.old = old
    self.new = new
  }

  /// The places where two texts differ, in order: those that ``unifiedDifference(from:to:oldName:newName:context:)``
  /// shows.
  ///
  /// Near-linear.
  package static func find(from old: String, to new: String) -> [ChangedLines] {
    let (oldText, newText) = (Array(old.utf8), Array(new.utf8))
    if oldText == newText { return [] }
    let hunks = Hunk.slid(
      LineDifference(from: oldText, to: newText).hunks, old: WordBoundaries(oldText),
      new: WordBoundaries(newText))
    var oldCounter = LineCounter(oldText)
    var newCounter = LineCounter(newText)
    return hunks.map { hunk in
      ChangedLines(
        oldLines: oldCounter.lines(in: hunk.old), newLines: newCounter.lines(in: hunk.new),
        old: String(decoding: oldText[hunk.old], as: UTF8.self),
        new: String(decoding: newText[hunk.new], as: UTF8.self))
    }
  }

  /// Whether two changes of one text are about the same lines of it: they replaced one line both,
  /// or one added lines where the other replaced or added some.
  package func meets(_ other: ChangedLines) -> Bool {
    if oldLines.isEmpty || other.oldLines.isEmpty {
      return oldLines.lowerBound <= other.oldLines.upperBound
        && other.oldLines.lowerBound <= oldLines.upperBound
    }
    return oldLines.overlaps(other.oldLines)
  }
}

/// Counts the lines of a text from its start on.
private struct LineCounter {
  private let text: [UInt8]
  private var place = 0
  private var line = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// The lines in a range that starts and ends where lines do, after the ranges asked for before.
  mutating func lines(in range: Range<Int>) -> Range<Int> {
    let start = lines(before: range.lowerBound)
    return start..<lines(before: range.upperBound)
  }

  private mutating func lines(before end: Int) -> Int {
    while place < end {
      // A last line counts without its end, too.
      if text[place] == 0x0A || place + 1 == text.count { line += 1 }
      place += 1
    }
    return line
  }
}
