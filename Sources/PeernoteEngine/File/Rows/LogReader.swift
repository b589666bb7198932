package import PeernoteCBOR

/// Reads the log section of a file.
///
/// Accepts the canonical form only: what it returns is written again as the same bytes. Every count
/// is compared with what is left before it is used, and nothing is allocated for events.
package struct LogReader {
  let bytes: [UInt8]
  package var log = Log()
  package var layout: LogLayout
  private var columns: LogLayout.Columns { layout.columns }
  /// The deletions that are redacted, by their number, ascending and not touching.
  package private(set) var redactions: [Range<Int32>] = []
  /// What was taken from another log, and the state of reading after it.
  private var known = LogPrefix()
  private var mark = LogLayout.Mark()

  /// Reads the log of a file, tells how it is laid out, and what of it was taken from another log.
  ///
  /// What a document that was read from a file, and is likely to begin alike, has in the same bytes
  /// is taken from it. The result is the same without it. O(n log n). Throws the first fault with its
  /// place.
  package static func read(
    _ envelope: Envelope, beside other: DocumentFile? = nil, limits: Limits = Limits()
  ) throws(DocumentError) -> (log: Log, layout: LogLayout, known: LogPrefix) {
    var reader = LogReader(envelope.bytes, limits: limits)
    try reader.readColumns(envelope.log)
    try reader.readCounts()
    if let other, let file = other.layout { reader.adoptPrefix(of: other.log, in: file) }
    try reader.readChains()
    try reader.readMetadata()
    try reader.readOperations()
    try reader.readDeletedText()
    try reader.checkHeads(envelope)
    reader.log.fileSize = reader.bytes.count
    return (reader.log, reader.layout, reader.known)
  }

  /// Reads the log of a file and notes what is wrong with it, also behind a fault where the rest
  /// still means something; `nil` if there is no log whose view and history can be checked.
  static func check(
    _ envelope: Envelope, limits: Limits, _ faults: inout [DocumentError]
  ) -> (log: Log, layout: LogLayout)? {
    var reader = LogReader(envelope.bytes, limits: limits)
    func holds(_ step: () throws(DocumentError) -> Void) -> Bool {
      do throws(DocumentError) {
        try step()
        return true
      } catch {
        faults.append(error)
        return false
      }
    }
    guard
      holds({ () throws(DocumentError) in
        try reader.readColumns(envelope.log)
        try reader.readCounts()
        try reader.readChains()
      })
    else {
      _ = holds { () throws(DocumentError) in _ = try envelope.readHeads() }
      return nil
    }
    _ = holds { () throws(DocumentError) in try reader.checkHeads(envelope) }
    let hasMetadata = holds { () throws(DocumentError) in try reader.readMetadata() }
    guard holds({ () throws(DocumentError) in try reader.readOperations() }) else { return nil }
    if !holds({ () throws(DocumentError) in try reader.readDeletedText() }) {
      // As if all of it was redacted, so that the rest can be looked at.
      reader.log.deletedText = DeletedText()
      reader.log.deletedText.appendRedacted(reader.log.deletedScalarCount)
    }
    // Without times nobody knows which of several values is shown.
    return hasMetadata ? (reader.log, reader.layout) : nil
  }

  private func checkHeads(_ envelope: Envelope) throws(DocumentError) {
    guard try envelope.readHeads() == log.headChanges else {
      throw DocumentError(
        "the heads are not those of the log", in: .heads, at: envelope.heads.lowerBound)
    }
  }

  /// Takes over the chains that another log has in the same bytes of its file, with their operations.
  private mutating func adoptPrefix(of other: Log, in file: FileLayout) {
    let (chains, prefix) = (file.log.sharedChains(with: layout), file.prefix(of: other))
    known = chains < prefix.chains ? LogPrefix(of: other, chains: chains) : prefix
    let agreesOnTables =
      known.keys <= log.keys.count
      && log.agents.starts(with: other.agents[..<known.agents])
      && log.eventCounts.agrees(with: other.eventCounts, before: known.changesEnd)
    if !agreesOnTables { known = LogPrefix() }
    mark = file.log.marks[known.chains]
    var adopted = other.prefix(known)
    adopted.agents = log.agents
    adopted.authors = log.authors
    adopted.messages = log.messages
    adopted.keys = log.keys
    adopted.eventCounts = log.eventCounts
    adopted.metadata = []
    adopted.limits = log.limits
    log = adopted
    layout.marks = Array(file.log.marks[..<known.chains])
  }

  /// Where the parts of a file's log stand: the tables of names together, then each column.
  package static func columns(
    of envelope: Envelope
  ) throws(DocumentError) -> [(name: String, range: Range<Int>)] {
    var reader = LogReader(envelope.bytes)
    try reader.readColumns(envelope.log)
    let columns = reader.columns
    return [
      ("agents", columns.agents),
      ("names", columns.agents.upperBound..<columns.chains.lowerBound),
      ("chains", columns.chains), ("counts", columns.counts), ("metadata", columns.metadata),
      ("values", columns.values), ("operations", columns.operations),
      ("redactions", columns.redactions), ("deleted text", columns.deleted),
    ]
  }

  /// Whether a readable file uses more than half of the events or changes of a document; O(bytes).
  package static func usesMost(of limits: Limits, _ bytes: [UInt8]) -> Bool {
    var reader = LogReader(bytes, limits: limits)
    guard let envelope = try? Envelope(bytes, limits: limits),
      (try? reader.readColumns(envelope.log)) != nil, (try? reader.readCounts()) != nil
    else { return false }
    let counts = reader.log.eventCounts
    return counts.end.number > limits.events / 2
      || Int(counts.changeCount) > limits.changes / 2
  }

  /// Where the values column of a file stands.
  static func values(of envelope: Envelope) throws(DocumentError) -> Range<Int> {
    var reader = LogReader(envelope.bytes)
    try reader.readColumns(envelope.log)
    return reader.columns.values
  }

  package init(_ bytes: [UInt8], limits: Limits = Limits()) {
    self.bytes = bytes
    layout = LogLayout(bytes: bytes)
    log.limits = limits
  }

  /// Finds the columns, and reads the tables of names; `next` reads where a column stands.
  package mutating func readColumns(
    _ range: Range<Int>,
    _ next: (inout CBORReader, _ isText: Bool) throws(CBORError) -> Range<Int> = {
      (reader, isText) throws(CBORError) in try isText ? reader.readText() : reader.readBytes()
    }
  ) throws(DocumentError) {
    var reader = CBORReader(bytes, range: range)
    try reading(.log) {
      try reader.readArrayHeader(count: 11)
      layout.columns.agents = try next(&reader, false)
      log.authors = try Self.readStrings(&reader)
      log.messages = try Self.readStrings(&reader)
      log.keys = try Self.readStrings(&reader)
      layout.columns.chains = try next(&reader, false)
      layout.columns.counts = try next(&reader, false)
      layout.columns.metadata = try next(&reader, false)
      layout.columns.values = try next(&reader, false)
      layout.columns.operations = try next(&reader, false)
      layout.columns.redactions = try next(&reader, false)
      layout.columns.deleted = try next(&reader, true)
    }
    try readAgents()
  }

  /// Reads the names of the agents, whose column is known.
  private mutating func readAgents() throws(DocumentError) {
    guard columns.agents.count % 8 == 0 else {
      throw DocumentError(
        "the agents are not 8 bytes each", in: .log, at: columns.agents.lowerBound)
    }
    var seen: Set<AgentID> = []
    for start in stride(from: columns.agents.lowerBound, to: columns.agents.upperBound, by: 8) {
      let agent = AgentID(rawValue: UInt64(bigEndianBytes: bytes[start..<start + 8]))
      guard seen.insert(agent).inserted else {
        throw DocumentError("an agent stands twice", in: .log, at: start)
      }
      log.agents.append(agent)
    }
  }

  private static func readStrings(_ reader: inout CBORReader) throws -> [String] {
    let start = reader.offset
    let count = try reader.readArrayHeader()
    var seen: Set<ExactString> = []
    var result: [String] = []
    for _ in 0..<count {
      let string = try reader.readString()
      guard seen.insert(ExactString(string)).inserted else {
        throw DocumentError("a name stands twice in a table", in: .log, at: start)
      }
      result.append(string)
    }
    return result
  }

  package mutating func readCounts() throws(DocumentError) {
    var reader = ColumnReader(bytes, range: columns.counts)
    while !reader.isAtEnd {
      let start = reader.offset
      let changes = try reader.readVarint()
      let events = try reader.readVarint()
      if let broken = limitBroken(byChanges: changes, eventsEach: events) {
        throw DocumentError(broken, in: .log, at: start)
      }
      guard changes > 0, events > 0, Int32(events) != log.eventCounts.runs.last?.eventsEach else {
        throw DocumentError("impossible event counts", in: .log, at: start)
      }
      log.eventCounts.append(changes: Int32(changes), eventsEach: Int32(events))
    }
  }

  /// Which limit is broken by more changes of so many events each, if one is.
  private func limitBroken(byChanges changes: UInt64, eventsEach: UInt64) -> HistoryError.Reason? {
    let most = log.limits.changes(inFileOf: bytes.count)
    guard changes <= UInt64(max(0, most - Int(log.eventCounts.changeCount))) else {
      return .tooManyChanges
    }
    // Both limits together are far from 64 bits.
    let mostEvents = log.limits.events(inFileOf: bytes.count)
    guard eventsEach <= UInt64(mostEvents),
      changes * eventsEach <= UInt64(max(0, mostEvents - log.eventCounts.end.number))
    else { return .tooManyEvents }
    return nil
  }

  /// Reads the chains; those before a fault are there all the same; O(rows + parents).
  package mutating func readChains() throws(DocumentError) {
    var rows = ColumnReader(bytes, range: columns.chains)
    rows.skip(Int(mark.chains))
    var reader = ChainReader(after: log.graph, agents: log.agents, counts: log.eventCounts)
    let most = known.chains + rows.remaining / ChainReader.leastRow
    log.graph.reserve(chains: most, parents: known.parents + rows.remaining / ChainReader.leastRow)
    layout.marks.reserveCapacity(most + 1)
    while !rows.isAtEnd {
      layout.marks.append(.init(chains: Int32(rows.offset - columns.chains.lowerBound)))
      try reader.readChain(&rows, into: &log.graph)
    }
    layout.marks.append(.init(chains: Int32(columns.chains.count)))
    guard reader.isAtEnd else {
      throw rows.fault("the chains do not cover the changes", at: rows.offset)
    }
    guard log.graph.parentPool.count <= log.limits.parents else {
      throw DocumentError(.tooManyParents, in: .log, at: columns.chains.lowerBound)
    }
  }

  package mutating func readMetadata() throws(DocumentError) {
    var reader = ColumnReader(bytes, range: columns.metadata)
    // A run takes four bytes at least.
    var runs: [Log.MetadataRun] = []
    runs.reserveCapacity(columns.metadata.count / 4)
    var change = ChangeIndex.first
    var time: Int64 = 0
    var authorCount = 0
    var messageCount = 0
    while !reader.isAtEnd {
      let start = reader.offset
      let count = try reader.readVarint(
        limit: Int(log.eventCounts.changes.upperBound - change),
        "metadata of more changes than there are")
      time &+= try reader.readSigned()
      let author = try reader.readVarint(limit: log.authors.count - 1, "an unknown author")
      let message = try reader.readVarint(limit: log.messages.count, "an unknown message") - 1
      let run = Log.MetadataRun(
        firstChange: change, time: Timestamp(milliseconds: time), author: AuthorIndex(author),
        message: message < 0 ? nil : MessageIndex(message))
      let last = runs.last
      guard count > 0, author <= authorCount, message <= messageCount,
        last?.time != run.time || last?.author != run.author || last?.message != run.message
      else { throw DocumentError("impossible metadata", in: .log, at: start) }
      authorCount = max(authorCount, author + 1)
      messageCount = max(messageCount, message + 1)
      runs.append(run)
      change += Int32(count)
    }
    log.metadata = runs
    guard change == log.eventCounts.changes.upperBound else {
      throw DocumentError(
        "the metadata does not cover the changes", in: .log, at: columns.metadata.lowerBound)
    }
    guard authorCount == log.authors.count, messageCount == log.messages.count else {
      throw DocumentError(
        "an author or a message of no change", in: .log, at: columns.metadata.lowerBound)
    }
  }

  package mutating func readOperations() throws(DocumentError) {
    try OperationReader.read(into: &log, layout: &layout, after: known, mark)
  }

  private mutating func readDeletedText() throws(DocumentError) {
    let count = log.deletedScalarCount
    try readRedactions(amongFirst: count)
    let text = TextBuffer(validated: Array(bytes[columns.deleted]))
    guard let deleted = DeletedText(text: text, count: count, redacted: redactions) else {
      throw deletedTextFault
    }
    log.deletedText = deleted
  }

  /// Reads the redactions of at most so many deletions; those before a fault are there all the same.
  package mutating func readRedactions(amongFirst count: Int32) throws(DocumentError) {
    let tooMany = "more redactions than deletions"
    var reader = ColumnReader(bytes, range: columns.redactions)
    var end: Int32 = 0
    while !reader.isAtEnd {
      let start = end + Int32(try reader.readVarint(limit: Int(count - end), tooMany))
      let length = try reader.readVarint(limit: Int(count - start), tooMany)
      guard length > 0, start > end || redactions.isEmpty else { throw deletedTextFault }
      end = start + Int32(length)
      redactions.append(start..<end)
    }
  }

  private var deletedTextFault: DocumentError {
    DocumentError(.deletedTextLength, in: .log, at: columns.deleted.lowerBound)
  }
}
