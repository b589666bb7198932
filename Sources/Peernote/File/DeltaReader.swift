import PeernoteDigest
import PeernoteCBOR

/// Reads a delta; see peernote(5).
///
/// What it says of the document is not checked here, only that it is said as it should be: so a
/// delta takes memory in proportion to its bytes, whatever it says.
struct DeltaReader {
  /// The document's identity.
  let id: UniqueID
  /// The changes, in the order of the delta.
  private(set) var changes: [Change] = []

  private var values: ValueReader
  private var agents: [AgentID] = []

  /// Reads a delta.
  ///
  /// O(bytes).
  init(_ bytes: [UInt8], limits: Limits) throws(DocumentError) {
    guard bytes.count <= limits.fileSize else {
      throw DocumentError(
        "the delta is longer than the limit of \(limits.fileSize) bytes", kind: .limit, in: .delta,
        at: 0)
    }
    var reader = CBORReader(bytes)
    id = try Self.readHead(&reader)
    values = ValueReader(reader: reader, section: .delta)
    let count = try read { try $0.readArrayHeader() }
    for _ in 0..<count {
      agents.append(
        try read { reader in
          let range = try reader.readBytes(count: 8)
          return AgentID(rawValue: UInt64(bigEndianBytes: reader.bytes[range]))
        })
    }
    let changeCount = try read { try $0.readArrayHeader() }
    for _ in 0..<changeCount { changes.append(try readChange()) }
    let end = values.offset
    let check = try read { reader in
      let range = try reader.readBytes(count: Format.deltaCheckSize)
      try reader.finish()
      return range
    }
    guard SHA256.hash(bytes[..<end]).prefix(check.count).elementsEqual(bytes[check]) else {
      throw DocumentError("the check does not match: the delta was changed", in: .delta, at: end)
    }
  }

  private static func readHead(_ reader: inout CBORReader) throws(DocumentError) -> UniqueID {
    try reading(.delta) {
      guard case .tag(Format.deltaTag) = try reader.nextItem() else {
        throw DocumentError("no delta of a peernote document", in: .delta, at: 0)
      }
      let count = try reader.readArrayHeader()
      let offset = reader.offset
      let version = try reader.readUnsigned()
      guard version <= UInt64(Format.deltaVersion) else {
        throw DocumentError(
          "delta version \(version), while this program reads up to \(Format.deltaVersion)",
          kind: .newerFormat, in: .delta, at: offset)
      }
      guard version >= 1, count == 5 else {
        throw DocumentError("no delta of version 1", in: .delta, at: offset)
      }
      try reader.readTag(Format.uuidTag)
      return UniqueID(bytes: reader.bytes[try reader.readBytes(count: 16)])
    }
  }

  private mutating func read<Result>(
    _ body: (inout CBORReader) throws -> Result
  ) throws(DocumentError) -> Result {
    try reading(.delta) { try body(&values.reader) }
  }

  private func fault(_ reason: String, at offset: Int) -> DocumentError {
    DocumentError(reason, in: .delta, at: offset)
  }

  // MARK: Changes

  private mutating func readChange() throws(DocumentError) -> Change {
    let start = values.offset
    try read { try $0.readArrayHeader(count: 7) }
    let id = try readName()
    let parentItems = try read { try $0.readArrayHeader() }
    guard parentItems.isMultiple(of: 2) else {
      throw fault("a parent is an agent and a sequence number", at: start)
    }
    var parents: [ChangeID] = []
    for _ in 0..<parentItems / 2 { parents.append(try readName()) }
    guard zip(parents, parents.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw fault("parents do not ascend", at: start)
    }
    let time = try read { Timestamp(milliseconds: try $0.readInteger()) }
    let author = try read { try $0.readString() }
    let message: String? = try read { reader in
      if try reader.peekKind() == .text { return try reader.readString() }
      try reader.readNull()
      return nil
    }
    let editCount = try read { try $0.readArrayHeader() }
    guard editCount > 0 else {
      throw fault(HistoryError.Reason.changeWithoutEvents.description, at: start)
    }
    var edits: [Edit] = []
    for _ in 0..<editCount { edits.append(try readEdit()) }
    return Change(
      id: id, parents: parents, time: time, author: author, message: message, edits: edits)
  }

  private mutating func readName() throws(DocumentError) -> ChangeID {
    let start = values.offset
    let agent = try read { try $0.readUnsigned() }
    guard agent < UInt64(agents.count) else {
      throw fault("an agent that the delta does not name", at: start)
    }
    let sequence = try read { try $0.readUnsigned(limit: UInt64(Limits().changes)) }
    guard sequence >= 1 else { throw fault("a sequence number of 0", at: start) }
    return ChangeID(agent: agents[Int(agent)], sequence: Int(sequence))
  }

  private mutating func readEvent() throws(DocumentError) -> EventID? {
    if try read({ try $0.peekKind() }) == .null {
      try read { try $0.readNull() }
      return nil
    }
    try read { try $0.readArrayHeader(count: 3) }
    let change = try readName()
    return EventID(change: change, index: try readNumber())
  }

  private mutating func readNeededEvent() throws(DocumentError) -> EventID {
    let start = values.offset
    guard let event = try readEvent() else { throw fault("an element has no name", at: start) }
    return event
  }

  private mutating func readNumber() throws(DocumentError) -> Int {
    Int(try read { try $0.readUnsigned(limit: UInt64(LocalVersion.maximumEventCount)) })
  }

  private mutating func readString() throws(DocumentError) -> String {
    try read { try $0.readString() }
  }

  // MARK: Edits

  private mutating func readEdit() throws(DocumentError) -> Edit {
    let start = values.offset
    let count = try read { try $0.readArrayHeader() }
    guard let number = UInt8(exactly: try read { try $0.readUnsigned() }),
      let kind = Operation.Kind(rawValue: number)
    else { throw fault("an unknown kind of edit", at: start) }
    guard count == 2 + kind.deltaParts else {
      throw fault("an edit of \(count) parts", at: start)
    }
    let container = try readEvent().map { ContainerID.created($0) } ?? .root
    var parts = EditParts(kind: kind, container: container)
    let operands = kind.operands
    if operands.contains(.scalars) { try readText(of: &parts) }
    if operands.contains(.key) { parts.key = ExactString(try readString()) }
    if operands.contains(.element) { parts.element = try readNeededEvent() }
    if operands.contains(.slots) {
      parts.place = ListPlace(left: try readEvent(), right: try readEvent())
    }
    switch kind {
    case .insertElements:
      parts.count = try read { try $0.readArrayHeader() }
      for _ in 0..<parts.count { parts.contents.append(try values.readContent()) }
    case .put, .putElement: parts.contents = [try values.readContent()]
    case .add, .discard: parts.contents = [.value(try values.readValue())]
    case .increment: parts.contents = [.value(.integer(try read { try $0.readInteger() }))]
    case .insertText, .deleteForward, .deleteBackward, .remove, .moveElement, .removeElement: break
    }
    if parts.count == 0 { throw fault("an edit without events", at: start) }
    return Edit(parts)
  }

  /// Reads where an edit of a text begins, and what it inserts or deletes, of which only the length
  /// may be known.
  private mutating func readText(of parts: inout EditParts) throws(DocumentError) {
    parts.position = try readNumber()
    var hasText = parts.kind == .insertText
    if !hasText { hasText = try read { try $0.peekKind() } == .text }
    if hasText {
      let text = try readString()
      (parts.text, parts.count) = (ExactString(text), text.unicodeScalars.count)
    } else {
      parts.count = try readNumber()
    }
  }
}
