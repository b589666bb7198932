import PeernoteCBOR

/// Reads the operations of a log, whose graph is known already, and the values that they write.
struct OperationReader {
  private static let tooLong = "an operation reaches over the end of its chain"
  private static let apart = "operations that belong together are apart"
  /// The header of a text edit of as many events as a log can hold.
  private static let greatestHeader = LocalVersion.maximumEventCount << 3 - 1

  private var rows: ColumnReader
  private var values: CBORReader
  /// The most contents and containers; the columns weigh no more than they are long.
  private let contentLimit: Int
  private let containerLimit: Int
  private var event = LocalVersion.first
  private var container = ContainerIndex.root
  /// The kind of that container.
  private var containerKind = ContainerKind.map
  private var keyCount = 0
  /// Whether the row before named the container to work on.
  private var targetJustSet = false

  /// Reads the operations of the chains after those that are known, and marks where each begins.
  static func read(
    into log: inout Log, layout: inout LogLayout, after known: LogPrefix, _ mark: LogLayout.Mark
  ) throws(DocumentError) {
    let columns = layout.columns
    var reader = OperationReader(
      rows: ColumnReader(layout.bytes, range: columns.operations),
      values: CBORReader(
        layout.bytes,
        range: columns.values.lowerBound + Int(mark.values)..<columns.values.upperBound),
      contentLimit: log.limits.contents(weighing: columns.values.count),
      containerLimit: log.limits.containers(weighing: columns.values.count))
    reader.rows.skip(Int(mark.operations))
    reader.container = mark.container
    reader.containerKind = log.containers[mark.container].kind
    reader.event = known.events
    reader.keyCount = known.keys
    var cursors = log.cursors(after: known)
    // Most rows take two bytes or more. They are read in blocks of up to 1024.
    let unread = columns.operations.count - Int(mark.operations)
    log.operations.reserve(known.operations + unread / 2 + 1024)
    log.contents.reserve(encodedIn: reader.values.remaining)
    var index = ChainIndex(known.chains)
    while index < log.graph.chains.endIndex {
      let chain = log.graph.chains[index]
      // A mark stands before the row that names the container.
      if reader.event == chain.start, !reader.targetJustSet {
        reader.record(in: &layout.marks[index], columns)
      }
      let next = reader.readTextRows(from: index, into: &log, &layout, &cursors)
      if log.operations.end > reader.event {
        reader.event = log.operations.end
        reader.targetJustSet = false
        index = next
        continue
      }
      try reader.readRows(of: chain, into: &log, cursor: cursors[chain.agent])
      if reader.event == chain.end { index += 1 }
    }
    reader.record(in: &layout.marks[log.graph.chains.count], columns)
    guard reader.rows.isAtEnd else {
      throw DocumentError(
        "operations after the last event", in: .log, at: reader.rows.offset)
    }
    guard reader.values.isAtEnd else {
      throw DocumentError("values that no operation writes", in: .log, at: reader.values.offset)
    }
    guard reader.keyCount == log.keys.count else {
      throw DocumentError(
        "keys that no operation uses", in: .log, at: columns.operations.lowerBound)
    }
    if let broken = log.limitBroken() {
      throw DocumentError(broken, in: .log, at: columns.values.lowerBound)
    }
  }

  /// Records where the reader stands.
  private func record(in mark: inout LogLayout.Mark, _ columns: LogLayout.Columns) {
    mark.operations = Int32(rows.offset - columns.operations.lowerBound)
    mark.values = Int32(values.offset - columns.values.lowerBound)
    mark.container = container
  }

  /// Reads rows that edit the text that they work on, up to one that does not or is at fault; returns
  /// the index of its chain.
  private mutating func readTextRows(
    from first: ChainIndex, into log: inout Log, _ layout: inout LogLayout,
    _ cursors: inout [Int32]
  ) -> ChainIndex {
    guard case .text = containerKind else { return first }
    var mark = LogLayout.Mark()
    record(in: &mark, layout.columns)
    let start = layout.columns.operations.lowerBound
    let container = container
    return rows.read { rows, offset in
      var state = OperationList.RowState(
        offset: offset, insertedScalars: log.insertedScalarCount,
        deletedScalars: log.deletedScalarCount)
      let count = log.operations.appendTextRows(
        rows, of: container, in: log.graph.chains.unshared(from: first), cursors: &cursors, &state
      ) { number, offset in
        if number == 0 { return }
        let chain = first.advanced(by: number)
        mark.chains = layout.marks[chain].chains
        mark.operations = Int32(offset - start)
        layout.marks[chain] = mark
      }
      offset = state.offset
      log.insertedScalarCount = state.insertedScalars
      log.deletedScalarCount = state.deletedScalars
      return first.advanced(by: count)
    }
  }

