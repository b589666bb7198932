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
  ///
  /// O(n log n) for n pieces and deletions of what one of the pieces or another deletion has, and
  /// the bytes that are compared; O(1) for each further deletion.
  @discardableResult
  func checkDeletions(
    of log: Log, against pieces: consuming [InsertedText.Piece], texts: [TextBuffer],
    ours ourTexts: Int = 0, deleted: @autoclosure () -> IndexedText
  ) throws(HistoryError) -> RedactionsFound {
    // What stands in one place only cannot be contradicted.
    if pieces.isEmpty, deletedAgain.isEmpty { return RedactionsFound() }
    let deleted = deleted()
    var held = HeldText(pieces, in: texts)
    let repeatedScalars = RangeIndex(deletedAgain.united())
    var repeatedDeletions: [InsertedText.Piece] = []
    var found = RedactionsFound()
    var index = 0
    for deletion in deletions {
      let scalars = deletion.deleted
      let isHeld = held.meets(scalars)
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
        deletion, number: operation.firstScalar + (deletion.first - operation.first))
      if isRepeated { repeatedDeletions.append(piece) }
      guard isHeld else { continue }
      if log.deletedText.redacted.isEmpty {
        try held.check(piece, in: deleted)
      } else {
        let parts = InsertedText.Piece.split([piece], by: log.deletedText)
        for known in parts.known { try held.check(known, in: deleted) }
        for held in parts.redacted.flatMap({ held.parts(of: $0) }) {
          if held.text < ourTexts { found.takenOut.append(piece.deletions(of: held.scalars)) }
          found.known.append(held.string)
        }
      }
    }
    let repeated = InsertedText.Piece.split(repeatedDeletions, by: log.deletedText)
    try InsertedText.Piece.checkAgreement(of: repeated.known, in: deleted)
    let gaps = repeated.redacted.united()
    for piece in repeatedDeletions where !gaps.parts(in: piece.event..<piece.end).isEmpty {
      for known in InsertedText.Piece.split([piece], by: log.deletedText).known {
        for scalars in gaps.parts(in: known.event..<known.end) {
          found.keptByOthers.append(piece.deletions(of: scalars))
          found.known.append(deleted.text.string(in: known.range(of: scalars, in: deleted)))
        }
      }
    }
    found.takenOut = found.takenOut.united()
    found.keptByOthers = found.keptByOthers.united()
    return found
  }
}

/// What texts hold of the scalars that were deleted.
private struct HeldText {
  /// Ascending by event.
  private var pieces: [InsertedText.Piece]
  private let scalars: RangeIndex
  private let texts: [TextBuffer]
  private var indexed: [Int32: IndexedText] = [:]
  /// The text of the piece before, which is mostly that of the next one, too.
  private var source: (number: Int32, text: IndexedText) = (-1, IndexedText(TextBuffer()))

  init(_ pieces: consuming [InsertedText.Piece], in texts: [TextBuffer]) {
    self.pieces = pieces
    self.pieces.sort { $0.event < $1.event }
    scalars = RangeIndex(self.pieces.map { $0.event..<$0.end })
    self.texts = texts
  }

  /// Whether a text holds some of a range of scalars.
  func meets(_ range: Range<LocalVersion>) -> Bool { scalars.meets(range) }

  /// The parts of a range of scalars that texts hold, with the text's number and what they say.
  ///
  /// O(log pieces, and the bytes).
  mutating func parts(
    of range: Range<LocalVersion>
  ) -> [(scalars: Range<LocalVersion>, text: Int32, string: String)] {
    guard let first = scalars.first(meeting: range) else { return [] }
    return pieces[first...].prefix { $0.event < range.upperBound }.map { piece in
      let scalars = (piece.event..<piece.end).clamped(to: range)
      let text = text(of: piece)
      return (scalars, piece.source, text.text.string(in: piece.range(of: scalars, in: text)))
    }
  }

  /// The text that a piece is one of.
  private mutating func text(of piece: InsertedText.Piece) -> IndexedText {
    if piece.source != source.number {
      let text = indexed[piece.source] ?? IndexedText(texts[Int(piece.source)])
      indexed[piece.source] = text
      source = (piece.source, text)
    }
    return source.text
  }

  /// Checks that a deletion agrees with what the texts hold of its scalars, or throws.
  ///
  /// O(log pieces, and the bytes).
  mutating func check(
    _ deletion: InsertedText.Piece, in deleted: IndexedText
  ) throws(HistoryError) {
    guard var index = scalars.first(meeting: deletion.event..<deletion.end) else { return }
    while index < pieces.count, pieces[index].event < deletion.end {
      let piece = pieces[index]
      index += 1
      let shared = max(piece.event, deletion.event)..<min(piece.end, deletion.end)
      guard deletion.agrees(in: deleted, with: piece, in: text(of: piece), on: shared) else {
        throw HistoryError(.deletionsDisagree, event: shared.lowerBound)
      }
    }
  }
}

