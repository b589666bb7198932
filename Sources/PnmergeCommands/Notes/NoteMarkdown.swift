package import Peernote
import PeernoteJSON

/// A note as Markdown with YAML front matter.
///
/// ```
/// ---
/// title: Weekly
/// tags:
///   - planning
///   - work
/// priority: high
/// created: 2026-11-20T14:02:11.250Z
/// rating: 4
/// ---
/// Everything after the second line of hyphens is the body, byte for byte.
/// ```
///
/// The form is canonical: equal notes have equal text. The known keys come first, in the order
/// shown, then the further fields by the bytes of their keys, lists and maps in blocks; what the
/// note lacks is left out, and tags are ordered by their bytes. But a note that came in with front
/// matter of another form keeps that: see ``FrontMatter``. The line feed that ends the closing line
/// belongs to that line, and the body begins right after it; so a body may begin with blank lines
/// or hyphens, may end without a line feed, and is never changed by writing and reading. A text that
/// begins with a line of hyphens and has no front matter is the body: see ``hasFrontMatter(_:)``; a
/// body that would be read otherwise is written after empty front matter.
///
/// A key of the profile that holds something else than it may, such as a list of titles, and a key
/// `body`, are fields of the document under the same name with `$` in front.
package enum NoteMarkdown {
  /// The line before and after the front matter.
  static let delimiter = "---"
  /// The line that ends YAML, which may stand after the front matter.
  static let documentEnd = "..."
  /// The most bytes of front matter.
  package static let frontMatterLimit = 1 << 20
  /// The most keys, and the most tags.
  package static let entryLimit = 1 << 16

  /// The keys that a note gives a meaning to; all others are further fields.
  enum Key: String, CaseIterable {
    case title, tags, priority, created
  }

  /// Why a text is no note: one line of it, and a clause for people.
  package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1, in the whole text.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
  }
}

extension Note {
  /// What the note holds under a key of the profile, tags by their bytes; `nil` if nothing.
  subscript(key: NoteMarkdown.Key) -> DocumentNode? {
    guard key == .tags else { return self[key.rawValue] }
    let tags = Set(tags.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    let members = tags.map { Value.string(String(decoding: $0, as: UTF8.self)) }
    return members.isEmpty ? nil : .set(members)
  }
}

// MARK: - Writing

extension NoteMarkdown {
  /// The note as text.
  ///
  /// - Complexity: O(*n* + *f* log *f*) for a text of *n* bytes with *f* tags and fields.
  package static func text(of note: Note, mark: VersionMark? = nil) -> String {
    let matter = FrontMatter(of: note)
    var lines = matter.text
    let end = matter.lineEnd
    if let mark { lines += "\(VersionMark.markdownKey): \(mark.text)\(end)" }
    if lines.isEmpty, note.frontMatter != nil, matter.closing == nil, !hasFrontMatter(note.body) {
      return note.body
    }
    return delimiter + end + lines + (matter.closing ?? delimiter) + end + note.body
  }
}

extension NoteMarkdown.Parsed {
  /// The note, with what another one knows and its front matter never said.
  func replacing(_ old: Note) -> Note {
    var new = note
    let matter = FrontMatter(of: old)
    if new.created == nil, matter.hidesCreated {
      new.created = old.created
      new.frontMatter = frontMatter ?? matter.closingAlone
    }
    // A merge may leave more of a form than is written: that is no edit of it.
    var kept = new
    kept.frontMatter = old.frontMatter
    let written = try? NoteMarkdown.parsed(NoteMarkdown.text(of: kept)).frontMatter ?? ""
    let isSame = written?.utf8.elementsEqual((frontMatter ?? "").utf8) ?? false
    return isSame ? kept : new
  }
}

// MARK: - Reading

extension NoteMarkdown {
  /// What a text says.
  package struct Parsed {
    package var note: Note
    /// The version that the text says it holds.
    package var mark: VersionMark?
    /// The front matter as it stands, without the mark; `nil` if it may stand there for that alone.
    package var frontMatter: String?
    /// Whether the note keeps the form of the front matter as well as what it says.
    package var isWhole: Bool

    /// Whether it says when the note was started, in whatever form.
    var saysCreated: Bool { note.created != nil || note.fields["$created"] != nil }
  }

  /// The note that a text makes of another one.
  ///
  /// Without front matter it stands for the body, if the other note is written without any as well:
  /// otherwise the line that ends it, or what makes it a mapping, may have been lost.
  /// When the note was started stays if the front matter never said it.
  package static func note(from text: String, replacing old: Note) throws(ParseError) -> Note {
    guard hasFrontMatter(text) || hasFrontMatter(self.text(of: old)) else {
      var note = old
      note.body = text
      return note
    }
    return try parsed(text).replacing(old)
  }

