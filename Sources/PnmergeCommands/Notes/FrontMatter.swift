import Peernote
import PeernoteJSON

/// The front matter of a note.
///
/// What came in says more than the note that it stands for: an order of keys, remarks, quotes,
/// `tags: work` for a list of one. If its canonical form is another one, the note keeps what it was
/// (``Peernote/Note/frontMatter``), and writing goes by it: the lines of a key whose content is
/// still the same are written as they came, with the remarks before them; those of a changed one
/// are edited, in the same place, as far as ``YAMLPatch`` can, else written anew; those of a removed
/// one go, but for the remarks; and new keys follow. So front matter that nobody changed comes out as
/// it came in, to the byte. The line that ends it is kept with it where that is `...`, or where
/// nothing else stands in it. Where an anchor went with its lines, those that meant it are written
/// anew, too. Where two edits of it were merged to what cannot be read as a whole, each key is read
/// for itself, and what cannot be read is written anew.
struct FrontMatter {
  private typealias Key = NoteMarkdown.Key

  private let note: Note
  /// What the note keeps of front matter.
  private let template: YAMLPatch?
  /// The line that ends it, without its line end; `nil` if that is not kept.
  let closing: String?
  /// What the note keeps, if that is the line alone that ends it, and nothing otherwise.
  let closingAlone: String
  let lineEnd: String
  /// What the note holds, by the keys that it is written under.
  private var own = NoteFields()
  /// These keys in their canonical order.
  private var keys: [String] = []

