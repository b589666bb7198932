/// Scalars of a merged text that share an origin and a fate, in the order of the text with what
/// was deleted still in place.
package struct TextSegment: Hashable, Sendable {
  /// How many scalars.
  package var count: Int
  /// The sides that hold the insertion; ``Sides/both`` for what was there before they parted.
  package var insertedBy: Sides
  /// The sides that deleted them; ``Sides/both`` for what was deleted before they parted.
  package var deletedBy: Sides

  /// Whether the scalars stand in our text before the merge.
  package var isInOurs: Bool { insertedBy.contains(.ours) && !deletedBy.contains(.ours) }
  /// Whether the scalars stand in their text before the merge.
  package var isInTheirs: Bool { insertedBy.contains(.theirs) && !deletedBy.contains(.theirs) }
  /// Whether the scalars stand in the merged text.
  package var isInMerged: Bool { deletedBy.isEmpty }
}

/// One text that both sides changed, merged, and how it came about.
package struct MergedTextHistory: Sendable {
  /// The number of the container in the union.
  package var container: Int32
  /// The merged text.
  package var text: TextBuffer
  /// Every scalar that either side knew since the last critical version, in order.
  package var segments: [TextSegment]
  /// The text before the merge on either side.
  fileprivate var ours: TextBuffer
  fileprivate var theirs: TextBuffer

  /// Calls `body` with each segment that is not empty, and its text where it stands on one side but
  /// not in the merged text, in UTF-8; else an empty one.
  ///
  /// O(segments), and O(bytes) where texts are not ASCII.
  package func forEachSegment(
    _ body: (_ segment: TextSegment, _ hiddenText: ArraySlice<UInt8>) -> Void
  ) {
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    for segment in segments where segment.count > 0 {
      var hidden: ArraySlice<UInt8> = []
      if segment.isInOurs {
        let end = ours.place(ofScalar: ourPlace.scalar + segment.count, from: ourPlace)
        if !segment.isInMerged { hidden = ours.utf8[ourPlace.byte..<end.byte] }
        ourPlace = end
      }
      if segment.isInTheirs {
        let end = theirs.place(ofScalar: theirPlace.scalar + segment.count, from: theirPlace)
        if !segment.isInMerged { hidden = theirs.utf8[theirPlace.byte..<end.byte] }
        theirPlace = end
      }
      body(segment, hidden)
    }
  }
}

extension LogUnion {
  /// Merges the texts of two logs.
  ///
  /// Replays only what came after the last critical version before the two parted. Takes from their
  /// side's content nothing but what is new to us: what stands in our texts stays as it is, whatever
  /// theirs say of it, and the text of their deletions has to agree with it.
  ///
  /// - Parameters:
  ///   - ours: our texts by container number of our log; empty for other containers.
  ///   - theirs: theirs by their numbers.
  ///   - critical: the critical versions of the union, from the last one before ``parted`` on.
  /// - Returns: the texts by container number of the union, and the segments of those that both
  ///   sides changed.
  /// - Throws: ``HistoryError`` if an operation does not apply, or a text does not fit its log.
  package func mergeTexts(
    _ ours: [TextBuffer], _ theirs: [TextBuffer], critical: CriticalVersions
  ) throws(HistoryError) -> (texts: [TextBuffer], merged: [MergedTextHistory]) {
    var texts = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for (number, container) in theirContainers.enumerated() {
      texts[Int(container)] = theirs[number]
    }
    var ourNumbers = [Int](repeating: -1, count: log.containers.count)
    var theirNumbers = ourNumbers
    for (number, container) in ourContainers.enumerated() {
      ourNumbers[Int(container)] = number
    }
    for (number, container) in theirContainers.enumerated() {
      theirNumbers[Int(container)] = number
    }
    let changedByUs = try textsChanged(in: onlyOurs)
    let changedByThem = try textsChanged(in: onlyTheirs)
    for (number, container) in ourContainers.enumerated() {
      texts[Int(container)] = ours[number]
    }
    let walked = changedByThem.sorted()
    for (number, container) in theirContainers.enumerated()
    where ourNumbers[Int(container)] < 0 && !changedByThem.contains(container) {
      guard theirs[number].scalarCount == 0 else {
        throw HistoryError(.viewDisagrees, event: log.containers[Int(container)].created)
      }
    }
    if walked.isEmpty { return (texts, []) }
    let cut = critical.last(before: parted)
    let deletions = try deletionCounts(after: cut.last)
    func text(_ numbers: [Int], of container: Int32, in texts: [TextBuffer]) -> TextBuffer {
      let number = numbers[Int(container)]
      return number < 0 ? TextBuffer() : texts[number]
    }
    var walker = Walker(
      log: log, after: cut,
      texts: walked.map { container in
        let created = log.containers[Int(container)].created
        let length = text(ourNumbers, of: container, in: ours).scalarCount
        return (
          container: container,
          placeholder: created > cut.last
            ? 0 : Int32(length) + (deletions[container] ?? 0) + 1
        )
      })
    try walker.walk(sides: sides)
    try checkDeletions(walker, texts: texts)
    var merged: [MergedTextHistory] = []
    for container in walked {
      let history = try walker.tracker.mergedText(
        of: container, ours: text(ourNumbers, of: container, in: ours),
        theirs: text(theirNumbers, of: container, in: theirs))
      texts[Int(container)] = history.text
      if changedByUs.contains(container) { merged.append(history) }
    }
    return (texts, merged)
  }

