/// All text that was ever inserted, in the order of the insertion events.
///
/// A log doesn't hold it: what is still visible stands in the document's texts, the rest with the
/// deletions that removed it. One walk over the whole history brings the two together. Where the
/// text of a deletion is redacted, U+FFFD stands for every scalar.
package struct InsertedText: Sendable {
  /// The scalars by their number among all inserted ones, without those that are redacted.
  private let scalars: DeletedText
  private let indexed: IndexedText

  /// Takes over text whose n-th scalar is the n-th one inserted.
  package init(_ text: TextBuffer) {
    var scalars = DeletedText()
    scalars.append(text, from: TextPlace(), to: text.end)
    self.init(scalars)
  }

  private init(_ scalars: DeletedText) {
    self.scalars = scalars
    indexed = IndexedText(scalars.text)
  }

  /// The whole text.
  package var text: TextBuffer {
    var result = TextBuffer()
    append(from: 0, count: Int(scalars.count), to: &result)
    return result
  }

  /// The text of an insertion.
  package func text(of operation: Operation) -> TextBuffer {
    var result = TextBuffer()
    append(from: Int(operation.b), count: Int(operation.length), to: &result)
    return result
  }

  /// Appends scalars by their number to a text.
  func append(from first: Int, count: Int, to text: inout TextBuffer) {
    scalars.forEachPart(in: Int32(first)..<Int32(first + count)) { part, firstScalar in
      if let firstScalar {
        text.append(indexed.scalars(from: firstScalar, count: part.count))
      } else {
        text.append(TextBuffer(String(repeating: "\u{FFFD}", count: part.count)))
      }
    }
  }

  /// Recovers the text from a log and the content of its texts.
  ///
  /// O(n log n) for n operations, plus what their concurrency costs, plus the bytes.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - texts: by container number.
  /// - Throws: ``HistoryError`` if an operation does not apply at its version, a text is not as
  ///   long as the log says, or two deletions of one scalar disagree on it.
  package init(of log: Log, texts: [TextBuffer]) throws(HistoryError) {
    try self.init(texts: texts, replayed: Replay(log))
  }

  /// Recovers the text from a replay that has been made.
  package init(texts: [TextBuffer], replayed replay: borrowing Replay) throws(HistoryError) {
    let log = replay.log
    var pieces: [Piece] = []
    for (number, container) in log.containers.enumerated() where container.kind == .text {
      var scalar: Int32 = 0
      replay.forEachRun(of: Int32(number)) { first, length in
        pieces.append(
          Piece(
            event: first, count: length, source: Int32(number), start: scalar, backward: false))
        scalar += length
      }
      guard Int(scalar) == texts[number].scalarCount else {
        throw HistoryError(.viewDisagrees, event: container.created)
      }
    }
    for deletion in replay.deletions {
      pieces.append(
        Piece(
          event: deletion.backward ? deletion.target - deletion.length + 1 : deletion.target,
          count: deletion.length, source: Piece.deleted,
          start: log.deletionNumber(of: deletion.event), backward: deletion.backward))
    }
    pieces.sort(by: Piece.precedes)
    let scalars = try Self.assemble(pieces, log: log, texts: texts)
    guard scalars.count == log.insertedScalarCount else { throw HistoryError(.viewDisagrees) }
    self.init(scalars)
  }

  /// Puts the text of pieces together, which ascend by event.
  ///
  /// - Throws: ``HistoryError`` if two of them disagree on a scalar.
  static func assemble(
    _ pieces: [Piece], log: Log, texts: [TextBuffer]
  ) throws(HistoryError) -> DeletedText {
    let deleted = IndexedText(log.deletedText.text)
    var indexed: [Int32: IndexedText] = [:]
    var result = DeletedText()
    var next = LocalVersion.min
    for piece in pieces {
      let parts: [Part]
      if piece.source == Piece.deleted {
        parts = piece.parts(of: log.deletedText, deleted)
      } else {
        let source = indexed[piece.source] ?? IndexedText(texts[Int(piece.source)])
        indexed[piece.source] = source
        let text = source.scalars(from: Int(piece.start), count: Int(piece.count))
        parts = [Part(count: piece.count, text: text)]
      }
      var event = piece.event
      for part in parts {
        // Concurrent deletions of one scalar follow each other; they have to agree.
        let known = event < next ? min(next, event + part.count) - event : 0
        if known > 0, !result.agrees(from: result.count - (next - event), with: part, count: known)
        {
          throw HistoryError(.deletionsDisagree, event: event)
        }
        if known < part.count { result.append(part, from: known) }
        event += part.count
        next = max(next, event)
      }
    }
    return result
  }

  /// Where the text of some inserted scalars stands.
  struct Piece {
    static let deleted: Int32 = -1

    /// The first of the scalars, by the event that inserted it.
    var event: LocalVersion
    var count: Int32
    /// The container in whose text they stand, or ``deleted``.
    var source: Int32
    /// The first scalar there; for deletions, the number of the first one.
    var start: Int32
    /// Whether the deletions run from the last scalar to the first.
    var backward: Bool

    static func precedes(_ left: Piece, _ right: Piece) -> Bool {
      (left.event, left.source, left.start) < (right.event, right.source, right.start)
    }

    /// The scalars that a run of deletions removed, in document order.
    func parts(of deletions: DeletedText, _ indexed: IndexedText) -> [Part] {
      var result: [Part] = []
      deletions.forEachPart(in: start..<start + count) { part, firstScalar in
        let text = firstScalar.map { indexed.scalars(from: $0, count: part.count) }
        result.append(Part(count: Int32(part.count), text: backward ? text?.reversed() : text))
      }
      return backward ? result.reversed() : result
    }
  }

  /// Consecutive scalars that are all known or all redacted.
  struct Part {
    var count: Int32
    /// `nil` if they are redacted.
    var text: TextBuffer?
  }
}

