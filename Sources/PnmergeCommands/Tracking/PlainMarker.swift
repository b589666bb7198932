import Peernote

/// The line in the front matter of a tracked Markdown file that says which version the file was made
/// from, for those that are to have one.
///
/// It says what an export says under ``VersionMark/markdownKey``, and stands last in the front
/// matter, of one of its own if the text has none, or an empty one. The history holds the
/// text without it.
package enum PlainMarker {
  private static let key = Array("\(VersionMark.markdownKey):".utf8)
  private static let prefix = key + [0x20]

  /// A text with the line.
  ///
  /// O(bytes).
  package static func marked(_ text: String, _ mark: VersionMark) -> String {
    let bytes = Array(text.utf8)
    let feed = bytes.firstIndex(of: 0x0A) ?? 0
    let end = feed > 0 && bytes[feed - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A] as [UInt8]
    var lines = prefix + Array(mark.text.utf8) + end
    var place = start(of: bytes)
    if let matter = try? NoteMarkdown.Parts(text), !matter.lines.isEmpty,
      NoteMarkdown.hasFrontMatter(text)
    {
      place = matter.lines.upperBound
    } else {
      let fence = Array(NoteMarkdown.delimiter.utf8) + end
      lines = fence + lines + fence
    }
    return String(decoding: bytes[..<place] + lines + bytes[place...], as: UTF8.self)
  }

  /// How many lines the front matter of a text has, with those that open and close it.
  static func lineCount(of text: String) -> Int { (try? NoteMarkdown.Parts(text))?.count ?? 0 }

  /// Where a text begins: what some editors put before it, U+FEFF, stays first.
  private static func start(of bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Takes the line out of a text, also if it is damaged, and gives what it says; `nil` if there is
  /// none, or several, or one that is damaged.
  ///
  /// O(bytes).
  package static func taken(from text: String) -> (text: String, mark: VersionMark?) {
    guard let matter = try? NoteMarkdown.Parts(text) else { return (text, nil) }
    let bytes = matter.bytes
    // Each ends with a line feed, since the closing line follows.
    let lines = bytes[matter.lines].split(separator: 0x0A, omittingEmptySubsequences: false)
      .dropLast()
    let marks = lines.filter { $0.starts(with: key) }
    if marks.isEmpty { return (text, nil) }
    let kept = lines.filter { !$0.starts(with: key) }.flatMap { $0 + [0x0A] }
    let rest =
      kept.isEmpty
      ? bytes[..<start(of: bytes)] + bytes[matter.bodyStart...]
      : bytes[..<matter.lines.lowerBound] + kept + bytes[matter.lines.upperBound...]
    return (String(decoding: rest, as: UTF8.self), marks.count == 1 ? mark(in: marks[0]) : nil)
  }

  private static func mark(in line: ArraySlice<UInt8>) -> VersionMark? {
    guard line.starts(with: prefix) else { return nil }
    var words = line.dropFirst(prefix.count)
    while let last = words.last, last == 0x0D || last == 0x20 { words.removeLast() }
    return VersionMark(String(decoding: words, as: UTF8.self))
  }
}

extension PlainHistory {
  /// What the plain file is to hold: the text, with the line that names the version if it is to have
  /// one.
  var fileText: String {
    guard hasMarker else { return text }
    return PlainMarker.marked(text, VersionMark(document: document.id, heads: document.heads))
  }

  /// A file as it was read, without the line that names the version if there was ever to be one.
  func unmarked(_ file: PlainFile) -> PlainFile {
    guard mayHaveMarker else { return file }
    let (text, mark) = PlainMarker.taken(from: file.text)
    var result = file
    result.text = text
    result.base = mark.flatMap { $0.document == document.id ? $0.heads : nil }
    return result
  }
}
