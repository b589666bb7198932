import PeernoteCBOR

struct LogWriter {
  private let log: Log
  /// The file that the log was read from, if it was.
  private let copied: LogLayout?
  /// The leading chains that stand there as they are, and the state of reading after them.
  let prefix: LogPrefix
  private let mark: LogLayout.Mark

  /// What writes a log, and copies the bytes of the chains that stand in a file already.
  init(_ log: Log, copying file: FileLayout?) {
    self.log = log
    copied = file?.log
    prefix = file?.prefix(of: log) ?? LogPrefix()
    mark = copied?.marks[prefix.chains] ?? LogLayout.Mark()
  }

  /// Writes the log; O(n).
  func write(to writer: inout CBORWriter) {
    writer.arrayHeader(11)
    writer.bytes(log.agents.flatMap(\.rawValue.bigEndianBytes))
    for table in [log.authors, log.messages, log.keys] {
      writer.arrayHeader(table.count)
      for name in table { writer.text(name) }
    }
    let known = copied?.columns ?? LogLayout.Columns()
    write(chains(), after: mark.chains, of: known.chains, to: &writer)
    writer.bytes(counts())
    writer.bytes(metadata())
    write(values(), after: mark.values, of: known.values, to: &writer)
    write(operations(), after: mark.operations, of: known.operations, to: &writer)
    writer.bytes(redactions())
    writer.text(utf8: log.deletedText.text.utf8.span)
  }

  /// About how many bytes the columns of the log will take, but for the text of its deletions;
  /// rather more, since room that is not written to takes no memory; O(1).
  var estimatedSize: Int {
    Int(mark.chains) + Int(mark.values)
      + (log.graph.chains.count - prefix.chains) * 8 + log.operations.count * 4
      + log.eventCounts.runs.count * 4 + log.metadata.count * 8
  }

  /// Writes the rest of a column after the first bytes of one that are copied.
  private func write(
    _ rest: [UInt8], after count: Int32, of column: Range<Int>, to writer: inout CBORWriter
  ) {
    let bytes = copied?.bytes ?? []
    let end = column.lowerBound + Int(count)
    writer.bytes(bytes.span.extracting(column.lowerBound..<end), rest.span)
  }

  private func chains() -> [UInt8] {
    var column = ColumnWriter()
    var lastChange = log.graph.lastChanges(ofFirst: prefix.chains, agents: log.agents.count)
    var parents: [ChangeIndex] = []
    for index in ChainIndex(prefix.chains)..<log.graph.chains.endIndex {
      let chain = log.graph.chains[index]
      let agent = chain.agent
      parents.removeAll(keepingCapacity: true)
      var own = false
      for parent in log.graph.parents(ofChain: index) {
        let change = log.eventCounts.change(of: parent)
        if change == lastChange[agent] { own = true } else { parents.append(change) }
      }
      column.varint(UInt64(2 * agent.number + (own ? 1 : 0)))
      column.varint(chain.changeCount - 1)
      column.varint(UInt64(parents.count))
      var above = chain.firstChange
      for parent in parents.reversed() {
        column.varint(above - parent - 1)
        above = parent
      }
      lastChange[agent] = chain.changes.upperBound - 1
    }
    return column.bytes
  }

  private func counts() -> [UInt8] {
    var column = ColumnWriter()
    log.eventCounts.forEachRun(in: log.eventCounts.changes) { count, each in
      column.varint(count)
      column.varint(each)
    }
    return column.bytes
  }

  private func metadata() -> [UInt8] {
    var column = ColumnWriter()
    column.reserve(log.metadata.count * 5)
    var time: Int64 = 0
    for (index, run) in log.metadata.enumerated() {
      let end =
        index + 1 < log.metadata.count
        ? log.metadata[index + 1].firstChange : log.graph.changes.upperBound
      column.varint(end - run.firstChange)
      column.signed(run.time.milliseconds &- time)
      column.varint(run.author.rawValue)
      column.varint(run.message.map { $0.rawValue + 1 } ?? 0)
      time = run.time.milliseconds
    }
    return column.bytes
  }

  private func values() -> [UInt8] {
    let contents = log.contents
    return Array(contents.encoded.bytes[contents.places(of: prefix.contents..<contents.count)])
  }

  private func redactions() -> [UInt8] {
    var column = ColumnWriter()
    var end: Int32 = 0
    for range in log.deletedText.redacted {
      column.varint(range.lowerBound - end)
      column.varint(Int32(range.count))
      end = range.upperBound
    }
    return column.bytes
  }

  private func operations() -> [UInt8] {
    let operations = log.operations
    var column = ColumnWriter()
    column.reserve((operations.count - prefix.operations) * 3)
    var cursors = log.cursors(after: prefix)
    var container = mark.container
    var index = prefix.operations
    for chain in log.graph.chains[ChainIndex(prefix.chains)...] {
      var cursor = cursors[chain.agent]
      while index < operations.count, operations.first(of: index) < chain.end {
        let operation = operations[index]
        index += 1
        if operation.container != container {
          container = operation.container
          column.varint(RowHeader.header(code: RowHeader.target))
          column.varint(container.rawValue)
        }
        if operation.kind.editsText {
          let row = TextRow(operation)
          row.write(after: cursor, to: &column)
          cursor = row.cursor
        } else {
          Self.writeObjectOperation(operation, to: &column)
        }
      }
      cursors[chain.agent] = cursor
    }
    return column.bytes
  }

  private static func writeObjectOperation(
    _ operation: Operation, to column: inout ColumnWriter
  ) {
    func reference(_ event: LocalVersion?) {
      column.varint(event.map { operation.first - $0 } ?? 0)
    }
    let operands = operation.kind.operands
    column.varint(RowHeader.header(code: operation.kind.rowCode))
    if operation.kind.isRun { column.varint(operation.length - 1) }
    if operands.contains(.key) { column.varint(operation.key.rawValue) }
    if operands.contains(.element) { reference(operation.element) }
    if operands.contains(.slots) {
      reference(operation.left.event)
      reference(operation.right.event)
    }
  }
}
