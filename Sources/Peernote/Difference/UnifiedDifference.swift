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