extension InsertedText.Piece {
  /// Checks that deletions agree on the scalars that several of them removed.
  static func checkAgreement(
    of deletions: [InsertedText.Piece], in text: IndexedText
  ) throws(HistoryError) {
    // By event, in the upper half, with the deletion's number below it.
    let order = deletions.indices.map { number in
      UInt64(UInt32(bitPattern: deletions[number].event.rawValue) ^ 1 << 31) << 32 | UInt64(number)
    }.sorted()
    // Whichever reaches furthest so far speaks for all that overlap with it.
    var furthest: InsertedText.Piece?
    for key in order {
      let piece = deletions[Int(key & 0xFFFF_FFFF)]
      guard let other = furthest, piece.event < other.end else {
        furthest = piece
        continue
      }
      let shared = piece.event..<min(piece.end, other.end)
      guard piece.agrees(in: text, with: other, in: text, on: shared) else {
        throw HistoryError(.deletionsDisagree, event: piece.event)
      }
      if piece.end > other.end { furthest = piece }
    }
  }

  /// The deletions of some of the scalars of a piece that deletions made, by their numbers.
  package func deletions(of scalars: Range<LocalVersion>) -> Range<Int32> {
    let first = backward ? end - scalars.upperBound : scalars.lowerBound - event
    return start + first..<start + first + Int32(scalars.count)
  }

  /// Whether two pieces have the same scalars for some events that both hold.
  ///
  /// O(bytes).
  fileprivate func agrees(
    in text: borrowing IndexedText, with other: InsertedText.Piece,
    in otherText: borrowing IndexedText, on events: Range<LocalVersion>
  ) -> Bool {
    let ours = range(of: events, in: text)
    let theirs = other.range(of: events, in: otherText)
    guard ours.count == theirs.count else { return false }
    if backward != other.backward, events.count > 1 {
      return text.text.string(in: ours).unicodeScalars.elementsEqual(
        otherText.text.string(in: theirs).unicodeScalars.reversed())
    }
    return text.text.utf8.span.extracting(ours).commonPrefixLength(
      otherText.text.utf8.span.extracting(theirs)) == ours.count
  }

  /// The bytes of some of the piece's scalars in its text.
  fileprivate func range(
    of events: Range<LocalVersion>, in text: borrowing IndexedText
  ) -> Range<Int> {
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

/// Ascending ranges of scalars, by name, that can be asked whether they hold some of another one.
///
/// Names lie in two parts, what stood in the placeholder and what was inserted in the walk. Either
/// is cut into intervals of one length, about as many as there are ranges, and each interval knows
/// the first range that ends in it or later.
package struct RangeIndex {
  private let ranges: [Range<LocalVersion>]
  /// The first name of the placeholder and of what was inserted.
  private var origins = (placeholder: LocalVersion.first, inserted: LocalVersion.first)
  /// How many names of the placeholder there are from the first one to the last.
  private var placeholderCount = 0
  /// The binary logarithm of an interval's length.
  private var shift = 0
  /// By interval; one more for the end.
  private var firstRange: [Int32] = []

  /// Takes ascending ranges that neither are empty nor overlap.
  ///
  /// O(ranges).
  package init(_ ranges: [Range<LocalVersion>]) {
    self.ranges = ranges
    guard let last = ranges.last else { return }
    if let first = ranges.first, !first.lowerBound.isEvent {
      origins.placeholder = first.lowerBound
      let end = ranges.last { !$0.lowerBound.isEvent }?.upperBound ?? .first
      placeholderCount = first.lowerBound.distance(to: end)
    }
    origins.inserted = ranges.first { $0.lowerBound.isEvent }?.lowerBound ?? .first
    let count = key(last.upperBound - 1) + 1
    while count >> shift > 2 * ranges.count { shift += 1 }
    firstRange.reserveCapacity(count >> shift + 2)
    for (index, range) in ranges.enumerated() {
      let interval = key(range.upperBound - 1) >> shift
      while firstRange.count <= interval { firstRange.append(Int32(index)) }
    }
    firstRange.append(Int32(ranges.count))
  }

  /// Whether one of the ranges holds some of another, which is not empty.
  ///
  /// O(1) where the ranges are spread evenly, at most O(log ranges).
  package func meets(_ range: Range<LocalVersion>) -> Bool { first(meeting: range) != nil }

  /// The index of the first of the ranges that holds some of another, which is not empty; `nil` if
  /// none does.
  ///
  /// O(1) where the ranges are spread evenly, at most O(log ranges).
  package func first(meeting range: Range<LocalVersion>) -> Int? {
    let interval = key(range.lowerBound) >> shift
    guard interval + 1 < firstRange.count else { return nil }
    let candidates = Int(firstRange[interval])..<Int(firstRange[interval + 1])
    let index = candidates.partitionPoint { ranges[$0].upperBound > range.lowerBound }
    return index < ranges.count && ranges[index].lowerBound < range.upperBound ? index : nil
  }

  /// A number for a name that grows with it, and leaves out what lies between the two parts.
  private func key(_ name: LocalVersion) -> Int {
    name.isEvent
      ? placeholderCount + max(0, origins.inserted.distance(to: name))
      : min(max(0, origins.placeholder.distance(to: name)), placeholderCount)
  }
}
