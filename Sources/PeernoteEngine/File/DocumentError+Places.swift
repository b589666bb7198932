import PeernoteCBOR

extension DocumentError {
  init(_ error: CBORError, in section: Section) {
    self.init(error.reason, in: section, at: error.offset)
  }

  init(_ reason: HistoryError.Reason, in section: Section, at offset: Int? = nil) {
    self.init(reason.description, kind: reason.isLimit ? .limit : .damaged, in: section, at: offset)
  }

  /// Names the change that a contradiction in a history is about; without the log none.
  package init(_ error: HistoryError, in log: Log = Log(), section: Section = .log) {
    self.init(error.reason, in: section)
    if let event = error.event, event.isEvent, event < log.graph.end {
      change = log.changeID(of: event)
    }
  }
}

/// Runs a piece of reading; errors of single CBOR items become errors of a section.
func reading<Result>(
  _ section: DocumentError.Section, _ body: () throws -> Result
) throws(DocumentError) -> Result {
  do {
    return try body()
  } catch let error as CBORError {
    throw DocumentError(error, in: section)
  } catch let error as DocumentError {
    throw error
  } catch {
    preconditionFailure("reading throws no other errors: \(error)")
  }
}

extension LogLayout {
  /// The offset in the file of the chain that holds an event; O(log chains).
  func chainOffset(of event: LocalVersion, in log: Log) -> Int {
    columns.chains.lowerBound + Int(marks[log.graph.chainIndex(of: event)].chains)
  }

  /// The offset in the file of the row that holds an event; O(rows of its chain).
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
  init(_ error: HistoryError, in log: Log, layout: LogLayout) {
    self.init(error, in: log)
    guard let event = error.event, event.isEvent, event < log.graph.end else { return }
    let isOfChain: Set<HistoryError.Reason> = [
      .redundantParents, .agentForksItself, .unknownParent, .cyclicParents, .sequenceGap,
      .duplicateChange, .changeWithoutEvents,
    ]
    offset =
      isOfChain.contains(error.reason)
      ? layout.chainOffset(of: event, in: log) : layout.rowOffset(of: event, in: log)
  }
}

extension Objects {
  /// Replays the log of a file; throws what is wrong with it, and where that stands.
  init(of log: Log, at layout: LogLayout, only needed: [Bool]? = nil) throws(DocumentError) {
    do throws(HistoryError) {
      try self.init(of: log, only: needed)
    } catch {
      throw DocumentError(error, in: log, layout: layout)
    }
  }
}