  /// Checks that the text of deletions is what our texts hold, or held when we deleted it too.
  ///
  /// - Parameters:
  ///   - walker: has walked the union.
  ///   - texts: ours, by container number of the union.
  /// - Throws: ``HistoryError`` if one is not.
  private func checkDeletions(
    _ walker: borrowing Walker, texts: [TextBuffer]
  ) throws(HistoryError) {
    var pieces: [InsertedText.Piece] = []
    for (container, sequence) in walker.tracker.sequences {
      var scalar: Int32 = 0
      let count = texts[Int(container)].scalarCount
      var isInside = true
      walker.tracker.forEachItem(of: sequence) { item in
        guard item.insertedBy.contains(.ours), !item.deletedBy.contains(.ours) else { return }
        if !item.deletedBy.isEmpty {
          // What is left of the placeholder is longer than the text; nobody deletes there.
          isInside = isInside && Int(scalar) + Int(item.length) <= count
          pieces.append(
            .init(
              event: item.first, count: item.length, source: container, start: scalar,
              backward: false))
        }
        scalar += item.length
      }
      guard isInside else {
        throw HistoryError(.positionOutOfRange, event: log.containers[Int(container)].created)
      }
    }
    // What stands in one place only cannot be contradicted.
    let contested = (walker.tracker.deletedAgain + pieces.map { $0.event..<$0.end }).union([])
    if contested.isEmpty { return }
    pieces += walker.tracker.deletedPieces(of: log, meeting: contested)
    try InsertedText.checkAgreement(pieces, log: log, texts: texts)
  }

  /// The texts that events in some ranges change.
  private func textsChanged(
    in ranges: [Range<LocalVersion>]
  ) throws(HistoryError) -> Set<Int32> {
    var result: Set<Int32> = []
    var last: Int32 = -1
    for range in ranges {
      try log.forEachOperation(in: range) { operation in
        if operation.container != last, operation.kind.editsText {
          last = operation.container
          result.insert(last)
        }
      }
    }
    return result
  }

  /// How many scalars are deleted from each text after an event.
  private func deletionCounts(after last: LocalVersion) throws(HistoryError) -> [Int32: Int32] {
    var result: [Int32: Int32] = [:]
    var counted: (container: Int32, scalars: Int32) = (0, 0)
    try log.forEachOperation(in: last + 1..<log.graph.eventCount) { operation in
      guard operation.kind.deletesText else { return }
      if operation.container != counted.container {
        result[counted.container, default: 0] += counted.scalars
        counted = (operation.container, 0)
      }
      counted.scalars += operation.length
    }
    result[counted.container, default: 0] += counted.scalars
    return result
  }
}

