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
enum FrontMatter {
  // MARK: Writing

  /// What stands between the delimiters.
  static func text(of note: Note) -> String {
    let own = canonicalEntries(of: note)
    let plain = own.map { YAMLWriter.text($0.key, $0.node) + "\n" }.joined()
    guard let template = template(of: note) else { return plain }
    let results = [false, true].lazy.map { text(of: note, own, template, isSafe: $0) }
    return results.first { readsBack($0, as: note) } ?? plain
  }

  /// Whether what stands between the delimiters says what a note holds.
  private static func readsBack(_ text: String, as note: Note) -> Bool {
    YAMLPatch(sourceLines(text), lineEnd: "\n")?.pairs.allSatisfy { says($0, note) } ?? false
  }

  /// The text by a template, of which those entries are written as they came that still say the same.
  ///
  /// To be safe, only those are that mean no anchor of another one, and no others are edited.
  private static func text(
    of note: Note, _ own: [Entry], _ template: YAMLPatch, isSafe: Bool
  ) -> String {
    var left = own
    var slots: [YAMLPatch.Slot] = []
    let chosen = Set(chosenPlaces(template.pairs, note).values)
    for (place, pair) in template.pairs.enumerated() where chosen.contains(place) {
      let index = left.firstIndex { $0.key.utf8.elementsEqual(pair.key.utf8) }
      let wanted = index.map { left.remove(at: $0).node }
      if says(pair, note), !isSafe || YAMLMapping.pair(in: template.text(of: place) + "\n") != nil {
        slots.append((place, template.text(of: place)))
      } else if let wanted {
        let node = isSafe ? nil : YAMLMapping.pair(in: YAMLWriter.text("", wanted))?.node
        let edited = node.map {
          template.text(of: place, editedTo: $0, keepsOrder: !holdsSet(pair.key, note))
        }
        slots.append((place, edited ?? template.text(of: place, anew: wanted)))
      }
    }
    let end = lineEnd(of: note)
    // A document may know when it was started though the front matter never said.
    return left.filter { note.created == nil || $0.key != created }
      .reduce(into: template.text(slots)) {
        $0 += YAMLWriter.text($1.key, $1.node, lineEnd: end) + end
      }
  }

  /// Whether the elements of a key's list are in no order.
  private static func holdsSet(_ key: String, _ note: Note) -> Bool {
    if case .set? = note.fields[key] { return true }
    return key == NoteMarkdown.Key.tags.rawValue && !note.tags.isEmpty
  }

  /// Of each key the place of the pair that is written: the first one, or a later one that alone says
  /// what the note holds.
  ///
  /// A merge leaves a key twice that one side moved and the other one edited.
  private static func chosenPlaces(_ pairs: [YAMLMapping.Pair], _ note: Note) -> [[UInt8]: Int] {
    var result: [[UInt8]: Int] = [:]
    for (place, pair) in pairs.enumerated() {
      let key = Array(pair.key.utf8)
      if let known = result[key], says(pairs[known], note) || !says(pair, note) { continue }
      result[key] = place
    }
    return result
  }

  /// What a note keeps of front matter.
  private static func template(of note: Note) -> YAMLPatch? {
    guard let kept = note.frontMatter else { return nil }
    let lines = sourceLines(kept).filter { !isClosing($0) }
    let end = lineEnd(of: note)
    return YAMLPatch(lines, lineEnd: end) ?? YAMLPatch(separately: lines, lineEnd: end)
  }

  /// The line that ends the front matter of a note, without its line end; `nil` if that is not kept.
  static func closing(of note: Note) -> String? {
    let kept = note.frontMatter.flatMap { sourceLines($0).last(where: isClosing) }
    return kept.map { String($0.unicodeScalars.filter { $0 != "\r" }) }
  }

  /// What a note keeps of front matter, if that is the line alone that ends it, and nothing otherwise.
  static func closingAlone(of note: Note) -> String {
    guard let kept = note.frontMatter, sourceLines(kept).allSatisfy(isClosing) else { return "" }
    return kept
  }

