/// All text that was ever inserted, in the order of the insertion events.
///
/// A log doesn't hold it: what is still visible stands in the document's texts, the rest with the
/// deletions that removed it. One walk over the whole history brings the two together. A
/// placeholder stands for every scalar of which all deletions are redacted.
package struct InsertedText: Sendable {
  /// The scalars by their number among all inserted ones, without those that are redacted.
  package let scalars: DeletedText
  private let indexed: IndexedText

  /// What stands for a scalar that is not known.
  var placeholder: Unicode.Scalar = "\u{FFFD}"

  /// Takes over text whose n-th scalar is the n-th one inserted.
  package init(_ text: TextBuffer) {
    var scalars = DeletedText()
    scalars.append(text)
    self.init(scalars)
  }

  /// Takes over text whose n-th scalar is the n-th one inserted, redacted where it is not known.
  package init(_ scalars: DeletedText) {
    self.scalars = scalars
    indexed = IndexedText(scalars.text)
  }

  package var count: Int32 { scalars.count }

  package var text: TextBuffer { text(of: 0..<scalars.count) }

  /// The text of some scalars, by their number.
  package func text(of numbers: Range<Int32>) -> TextBuffer {
    var result = TextBuffer()
    append(numbers, to: &result)
    return result
  }

  /// The scalars that are known, by their number among these, in O(bytes).
  package var knownScalars: [UInt32] { scalars.text.string.unicodeScalars.map(\.value) }

  /// Calls `body` with the parts of some scalars, by their number: those known with their text,
  /// those of which all deletions are redacted with `nil`; O(log r + parts + bytes) for r redacted
  /// ranges.
  package func forEachText(
    in numbers: Range<Int32>, _ body: (_ part: Range<Int32>, _ text: TextBuffer?) -> Void
  ) {
    scalars.forEachPart(in: numbers) { part, firstScalar in
      body(part, firstScalar.map { indexed.scalars(from: $0, count: part.count) })
    }
  }

  /// Appends scalars by their number to others, as redacted those that are not known; if
  /// `reversed`, from the last one to the first; O(log r + parts + bytes) for r redacted ranges.
  package func append(
    _ numbers: Range<Int32>, reversed: Bool = false, to other: inout DeletedText
  ) {
    var parts: [(count: Int, text: TextBuffer?)] = []
    forEachText(in: numbers) { part, text in
      parts.append((part.count, reversed ? text?.reversed() : text))
    }
    if reversed { parts.reverse() }
    for part in parts {
      if let text = part.text {
        other.append(text)
      } else {
        other.appendRedacted(Int32(part.count))
      }
    }
  }

  /// Appends scalars by their number to a text.
  func append(_ numbers: Range<Int32>, to text: inout TextBuffer) {
    forEachText(in: numbers) { part, known in
      text.append(
        known ?? TextBuffer(String(repeating: Character(placeholder), count: part.count)))
    }
  }

  /// Recovers the text from a log and the content of its texts, by container number.
  ///
  /// O(n log n) for n operations, plus what their concurrency costs, plus the bytes. Throws if an
  /// operation does not apply at its version, a text is not as long as the log says, or two
  /// deletions of one scalar disagree on it.
  package init(of log: Log, texts: [TextBuffer]) throws(HistoryError) {
    // The replay is gone before the text is put together.
    let pieces = try Self.pieces(of: Replay(log), leadingTo: texts)
    try self.init(pieces, log: log, texts: texts)
  }

  /// Recovers the text from a replay that has been made, and the texts by container number.
  ///
  /// The scalars in `lost`, ascending by their number, are not known and count as redacted. Throws
  /// if a text is not as long as the log says, or two deletions of one scalar disagree on it.
  package init(
    texts: [TextBuffer], lost: [Range<Int32>] = [], replayed replay: borrowing Replay
  ) throws(HistoryError) {
    let pieces = try Self.pieces(of: replay, leadingTo: texts)
    try self.init(pieces, log: replay.log, texts: texts, lost: lost)
  }

  private init(
    _ pieces: [Piece], log: Log, texts: [TextBuffer], lost: [Range<Int32>] = []
  ) throws(HistoryError) {
    let scalars = try Self.assemble(pieces, log: log, texts: texts)
    guard scalars.count == log.insertedScalarCount else { throw HistoryError(.viewDisagrees) }
    self.init(lost.isEmpty ? scalars : scalars.redacting(lost))
  }

  /// Where all inserted scalars stand, ascending by event, if the texts are as long as the replay
  /// made them.
  private static func pieces(
    of replay: borrowing Replay, leadingTo texts: [TextBuffer]
  ) throws(HistoryError) -> [Piece] {
    let log = replay.log
    if let container = replay.lengthFaults(texts: texts).first {
      throw HistoryError(.viewDisagrees, event: log.containers[container].created)
    }
    var pieces: [Piece] = []
    pieces.reserveCapacity(replay.runCount + replay.deletions.count)
    for container in log.containers(of: .text) {
      var scalar: Int32 = 0
      replay.forEachRun(of: container) { first, length in
        pieces.append(
          Piece(
            event: first, count: length, source: container.rawValue, start: scalar,
            backward: false))
        scalar += length
      }
    }
    for deletion in replay.deletions { pieces.append(Piece(deletion, in: log)) }
    pieces.sort(by: Piece.precedes)
    return pieces
  }

  /// Puts the text of pieces together, which ascend by event.
  ///
  /// A scalar is redacted if every deletion of it is. Throws if two of them disagree on it.
  private static func assemble(
    _ pieces: [Piece], log: Log, texts: [TextBuffer]
  ) throws(HistoryError) -> DeletedText {
    var sources = PieceTexts(deleted: log.deletedText.text, texts: texts)
    var result = DeletedText()
    var next = LocalVersion.least
    let (known, redacted) = Piece.split(pieces, by: log.deletedText)
    try Piece.checkAgreement(of: known, in: &sources)
    // Concurrent deletions of one scalar follow each other.
    for piece in known where piece.end > next {
      let first = max(piece.event, next)
      if !redacted.isEmpty {
        result.appendRedacted(log.scalarNumber(of: first) - result.count)
      }
      let places = piece.places(of: first..<piece.end)
      let text = sources[piece].scalars(from: Int(places.lowerBound), count: places.count)
      result.append(piece.backward ? text.reversed() : text)
      next = piece.end
    }
    if !redacted.isEmpty { result.appendRedacted(log.insertedScalarCount - result.count) }
    return result
  }

  /// Where the text of some inserted scalars stands.
  package struct Piece {
    static let deleted: Int32 = -1

    /// The first of the scalars, by the event that inserted it.
    package var event: LocalVersion
    package var count: Int32
    /// The container in whose text they stand, or ``deleted``.
    var source: Int32
    /// The first scalar there; for deletions, the number of the first one.
    var start: Int32
    /// Whether the deletions run from the last scalar to the first.
    var backward: Bool

    /// One past the last event.
    var end: LocalVersion { event + count }
    var events: Range<LocalVersion> { event..<end }

    static func precedes(_ left: Piece, _ right: Piece) -> Bool {
      (left.event, left.source, left.start) < (right.event, right.source, right.start)
    }

    /// Takes the redacted scalars out of pieces.
    ///
    /// What is known ascends, and the start of deletions is their first scalar in the deleted text
    /// there. The insertions of redacted scalars ascend by their start.
    static func split(
      _ pieces: [Piece], by deletions: DeletedText
    ) -> (known: [Piece], redacted: [Range<LocalVersion>]) {
      if deletions.redacted.isEmpty { return (pieces, []) }
      var known: [Piece] = []
      var redacted: [Range<LocalVersion>] = []
      for piece in pieces {
        guard piece.source == deleted else {
          known.append(piece)
          continue
        }
        let end = piece.start + piece.count
        deletions.forEachPart(in: piece.start..<end) { part, firstScalar in
          var own = piece
          own.event +=
            piece.backward ? end - part.upperBound : part.lowerBound - piece.start
          own.count = Int32(part.count)
          guard let firstScalar else { return redacted.append(own.events) }
          own.start = Int32(firstScalar)
          known.append(own)
        }
      }
      known.sort(by: precedes)
      redacted.sort { $0.lowerBound < $1.lowerBound }
      return (known, redacted)
    }
  }
}

extension InsertedText.Piece {
  /// What some deletions of a log removed, in O(log operations).
  package init(_ deletions: VersionIndex.Entry, in log: Log) {
    self.init(
      event: deletions.deleted.lowerBound, count: deletions.length, source: Self.deleted,
      start: log.scalarNumber(of: deletions.first),
      backward: deletions.kind == .deletionBackward)
  }
}

extension TextBuffer {
  /// The scalars in reverse order.
  func reversed() -> TextBuffer {
    if scalarCount < 2 { return self }
    if isASCII { return TextBuffer(validated: utf8.reversed()) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: string.unicodeScalars.reversed())
    return TextBuffer(String(scalars))
  }
}

extension Log {
  /// The number of an event that inserts or deletes a scalar, among all that do the same, in
  /// O(log operations).
  package func scalarNumber(of event: LocalVersion) -> Int32 {
    let operation = operations[operationIndex(endingAfter: event)]
    return operation.firstScalar + (event - operation.first)
  }
}
