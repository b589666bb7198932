/// A damaged copy, change by change.
struct SalvagedCopy {
  let file: SalvagedFile
  /// What tells its bytes from those of other copies.
  let digest: [UInt8]
  /// The text of the changes that could be read.
  let texts: ChangeTexts
  /// These changes in canonical order, without the text that they delete.
  var changes: PortableChanges { texts.changes }
  /// What is known of them besides their edits.
  var summaries: ChangeList { ChangeList(of: file.log) }
  /// Of which of them some inserted text is lost.
  let lostTexts: [Bool]

  /// The most scalars without text in a document that is taken apart into changes, each of which
  /// spells them out, beside twice as many as have text.
  private static let freeScalars = 1 << 17

  /// Reads what can be read, within limits.
  init(_ bytes: [UInt8], limits: Limits) {
    file = SalvagedFile(bytes, limits: limits)
    digest = Envelope.digest(of: bytes[...])
    texts = ChangeTexts(file.log, file.insertedText)
    var lostTexts = [Bool](repeating: false, count: file.log.changeCount)
    for range in file.lostInsertions {
      for change in file.log.eventCounts.changes(of: range) { lostTexts[change] = true }
    }
    self.lostTexts = lostTexts
  }

  /// What the text of all insertions may be: as the copy has it, and as a document has it that
  /// holds some of the changes.
  func insertedTexts(with document: Document?) -> [InsertedText] {
    guard let document, let known = try? ChangeTexts(of: document),
      let completed = ChangeTexts.insertedText(of: file.log, from: [known, texts])
    else { return [file.insertedText] }
    return [file.insertedText, completed]
  }

  /// A document of all that another one holds, if any, and all that this copy adds to it; `nil` if
  /// that is nothing.
  ///
  /// Nothing proves what the copy says was redacted, so it takes no text out that any copy has. Of
  /// the changes of `settled`, which are proven, text that is redacted stays out. Text that neither
  /// the document nor this copy knows may be known to `others`. Throws if the two contradict each
  /// other.
  func addition(
    to document: Document?, id: UniqueID, settled: ChangeTexts?, others: [ChangeTexts]
  ) throws(DocumentError) -> Document? {
    let known = try document.map { document throws(DocumentError) in
      try Self.checkLength(of: document.log, texts: document.file.texts)
      return try ChangeTexts(of: document)
    }
    let news = newChanges(after: known?.places)
    if news.isEmpty { return nil }
    let old = known?.changes
    let oldCount = old?.count ?? 0
    let all = (0..<oldCount + news.count).lazy.map { place in
      if let old, place < oldCount { old[place] } else { changes[news[place - oldCount].number] }
    }
    return try self.document(
      of: all, id: id, sources: [known, texts].compactMap(\.self) + others, settled: settled)
  }

  /// A document of what this copy alone tells, to be merged with another one that cannot be taken
  /// apart within the limits.
  ///
  /// It says of what the other one deletes what that one does, so it takes none of it out. Text
  /// that this copy does not know may be known to `others`. `nil` if it adds nothing. Throws if the
  /// copy contradicts itself.
  func addition(
    beside document: Document, id: UniqueID, others: [ChangeTexts]
  ) throws(DocumentError) -> Document? {
    let places = ChangePlaces(document.log)
    let all = newChanges(after: nil)
    if all.allSatisfy({ places.contains(file.log.changeID(ofChange: $0)) }) { return nil }
    return try self.document(
      of: all.lazy.map { changes[$0.number] }, id: id, sources: [texts] + others, settled: nil,
      deleted: places)
  }

  /// The numbers of the changes that another document lacks, whose text is known and whose parents
  /// are there.
  private func newChanges(after other: ChangePlaces?) -> [ChangeIndex] {
    var isThere: [Bool] = []
    isThere.reserveCapacity(changes.count)
    var numbers: [ChangeIndex] = []
    for (number, change) in summaries.enumerated() {
      if other?.contains(change.id) ?? false {
        isThere.append(true)
        continue
      }
      isThere.append(
        !lostTexts[number]
          && change.parents.allSatisfy { parent in
            texts.places.number(of: parent).map { isThere[$0] } ?? false
              || other?.contains(parent) ?? false
          })
      if isThere[number] { numbers.append(ChangeIndex(number)) }
    }
    return numbers
  }

  /// The document of some changes, each after its parents, with the text from the sources.
  ///
  /// For the changes of `settled` only the first source is asked that has them. The word of `known`
  /// on deleted text counts before that of this copy. Throws if the changes contradict each other
  /// or take more than the limits.
  private func document(
    of changes: some RandomAccessCollection<Change>, id: UniqueID, sources: [ChangeTexts],
    settled: ChangeTexts?,
    deleted known: ChangePlaces? = nil
  ) throws(DocumentError) -> Document {
    do throws(HistoryError) {
      var log = try Log.make(from: changes, limits: file.log.limits).log
      if let fault = log.faults(critical: CriticalVersions(of: log.graph)).first { throw fault }
      guard let text = ChangeTexts.insertedText(of: log, from: sources, settled: settled) else {
        throw HistoryError(.viewDisagrees)
      }
      let replay = try Replay(log)
      log.deletedText = replay.deletedText(insertedText: text)
      if let known { log.deletedText = known.deletedText(completing: log) }
      return Document(try DocumentFile(id: id, log: log, replay: replay, insertedText: text))
    } catch {
      throw DocumentError(error)
    }
  }

  /// The numbers that some deletions of this copy have in another log that has their changes.
  func placed(
    _ deletions: [Range<Int32>], in other: ChangePlaces
  ) -> [(change: ChangeID, range: Range<Int32>)] {
    if deletions.isEmpty { return [] }
    var result: [(change: ChangeID, range: Range<Int32>)] = []
    for change in summaries {
      guard let ours = texts.places.deletions(of: change.id), !ours.isEmpty,
        let theirs = other.deletions(of: change.id), theirs.count == ours.count
      else { continue }
      for part in deletions.parts(in: ours) {
        let start = theirs.lowerBound + (part.lowerBound - ours.lowerBound)
        result.append((change.id, start..<start + Int32(part.count)))
      }
    }
    return result
  }

  /// Refuses a document that would take far more memory in this form than in its file.
  private static func checkLength(
    of log: Log, texts: [TextBuffer]
  ) throws(DocumentError) {
    let size = texts.reduce(log.deletedText.text.utf8.count) { $0 + $1.utf8.count }
    guard Int(log.insertedScalarCount) <= 2 * size + freeScalars else {
      throw DocumentError("too much text is redacted", kind: .limit)
    }
  }
}