  /// The lines of front matter without their line feeds.
  static func sourceLines(_ source: String) -> [String] {
    var lines = source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func isClosing(_ line: String) -> Bool { NoteMarkdown.isClosing(line.utf8) }

  static func lineEnd(of note: Note) -> String { lineEnd(of: note.frontMatter ?? "") }

  private static func lineEnd(of source: String) -> String {
    source.utf8.prefix { $0 != UInt8(ascii: "\n") }.last == 0x0D ? "\r\n" : "\n"
  }

  /// Whether front matter leaves out when the note was started, though the document knows.
  static func hidesCreated(_ note: Note) -> Bool {
    guard let template = template(of: note) else { return false }
    return template.pairs.allSatisfy { $0.key != created || isWithoutTime($0) }
  }

  private static let created = NoteMarkdown.Key.created.rawValue

  /// Whether a pair has the key of the time when the note was started, and no time.
  private static func isWithoutTime(_ pair: YAMLMapping.Pair) -> Bool {
    guard pair.key == created, case .scalar(let scalar) = pair.content else { return false }
    return scalar.isNull
  }

  /// Whether a pair says what the note holds under its key.
  private static func says(_ pair: YAMLMapping.Pair, _ note: Note) -> Bool {
    if case .scalar(let scalar) = pair.content, scalar.tag == Note.canonicalTag { return false }
    if isWithoutTime(pair) { return true }
    var said = Note()
    guard (try? read(pair, into: &said)) != nil else { return false }
    if said.fields.isEmpty, let key = NoteMarkdown.Key(rawValue: pair.key) {
      return said[key] == note[key]
    }
    return said.fields.entries.allSatisfy { field in
      guard let held = note.fields[field.key],
        writtenKey(field.key, note).utf8.elementsEqual(pair.key.utf8)
      else { return false }
      return field.node.adapted(to: Shape(of: held)).isSame(as: held)
    }
  }

  /// A key of a note with what stands under it.
  private typealias Entry = (key: String, node: DocumentNode)

  private static func canonicalEntries(of note: Note) -> [Entry] {
    let profile = NoteMarkdown.Key.allCases.compactMap { key in
      note[key].map { (key: key.rawValue, node: $0) }
    }
    let fields = note.fields.entries.map { (key: writtenKey($0.key, note), node: $0.node) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return profile + fields
  }

  /// The key under which a field is written: one that stands aside gets its own name back, if that
  /// is free, and what it holds would stand aside again.
  private static func writtenKey(_ key: String, _ note: Note) -> String {
    guard key.utf8.first == UInt8(ascii: "$"), let node = note.fields[key] else { return key }
    let name = String(key.unicodeScalars.dropFirst())
    let isFree = NoteMarkdown.Key(rawValue: name).map { note[$0] == nil }
    guard isFree ?? hasOtherMeaning(name) else { return key }
    // It may have come in by this name.
    let kept = template(of: note)?.pairs.contains { $0.key.utf8.elementsEqual(key.utf8) }
    if kept == true { return key }
    var said = Note()
    if let pair = YAMLMapping.pair(in: YAMLWriter.text(name, node)) {
      try? read(pair, into: &said)
    }
    return said.fields[key] == nil ? key : name
  }

  /// Whether a key stands aside, since the body or the form of the front matter has its name.
  private static func hasOtherMeaning(_ key: String) -> Bool {
    key == "body" || key == Note.Key.frontMatter
  }

  // MARK: Reading

  /// The note that front matter, with the line that ends it, and a body stand for.
  static func parsed(
    _ text: ArraySlice<UInt8>, closing: ArraySlice<UInt8>, body: String
  ) throws(NoteMarkdown.ParseError) -> NoteMarkdown.Parsed {
    var note = Note(body: body)
    var mark: VersionMark?
    let pairs = try YAMLMapping.pairs(in: text, firstLine: 2)
    for pair in pairs {
      if pair.key == VersionMark.markdownKey, case .scalar(let scalar) = pair.content,
        let found = VersionMark(scalar.text)
      {
        mark = found
      } else {
        try read(pair, into: &note)
      }
    }
    var source = String(decoding: text, as: UTF8.self)
    let patch = YAMLPatch(sourceLines(source), lineEnd: lineEnd(of: source))
    if mark != nil, let patch {
      source = patch.text(
        patch.pairs.indices.filter { patch.pairs[$0].key != VersionMark.markdownKey }
          .map { ($0, patch.text(of: $0)) })
    }
    // As a document shows the note: with the keys of maps in their order.
    var shown = note
    for field in note.fields.entries { shown.fields[field.key] = field.node.sorted }
    let isEnd = closing.starts(with: NoteMarkdown.documentEnd.utf8)
    let isCanonical = source.utf8.elementsEqual(self.text(of: shown).utf8) && !isEnd
    var template = template(of: source, shown)
    // What the mark, or a body that begins like front matter, asks for is no empty front matter.
    let isAskedFor = mark != nil || NoteMarkdown.hasFrontMatter(body)
    if isEnd || source.isEmpty && !isAskedFor {
      template? += String(decoding: closing, as: UTF8.self) + "\n"
    }
    if !isCanonical { note.frontMatter = template }
    return NoteMarkdown.Parsed(
      note: note, mark: mark, frontMatter: template == "" && mark != nil ? nil : template ?? "",
      isWhole: isCanonical || template != nil)
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

  /// What is kept of front matter: of keys whose lines would be written like that anyway only that,
  /// so that edits of these change nothing here.
  private static func template(of source: String, _ note: Note) -> String? {
    let end = lineEnd(of: source)
    guard let patch = YAMLPatch(sourceLines(source), lineEnd: end) else { return nil }
    let own = canonicalEntries(of: note)
    return patch.text(
      patch.pairs.enumerated().map { place, pair in
        let text = patch.text(of: place)
        let entry = own.first { $0.key.utf8.elementsEqual(pair.key.utf8) }
        let canonical = entry.map { YAMLWriter.text($0.key, $0.node, lineEnd: end) }
        let isCanonical = canonical?.utf8.elementsEqual(text.utf8) ?? false
        let short = "\(YAMLScalar.plainOrQuoted(pair.key)): \(Note.canonicalTag)"
        return (place, isCanonical ? short : text)
      })
  }

  private static func read(
    _ pair: YAMLMapping.Pair, into note: inout Note
  ) throws(NoteMarkdown.ParseError) {
    let known = NoteMarkdown.Key(rawValue: pair.key)
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