  init(of note: Note) {
    self.note = note
    let kept = note.frontMatter ?? ""
    let (lines, end) = (Self.lines(kept), Self.lineEnd(of: kept))
    let content = lines.filter { !NoteMarkdown.isClosing($0.utf8) }
    lineEnd = end
    closing = lines.last { NoteMarkdown.isClosing($0.utf8) }?.withoutCarriageReturn
    closingAlone = content.isEmpty ? kept : ""
    template = note.frontMatter.map { _ in
      YAMLPatch(content, lineEnd: end) ?? YAMLPatch(separately: content, lineEnd: end)
    }
    for key in Key.allCases {
      guard let node = note[key] else { continue }
      own[key.rawValue] = node
      keys.append(key.rawValue)
    }
    let fields = note.fields.entries.map { (key: writtenKey($0), node: $0.node) }
    for field in fields { own[field.key] = field.node }
    keys += fields.map(\.key).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The key under which a field is written: one that stands aside gets its own name back, if that
  /// is free, and what it holds would stand aside again.
  private func writtenKey(_ field: DocumentNode.MapEntry) -> String {
    guard field.key.utf8.first == UInt8(ascii: "$") else { return field.key }
    let name = String(field.key.unicodeScalars.dropFirst())
    // It may have come in with its sign.
    guard Key(rawValue: name).map({ note[$0] == nil }) ?? Self.hasOtherMeaning(name),
      template?.pairs.contains(where: { $0.key.utf8.elementsEqual(field.key.utf8) }) != true
    else { return field.key }
    var said = Note()
    if let pair = YAMLMapping.pair(in: YAMLWriter.text(name, field.node)) {
      try? Self.read(pair, into: &said)
    }
    return said.fields[field.key] == nil ? field.key : name
  }

  /// Whether a key stands aside, since the body or the form of the front matter has its name.
  private static func hasOtherMeaning(_ key: String) -> Bool {
    key == "body" || key == Note.Key.frontMatter
  }

  /// The lines of front matter without their line feeds.
  private static func lines(_ source: String) -> [String] {
    var lines = source.splitAtLineFeeds(omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func lineEnd(of source: String) -> String {
    source.utf8.prefix { $0 != UInt8(ascii: "\n") }.last == 0x0D ? "\r\n" : "\n"
  }
}

// MARK: - Writing

extension FrontMatter {
  /// What stands between the delimiters.
  var text: String {
    let plain = keys.map { line($0, "\n") }.joined()
    guard let template else { return plain }
    return [false, true].lazy.map { text(template, isSafe: $0) }.first(where: readsBack) ?? plain
  }

  /// The lines of a key as the note has it.
  private func line(_ key: String, _ end: String) -> String {
    own[key].map { YAMLWriter.text(key, $0, lineEnd: end) + end } ?? ""
  }

  /// Whether what stands between the delimiters says what the note holds.
  private func readsBack(_ text: String) -> Bool {
    YAMLPatch(Self.lines(text), lineEnd: "\n")?.pairs.allSatisfy(says) ?? false
  }

  /// The text by a template, of which those entries are written as they came that still say the same.
  ///
  /// To be safe, only those are that mean no anchor of another one, and no others are edited.
  private func text(_ template: YAMLPatch, isSafe: Bool) -> String {
    var left = own
    var slots: [YAMLPatch.Slot] = []
    // A merge leaves a key twice that one side moved and the other one edited: the first one is
    // written, or a later one that alone says what the note holds.
    let places = Dictionary(grouping: template.pairs.indices) { Array(template.pairs[$0].key.utf8) }
    let saying = Set(template.pairs.indices.filter { says(template.pairs[$0]) })
    for place in places.values.map({ $0.first(where: saying.contains) ?? $0[0] }).sorted() {
      let (pair, kept) = (template.pairs[place], template.text(of: place))
      let wanted = left[pair.key]
      left[pair.key] = nil
      if saying.contains(place), !isSafe || YAMLMapping.pair(in: kept + "\n") != nil {
        slots.append((place, kept))
      } else if let wanted {
        let node = isSafe ? nil : YAMLMapping.pair(in: YAMLWriter.text("", wanted))?.node
        let edited = node.flatMap {
          template.text(of: place, editedTo: $0, keepsOrder: !holdsSet(pair.key))
        }
        slots.append((place, edited ?? template.text(of: place, anew: wanted)))
      }
    }
    // A document may know when it was started though the front matter never said.
    if note.created != nil { left[Key.created.rawValue] = nil }
    return template.text(slots)
      + keys.filter { left[$0] != nil }.map { line($0, lineEnd) }.joined()
  }

  /// Whether the elements of a key's list are in no order.
  private func holdsSet(_ key: String) -> Bool { if case .set? = own[key] { true } else { false } }

  /// Whether a pair says what the note holds under its key.
  private func says(_ pair: YAMLMapping.Pair) -> Bool {
    if case .scalar(let scalar) = pair.content, scalar.tag == Note.canonicalTag { return false }
    if Self.isWithoutTime(pair) { return true }
    var said = Note()
    guard (try? Self.read(pair, into: &said)) != nil else { return false }
    let node = said.fields.entries.first?.node ?? Key(rawValue: pair.key).flatMap { said[$0] }
    guard let held = own[pair.key] else { return node == nil }
    return node?.adapted(to: Shape(of: held)).isSame(as: held) ?? false
  }

  /// Whether front matter leaves out when the note was started, though the document knows.
  var hidesCreated: Bool {
    template?.pairs.allSatisfy { $0.key != Key.created.rawValue || Self.isWithoutTime($0) } ?? false
  }

  /// Whether a pair has the key of the time when the note was started, and no time.
  private static func isWithoutTime(_ pair: YAMLMapping.Pair) -> Bool {
    guard pair.key == Key.created.rawValue, case .scalar(let scalar) = pair.content
    else { return false }
    return scalar.isNull
  }
}

// MARK: - Reading

extension FrontMatter {
  /// The note that front matter, with the line that ends it, and a body stand for.
  static func parsed(
    _ text: ArraySlice<UInt8>, closing: ArraySlice<UInt8>, body: String
  ) throws(NoteMarkdown.ParseError) -> NoteMarkdown.Parsed {
    var note = Note(body: body)
    var mark: VersionMark?
    for pair in try YAMLMapping.pairs(in: text, firstLine: 2) {
      if pair.key == VersionMark.markdownKey, case .scalar(let scalar) = pair.content,
        let found = VersionMark(scalar.text)
      {
        mark = found
      } else {
        try read(pair, into: &note)
      }
    }
    let source = String(decoding: text, as: UTF8.self)
    let end = lineEnd(of: source)
    guard let patch = YAMLPatch(lines(source), lineEnd: end) else {
      return NoteMarkdown.Parsed(note: note, mark: mark, frontMatter: "", isWhole: false)
    }
    // As a document shows the note: with the keys of maps in their order.
    var shown = note
    for field in note.fields.entries { shown.fields[field.key] = field.node.sorted }
    let canonical = FrontMatter(of: shown)
    var (came, kept): ([YAMLPatch.Slot], [YAMLPatch.Slot]) = ([], [])
    for (place, pair) in patch.pairs.enumerated() {
      if mark != nil, pair.key == VersionMark.markdownKey { continue }
      let text = patch.text(of: place)
      came.append((place, text))
      // Of keys whose lines would be written like that anyway only that is kept, so that edits of
      // these change nothing here.
      let isCanonical = canonical.line(pair.key, end).utf8.elementsEqual((text + end).utf8)
      let short = "\(YAMLScalar.plainOrQuoted(pair.key)): \(Note.canonicalTag)"
      kept.append((place, isCanonical ? short : text))
    }
    var template = patch.text(kept)
    let isEnd = closing.starts(with: NoteMarkdown.documentEnd.utf8)
    // What the mark, or a body that begins like front matter, asks for is no empty front matter.
    let isAskedFor = mark != nil || NoteMarkdown.hasFrontMatter(body)
    if isEnd || template.isEmpty && !isAskedFor {
      template += String(decoding: closing, as: UTF8.self) + "\n"
    }
    let isCanonical = patch.text(came).utf8.elementsEqual(canonical.text.utf8) && !isEnd
    if !isCanonical { note.frontMatter = template }
    return NoteMarkdown.Parsed(
      note: note, mark: mark, frontMatter: template.isEmpty && mark != nil ? nil : template,
      isWhole: true)
  }

  /// A part of what is kept of front matter, for people: where only a key is kept, or what stands for
  /// its lines, it says where its content stands.
  static func readable(_ template: String) -> String {
    let ending = ": \(Note.canonicalTag)"
    return template.splitAtLineFeeds(omittingEmptySubsequences: false).map { line in
      guard line.hasSuffix(ending) else {
        return line.replacing(Note.canonicalTag, with: "(as the note has it)")
      }
      let key = line.dropLast(ending.count)
      return "\(key): (see /\(key))"
    }.joined(separator: "\n")
  }

  private static func read(
    _ pair: YAMLMapping.Pair, into note: inout Note
  ) throws(NoteMarkdown.ParseError) {
    let known = Key(rawValue: pair.key)
    if let known, take(pair.content, as: known, into: &note) { return }
    // What a key of the profile cannot hold is kept under another name.
    let key = known != nil || hasOtherMeaning(pair.key) ? "$" + pair.key : pair.key
    guard note.fields[key] == nil else {
      throw NoteMarkdown.ParseError(
        line: pair.line, reason: "\(quoted(key)) and another key stand for the same field")
    }
    note.fields[key] = try pair.value.node(of: pair.key)
  }

  /// Takes over what stands under a key of the profile, and says whether that can hold it.
  private static func take(
    _ content: YAMLMapping.Content, as key: NoteMarkdown.Key, into note: inout Note
  ) -> Bool {
    switch (key, content) {
    case (_, .scalar(let scalar)) where scalar.isNull: return true
    case (.title, .scalar(let scalar)) where scalar.isText: note.title = scalar.text
    case (.tags, .scalar(let scalar)) where scalar.isText: note.tags = [scalar.text]
    case (.tags, .sequence(let elements)):
      guard let tags = tags(elements) else { return false }
      note.tags = tags
    case (.priority, .scalar(let scalar)):
      guard let priority = Note.Priority(rawValue: scalar.text) else { return false }
      note.priority = priority
    case (.created, .scalar(let scalar)):
      guard let time = Timestamp(iso8601: scalar.text) else { return false }
      note.created = time
    default: return false
    }
    return true
  }

  /// The tags that elements of a list are, each once; `nil` if one is no text.
  private static func tags(_ elements: [YAMLMapping.Node]) -> [String]? {
    var tags: [String] = []
    var seen: Set<[UInt8]> = []
    for element in elements {
      guard case .scalar(let scalar) = element.content, scalar.isText else { return nil }
      if seen.insert(Array(scalar.text.utf8)).inserted { tags.append(scalar.text) }
    }
    return tags
  }
}

extension DocumentNode {
  /// Whether it is another content, whatever the order of keys in its maps.
  func isSame(as other: DocumentNode) -> Bool { sorted == other.sorted }
}

extension [String] {
  /// The lines as a text.
  var withLineFeeds: String { map { $0 + "\n" }.joined() }
}
