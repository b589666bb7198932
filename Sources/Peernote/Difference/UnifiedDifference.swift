/// The difference of two texts by lines in the unified format of POSIX `diff -u`.
///
/// Lines keep their bytes, control characters included. A last line without a line feed is marked
/// as `diff` marks it. Equal texts give an empty string. The names stand after `---` and `+++`;
/// `context` equal lines are shown around changes. Near-linear, as ``TextDifference``.
package func unifiedDifference(
  from old: String, to new: String, oldName: String, newName: String, context: Int = 3
) -> String {
  let oldText = Array(old.utf8)
  let newText = Array(new.utf8)
  guard oldText != newText else { return "" }
  let changes = Hunk.slid(
    LineDifference(from: oldText, to: newText).hunks, old: WordBoundaries(oldText),
    new: WordBoundaries(newText))
  let format = UnifiedFormat(old: oldText, new: newText)
  let hunks = format.inLines(changes)
  var output = "--- \(oldName)\n+++ \(newName)\n"
  var group: [Hunk] = []
  for hunk in hunks {
    if let last = group.last, hunk.old.lowerBound - last.old.upperBound > 2 * context {
      output += format.group(group, context: context)
      group = []
    }
    group.append(hunk)
  }
  output += format.group(group, context: context)
  return output
}

/// Writes groups of changes between two texts cut into lines.
private struct UnifiedFormat {
  private let old: [UInt8]
  private let new: [UInt8]
  private let oldBounds: TokenBounds
  private let newBounds: TokenBounds

  init(old: [UInt8], new: [UInt8]) {
    self.old = old
    self.new = new
    oldBounds = Tokens.lineBounds(old, in: 0..<old.count)
    newBounds = Tokens.lineBounds(new, in: 0..<new.count)
  }

  /// Turns hunks of bytes, which start and end where lines do, into hunks of lines.
  func inLines(_ hunks: [Hunk]) -> [Hunk] {
    hunks.map { Hunk(old: oldBounds.tokens(in: $0.old), new: newBounds.tokens(in: $0.new)) }
  }

  /// One group of changes with its header and its context.
  func group(_ hunks: [Hunk], context: Int) -> String {
    guard let first = hunks.first, let last = hunks.last else { return "" }
    let before = min(context, first.old.lowerBound)
    let after = min(context, oldBounds.count - 1 - last.old.upperBound)
    let oldRange = (first.old.lowerBound - before)..<(last.old.upperBound + after)
    let newRange = (first.new.lowerBound - before)..<(last.new.upperBound + after)
    var output = "@@ -\(header(oldRange)) +\(header(newRange)) @@\n"
    var line = oldRange.lowerBound
    for hunk in hunks {
      for index in line..<hunk.old.lowerBound { output += row(" ", old, oldBounds, index) }
      for index in hunk.old { output += row("-", old, oldBounds, index) }
      for index in hunk.new { output += row("+", new, newBounds, index) }
      line = hunk.old.upperBound
    }
    for index in line..<oldRange.upperBound { output += row(" ", old, oldBounds, index) }
    return output
  }

  /// First line and count; an empty range names the line before it.
  private func header(_ range: Range<Int>) -> String {
    let start = range.isEmpty ? range.lowerBound : range.lowerBound + 1
    return range.count == 1 ? "\(start)" : "\(start),\(range.count)"
  }

  private func row(_ mark: String, _ text: [UInt8], _ bounds: TokenBounds, _ line: Int) -> String {
    let bytes = text[bounds[line]..<bounds[line + 1]]
    let row = mark + String(decoding: bytes, as: UTF8.self)
    return bytes.last == 0x0A ? row : row + "\n\\ No newline at end of file\n"
  }
}
