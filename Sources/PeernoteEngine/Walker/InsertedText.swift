/// All text that was ever inserted, in the order of the insertion events.
///
/// A log doesn't hold it: what is still visible stands in the document's texts, the rest with the
/// deletions that removed it. One walk over the whole history brings the two together. Where the
/// text of a deletion is redacted, U+FFFD stands for every scalar.
package struct InsertedText: Sendable {
  /// The scalars by their number among all inserted ones.
  private let indexed: IndexedText

  /// Takes over text whose n-th scalar is the n-th one inserted.
  package init(_ text: TextBuffer) {
    indexed = IndexedText(text)
  }

  /// The whole text.
  package var text: TextBuffer { indexed.text }

  /// The text of an insertion.
  package func text(of operation: Operation) -> TextBuffer {
    var result = TextBuffer()
    append(from: Int(operation.b), count: Int(operation.length), to: &result)
    return result
  }

  /// Appends scalars by their number to a text.
  func append(from first: Int, count: Int, to text: inout TextBuffer) {
    text.append(indexed.scalars(from: first, count: count))
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
    pieces.sort { ($0.event, $0.source, $0.start) < ($1.event, $1.source, $1.start) }
    indexed = IndexedText(try Self.assemble(pieces, log: log, texts: texts))
  }

  private static func assemble(
    _ pieces: [Piece], log: Log, texts: [TextBuffer]
  ) throws(HistoryError) -> TextBuffer {
    let deleted = IndexedText(log.deletedText.text)
    var indexed: [Int32: IndexedText] = [:]
    var result = TextBuffer()
    var next: LocalVersion = -1
    for piece in pieces {
      let text: TextBuffer
      if piece.source == Piece.deleted {
        text = piece.deletedText(of: log.deletedText, deleted)
      } else {
        let source = indexed[piece.source] ?? IndexedText(texts[Int(piece.source)])
        indexed[piece.source] = source
        text = source.scalars(from: Int(piece.start), count: Int(piece.count))
      }
      // Concurrent deletions of one scalar follow each other; they have to agree.
      let known = max(0, min(next, piece.end) - piece.event)
      if known > 0 {
        let first = result.scalarCount - Int(next - piece.event)
        guard result.agrees(from: first, with: text, count: Int(known)) else {
          throw HistoryError(.deletionsDisagree, event: piece.event)
        }
      }
      if known < piece.count {
        let start = text.place(ofScalar: Int(known))
        result.append(text, from: start, to: text.place(ofScalar: Int(piece.count), from: start))
        next = piece.end
      }
    }
    guard result.scalarCount == Int(log.insertedScalarCount) else {
      throw HistoryError(.viewDisagrees)
    }
    return result
  }

  /// Where the text of some inserted scalars stands.
  private struct Piece {
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

    var end: LocalVersion { event + count }

    /// The scalars that a run of deletions removed, in document order.
    func deletedText(of deletions: DeletedText, _ indexed: IndexedText) -> TextBuffer {
      var result = TextBuffer()
      deletions.forEachPart(in: start..<start + count) { part, firstScalar in
        if let firstScalar {
          result.append(indexed.scalars(from: firstScalar, count: part.count))
        } else {
          result.append(TextBuffer(String(repeating: "\u{FFFD}", count: part.count)))
        }
      }
      return backward ? result.reversed() : result
    }
  }
}

extension TextBuffer {
  /// Whether `count` scalars from one on are the first of another text; U+FFFD, which stands for
  /// redacted scalars, agrees with anything.
  fileprivate func agrees(from first: Int, with other: TextBuffer, count: Int) -> Bool {
    let end = TextPlace(scalar: scalarCount, byte: utf8.count)
    let start = place(ofScalar: first, from: end)
    let stop = place(ofScalar: first + count, from: start)
    let ours = utf8[start.byte..<stop.byte]
    let theirs = other.utf8[..<other.place(ofScalar: count).byte]
    if ours == theirs { return true }
    return zip(
      String(decoding: ours, as: UTF8.self).unicodeScalars,
      String(decoding: theirs, as: UTF8.self).unicodeScalars
    ).allSatisfy { $0 == $1 || $0 == "\u{FFFD}" || $1 == "\u{FFFD}" }
  }

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
