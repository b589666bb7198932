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
      LineDifference(from: oldText, to: newText).hunks, old: WordBoundaries(text: oldText),
      new: WordBoundaries(text: newText))
    let oldBounds = Tokens.lineBounds(oldText, in: oldText.indices)
    let newBounds = Tokens.lineBounds(newText, in: newText.indices)
    return hunks.map { hunk in
      ChangedLines(
        oldLines: oldBounds.tokens(in: hunk.old), newLines: newBounds.tokens(in: hunk.new),
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
