extension Replay {
  /// The texts that are not as long as the history makes them, by container number, ascending.
  ///
  /// O(containers).
  package borrowing func lengthFaults(texts: [TextBuffer]) -> [ContainerIndex] {
    var result: [ContainerIndex] = []
    for (number, container) in log.containers.enumerated()
    where container.kind == .text && length(of: ContainerIndex(number)) != texts[number].scalarCount
    {
      result.append(ContainerIndex(number))
    }
    return result
  }

  /// Checks that deletions of the same scalar agree on it, or throws.
  ///
  /// O(n), or O(n log n) where scalars were deleted more than once. The texts stand by container
  /// number, as long as the history makes them, but for `skipped`.
  package borrowing func checkDeletions(
    texts: [TextBuffer], without skipped: Set<ContainerIndex> = []
  ) throws(HistoryError) {
    if skipped.isEmpty {
      // Every inserted scalar is visible or was deleted, unless one was deleted twice.
      let visible = texts.reduce(0) { $0 + $1.scalarCount }
      if visible + Int(log.deletedScalarCount) == Int(log.insertedScalarCount) { return }
    }
    _ = try InsertedText.assemble(
      InsertedText.pieces(of: self, without: skipped), log: log, texts: texts)
  }

  /// The current texts, by container number.
  ///
  /// O(n log n).
  package borrowing func texts(insertedText: InsertedText) -> [TextBuffer] {
    var result = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for (number, container) in log.containers.enumerated() where container.kind == .text {
      forEachRun(of: ContainerIndex(number)) { first, length in
        insertedText.append(
          from: Int(log.scalarNumber(of: first)), count: Int(length), to: &result[number])
      }
    }
    return result
  }

  /// How many of the visible scalars are not known.
  ///
  /// O(n log n).
  borrowing func unknownScalarCount(insertedText: InsertedText) -> Int {
    var count = 0
    for (number, container) in log.containers.enumerated() where container.kind == .text {
      forEachRun(of: ContainerIndex(number)) { first, length in
        let number = log.scalarNumber(of: first)
        insertedText.forEachText(in: number..<number + length) { part, text in
          if text == nil { count += part.count }
        }
      }
    }
    return count
  }

  /// What the deletions removed; what is not known counts as redacted.
  ///
  /// O(n log n).
  package borrowing func deletedText(insertedText: InsertedText) -> DeletedText {
    var result = DeletedText()
    for deletion in deletions {
      let first = log.scalarNumber(of: deletion.deleted.lowerBound)
      insertedText.append(
        first..<first + deletion.length, reversed: deletion.kind == .deletionBackward, to: &result)
    }
    return result
  }
}