  /// Reads a row of a chain, and those after it that work on anything but a text.
  private mutating func readRows(
    of chain: Chain, into log: inout Log, cursor: Int32
  ) throws(DocumentError) {
    repeat {
      let start = rows.offset
      let header = try rows.readVarint(
        limit: Self.greatestHeader, "an impossible operation")
      guard let code = RowHeader.code(in: header) else {
        throw textFault(header, left: chain.end - event, cursor: cursor, at: start, log)
      }
      if code == RowHeader.target {
        try readTarget(at: start, log)
        continue
      }
      guard let kind = Operation.Kind(rowCode: code) else {
        throw fault("an unknown kind of operation", at: start, log)
      }
      let operation = try readObjectOperation(kind, at: start, into: &log)
      targetJustSet = false
      guard operation.end <= chain.end else { throw fault(Self.tooLong, at: start, log) }
      guard containerKind == operation.kind.containerKind else {
        throw fault(HistoryError.Reason.wrongContainerKind.description, at: start, log)
      }
      if event > chain.start, log.operations[log.operations.count - 1].joins(operation) {
        throw fault(Self.apart, at: start, log)
      }
      log.append(apart: operation)
      event = operation.end
    } while event < chain.end && containerKind != .text
  }

  /// What is wrong with a text edit, after its header: all that are sound were read with others.
  private mutating func textFault(
    _ header: Int, left: Int32, cursor: Int32, at start: Int, _ log: Log
  ) -> DocumentError {
    guard header >> 3 < Int(left) else { return fault(Self.tooLong, at: start, log) }
    do throws(RowFault) {
      _ = try rows.read { rows, offset throws(RowFault) in
        try TextRow(header: UInt64(header), rows, &offset, cursor: cursor)
      }
    } catch {
      if error.isOfInteger { return rows.fault(error.reason, at: rows.offset) }
      return fault(error.reason, at: start, log)
    }
    let isOfText = containerKind == .text
    return fault(
      isOfText ? Self.apart : HistoryError.Reason.wrongContainerKind.description, at: start, log)
  }

  private mutating func readTarget(at start: Int, _ log: Log) throws(DocumentError) {
    let number = try rows.readVarint(
      limit: log.containers.count - 1, HistoryError.Reason.unknownContainer.description)
    guard !targetJustSet, number != container.number else {
      throw fault("a container is named without need", at: start, log)
    }
    container = ContainerIndex(number)
    containerKind = log.containers[number].kind
    targetJustSet = true
  }

  private mutating func readObjectOperation(
    _ kind: Operation.Kind, at start: Int, into log: inout Log
  ) throws(DocumentError) -> Operation {
    var operation = Operation(first: event, length: 1, kind: kind, container: container)
    let operands = kind.operands
    if kind.isRun {
      let further = try rows.readVarint(
        limit: values.remaining, "more elements than there are values")
      operation.length = Int32(further) + 1
    }
    if operands.contains(.key) { operation.key = try readKey(log) }
    if operands.contains(.element) {
      let place = rows.offset
      guard let element = try readReference().event else {
        throw rows.fault(HistoryError.Reason.unknownElement.description, at: place)
      }
      operation.element = element
    }
    if operands.contains(.slots) {
      operation.left = try readReference()
      operation.right = try readReference()
    }
    let valueOffset = values.offset
    if operands.contains(.contents) {
      operation.content = try readContents(of: operation, into: &log)
    }
    if !canHold(operation, in: log) {
      throw fault("a set or a counter is given what it cannot hold", at: valueOffset, log)
    }
    return operation
  }

  /// Whether what an operation adds, discards or counts is of a kind that can be.
  private func canHold(_ operation: Operation, in log: Log) -> Bool {
    guard operation.kind.operands == .contents else { return true }
    return switch log.contents[operation.content] {
    case .value(.integer): true
    case .value: operation.kind != .increment
    case .container: false
    }
  }

  private mutating func readKey(_ log: Log) throws(DocumentError) -> KeyIndex {
    let start = rows.offset
    let key = try rows.readVarint(limit: log.keys.count - 1, "an unknown key")
    guard key <= keyCount else { throw fault("keys out of order", at: start, log) }
    keyCount = max(keyCount, key + 1)
    return KeyIndex(key)
  }

  private mutating func readReference() throws(DocumentError) -> Neighbour {
    let distance = try rows.readVarint(
      limit: event.number, HistoryError.Reason.unknownElement.description)
    return distance == 0 ? .edge : Neighbour(event - Int32(distance))
  }

  /// Reads the contents that an operation writes; returns the number of the first.
  private mutating func readContents(
    of operation: Operation, into log: inout Log
  ) throws(DocumentError) -> ContentIndex {
    let first = ContentIndex(log.contents.count)
    for event in operation.events {
      let start = values.offset
      guard log.contents.count < contentLimit else {
        throw DocumentError(.tooManyContents, in: .log, at: start)
      }
      let kind: ContainerKind?
      do throws(CBORError) {
        kind = try values.readContent(into: &log.contents)
      } catch {
        throw DocumentError(error, in: .log)
      }
      if let kind {
        guard log.containers.count < containerLimit else {
          throw DocumentError(.tooManyContainers, in: .log, at: start)
        }
        log.containers.append(.init(kind: kind, created: event, parent: operation.container))
      }
    }
    return first
  }

  private func fault(_ reason: String, at offset: Int, _ log: Log) -> DocumentError {
    DocumentError(
      reason, in: .log, at: offset,
      change: event < log.graph.end ? log.changeID(of: event) : nil)
  }
}