extension DeletedText {
  /// Appends a part but for its first scalars.
  fileprivate mutating func append(_ part: InsertedText.Part, from first: Int32) {
    guard let text = part.text else {
      appendRedacted(part.count - first)
      return
    }
    append(text, from: text.place(ofScalar: Int(first)), to: text.end)
  }

  /// Whether `count` scalars from one on are the first ones of a part, as far as both are known.
  fileprivate func agrees(
    from first: Int32, with part: InsertedText.Part, count: Int32
  ) -> Bool {
    guard let other = part.text else { return true }
    var agree = true
    var place = TextPlace()
    forEachPart(in: first..<first + count) { range, firstScalar in
      let from = other.place(ofScalar: Int(range.lowerBound - first), from: place)
      place = other.place(ofScalar: from.scalar + range.count, from: from)
      guard let firstScalar else { return }
      let start = text.place(ofScalar: firstScalar, from: text.end)
      let end = text.place(ofScalar: firstScalar + range.count, from: start)
      if text.utf8[start.byte..<end.byte] != other.utf8[from.byte..<place.byte] { agree = false }
    }
    return agree
  }
}

extension TextBuffer {
  /// The scalars in reverse order.
  fileprivate func reversed() -> TextBuffer {
    if scalarCount < 2 { return self }
    if isASCII { return TextBuffer(validated: utf8.reversed()) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: string.unicodeScalars.reversed())
    return TextBuffer(String(scalars))
  }
}

extension Log {
  /// The number of a deletion event among all of them.
  ///
  /// O(log operations).
  func deletionNumber(of event: LocalVersion) -> Int32 {
    let operation = operations[operationIndex(endingAfter: event)]
    return operation.b + (event - operation.first)
  }
}

extension Replay {
  /// Checks that the texts of a document are as long as its history says, and that deletions of
  /// the same scalar agree on it.
  ///
  /// O(n), or O(n log n) where scalars were deleted more than once.
  ///
  /// - Parameter texts: by container number.
  /// - Throws: ``HistoryError`` with what is wrong.
  package borrowing func check(texts: [TextBuffer]) throws(HistoryError) {
    var visible = 0
    for (number, container) in log.containers.enumerated() where container.kind == .text {
      guard length(of: Int32(number)) == texts[number].scalarCount else {
        throw HistoryError(.viewDisagrees, event: container.created)
      }
      visible += texts[number].scalarCount
    }
    // Every inserted scalar is visible or was deleted, unless one was deleted twice.
    if visible + Int(log.deletedScalarCount) == Int(log.insertedScalarCount) { return }
    _ = try InsertedText(texts: texts, replayed: self)
  }

  /// The current texts, by container number.
  ///
  /// O(n log n).
  package borrowing func texts(insertedText: InsertedText) -> [TextBuffer] {
    var result = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for (number, container) in log.containers.enumerated() where container.kind == .text {
      forEachRun(of: Int32(number)) { first, length in
        insertedText.append(
          from: Int(log.insertionNumber(of: first)), count: Int(length), to: &result[number])
      }
    }
    return result
  }

  /// What the deletions removed.
  ///
  /// O(n log n).
  package borrowing func deletedText(insertedText: InsertedText) -> DeletedText {
    var result = DeletedText()
    for deletion in deletions {
      let first = deletion.backward ? deletion.target - deletion.length + 1 : deletion.target
      var text = TextBuffer()
      insertedText.append(
        from: Int(log.insertionNumber(of: first)), count: Int(deletion.length), to: &text)
      if deletion.backward { text = text.reversed() }
      result.append(
        text, from: TextPlace(), to: TextPlace(scalar: text.scalarCount, byte: text.utf8.count))
    }
    return result
  }
}

extension Log {
  /// The number of an insertion event's scalar among all inserted ones.
  ///
  /// O(log operations).
  fileprivate func insertionNumber(of event: LocalVersion) -> Int32 {
    let operation = operations[operationIndex(endingAfter: event)]
    return operation.b + (event - operation.first)
  }
}
