extension Tracker {
  /// Checks that the deletions of a walk that removed the same scalars agree on them, and that they
  /// agree with texts that hold some of them.
  ///
  /// O(n log n) for n pieces and deletions of what one of the pieces or another deletion has, and
  /// the bytes that are compared; O(1) for each further deletion.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - pieces: where texts hold scalars that were deleted; none twice.
  ///   - texts: those that the pieces name.
  ///   - deleted: the log's deleted text; asked for if it is needed.
  /// - Throws: ``HistoryError`` if something does not agree.
  func checkDeletions(
    of log: Log, against pieces: [InsertedText.Piece], texts: [TextBuffer],
    deleted: @autoclosure () -> IndexedText
  ) throws(HistoryError) {
    // What stands in one place only cannot be contradicted.
    if pieces.isEmpty, deletedAgain.isEmpty { return }
    let held = pieces.sorted { $0.event < $1.event }
    let heldScalars = RangeIndex(held.map { $0.event..<$0.end })
    let repeatedScalars = RangeIndex(deletedAgain.union([]))
    var heldDeletions: [InsertedText.Piece] = []
    var repeatedDeletions: [InsertedText.Piece] = []
    var index = 0
    for deletion in deletions {
      let scalars = deletion.deleted
      let isHeld = heldScalars.meets(scalars)
      let isRepeated = repeatedScalars.meets(scalars)
      guard isHeld || isRepeated else { continue }
      // Most follow the one before.
      if log.operations.first(of: index) > deletion.first
        || log.operations.first(of: index + 8) <= deletion.first
      {
        index = log.operationIndex(endingAfter: deletion.first)
      }
      while log.operations.first(of: index + 1) <= deletion.first { index += 1 }
      let operation = log.operations[index]
      let piece = InsertedText.Piece(
        event: scalars.lowerBound, count: deletion.length, source: InsertedText.Piece.deleted,
        start: operation.b + (deletion.first - operation.first),
        backward: deletion.kind == .deletionBackward)
      if isHeld { heldDeletions.append(piece) }
      if isRepeated { repeatedDeletions.append(piece) }
    }
    var sources = TextSources(deleted: deleted(), texts: texts)
    try sources.checkAgreement(
      of: InsertedText.Piece.split(repeatedDeletions, by: log.deletedText).known)
    for deletion in InsertedText.Piece.split(heldDeletions, by: log.deletedText).known {
      guard let first = heldScalars.first(meeting: deletion.event..<deletion.end) else { continue }
      for piece in held[first...] {
        if piece.event >= deletion.end { break }
        let shared = max(piece.event, deletion.event)..<min(piece.end, deletion.end)
        guard sources.agree(deletion, piece, on: shared) else {
          throw HistoryError(.deletionsDisagree, event: shared.lowerBound)
        }
      }
    }
  }
}

/// The texts that pieces stand in.
private struct TextSources {
  let deleted: IndexedText
  let texts: [TextBuffer]
  private var indexed: [Int32: IndexedText] = [:]

  init(deleted: IndexedText, texts: [TextBuffer]) {
    self.deleted = deleted
    self.texts = texts
  }

  /// Checks that pieces agree on the scalars that several of them name.
  ///
  /// O(n log n) for n pieces, plus the bytes that are compared.
  ///
  /// - Parameter pieces: in any order.
  /// - Throws: ``HistoryError`` if two pieces do not agree.
  mutating func checkAgreement(of pieces: [InsertedText.Piece]) throws(HistoryError) {
    // By event, in the upper half, with the piece's number below it.
    let order = pieces.indices.map { number in
      UInt64(UInt32(bitPattern: pieces[number].event) ^ 1 << 31) << 32 | UInt64(number)
    }.sorted()
    // Whichever piece reaches furthest so far speaks for all that overlap with it.
    var furthest: InsertedText.Piece?
    for key in order {
      let piece = pieces[Int(key & 0xFFFF_FFFF)]
      guard let other = furthest, piece.event < other.end else {
        furthest = piece
        continue
      }
      let shared = piece.event..<min(piece.end, other.end)
      guard agree(piece, other, on: shared) else {
        throw HistoryError(.deletionsDisagree, event: piece.event)
      }
      if piece.end > other.end { furthest = piece }
    }
  }

  /// Whether two pieces have the same scalars for some events that both hold.
  ///
  /// O(bytes).
  mutating func agree(
    _ left: InsertedText.Piece, _ right: InsertedText.Piece, on events: Range<LocalVersion>
  ) -> Bool {
    let first = text(of: left)
    let second = text(of: right)
    let ours = left.range(of: events, in: first)
    let theirs = right.range(of: events, in: second)
    guard ours.count == theirs.count else { return false }
    if left.backward != right.backward, events.count > 1 {
      return first.text.string(in: ours).unicodeScalars.elementsEqual(
        second.text.string(in: theirs).unicodeScalars.reversed())
    }
    return first.text.utf8.span.extracting(ours).commonPrefixLength(
      second.text.utf8.span.extracting(theirs)) == ours.count
  }

  private mutating func text(of piece: InsertedText.Piece) -> IndexedText {
    if piece.source == InsertedText.Piece.deleted { return deleted }
    if let known = indexed[piece.source] { return known }
    let text = IndexedText(texts[Int(piece.source)])
    indexed[piece.source] = text
    return text
  }
}

extension InsertedText.Piece {
  /// The bytes of some of the piece's scalars in its text.
  fileprivate func range(of events: Range<LocalVersion>, in text: IndexedText) -> Range<Int> {
    let first = Int(
      backward ? start + (end - events.upperBound) : start + (events.lowerBound - event))
    return text.place(ofScalar: first).byte..<text.place(ofScalar: first + events.count).byte
  }
}

extension TextBuffer {
  fileprivate func string(in bytes: Range<Int>) -> String {
    String(decoding: utf8[bytes], as: UTF8.self)
  }
}
