import PeernoteEngine

/// The blocks of lines that differ between two texts, in bytes.
///
/// Lines that stand once in both texts are matched first, although now and then that edits more:
/// people see those lines, not the blank ones between them, which don't count for that.
package struct LineDifference {
  /// Blocks of whole lines, each with its line feed, ascending.
  package private(set) var hunks: [Hunk] = []
  /// Elementary steps of the matching.
  private(set) var steps = 0

  /// After this many edits a search for the shortest script settles for the best it has seen.
  private static let costLimit = 256

  /// Compares two texts, which differ, in O(old.count + new.count) plus the matching's effort.
  package init(from old: [UInt8], to new: [UInt8]) {
    let tokens = TokenPair(old, new, in: Self.changedLines(old, new), cut: Tokens.lines)
    let matcher = tokens.matcher(
      anchorsAtWords: true, prefersAnchors: true, costLimit: Self.costLimit)
    steps = matcher.steps
    hunks = matcher.hunks.map { tokens.inBytes($0) }
  }

  /// What is left when equal lines at the start and at the end are taken off.
  private static func changedLines(_ old: [UInt8], _ new: [UInt8]) -> Hunk {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    while prefix > 0, old[prefix - 1] != 0x0A { prefix -= 1 }
    var suffix = 0
    while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    // Back to where a line starts in both texts.
    while suffix > 0 {
      let (oldStart, newStart) = (old.count - suffix, new.count - suffix)
      let startsOld = oldStart == prefix || old[oldStart - 1] == 0x0A
      let startsNew = newStart == prefix || new[newStart - 1] == 0x0A
      if startsOld && startsNew { break }
      suffix -= 1
    }
    return Hunk(old: prefix..<(old.count - suffix), new: prefix..<(new.count - suffix))
  }
}

extension [Hunk] {
  /// The hunks of whole lines of two texts in numbers of lines, from 0, instead of bytes.
  package func inLines(of old: [UInt8], _ new: [UInt8]) -> [Hunk] {
    let oldBounds = Tokens.lineBounds(old, in: old.indices)
    let newBounds = Tokens.lineBounds(new, in: new.indices)
    return map { Hunk(old: oldBounds.tokens(in: $0.old), new: newBounds.tokens(in: $0.new)) }
  }
}

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

  /// The places where two texts differ, in order: those that
  /// ``unifiedDifference(from:to:oldName:newName:context:)`` shows; near-linear.
  package static func find(from old: String, to new: String) -> [ChangedLines] {
    let (oldText, newText) = (Array(old.utf8), Array(new.utf8))
    if oldText == newText { return [] }
    let hunks = Hunk.slid(
      LineDifference(from: oldText, to: newText).hunks, old: WordBoundaries(text: oldText),
      new: WordBoundaries(text: newText))
    return zip(hunks, hunks.inLines(of: oldText, newText)).map { hunk, lines in
      ChangedLines(
        oldLines: lines.old, newLines: lines.new,
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

/// The difference of two texts by lines in the unified format of POSIX `diff -u`.
///
/// Lines keep their bytes, control characters included. A last line without a line feed is marked
/// as `diff` marks it. Equal texts give an empty string. The names stand after `---` and `+++`;
/// `context` equal lines are shown around changes. Near-linear, as ``TextDifference``.
package func unifiedDifference(
  from old: String, to new: String, oldName: String, newName: String, context: Int = 3
) -> String {
  let changes = ChangedLines.find(from: old, to: new)
  if changes.isEmpty { return "" }
  let text = Array(old.utf8)
  let format = UnifiedFormat(
    old: text, bounds: Tokens.lineBounds(text, in: text.indices), context: context)
  var output = "--- \(oldName)\n+++ \(newName)\n"
  var group: [ChangedLines] = []
  for change in changes {
    if let last = group.last, change.oldLines.lowerBound - last.oldLines.upperBound > 2 * context {
      output += format.group(group)
      group = []
    }
    group.append(change)
  }
  return output + format.group(group)
}

/// Writes groups of changes of a text.
private struct UnifiedFormat {
  let old: [UInt8]
  let bounds: TokenBounds
  let context: Int

  /// One group of changes with its header and its context.
  func group(_ changes: [ChangedLines]) -> String {
    guard let first = changes.first, let last = changes.last else { return "" }
    let before = min(context, first.oldLines.lowerBound)
    let after = min(context, bounds.count - 1 - last.oldLines.upperBound)
    let oldLines = (first.oldLines.lowerBound - before)..<(last.oldLines.upperBound + after)
    let newLines = (first.newLines.lowerBound - before)..<(last.newLines.upperBound + after)
    var output = "@@ -\(header(oldLines)) +\(header(newLines)) @@\n"
    var line = oldLines.lowerBound
    for change in changes {
      output += rows(" ", text(of: line..<change.oldLines.lowerBound))
      output += rows("-", change.old) + rows("+", change.new)
      line = change.oldLines.upperBound
    }
    return output + rows(" ", text(of: line..<oldLines.upperBound))
  }

  /// First line and count; an empty range names the line before it.
  private func header(_ range: Range<Int>) -> String {
    let start = range.isEmpty ? range.lowerBound : range.lowerBound + 1
    return range.count == 1 ? "\(start)" : "\(start),\(range.count)"
  }

  private func text(of lines: Range<Int>) -> String {
    String(decoding: old[bounds[lines.lowerBound]..<bounds[lines.upperBound]], as: UTF8.self)
  }

  /// Whole lines, each after a mark.
  private func rows(_ mark: String, _ text: String) -> String {
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    let rows = lines.dropLast().map { mark + Substring($0) + "\n" }.joined()
    guard let rest = lines.last, !rest.isEmpty else { return rows }
    return rows + mark + Substring(rest) + "\n\\ No newline at end of file\n"
  }
}

extension PlaceChange {
  /// The lines of the text at the place that read otherwise; none if something else happened.
  package var changedLines: [ChangedLines] {
    texts.map { ChangedLines.find(from: $0.old, to: $0.new) } ?? []
  }
}
