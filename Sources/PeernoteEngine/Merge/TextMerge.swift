extension LogUnion {
  /// Merges the texts of two logs.
  ///
  /// Replays only what came after the last critical version before the two parted. Takes from their
  /// side's content nothing but what is new to us: what stands in our texts stays as it is,
  /// whatever theirs say of it, and the text of their deletions has to agree with it.
  ///
  /// - Parameters:
  ///   - ours: our texts by container number of our log; empty for other containers.
  ///   - theirs: theirs by their numbers.
  ///   - critical: the critical versions of the union, from the last one before ``parted`` on.
  ///   - wanted: texts to be told of if their side alone changed them, too, by container number of
  ///     the union.
  /// - Returns: the texts by container number of the union, and how those came about that both
  ///   sides changed.
  /// - Throws: ``HistoryError`` if an operation does not apply, or a text does not fit its log.
  package func mergeTexts(
    _ ours: [TextBuffer], _ theirs: [TextBuffer], critical: CriticalVersions,
    tellingOf wanted: Set<Int32> = []
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
            ? 0 : length + Int(deletions[container] ?? 0) + 1
        )
      })
    try walker.walk(sides: sides)
    try checkDeletions(walker, texts: texts)
    var merged: [MergedTextHistory] = []
    for container in walked {
      var history = try walker.tracker.mergedText(
        of: container, ours: text(ourNumbers, of: container, in: ours),
        theirs: text(theirNumbers, of: container, in: theirs))
      texts[Int(container)] = history.text
      history.isContested = changedByUs.contains(container)
      if history.isContested || wanted.contains(container) { merged.append(history) }
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
    pieces += walker.tracker.deletedPieces(of: log, meeting: RangeIndex(contested))
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
  ///   - scalars: what has nothing to do with them is left out.
  /// - Returns: the pieces.
  fileprivate func deletedPieces(
    of log: Log, meeting scalars: RangeIndex
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