extension Tracker {
  /// What the deletions of a walk removed, in the order in which they were applied.
  ///
  /// - Parameters:
  ///   - log: the history.
  ///   - scalars: by name, ascending; what has nothing to do with them is left out.
  /// - Returns: the pieces.
  fileprivate func deletedPieces(
    of log: Log, meeting scalars: [Range<LocalVersion>]
  ) -> [InsertedText.Piece] {
    var index = 0
    return deletions.compactMap { deletion in
      let backward = deletion.kind == .deletionBackward
      let first = backward ? deletion.target - deletion.length + 1 : deletion.target
      guard scalars.meets(first..<first + deletion.length) else { return nil }
      // Most follow the one before.
      if log.operations.first(of: index) > deletion.first
        || log.operations.first(of: index + 8) <= deletion.first
      {
        index = log.operationIndex(endingAfter: deletion.first)
      }
      while log.operations.first(of: index + 1) <= deletion.first { index += 1 }
      let operation = log.operations[index]
      return InsertedText.Piece(
        event: first, count: deletion.length, source: InsertedText.Piece.deleted,
        start: operation.b + (deletion.first - operation.first), backward: backward)
    }
  }
}

extension Tracker {
  /// Puts a merged text together from the two sides' texts, after a walk.
  ///
  /// O(items + bytes).
  func mergedText(
    of container: Int32, ours: TextBuffer, theirs: TextBuffer
  ) throws(HistoryError) -> MergedTextHistory {
    guard let sequence = sequences[container] else {
      preconditionFailure("a contested text has been walked")
    }
    var segments: [TextSegment] = []
    segments.reserveCapacity(itemCount)
    // The placeholder is longer than what it stands for: its last item is cut to what is left of
    // our text, and has to fit theirs too.
    var placeholderEnd = 0
    forEachItem(of: sequence) { item in
      let continues =
        (item.first < 0) == (placeholderEnd == segments.count)
        && segments.last?.insertedBy == item.insertedBy
        && segments.last?.deletedBy == item.deletedBy
      if continues {
        segments[segments.count - 1].count += Int(item.length)
      } else {
        segments.append(
          TextSegment(
            count: Int(item.length), insertedBy: item.insertedBy, deletedBy: item.deletedBy))
      }
      if item.first < 0 { placeholderEnd = segments.count }
    }
    if placeholderEnd > 0 {
      let last = placeholderEnd - 1
      // Its end lies beyond that of the text, so nothing can stand after it.
      guard segments[last].deletedBy.isEmpty, placeholderEnd == segments.count else {
        throw HistoryError(.positionOutOfRange, event: firstEvent(of: sequence))
      }
      segments[last].count = 0
      let ourRest = ours.scalarCount - segments.reduce(0) { $0 + ($1.isInOurs ? $1.count : 0) }
      segments[last].count = ourRest
      guard ourRest >= 0 else { throw HistoryError(.viewDisagrees) }
    }
    let total = segments.reduce(into: (0, 0)) { total, segment in
      if segment.isInOurs { total.0 += segment.count }
      if segment.isInTheirs { total.1 += segment.count }
    }
    guard total == (ours.scalarCount, theirs.scalarCount) else {
      throw HistoryError(.viewDisagrees)
    }
    return MergedTextHistory(
      container: container, text: Self.text(of: segments, ours: ours, theirs: theirs),
      segments: segments, ours: ours, theirs: theirs)
  }

  /// The first insertion of a walk into a sequence; `nil` if there is none.
  private func firstEvent(of sequence: SequenceHandle) -> LocalVersion? {
    var first: LocalVersion?
    forEachItem(of: sequence) { item in
      if item.first >= 0 { first = min(first ?? item.first, item.first) }
    }
    return first
  }

  private static func text(
    of segments: [TextSegment], ours: TextBuffer, theirs: TextBuffer
  ) -> TextBuffer {
    var text = TextBuffer()
    text.reserve(bytes: ours.utf8.count + theirs.utf8.count / 8)
    var ourPlace = TextPlace()
    var theirPlace = TextPlace()
    // The start of what stands in our text and was not appended yet.
    var kept = ourPlace
    for segment in segments {
      let end =
        segment.isInOurs
        ? ours.place(ofScalar: ourPlace.scalar + segment.count, from: ourPlace) : ourPlace
      let theirEnd =
        segment.isInTheirs
        ? theirs.place(ofScalar: theirPlace.scalar + segment.count, from: theirPlace) : theirPlace
      if segment.isInOurs != segment.isInMerged {
        text.append(ours, from: kept, to: ourPlace)
        kept = end
        if segment.isInMerged { text.append(theirs, from: theirPlace, to: theirEnd) }
      }
      ourPlace = end
      theirPlace = theirEnd
    }
    text.append(ours, from: kept, to: ourPlace)
    return text
  }
}
