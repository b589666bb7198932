extension LogLayout {
  /// The offset in the file of the chain that holds an event.
  ///
  /// O(log chains).
  func chainOffset(of event: LocalVersion, in log: Log) -> Int {
    columns.chains.lowerBound + Int(marks[log.graph.chainIndex(of: event)].chains)
  }

  /// The offset in the file of the row that holds an event.
  ///
  /// O(rows of its chain).
  func rowOffset(of event: LocalVersion, in log: Log) -> Int {
    let index = log.graph.chainIndex(of: event)
    var rows = ColumnReader(bytes, range: columns.operations)
    rows.skip(Int(marks[index].operations))
    var next = log.graph.chains[index].start
    var offset = rows.offset
    while next <= event, !rows.isAtEnd {
      offset = rows.offset
      guard let count = try? rows.skipOperation() else { break }
      next += count
    }
    return offset
  }
}

extension DocumentError {
  /// Names the change that a contradiction in a history is about, and where it stands in a file.
  init(
    _ error: HistoryError, in log: Log, layout: LogLayout, section: DocumentError.Section = .log
  ) {
    self.init(error, in: log, section: section)
    guard let event = error.event, event.isEvent, event < log.graph.end else { return }
    switch error.reason {
    case .redundantParents, .agentForksItself, .unknownParent, .cyclicParents, .sequenceGap,
      .duplicateChange, .changeWithoutEvents:
      offset = layout.chainOffset(of: event, in: log)
    case .unknownContainer, .containerNotSeen, .wrongContainerKind, .positionOutOfRange,
      .unknownElement, .elementOfOtherList, .notNeighbours, .tooManyEvents, .tooManyChanges,
      .tooManyContainers, .tooManyParents, .tooManyContents, .tooLong, .tooDeep, .tooMuchWork,
      .tooMuchMemory, .tooLongSearch, .deletedTextLength, .deletionsDisagree, .viewDisagrees,
      .textsDisagree, .passagesDisagree:
      offset = layout.rowOffset(of: event, in: log)
    }
  }
}
