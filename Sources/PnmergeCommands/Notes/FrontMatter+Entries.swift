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
  /// Throws if it is no YAML, or two entries share a line.
  static func entries(
    of source: String
  ) throws(NoteMarkdown.ParseError) -> (entries: [Entry], after: [String]) {
    let pairs = try YAMLMapping.pairs(
      in: Array(source.utf8)[...], firstLine: 1, allowingRepeats: true)
    let lines = sourceLines(source)
    if let end = lines.firstIndex(where: isDocumentEnd) {
      throw NoteMarkdown.ParseError(line: end + 1, reason: "YAML ends here, and keys may follow")
    }
    var result: [Entry] = []
    var start = 0
    for (index, pair) in pairs.enumerated() {
      let first = pair.line - 1
      let end = index + 1 < pairs.count ? pairs[index + 1].line - 1 : lines.count
      guard start <= first, first < end, end <= lines.count, isKey(lines[first]) else {
        throw NoteMarkdown.ParseError(line: pair.line, reason: "a key has no line of its own")
      }
      // Remarks and blank lines between two keys stand before the second.
      var last = end
      while last > first + 1, isRemark(lines[last - 1]) { last -= 1 }
      result.append(
        Entry(
          before: Array(lines[start..<first]), key: pair.key, content: pair.content,
          lines: Array(lines[first..<last])))
      start = last
    }
    return (result, Array(lines[start...]))
  }

  /// The entries of front matter that cannot be read as a whole, each read for itself; what cannot be
  /// read of one says nothing.
  static func separateEntries(of source: String) -> (entries: [Entry], after: [String]) {
    let lines = sourceLines(source)
    let starts = lines.indices.filter { index in
      guard let first = lines[index].utf8.first, isKey(lines[index]), !isRemark(lines[index]) else {
        return false
      }
      return first != UInt8(ascii: "-") && first != UInt8(ascii: "\t")
    }
    var result: [Entry] = []
    var start = 0
    for (place, first) in starts.enumerated() {
      var last = place + 1 < starts.count ? starts[place + 1] : lines.count
      while last > first + 1, isRemark(lines[last - 1]) { last -= 1 }
      let own = Array(lines[first..<last])
      let pairs = try? YAMLMapping.pairs(
        in: Array(own.map { $0 + "\n" }.joined().utf8)[...], firstLine: 1, allowingRepeats: true)
      var entry = Entry(
        before: Array(lines[start..<first]), key: "",
        content: .scalar(YAMLScalar(text: "", isPlain: true, tag: Note.canonicalTag, line: 1)),
        lines: own)
      if let pairs, pairs.count == 1 {
        (entry.key, entry.content) = (pairs[0].key, pairs[0].content)
      } else {
        entry.key = own[0].split(separator: ":").first.map(String.init) ?? own[0]
      }
      result.append(entry)
      start = last
    }
    return (result, Array(lines[start...]))
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
