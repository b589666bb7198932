extension InsertedText {
  /// Checks that pieces agree on the scalars that several of them name.
  ///
  /// O(n log n) for n pieces, plus the bytes that are compared.
  ///
  /// - Parameters:
  ///   - pieces: in any order.
  ///   - log: the history.
  ///   - texts: by container number.
  ///   - deleted: the log's deleted text, if it is indexed already.
  /// - Throws: ``HistoryError`` if two pieces do not agree.
  static func checkAgreement(
    _ pieces: [Piece], log: Log, texts: [TextBuffer], deleted: IndexedText? = nil
  ) throws(HistoryError) {
    let known = Piece.split(pieces, by: log.deletedText).known
    var sources = TextSources(
      deleted: deleted ?? IndexedText(log.deletedText.text), texts: texts)
    // By event, in the upper half, with the piece's number below it.
    let order = known.indices.map { number in
      UInt64(UInt32(bitPattern: known[number].event) ^ 1 << 31) << 32 | UInt64(number)
    }.sorted()
    // Whichever piece reaches furthest so far speaks for all that overlap with it.
    var furthest: Piece?
    for key in order {
      let piece = known[Int(key & 0xFFFF_FFFF)]
      guard let other = furthest, piece.event < other.end else {
        furthest = piece
        continue
      }
      let shared = piece.event..<min(piece.end, other.end)
      guard sources.agree(piece, other, on: shared) else {
        throw HistoryError(.deletionsDisagree, event: piece.event)
      }
      if piece.end > other.end { furthest = piece }
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
