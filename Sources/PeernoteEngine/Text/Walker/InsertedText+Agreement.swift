/// What a walk finds of text that one copy has redacted, and that is known elsewhere.
package struct RedactionsFound {
  /// The redacted deletions of scalars that our texts hold, ascending, by their numbers.
  package var takenOut: [Range<Int32>] = []
  /// What texts and other deletions hold of the scalars of redacted deletions.
  package var known: [String] = []
  /// The deletions whose text is known of scalars that a redacted one removed as well, ascending, by
  /// their numbers.
  package var keptByOthers: [Range<Int32>] = []
}

extension Tracker {
  /// Checks that the deletions of a walk that removed the same scalars agree on them, and that they
  /// agree with texts that hold some of them.
  ///
  /// Gives what is redacted of what the texts or other deletions have. The pieces say where `texts`
  /// hold scalars that were deleted, none twice; the first `ourTexts` of these texts are ours.
  /// O(n log n) for n pieces and deletions, and the bytes that are compared; O(1) where nothing
  /// that was deleted stands anywhere else.
  @discardableResult
  func checkDeletions(
    of log: Log, against pieces: consuming [InsertedText.Piece], in texts: inout PieceTexts,
    ours ourTexts: Int = 0
  ) throws(HistoryError) -> RedactionsFound {
    if pieces.isEmpty, deletedAgain.isEmpty { return RedactionsFound() }
    var held = pieces
    held.sort { $0.event < $1.event }
    let repeatedScalars = deletedAgain.united()
    var repeatedDeletions: [InsertedText.Piece] = []
    var found = RedactionsFound()
    for deletion in deletions {
      let isHeld = held.firstIndex(meeting: deletion.deleted) != nil
      let isRepeated = repeatedScalars.meets(deletion.deleted)
      guard isHeld || isRepeated else { continue }
      let piece = InsertedText.Piece(deletion, in: log)
      if isRepeated { repeatedDeletions.append(piece) }
      guard isHeld else { continue }
      let (known, redacted) = InsertedText.Piece.split([piece], by: log.deletedText)
      for known in known {
        for other in held.meeting(known.events) {
          try known.checkAgreement(with: other, in: &texts)
        }
      }
      for gap in redacted {
        for other in held.meeting(gap) {
          let scalars = other.events.clamped(to: gap)
          if other.source < ourTexts { found.takenOut.append(piece.places(of: scalars)) }
          found.known.append(texts.string(of: scalars, in: other))
        }
      }
    }
    let repeated = InsertedText.Piece.split(
      repeatedDeletions.sorted(by: InsertedText.Piece.precedes), by: log.deletedText)
    try InsertedText.Piece.checkAgreement(of: repeated.known, in: &texts)
    let gaps = repeated.redacted.united()
    for piece in repeatedDeletions where gaps.meets(piece.events) {
      for known in InsertedText.Piece.split([piece], by: log.deletedText).known {
        for scalars in gaps.parts(in: known.events) {
          found.keptByOthers.append(piece.places(of: scalars))
          found.known.append(texts.string(of: scalars, in: known))
        }
      }
    }
    found.takenOut = found.takenOut.united()
    found.keptByOthers = found.keptByOthers.united()
    return found
  }
}

extension [InsertedText.Piece] {
  /// The first that has some of a range of scalars, if they ascend and none is in two.
  fileprivate func firstIndex(meeting scalars: Range<LocalVersion>) -> Int? {
    let index = partitionPoint { $0.end > scalars.lowerBound }
    return index < count && self[index].event < scalars.upperBound ? index : nil
  }

  /// Those that have some of a range of scalars.
  fileprivate func meeting(_ scalars: Range<LocalVersion>) -> ArraySlice<InsertedText.Piece> {
    guard let first = firstIndex(meeting: scalars) else { return [] }
    return self[first...].prefix { $0.event < scalars.upperBound }
  }
}

/// The texts that pieces are parts of.
struct PieceTexts {
  private let deleted: IndexedText
  private let texts: [TextBuffer]
  private var indexed: [Int32: IndexedText] = [:]

  /// What was deleted, and the texts by their number.
  init(deleted: TextBuffer, texts: [TextBuffer] = []) {
    (self.deleted, self.texts) = (IndexedText(deleted), texts)
  }

  /// The text that a piece is a part of, in O(bytes) for the first piece, then O(1).
  subscript(piece: InsertedText.Piece) -> IndexedText {
    mutating get {
      if piece.source == InsertedText.Piece.deleted { return deleted }
      if let known = indexed[piece.source] { return known }
      let text = IndexedText(texts[Int(piece.source)])
      indexed[piece.source] = text
      return text
    }
  }

  /// Some of a piece's scalars as they stand in their text, in O(bytes).
  fileprivate mutating func string(
    of scalars: Range<LocalVersion>, in piece: InsertedText.Piece
  ) -> String {
    let text = self[piece]
    return String(decoding: text.text.utf8[piece.bytes(of: scalars, in: text)], as: UTF8.self)
  }
}

extension InsertedText.Piece {
  /// Checks that pieces, which ascend, agree on the scalars that several of them have, or throws.
  static func checkAgreement(
    of pieces: [InsertedText.Piece], in texts: inout PieceTexts
  ) throws(HistoryError) {
    guard var furthest = pieces.first else { return }
    // Whichever reaches furthest so far speaks for all that overlap with it.
    for piece in pieces.dropFirst() {
      if piece.event < furthest.end { try piece.checkAgreement(with: furthest, in: &texts) }
      if piece.end > furthest.end { furthest = piece }
    }
  }

  /// Where some of the scalars stand in their text, or the numbers of their deletions.
  package func places(of scalars: Range<LocalVersion>) -> Range<Int32> {
    let first = start + (backward ? end - scalars.upperBound : scalars.lowerBound - event)
    return first..<first + Int32(scalars.count)
  }

  /// The bytes of some of the piece's scalars in its text.
  fileprivate func bytes(
    of scalars: Range<LocalVersion>, in text: borrowing IndexedText
  ) -> Range<Int> {
    let places = places(of: scalars)
    let start = text.place(ofScalar: Int(places.lowerBound))
    return start.byte..<text.place(ofScalar: Int(places.upperBound)).byte
  }

  /// Checks that two pieces are the same in what both have, or throws, in O(bytes).
  fileprivate func checkAgreement(
    with other: InsertedText.Piece, in texts: inout PieceTexts
  ) throws(HistoryError) {
    let shared = events.clamped(to: other.events)
    let (text, otherText) = (texts[self], texts[other])
    let (ours, theirs) = (bytes(of: shared, in: text), other.bytes(of: shared, in: otherText))
    let agrees: Bool
    if backward != other.backward, shared.count > 1 {
      agrees = texts.string(of: shared, in: self).unicodeScalars.elementsEqual(
        texts.string(of: shared, in: other).unicodeScalars.reversed())
    } else {
      agrees = text.text.utf8.span.extracting(ours).isSame(
        as: otherText.text.utf8.span.extracting(theirs))
    }
    if !agrees { throw HistoryError(.deletionsDisagree, event: shared.lowerBound) }
  }
}
