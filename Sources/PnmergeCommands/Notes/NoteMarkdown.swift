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
/// shown, then the further fields by the bytes of their keys; what the note lacks is left out, and
/// tags are ordered by their bytes. The line feed that ends the closing line belongs to that line,
/// and the body begins right after it; so a body may begin with blank lines or hyphens, may end
/// without a line feed, and is never changed by writing and reading.
package enum NoteMarkdown {
  /// The line before and after the front matter.
  static let delimiter = "---"
  /// The most bytes of front matter.
  package static let frontMatterLimit = 1 << 20
  /// The most keys, and the most tags.
  package static let entryLimit = 1 << 16

  /// The keys that a note gives a meaning to; all others are further fields.
  enum Key: String, CaseIterable {
    case title
    case tags
    case priority
    case created
  }

  /// Why a text is no note: one line of it, and a clause for people.
  package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1, in the whole text.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
  }
}

// MARK: - Writing

extension NoteMarkdown {
  /// The note as text.
  ///
  /// - Complexity: O(*n* + *f* log *f*) for a text of *n* bytes with *f* tags and fields.
  package static func text(of note: Note) -> String {
    var lines = [delimiter]
    if let title = note.title { lines.append("title: \(YAMLScalar.plainOrQuoted(title))") }
    if !note.tags.isEmpty {
      lines.append("tags:")
      let tags = Set(note.tags.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
      lines += tags.map { "  - " + YAMLScalar.plainOrQuoted(String(decoding: $0, as: UTF8.self)) }
    }
    if let priority = note.priority { lines.append("priority: \(priority.rawValue)") }
    if let created = note.created { lines.append("created: \(created.iso8601)") }
    let fields = note.fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    lines += fields.map { "\(YAMLScalar.plainOrQuoted($0.key)): \(YAMLScalar.text(of: $0.value))" }
    lines.append(delimiter)
    return lines.joined(separator: "\n") + "\n" + note.body
  }
}

// MARK: - Reading

extension NoteMarkdown {
  /// The note that a text describes.
  ///
  /// The first line must be `---`. A byte order mark before it and a carriage return at the end of
  /// either delimiting line are ignored.
  package static func note(from text: String) throws(ParseError) -> Note {
    let bytes = Array(text.utf8)
    var lines = LineReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { lines.skip(3) }
    guard lines.next().map(isDelimiter) == true else {
      throw ParseError(line: 1, reason: "a note begins with a line '---', its front matter follows")
    }
    let start = lines.position
    var end = start
    while let line = lines.next() {
      if isDelimiter(line) {
        let pairs = try YAMLMapping.pairs(in: bytes[start..<end], firstLine: 2)
        let body = String(decoding: bytes[lines.position...], as: UTF8.self)
        return try note(from: pairs, body: body)
      }
      end = lines.position
      if end - start > frontMatterLimit {
        throw ParseError(
          line: lines.count, reason: "the front matter is longer than \(frontMatterLimit) bytes")
      }
    }
    throw ParseError(line: lines.count, reason: "no line '---' ends the front matter")
  }

  /// Whether a text begins as a note does.
  package static func hasFrontMatter(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var lines = LineReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { lines.skip(3) }
    return lines.next().map(isDelimiter) == true
  }

  private static func isDelimiter(_ line: ArraySlice<UInt8>) -> Bool {
    line.elementsEqual(delimiter.utf8) || line.elementsEqual((delimiter + "\r").utf8)
  }

  private static func note(
    from pairs: [YAMLMapping.Pair], body: String
  ) throws(ParseError) -> Note {
    var note = Note(
      title: nil, body: body, tags: [], priority: nil, created: nil, fields: [:])
    for pair in pairs {
      switch Key(rawValue: pair.key) {
      case .title: note.title = try text(pair)
      case .tags: note.tags = try tags(pair)
      case .priority: note.priority = try priority(pair)
      case .created: note.created = try timestamp(pair)
      case nil: note.fields[pair.key] = try scalar(pair).value(of: pair.key)
      }
    }
    return note
  }

  private static func scalar(_ pair: YAMLMapping.Pair) throws(ParseError) -> YAMLScalar {
    switch pair.content {
    case .scalar(let scalar): return scalar
    case .sequence:
      throw ParseError(line: pair.line, reason: "\(quoted(pair.key)) must be a single value")
    }
  }

  /// The text of a known key; `nil` where nothing is given.
  private static func text(_ pair: YAMLMapping.Pair) throws(ParseError) -> String? {
    let scalar = try scalar(pair)
    return scalar.isNull ? nil : scalar.text
  }

  private static func tags(_ pair: YAMLMapping.Pair) throws(ParseError) -> [String] {
    switch pair.content {
    case .scalar(let scalar) where scalar.isNull: return []
    case .scalar: throw ParseError(line: pair.line, reason: "tags must be a list")
    case .sequence(let scalars):
      var seen: Set<[UInt8]> = []
      return scalars.map(\.text).filter { seen.insert(Array($0.utf8)).inserted }
    }
  }

  private static func priority(_ pair: YAMLMapping.Pair) throws(ParseError) -> Note.Priority? {
    guard let text = try text(pair) else { return nil }
    guard let priority = Note.Priority(rawValue: text) else {
      let known = Note.Priority.allCases.map(\.rawValue).joined(separator: ", ")
      throw ParseError(
        line: pair.line, reason: "the priority is one of \(known), not \(quoted(text))")
    }
    return priority
  }

  private static func timestamp(_ pair: YAMLMapping.Pair) throws(ParseError) -> Timestamp? {
    guard let text = try text(pair) else { return nil }
    guard let time = Timestamp(iso8601: text) else {
      throw ParseError(
        line: pair.line,
        reason: "\(quoted(text)) is not a time such as 2026-11-20T14:02:11Z")
    }
    return time
  }
}

/// Takes bytes apart at line feeds.
private struct LineReader {
  private let bytes: [UInt8]
  /// Where the next line begins.
  private(set) var position = 0
  /// How many lines were read.
  private(set) var count = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func skip(_ length: Int) {
    position += length
  }

  /// The next line without its line feed; `nil` at the end.
  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let rest = bytes[position...]
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    position = min(end + 1, bytes.count)
    count += 1
    return bytes[rest.startIndex..<end]
  }
}
