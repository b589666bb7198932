import Peernote

/// Front matter taken apart into the lines of each key.
extension FrontMatter {
  /// A key with its lines.
  struct Entry {
    /// Blank lines and remarks before it.
    var before: [String]
    var key: String
    var content: YAMLMapping.Content
    /// The line of the key, and those that follow up to the next key's.
    var lines: [String]
  }

  /// The entries of front matter with their lines; `after` is what follows the last.
  ///
  /// `nil` if it is no YAML, ends before its last line, or two entries share a line.
  static func entries(of lines: [String]) -> (entries: [Entry], after: [String])? {
    let text = Array(lines.withLineFeeds.utf8)[...]
    guard let pairs = try? YAMLMapping.pairs(in: text, allowingRepeats: true) else { return nil }
    let starts = pairs.map { $0.line - 1 }
    guard !lines.contains(where: isDocumentEnd),
      zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }),
      starts.allSatisfy({ lines.indices.contains($0) && isKey(lines[$0]) })
    else { return nil }
    let (parts, after) = cut(lines, before: starts)
    let entries = zip(pairs, parts).map { pair, part in
      Entry(before: part.before, key: pair.key, content: pair.content, lines: part.lines)
    }
    return (entries, after)
  }

  /// The entries of front matter that cannot be read as a whole, each read for itself; what cannot be
  /// read of one says nothing.
  static func separateEntries(of lines: [String]) -> (entries: [Entry], after: [String]) {
    let starts = lines.indices.filter { index in
      guard let first = lines[index].utf8.first, isKey(lines[index]), !isRemark(lines[index]) else {
        return false
      }
      return first != UInt8(ascii: "-") && first != UInt8(ascii: "\t")
    }
    let (parts, after) = cut(lines, before: starts)
    let nothing = YAMLScalar(text: "", isPlain: true, tag: Note.canonicalTag, line: 1)
    let entries = parts.map { before, lines in
      let pair = YAMLMapping.pair(in: lines)
      let name = lines[0].split(separator: ":").first.map(String.init)
      return Entry(
        before: before, key: pair?.key ?? name ?? lines[0],
        content: pair?.content ?? .scalar(nothing), lines: lines)
    }
    return (entries, after)
  }

  /// The lines of each of some keys, by the numbers of their first lines from 0.
  ///
  /// Remarks and blank lines between two keys stand before the second.
  private static func cut(
    _ lines: [String], before starts: [Int]
  ) -> (parts: [(before: [String], lines: [String])], after: [String]) {
    var parts: [(before: [String], lines: [String])] = []
    var start = 0
    for (first, next) in zip(starts, starts.dropFirst() + [lines.count]) {
      var last = next
      while last > first + 1, isRemark(lines[last - 1]) { last -= 1 }
      parts.append((Array(lines[start..<first]), Array(lines[first..<last])))
      start = last
    }
    return (parts, Array(lines[start...]))
  }

  /// The lines of front matter without their line feeds.
  static func sourceLines(_ source: String) -> [String] {
    var lines = source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Whether a line begins a key of the outermost map that has lines of its own.
  private static func isKey(_ line: String) -> Bool {
    guard let first = line.utf8.first else { return false }
    return first != UInt8(ascii: "{") && first != UInt8(ascii: " ") && first != UInt8(ascii: ",")
      && first != UInt8(ascii: "?")
  }

  /// Whether a line ends the whole of a YAML document; nothing can be written after it.
  private static func isDocumentEnd(_ line: String) -> Bool {
    line.hasPrefix("...") && line.dropFirst(3).allSatisfy(\.isWhitespace)
  }

  private static func isRemark(_ line: String) -> Bool {
    guard
      let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") && $0 != 0x0D && $0 != 0x09 })
    else { return true }
    // An indented one may belong to a block of text.
    return first == UInt8(ascii: "#") && line.utf8.first == first
  }
}
