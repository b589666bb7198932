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

  /// The lines between the delimiters.
  static func lines(of note: Note) -> [String] {
    let own = canonicalEntries(of: note)
    var plain: [String] = []
    plain.reserveCapacity(own.reduce(0) { $0 + $1.lines.count })
    for entry in own { plain += entry.lines }
    guard let template = template(of: note) else { return plain }
    for keepsElements in [true, false] {
      let result = lines(of: note, own, template, keepsElements: keepsElements) { _ in true }
      if readsBack(result, as: note) { return result }
    }
    let safe = lines(of: note, own, template, where: standsAlone)
    return readsBack(safe, as: note) ? safe : plain
  }

  /// Whether lines between the delimiters say what a note holds.
  private static func readsBack(_ lines: [String], as note: Note) -> Bool {
    entries(of: lines)?.entries.allSatisfy { says($0, note) } ?? false
  }

  /// Whether the lines of an entry say all that they mean by themselves: no anchor of another one.
  private static func standsAlone(_ entry: Entry) -> Bool {
    entries(of: entry.lines) != nil
  }

  /// The lines by a template, of which those entries are written as they came that still say the same
  /// and may be kept, and of lists those elements.
  private static func lines(
    of note: Note, _ own: [(key: String, lines: [String])],
    _ template: (entries: [Entry], after: [String]), keepsElements: Bool = false,
    where mayKeep: (Entry) -> Bool
  ) -> [String] {
    var left = own
    var result: [String] = []
    let chosen = Set(chosenEntries(template.entries, note).values)
    for (place, entry) in template.entries.enumerated() {
      result += entry.before
      guard chosen.contains(place) else { continue }
      let index = left.firstIndex { $0.key.utf8.elementsEqual(entry.key.utf8) }
      let wanted = index.map { left.remove(at: $0).lines } ?? []
      if says(entry, note), mayKeep(entry) {
        result += entry.lines
      } else {
        result += keepsElements ? lines(of: entry, editedTo: wanted, note) ?? wanted : wanted
      }
    }
    result += template.after
    // A document may know when it was started though the front matter never said.
    result += left.filter { note.created == nil || $0.key != created }
      .flatMap(\.lines)
    guard isConverted(note) else { return result }
    return result.map { $0.utf8.last == 0x0D ? $0 : $0 + "\r" }
  }

  /// The lines of a key that holds something else now, of which those stay as they came that say the
  /// same; `nil` if there are none.
  private static func lines(
    of entry: Entry, editedTo wanted: [String], _ note: Note
  ) -> [String]? {
    YAMLMapping.pair(in: wanted)?.node.flatMap { node in
      YAMLPatch.lines(entry.lines, editedTo: node, keepsOrder: !holdsSet(entry.key, note))
    }
  }

  /// Whether the elements of a key's list are in no order.
  private static func holdsSet(_ key: String, _ note: Note) -> Bool {
    if case .set? = note.fields[key] { return true }
    return key == NoteMarkdown.Key.tags.rawValue && !note.tags.isEmpty
  }

  /// Of each key the place of the entry that is written: the first one, or a later one that alone says
  /// what the note holds.
  ///
  /// A merge leaves a key twice that one side moved and the other one edited.
  private static func chosenEntries(_ entries: [Entry], _ note: Note) -> [[UInt8]: Int] {
    var result: [[UInt8]: Int] = [:]
    for (place, entry) in entries.enumerated() {
      let key = Array(entry.key.utf8)
      if let known = result[key], says(entries[known], note) || !says(entry, note) { continue }
      result[key] = place
    }
    return result
  }

  /// The entries of what a note keeps of front matter.
  private static func template(of note: Note) -> (entries: [Entry], after: [String])? {
    guard let kept = note.frontMatter else { return nil }
    let lines = sourceLines(kept).filter { !isClosing($0) }
    return entries(of: lines) ?? separateEntries(of: lines)
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

  private static func isClosing(_ line: String) -> Bool {
    NoteMarkdown.isClosing(Array(line.utf8)[...])
  }

  /// Whether the lines end with a carriage return and a line feed.
  static func isConverted(_ note: Note) -> Bool {
    guard let source = note.frontMatter?.utf8, let end = source.firstIndex(of: UInt8(ascii: "\n"))
    else { return false }
    return source[..<end].last == 0x0D
  }

  /// Whether front matter leaves out when the note was started, though the document knows.
  static func hidesCreated(_ note: Note) -> Bool {
    guard let template = template(of: note) else { return false }
    return template.entries.allSatisfy { $0.key != created || isWithoutTime($0) }
  }

  private static let created = NoteMarkdown.Key.created.rawValue

  /// Whether an entry has the key of the time when the note was started, and no time.
  private static func isWithoutTime(_ entry: Entry) -> Bool {
    guard entry.key == created, case .scalar(let scalar) = entry.content else { return false }
    return scalar.isNull
  }

  /// Whether an entry says what the note holds under its key.
  private static func says(_ entry: Entry, _ note: Note) -> Bool {
    if case .scalar(let scalar) = entry.content, scalar.tag == Note.canonicalTag { return false }
    if isWithoutTime(entry) { return true }
    var said = Note()
    let pair = YAMLMapping.Pair(key: entry.key, content: entry.content, line: 0)
    guard (try? read(pair, into: &said)) != nil else { return false }
    if said.fields.isEmpty, let key = NoteMarkdown.Key(rawValue: entry.key) {
      return said[key] == note[key]
    }
    return said.fields.entries.allSatisfy { field in
      guard let held = note.fields[field.key],
        writtenKey(field.key, note).utf8.elementsEqual(entry.key.utf8)
      else { return false }
      return field.node.adapted(to: Shape(of: held)).isSame(as: held)
    }
  }

  /// The keys of a note in the canonical order, with their lines.
  private static func canonicalEntries(of note: Note) -> [(key: String, lines: [String])] {
    let profile = NoteMarkdown.Key.allCases.compactMap { key in
      note[key].map { (key: key.rawValue, node: $0) }
    }
    let fields = note.fields.entries.map { (key: writtenKey($0.key, note), node: $0.node) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return (profile + fields).map { ($0.key, YAMLWriter.lines($0.key, $0.node)) }
  }

  /// The key under which a field is written: one that stands aside gets its own name back, if that
  /// is free, and what it holds would stand aside again.
  private static func writtenKey(_ key: String, _ note: Note) -> String {
    guard key.utf8.first == UInt8(ascii: "$"), let node = note.fields[key] else { return key }
    let name = String(key.unicodeScalars.dropFirst())
    let isFree = NoteMarkdown.Key(rawValue: name).map { note[$0] == nil }
    guard isFree ?? hasOtherMeaning(name) else { return key }
    // It may have come in by this name.
    let kept = template(of: note)?.entries.contains { $0.key.utf8.elementsEqual(key.utf8) }
    if kept == true { return key }
    var said = Note()
    if let pair = YAMLMapping.pair(in: YAMLWriter.lines(name, node)) {
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
    var source = sourceLines(String(decoding: text, as: UTF8.self))
    if mark != nil, let pair = pairs.first(where: { $0.key == VersionMark.markdownKey }),
      source.indices.contains(pair.line - 2)
    {
      source.remove(at: pair.line - 2)
    }
    // As a document shows the note: with the keys of maps in their order.
    var shown = note
    for field in note.fields.entries { shown.fields[field.key] = field.node.sorted }
    let isEnd = closing.starts(with: NoteMarkdown.documentEnd.utf8)
    let isCanonical =
      source.withLineFeeds.utf8.elementsEqual(lines(of: shown).withLineFeeds.utf8) && !isEnd
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
  private static func template(of source: [String], _ note: Note) -> String? {
    guard let (entries, after) = entries(of: source) else { return nil }
    let own = canonicalEntries(of: note)
    let end = entries.first?.lines.first?.utf8.last == 0x0D ? "\r" : ""
    var lines: [String] = []
    for entry in entries {
      lines += entry.before
      let canonical = own.first { $0.key.utf8.elementsEqual(entry.key.utf8) }?.lines
      if let canonical, canonical.map({ $0 + end }) == entry.lines {
        lines.append("\(YAMLScalar.plainOrQuoted(entry.key)): \(Note.canonicalTag)\(end)")
      } else {
        lines += entry.lines
      }
    }
    return (lines + after).withLineFeeds
  }

  /// Takes a key over into a note.
  private static func read(
    _ pair: YAMLMapping.Pair, into note: inout Note
  ) throws(NoteMarkdown.ParseError) {
    switch (NoteMarkdown.Key(rawValue: pair.key), pair.content) {
    case (.some, .scalar(let scalar)) where scalar.isNull: return
    case (.title, .scalar(let scalar)) where scalar.isText: note.title = scalar.text
    case (.tags, .scalar(let scalar)) where scalar.isText: note.tags = [scalar.text]
    case (.tags, .sequence(let elements)):
      guard let tags = tags(elements) else { return try setAside(pair, in: &note) }
      note.tags = tags
    case (.priority, .scalar(let scalar)):
      guard let priority = Note.Priority(rawValue: scalar.text) else {
        return try setAside(pair, in: &note)
      }
      note.priority = priority
    case (.created, .scalar(let scalar)):
      guard let time = Timestamp(iso8601: scalar.text) else {
        return try setAside(pair, in: &note)
      }
      note.created = time
    case (.some, _): try setAside(pair, in: &note)
    case (nil, _) where hasOtherMeaning(pair.key): try setAside(pair, in: &note)
    case (nil, _): try add(pair, under: pair.key, to: &note)
    }
  }

  /// The tags that elements of a list are; `nil` if one is no text or stands there twice.
  private static func tags(_ elements: [YAMLMapping.Content]) -> [String]? {
    var tags: [String] = []
    var seen: Set<[UInt8]> = []
    for element in elements {
      guard case .scalar(let scalar) = element, scalar.isText else { return nil }
      if seen.insert(Array(scalar.text.utf8)).inserted { tags.append(scalar.text) }
    }
    return tags
  }

  /// Keeps what a key of the profile cannot hold under another name.
  private static func setAside(
    _ pair: YAMLMapping.Pair, in note: inout Note
  ) throws(NoteMarkdown.ParseError) {
    try add(pair, under: "$" + pair.key, to: &note)
  }

  private static func add(
    _ pair: YAMLMapping.Pair, under key: String, to note: inout Note
  ) throws(NoteMarkdown.ParseError) {
    guard note.fields[key] == nil else {
      throw NoteMarkdown.ParseError(
        line: pair.line, reason: "\(quoted(key)) and another key stand for the same field")
    }
    note.fields[key] = try pair.content.node(of: pair.key)
  }
}

extension YAMLScalar {
  /// Whether it may stand where text is wanted: it is no binary and no UUID.
  var isText: Bool { tag != Self.binaryTag && tag != Self.uuidTag }
}

extension DocumentNode {
  /// Whether it is another content, whatever the order of keys in its maps.
  func isSame(as other: DocumentNode) -> Bool { sorted == other.sorted }
}

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
