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
  /// What some editors put before a text: U+FEFF, which stays first.
  fileprivate static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A text with the line.
  ///
  /// O(bytes).
  package static func marked(_ text: String, _ mark: VersionMark) -> String {
    let bytes = Array(text.utf8)
    let line = prefix + Array(mark.text.utf8)
    guard let matter = matter(of: text) else {
      let feed = bytes.firstIndex(of: 0x0A) ?? 0
      let end = feed > 0 && bytes[feed - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A] as [UInt8]
      let fence = Array(NoteMarkdown.delimiter.utf8) + end
      let start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
      return String(
        decoding: bytes[..<start] + fence + line + end + fence + bytes[start...], as: UTF8.self)
    }
    let end = matter.hasCarriageReturns ? [0x0D, 0x0A] : [0x0A] as [UInt8]
    return String(
      decoding: bytes[..<matter.end] + line + end + bytes[matter.end...], as: UTF8.self)
  }

  /// How many lines the front matter of a text has, with those that open and close it.
  static func lineCount(of text: String) -> Int {
    FrontMatterLines(Array(text.utf8)).map { $0.lines.count + 2 } ?? 0
  }

  /// The front matter of a text that takes the line; `nil` if it gets one of its own.
  private static func matter(of text: String) -> FrontMatterLines? {
    let bytes = Array(text.utf8)
    guard let matter = FrontMatterLines(bytes), !matter.lines.isEmpty,
      NoteMarkdown.hasFrontMatter(String(decoding: bytes[matter.first...], as: UTF8.self))
    else { return nil }
    return matter
  }

  /// Takes the line out of a text, also if it is damaged.
  ///
  /// O(bytes).
  ///
  /// - Returns: the text without it, and what it says; `nil` if there is none, or several, or one that
  ///   is damaged.
  package static func taken(from text: String) -> (text: String, mark: VersionMark?) {
    let bytes = Array(text.utf8)
    guard let matter = FrontMatterLines(bytes) else { return (text, nil) }
    var marks: [VersionMark?] = []
    var kept: [UInt8] = []
    for line in matter.lines {
      if bytes[line].starts(with: key) {
        marks.append(mark(in: bytes[line]))
      } else {
        kept += bytes[line]
      }
    }
    if marks.isEmpty { return (text, nil) }
    let rest =
      kept.isEmpty
      ? bytes[..<matter.first] + bytes[matter.bodyStart...]
      : bytes[..<matter.start] + kept + bytes[matter.end...]
    return (String(decoding: rest, as: UTF8.self), marks.count == 1 ? marks[0] : nil)
  }

  private static func mark(in line: ArraySlice<UInt8>) -> VersionMark? {
    guard line.starts(with: prefix) else { return nil }
    var words = line.dropFirst(prefix.count)
    while let last = words.last, last == 0x0A || last == 0x0D || last == 0x20 {
      words.removeLast()
    }
    return VersionMark(String(decoding: words, as: UTF8.self))
  }
}

/// The lines of the front matter at the start of a text.
private struct FrontMatterLines {
  /// Where the opening line begins: behind a byte order mark.
  let first: Int
  /// Where the first line begins.
  private(set) var start = 0
  /// Where the last line ends, with its line feed.
  private(set) var end = 0
  /// Where what follows the closing line begins.
  private(set) var bodyStart = 0
  /// The lines, each with its line feed.
  private(set) var lines: [Range<Int>] = []
  /// Whether lines end in a carriage return, too.
  private(set) var hasCarriageReturns = false

  /// Finds them; `nil` if a text has no front matter, or none that ends.
  init?(_ bytes: [UInt8]) {
    first = bytes.starts(with: PlainMarker.byteOrderMark) ? PlainMarker.byteOrderMark.count : 0
    func line(from start: Int) -> Range<Int> {
      let feed = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 }
      return start..<(feed ?? bytes.count)
    }
    func content(of line: Range<Int>) -> ArraySlice<UInt8> {
      bytes[line].last == 0x0A ? bytes[line].dropLast() : bytes[line]
    }
    let opening = line(from: first)
    guard NoteMarkdown.isDelimiter(content(of: opening)), bytes[opening].last == 0x0A else {
      return nil
    }
    hasCarriageReturns = bytes[opening].dropLast().last == 0x0D
    var place = opening.upperBound
    start = place
    while place < bytes.count {
      let next = line(from: place)
      if NoteMarkdown.isClosing(content(of: next)) {
        end = place
        bodyStart = next.upperBound
        return
      }
      lines.append(next)
      place = next.upperBound
    }
    return nil
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
