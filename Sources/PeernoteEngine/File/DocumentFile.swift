import PeernoteCBOR

/// A document as a file holds it: what is stored, and nothing that follows from it.
package struct DocumentFile: Sendable {
  package var id: UniqueID
  /// Every change, and what they say about all containers but texts.
  package var objects: Objects
  /// The raw texts by container number: the union of insertions and deletions; others are empty.
  package var texts: [TextBuffer]
  /// Where something else is shown than the raw text, by container number; no text without any.
  package var passages: [ContainerIndex: [TextPassage]] = [:]
  /// How the file is laid out that the document was read from; `nil` if it was not read.
  package var layout: FileLayout?
  /// Sections that this version doesn't know and carries along, ascending by number.
  package var unknownSections: [Envelope.UnknownSection]

  package init(
    id: UniqueID, objects: Objects, texts: [TextBuffer],
    passages: [ContainerIndex: [TextPassage]] = [:],
    unknownSections: [Envelope.UnknownSection] = []
  ) {
    self.id = id
    self.objects = objects
    self.texts = texts
    self.passages = passages
    self.unknownSections = unknownSections
  }

  /// The file of a history, with what a replay of that leads to; the replay is given up before the
  /// passages are looked for, which takes as much room; O(n log n), plus a walk over each text that
  /// was edited concurrently.
  package init(
    id: UniqueID, log: Log, replay: consuming Replay, insertedText text: InsertedText,
    unknownSections sections: [Envelope.UnknownSection] = []
  ) throws(HistoryError) {
    let objects = try Objects(of: log)
    let texts = replay.texts(insertedText: text)
    _ = consume replay
    self.init(id: id, objects: objects, texts: texts, unknownSections: sections)
    try findPassages()
  }

  /// It is read in place: across the border of a module a getter would copy it.
  package var log: Log {
    _read { yield objects.log }
  }

  /// The texts as they are shown, by container number; O(1) if there are no passages, else
  /// O(bytes of the texts that have some).
  package var shownTexts: [TextBuffer] { passages.shown(from: texts) }

  /// Reads a file and checks that its view has the structure that its log says.
  ///
  /// That the operations on texts lead to the texts of the view is not checked here; that takes a
  /// replay of the history. A document that has much in common with this one makes reading faster
  /// and nothing else. O(n log n). Throws the first fault with its place.
  package init(
    _ bytes: [UInt8], beside other: DocumentFile? = nil, limits: Limits = Limits()
  ) throws(DocumentError) {
    let envelope = try Envelope(bytes, limits: limits)
    let (log, layout, _) = try LogReader.read(envelope, beside: other, limits: limits)
    let objects = try Objects(of: log, at: layout)
    let view = try ViewReader.readTexts(envelope, of: objects)
    let content = try PassageSection.read(envelope, of: log, shown: view.texts)
    self.init(
      id: envelope.id, objects: objects, texts: content.texts, passages: content.passages,
      unknownSections: envelope.unknownSections)
    self.layout = FileLayout(
      of: log, at: layout, view: view.layout, contestedTexts: passages.keys.sorted())
  }

  /// Finds the passages of all texts, from the whole history; O(n log n), plus a walk over each
  /// text that was edited concurrently.
  package mutating func findPassages() throws(HistoryError) {
    passages = try log.passages(raw: texts, critical: objects.critical)
  }

  /// Measures the file if it might be near the limit of its length, which is only estimated else;
  /// O(1), but for files of which the estimate is 7/8 of the limit or more: O(n log n).
  package mutating func measureIfNearLimit() {
    let limit = log.limits.fileSize
    if log.fileSize > limit - limit / 8 { objects.record(fileSize: bytes().count) }
  }

  /// Refuses a document that is new if it would be too long as a file, or hold more than a file of
  /// its length may; O(1), but for documents of which nothing simpler tells: O(n log n).
  package mutating func checkLimits() throws(HistoryError) {
    measureIfNearLimit()
    guard log.fileSize <= log.limits.fileSize else { throw HistoryError(.tooLong) }
    if log.limitBroken(inFileOf: log.leastFileSize) == nil { return }
    let size = bytes().count
    objects.record(fileSize: size)
    if let broken = log.limitBroken(inFileOf: size) { throw HistoryError(broken) }
  }

  /// The bytes of the file: a pure function of identity, changes and unknown sections; O(n log n);
  /// what stands in the file that the document was read from is copied from there.
  package func bytes() -> [UInt8] { Envelope.sealed(encodedWithoutChecksum()) }

  /// The bytes of the file up to the checksum.
  func encodedWithoutChecksum() -> [UInt8] {
    let textSize = texts.reduce(log.deletedText.text.utf8.count) { $0 + $1.utf8.count }
    let columns = LogWriter(log, copying: layout)
    let kept = layout.map {
      KeptView(of: $0, after: columns.prefix, in: log, contested: passages.keys)
    }
    let size = textSize + columns.estimatedSize
    var writer = CBORWriter()
    writer.reserve(max(size, layout?.log.bytes.count ?? 0) + 4096)
    writer.tag(Format.selfDescribed)
    writer.tag(Format.protocolTag)
    writer.arrayHeader(5)
    writer.unsigned(0)
    writer.unsigned(UInt64(Format.version))
    writer.uuid(id)
    writer.mapHeader((passages.isEmpty ? 3 : 4) + unknownSections.count)
    writer.unsigned(Envelope.SectionNumber.heads)
    writer.changes(log.headChanges)
    writer.unsigned(Envelope.SectionNumber.view)
    ViewWriter.write(objects, texts: shownTexts, copying: kept, to: &writer)
    writer.unsigned(Envelope.SectionNumber.log)
    columns.write(to: &writer)
    if !passages.isEmpty {
      writer.unsigned(Envelope.SectionNumber.passages)
      PassageSection.write(passages, raw: texts, of: log, to: &writer)
    }
    for section in unknownSections {
      writer.unsigned(section.number)
      writer.encoded(section.content.span)
    }
    return writer.bytes
  }
}

extension DocumentFile {
  /// Reads what was written of the document, and returns how many bytes of the view and of the log's
  /// largest columns were decoded; `nil` if it does not say the same.
  ///
  /// What the file has in the same bytes as the one that the document was read from, which was
  /// checked then, is compared with that; what differs is decoded, and compared with the document.
  /// O(n) for n bytes, of which most are compared only, and O(m log m) for m bytes that differ.
  /// `nil` if the document was not read from a file. Throws if the bytes cannot be read.
  package func readBack(_ bytes: [UInt8]) throws(DocumentError) -> Int? {
    guard let layout else { return nil }
    let limits = log.limits
    let envelope = try Envelope(bytes, limits: limits)
    let (read, newLayout, known) = try LogReader.read(envelope, beside: self, limits: limits)
    guard envelope.id == id, envelope.unknownSections == unknownSections,
      LogPrefix.shared(read, log) == LogPrefix(all: read),
      LogPrefix(all: read) == LogPrefix(all: log),
      read.deletedText == log.deletedText
    else { return nil }
    let kept = KeptView(of: layout, after: known, in: read, contested: passages.keys)
    let objects = try Objects(of: read, at: newLayout, only: kept.needed)
    let view = try ViewReader.readTexts(envelope, of: objects, beside: kept, texts: texts)
    let content = try PassageSection.read(envelope, of: read, shown: view.texts)
    guard content.passages == passages,
      zip(content.texts, texts).allSatisfy({ $0.isSame(as: $1) })
    else { return nil }
    return envelope.view.count - view.compared + newLayout.byteCount(after: known.chains)
  }
}
