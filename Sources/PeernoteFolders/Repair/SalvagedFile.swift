import PeernoteCBOR
package import PeernoteEngine

/// What can be read of a file whose bytes are not all there, or not all as they were written.
///
/// Nothing here is proven: damage may have made one valid number or letter of another. What is
/// found to be lost is said, and ``proven(id:insertedText:)`` finds out whether the rest is what
/// the file held. Keeps the limits of reading a sound file: O(n log n) and what replaying the
/// history costs, and no more memory than a small multiple of the file's size.
package struct SalvagedFile: Sendable {
  /// The document's identity, if the beginning of the file is whole.
  package let id: UniqueID?
  /// The heads that the file names, if that section can be read.
  package let heads: [ChangeID]
  /// The history, up to the first chain that cannot be read or contradicts what comes before it.
  ///
  /// Deleted text that is lost counts as redacted.
  package private(set) var log = Log()
  /// Whether that is all of it.
  package private(set) var isWhole = false
  /// The text of all insertions, redacted where it is lost.
  package private(set) var insertedText = InsertedText(DeletedText())
  /// The events whose scalars were shown and are lost.
  package private(set) var lostInsertions: [Range<LocalVersion>] = []
  /// Whether some text that a change inserted was shown and is lost.
  func hasLostText(_ change: ChangeIndex) -> Bool {
    !lostInsertions.parts(in: log.eventCounts.events(ofChange: change)).isEmpty
  }

  /// The deletions whose text was there and is lost, by their number.
  package private(set) var lostDeletions: [Range<Int32>] = []
  /// The deletions that were redacted, by their number.
  package private(set) var redactions: [Range<Int32>] = []
  /// Where the bytes of texts are damaged, ascending.
  package private(set) var damagedText: [Range<Int>] = []
  /// The names of changes that were told of and cannot be read; at most some thousands.
  package private(set) var unreadChanges: [ChangeID] = []
  /// What tells the bytes from those of other copies.
  let digest: [UInt8]
  /// The text of the changes that could be read.
  private(set) var texts: ChangeTexts
  /// These changes in canonical order, without the text that they delete.
  var changes: PortableChanges { texts.changes }
  /// What is known of them besides their edits.
  var summaries: ChangeList { ChangeList(of: log) }
  private let unknownSections: [Envelope.UnknownSection]
  private let checksum: ArraySlice<UInt8>

  /// How often a log is cut at a contradiction.
  private static let cutLimit = 4
  /// How many scalars a log may insert without any byte for them, as redacted ones have none.
  static let freeScalars = 1 << 17

  /// Reads what can be read, within limits.
  package init(_ bytes: [UInt8], limits: Limits = Limits()) {
    let sections = DamagedSections(bytes, limits: limits)
    id = sections.id
    heads = sections.heads
    unknownSections = sections.unknownSections
    checksum = sections.checksum
    digest = Envelope.digest(of: bytes[...])
    texts = ChangeTexts(log, insertedText)
    for place in sections.logs {
      guard let deleted = readLog(bytes, at: place, limits: limits) else { continue }
      do throws(HistoryError) {
        try cutAtContradictions()
        try readTexts(bytes, deleted, view: sections.view(before: place))
      } catch {
        cut(before: .first)
        (redactions, lostDeletions, lostInsertions) = ([], [], [])
      }
      if log.changeCount > 0 || !unreadChanges.isEmpty { break }
    }
    texts = ChangeTexts(log, insertedText)
  }

  // MARK: Log

  /// The most changes that are named without being read: a few bytes can claim millions.
  private static let unreadLimit = 10_000

  /// Reads a log that may be cut off or damaged, up to the first chain that cannot be read.
  ///
  /// O(n log n), within all limits that reading a sound log keeps. Gives where the deleted text
  /// stands, as far as it is there; `nil` if the columns cannot be told apart.
  private mutating func readLog(
    _ bytes: [UInt8], at place: Range<Int>, limits: Limits
  ) -> Range<Int>? {
    var reader = LogReader(bytes, limits: limits)
    guard reader.salvageColumns(place) else { return nil }
    let hasCounts = (try? reader.readCounts()) != nil
    let hasChains = (try? reader.readChains()) != nil
    if !hasChains {
      // The others have no chain that could be read.
      let known = reader.log.graph.chains.reduce(0) { max($0, $1.agent.number + 1) }
      reader.log.agents.removeLast(reader.log.agents.count - known)
    }
    let hasMetadata = (try? reader.readMetadata()) != nil
    let hasOperations = (try? reader.readOperations()) != nil
    reader.log.fileSize = bytes.count
    log = reader.log
    isWhole = hasCounts && hasChains && hasMetadata && hasOperations
    unreadChanges = []
    if !isWhole {
      let operationsEnd = log.operations.last?.end ?? .first
      // The last run of metadata reaches nobody knows how far.
      let metadataEnd =
        hasMetadata
        ? log.graph.changes.upperBound : (log.metadata.last?.firstChange ?? .first)
      var end =
        log.graph.chains.firstIndex {
          $0.end > operationsEnd || $0.changes.upperBound > metadataEnd
        } ?? log.graph.chains.endIndex
      // The last chain, which ends where the operations do, may have been longer.
      if !hasOperations, end > .first, end == log.graph.chains.endIndex { end -= 1 }
      cut(before: end)
    }
    try? reader.readRedactions(amongFirst: .max)
    redactions = reader.redactions
    return reader.layout.columns.deleted
  }

  /// Cuts the log before the first chain that contradicts what comes before it; throws if too many
  /// do, or it takes more than the limits to tell.
  private mutating func cutAtContradictions() throws(HistoryError) {
    for number in 1...Self.cutLimit {
      do throws(HistoryError) {
        if let fault = log.faults(critical: CriticalVersions(of: log.graph)).first { throw fault }
        _ = try Objects(of: log)
        _ = try Replay(log)
        return
      } catch {
        // What is left below a limit is as dear, and would be tried again.
        if error.reason.isLimit || number == Self.cutLimit { throw error }
        cut(before: error.event.map { log.graph.chainIndex(of: $0) } ?? .first)
      }
    }
  }

  /// Cuts the log before a chain; the changes from there on count as not read.
  private mutating func cut(before chain: ChainIndex) {
    let end = chain == .first ? .first : log.graph.chains[chain - 1].changes.upperBound
    unreadChanges =
      (end..<log.graph.changes.upperBound).prefix(Self.unreadLimit)
      .map { log.changeID(ofChange: $0) } + unreadChanges
    log = log.prefix(LogPrefix(of: log, chains: chain.number))
    isWhole = false
  }

  // MARK: Text

  /// Reads the texts; throws if there are no changes, or their texts take more than the limits.
  private mutating func readTexts(
    _ bytes: [UInt8], _ deleted: Range<Int>, view: Range<Int>
  ) throws(HistoryError) {
    guard log.changeCount > 0,
      Int(log.insertedScalarCount) <= 2 * bytes.count + Self.freeScalars
    else { throw HistoryError(.tooMuchMemory) }
    redactions = redactions.map { $0.clamped(to: 0..<log.deletedScalarCount) }
      .filter { !$0.isEmpty }
    readDeletedText(bytes, deleted)
    let replay = try Replay(log)
    let places = isWhole ? ViewReader.salvage(bytes, view: view, of: try Objects(of: log)) : [:]
    var texts = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for container in log.containers(of: .text) {
      let (place, length) = (places[container], replay.length(of: container))
      let text = DamagedText(bytes, place ?? 0..<0, length: length, mayBeCut: place == nil)
      texts[container] = text.buffer
      if text.lost.isEmpty { continue }
      if !text.damage.isEmpty { damagedText.append(text.damage) }
      var next = 0
      replay.forEachRun(of: container) { first, length in
        let part = text.lost.clamped(to: next..<next + Int(length))
        let start = first + Int32(part.lowerBound - next)
        if !part.isEmpty { lostInsertions.append(start..<start + Int32(part.count)) }
        next += Int(length)
      }
    }
    lostInsertions = lostInsertions.united()
    damagedText.sort { $0.lowerBound < $1.lowerBound }
    let lostScalars = lostInsertions.map { events in
      let first = log.scalarNumber(of: events.lowerBound)
      return first..<first + Int32(events.count)
    }
    if let text = try? InsertedText(texts: texts, lost: lostScalars, replayed: replay) {
      insertedText = text
    } else {
      // Two deletions of one text disagree on it; nobody knows which of them is right.
      loseDeletedText()
      insertedText = try InsertedText(texts: texts, lost: lostScalars, replayed: Replay(log))
    }
  }

  private mutating func loseDeletedText() {
    log.deletedText = DeletedText()
    log.deletedText.appendRedacted(log.deletedScalarCount)
    lostDeletions = redactions.gaps(in: 0..<log.deletedScalarCount)
  }

  private mutating func readDeletedText(_ bytes: [UInt8], _ place: Range<Int>) {
    let count = log.deletedScalarCount
    let length = Int(count) - redactions.reduce(0) { $0 + $1.count }
    // A few bytes can claim far more than a file can hold.
    guard length <= bytes.count else {
      loseDeletedText()
      return
    }
    let text = DamagedText(
      bytes, place, length: length, mayBeCut: place.upperBound == bytes.count,
      mayGoOn: !isWhole)
    if !text.damage.isEmpty { damagedText.append(text.damage) }
    guard let whole = DeletedText(text: text.buffer, count: count, redacted: redactions) else {
      preconditionFailure("redactions and the rest make all deletions")
    }
    whole.forEachPart(in: 0..<count) { part, firstScalar in
      guard let firstScalar else { return }
      let hole = text.lost.clamped(to: firstScalar..<firstScalar + part.count)
      if hole.isEmpty { return }
      let start = part.lowerBound + Int32(hole.lowerBound - firstScalar)
      lostDeletions.append(start..<start + Int32(hole.count))
    }
    lostDeletions = lostDeletions.united()
    log.deletedText = whole.redacting(lostDeletions)
  }

  // MARK: Proof

  /// The bytes that were written, if what could be read leads to the file's checksum; `nil` without
  /// that proof.
  ///
  /// Text that the file does not know may be known to a document that holds some of the changes.
  /// Heads and view follow from the history and the text, so they need not be readable.
  func proven(id: UniqueID, with document: Document?) -> [UInt8]? {
    if let bytes = proven(id: id, insertedText: insertedText) { return bytes }
    guard let document, let known = try? ChangeTexts(of: document),
      let completed = ChangeTexts.insertedText(of: log, from: [known, texts])
    else { return nil }
    return proven(id: id, insertedText: completed)
  }

  private func proven(id: UniqueID, insertedText text: InsertedText) -> [UInt8]? {
    guard isWhole, !checksum.isEmpty, text.count == log.insertedScalarCount,
      let replay = try? Replay(log)
    else { return nil }
    var log = log
    log.deletedText = replay.deletedText(insertedText: text).redacting(redactions)
    let file = try? DocumentFile(
      id: id, log: log, replay: replay, insertedText: text, unknownSections: unknownSections)
    guard let bytes = file?.bytes() else { return nil }
    return Restoration.proves(checksum, bytes.suffix(32)) ? bytes : nil
  }
}

extension LogReader {
  /// Finds the columns, of which the last ones may be missing.
  fileprivate mutating func salvageColumns(_ range: Range<Int>) -> Bool {
    let end = range.upperBound..<range.upperBound
    var isCut = false
    func next(_ reader: inout CBORReader, isText: Bool) -> Range<Int> {
      if isCut { return end }
      do throws(CBORError) {
        let item = try reader.nextItem()
        if !isText, case .bytes(let column) = item { return column }
        if isText, case .text(let column) = item { return column }
        isCut = true
        return end
      } catch {
        isCut = true
        return error.left.map { range.upperBound - $0..<range.upperBound } ?? end
      }
    }
    return (try? readColumns(range, next)) != nil && layout.columns.agents != end
  }
}