  /// Reads a text.
  ///
  /// The first line must be `---`, and a line `---` or `...` must follow. A byte order mark before the
  /// first and a carriage return at the end of either are ignored.
  package static func parsed(_ text: String) throws(ParseError) -> Parsed {
    let parts = try Parts(text)
    guard parts.lines.count <= frontMatterLimit else {
      throw ParseError(
        line: parts.count, reason: "the front matter is longer than \(frontMatterLimit) bytes")
    }
    return try FrontMatter.parsed(
      parts.bytes[parts.lines], closing: parts.bytes[parts.closing],
      body: String(decoding: parts.bytes[parts.bodyStart...], as: UTF8.self))
  }

  /// Whether a text begins with front matter, be it readable or not.
  ///
  /// It does if what stands between its first line and a closing one is a YAML mapping or empty, or
  /// if a line of it looks like a key: then it is a mapping with a mistake. Otherwise the first line
  /// is a thematic break, and all is the body.
  package static func hasFrontMatter(_ text: String) -> Bool {
    guard let parts = try? Parts(text) else { return false }
    let lines = parts.bytes[parts.lines]
    if lines.split(separator: UInt8(ascii: "\n")).contains(where: looksLikeKey) { return true }
    return lines.count <= frontMatterLimit
      && (try? YAMLMapping.pairs(in: lines, firstLine: 2)) != nil
  }

  /// Whether the first line of a text is the one before front matter, or a thematic break.
  static func beginsWithDelimiter(_ text: String) -> Bool {
    let mark = text.utf8.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    return isDelimiter(text.utf8.dropFirst(mark).prefix { $0 != UInt8(ascii: "\n") })
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether a line stands before front matter.
  private static func isDelimiter(_ line: some Sequence<UInt8>) -> Bool {
    line.elementsEqual(delimiter.utf8) || line.elementsEqual((delimiter + "\r").utf8)
  }

  /// Whether a line ends front matter.
  static func isClosing(_ line: some Sequence<UInt8>) -> Bool {
    isDelimiter(line) || line.elementsEqual(documentEnd.utf8)
      || line.elementsEqual((documentEnd + "\r").utf8)
  }

  /// Whether a line begins with a word and a colon, as one of a mapping does; but not with an address.
  private static func looksLikeKey(_ line: ArraySlice<UInt8>) -> Bool {
    let quotes = Set("\"' ".utf8)
    let rest = line.drop { quotes.contains($0) || $0 == UInt8(ascii: "{") }
    let word = rest.prefix { byte in
      let scalar = Unicode.Scalar(byte)
      return byte >= 0x80 || scalar.properties.isAlphabetic || "0123456789_-.$".utf8.contains(byte)
    }
    guard let first = word.first, !"0123456789-.".utf8.contains(first) else { return false }
    let end = rest[word.endIndex...].drop { quotes.contains($0) }
    return end.first == UInt8(ascii: ":") && end.dropFirst().first != UInt8(ascii: "/")
  }

  /// A text taken apart at the lines around its front matter.
  struct Parts {
    let bytes: [UInt8]
    /// The lines between the two.
    private(set) var lines = 0..<0
    /// The line that ends it.
    private(set) var closing = 0..<0
    /// Where the body begins.
    private(set) var bodyStart = 0
    /// The number of the closing line, from 1.
    private(set) var count = 0

    init(_ text: String) throws(ParseError) {
      bytes = Array(text.utf8)
      bodyStart = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
      guard nextLine().map(isDelimiter) == true else {
        throw ParseError(
          line: 1, reason: "a note begins with a line '---', its front matter follows")
      }
      let start = bodyStart
      while let line = nextLine() {
        guard isClosing(line) else { continue }
        (lines, closing) = (start..<line.startIndex, line.startIndex..<line.endIndex)
        return
      }
      throw ParseError(line: count, reason: "no line '---' or '...' ends the front matter")
    }

    /// Passes a line, and gives it without its line feed; `nil` at the end.
    private mutating func nextLine() -> ArraySlice<UInt8>? {
      guard bodyStart < bytes.count else { return nil }
      let line = bytes[bodyStart...].prefix { $0 != UInt8(ascii: "\n") }
      bodyStart = min(line.endIndex + 1, bytes.count)
      count += 1
      return line
    }
  }
}

/// Documents as text to read, without marks.
enum PlainText {
  /// A note as its title, an empty line and its body; anything else as JSON.
  static func text(of root: DocumentNode) -> String {
    guard let note = Note(root: root) else { return readableForm(of: root) }
    let title = note.title.map { $0 + "\n\n" } ?? ""
    let isEnded = note.body.isEmpty || note.body.utf8.last == UInt8(ascii: "\n")
    return title + note.body + (isEnded ? "" : "\n")
  }

  /// The form in which documents are compared by lines: the text alone if there is nothing else, as in
  /// the history of a tracked file, other notes as Markdown with front matter, all else as indented
  /// JSON.
  static func readableForm(of root: DocumentNode) -> String {
    if let note = Note(root: root) {
      let isBodyAlone = if case .map(let entries) = root { entries.count == 1 } else { false }
      return isBodyAlone ? note.body : NoteMarkdown.text(of: note)
    }
    return String(decoding: root.json.bytes(indented: true), as: UTF8.self) + "\n"
  }
}
