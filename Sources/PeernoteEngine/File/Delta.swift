import PeernoteCBOR
import PeernoteDigest

/// Reads a delta (see peernote(5)), and checks only that it is said as it should be: so a delta
/// takes memory in proportion to its bytes, whatever it says of the document.
package struct DeltaReader {
  package private(set) var id = UniqueID(high: 0, low: 0)
  package private(set) var changes: [Change] = []

  private var reader: CBORReader
  private var agents: [AgentID] = []

  /// Reads a delta; O(bytes).
  package init(_ bytes: [UInt8], limits: Limits) throws(DocumentError) {
    guard bytes.count <= limits.fileSize else {
      throw DocumentError(
        "the delta is longer than the limit of \(limits.fileSize) bytes", kind: .limit, in: .delta,
        at: 0)
    }
    reader = CBORReader(bytes)
    try reading(.delta) { try readDelta(bytes) }
  }

  private mutating func readDelta(_ bytes: [UInt8]) throws {
    try readHead()
    for _ in 0..<(try reader.readArrayHeader()) {
      let range = try reader.readBytes(count: 8)
      agents.append(AgentID(rawValue: UInt64(bigEndianBytes: bytes[range])))
    }
    for _ in 0..<(try reader.readArrayHeader()) { changes.append(try readChange()) }
    let end = reader.offset
    let check = try reader.readBytes(count: Format.deltaCheckSize)
    try reader.finish()
    guard SHA256.hash(bytes[..<end]).prefix(check.count).elementsEqual(bytes[check]) else {
      throw CBORError("the check does not match: the delta was changed", at: end)
    }
  }

  private mutating func readHead() throws {
    guard case .tag(Format.deltaTag) = try reader.nextItem() else {
      throw CBORError("no delta of a peernote document", at: 0)
    }
    let count = try reader.readArrayHeader()
    let offset = reader.offset
    let version = try reader.readUnsigned()
    guard version <= UInt64(Format.deltaVersion) else {
      throw DocumentError(
        "delta version \(version), while this program reads up to \(Format.deltaVersion)",
        kind: .newerFormat, in: .delta, at: offset)
    }
    guard version >= 1, count == 5 else { throw CBORError("no delta of version 1", at: offset) }
    try reader.readTag(Format.uuidTag)
    let range = try reader.readBytes(count: 16)
    id = UniqueID(bytes: reader.bytes[range])
  }

  // MARK: Changes

  private mutating func readChange() throws -> Change {
    let start = reader.offset
    try reader.readArrayHeader(count: 7)
    let id = try readName()
    let parentItems = try reader.readArrayHeader()
    guard parentItems.isMultiple(of: 2) else {
      throw CBORError("a parent is an agent and a sequence number", at: start)
    }
    var parents: [ChangeID] = []
    for _ in 0..<parentItems / 2 { parents.append(try readName()) }
    guard zip(parents, parents.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw CBORError("parents do not ascend", at: start)
    }
    let time = Timestamp(milliseconds: try reader.readInteger())
    let author = try reader.readString()
    let message = try reader.skipNull() ? nil : reader.readString()
    let editCount = try reader.readArrayHeader()
    guard editCount > 0 else {
      throw CBORError(HistoryError.Reason.changeWithoutEvents.description, at: start)
    }
    var edits: [Edit] = []
    for _ in 0..<editCount { edits.append(try readEdit()) }
    return Change(
      id: id, parents: parents, time: time, author: author, message: message, edits: edits)
  }

  private mutating func readName() throws -> ChangeID {
    let start = reader.offset
    let agent = try reader.readUnsigned()
    guard agent < UInt64(agents.count) else {
      throw CBORError("an agent that the delta does not name", at: start)
    }
    let sequence = try reader.readUnsigned(limit: UInt64(Limits().changes))
    guard sequence >= 1 else { throw CBORError("a sequence number of 0", at: start) }
    return ChangeID(agent: agents[Int(agent)], sequence: Int(sequence))
  }

  private mutating func readEvent() throws -> EventID? {
    if try reader.skipNull() { return nil }
    try reader.readArrayHeader(count: 3)
    let change = try readName()
    return EventID(change: change, index: try readNumber())
  }

  private mutating func readNumber() throws -> Int {
    Int(try reader.readUnsigned(limit: UInt64(LocalVersion.maximumEventCount)))
  }

  // MARK: Edits

  private mutating func readEdit() throws -> Edit {
    let start = reader.offset
    let count = try reader.readArrayHeader()
    guard let number = UInt8(exactly: try reader.readUnsigned()),
      let kind = Operation.Kind(rawValue: number)
    else { throw CBORError("an unknown kind of edit", at: start) }
    guard count == 2 + kind.deltaParts else {
      throw CBORError("an edit of \(count) parts", at: start)
    }
    let container = try readEvent().map { ContainerID.created($0) } ?? .root
    var edit = Edit(kind, in: container)
    let operands = kind.operands
    if operands.contains(.scalars) { try readText(of: &edit) }
    if operands.contains(.key) { edit.key = ExactString(try reader.readString()) }
    if operands.contains(.element) {
      let place = reader.offset
      edit.element = try readEvent()
      if edit.element == nil { throw CBORError("an element has no name", at: place) }
    }
    if operands.contains(.slots) {
      edit.place = ListPlace(left: try readEvent(), right: try readEvent())
    }
    switch kind {
    case .insertElements:
      edit.count = try reader.readArrayHeader()
      for _ in 0..<edit.count { edit.contents.append(try reader.readContent()) }
    case .put, .putElement: edit.contents = [try reader.readContent()]
    case .add, .discard: edit.contents = [.value(try reader.readValue())]
    case .increment: edit.contents = [.value(.integer(try reader.readInteger()))]
    case .insertText, .deleteForward, .deleteBackward, .remove, .moveElement, .removeElement: break
    }
    if edit.count == 0 { throw CBORError("an edit without events", at: start) }
    return edit
  }

  /// Reads where an edit of a text begins, and what it inserts or deletes, or only the length.
  private mutating func readText(of edit: inout Edit) throws {
    edit.position = try readNumber()
    if try edit.kind == .insertText || reader.peekKind() == .text {
      let text = try reader.readString()
      (edit.text, edit.count) = (ExactString(text), text.unicodeScalars.count)
    } else {
      edit.count = try readNumber()
    }
  }
}

/// Writes some changes of a document as a delta; see peernote(5).
package struct DeltaWriter {
  private var writer = CBORWriter()
  private var agents: [AgentID] = []
  private var numbers: [AgentID: Int] = [:]

  /// Writes a delta of changes, each after its parents; O(size of the changes).
  package static func bytes(of changes: some Collection<Change>, in id: UniqueID) -> [UInt8] {
    // The agents' numbers are known when the changes have been written.
    var body = DeltaWriter()
    for change in changes { body.write(change) }
    var writer = CBORWriter()
    writer.tag(Format.deltaTag)
    writer.arrayHeader(5)
    writer.unsigned(UInt64(Format.deltaVersion))
    writer.uuid(id)
    writer.arrayHeader(body.agents.count)
    for agent in body.agents { writer.bytes(agent.rawValue.bigEndianBytes) }
    writer.arrayHeader(changes.count)
    writer.encoded(body.writer.bytes.span)
    writer.bytes(Array(SHA256.hash(writer.bytes).prefix(Format.deltaCheckSize)))
    return writer.bytes
  }

  private mutating func number(of agent: AgentID) -> UInt64 {
    if let known = numbers[agent] { return UInt64(known) }
    numbers[agent] = agents.count
    agents.append(agent)
    return UInt64(agents.count - 1)
  }

  private mutating func write(_ change: Change) {
    writer.arrayHeader(7)
    writeName(change.id)
    writer.arrayHeader(2 * change.parents.count)
    for parent in change.parents { writeName(parent) }
    writer.integer(change.time.milliseconds)
    writer.text(change.author)
    if let message = change.message { writer.text(message) } else { writer.null() }
    writer.arrayHeader(change.edits.count)
    for edit in change.edits { write(edit) }
  }

  private mutating func writeName(_ change: ChangeID) {
    writer.unsigned(number(of: change.agent))
    writer.unsigned(UInt64(change.sequence))
  }

  private mutating func write(_ event: EventID?) {
    guard let event else { return writer.null() }
    writer.arrayHeader(3)
    writeName(event.change)
    writer.unsigned(UInt64(event.index))
  }

  private mutating func write(_ edit: Edit) {
    let operands = edit.kind.operands
    writer.arrayHeader(2 + edit.kind.deltaParts)
    writer.unsigned(UInt64(edit.kind.rawValue))
    switch edit.container {
    case .root: writer.null()
    case .created(let event): write(event)
    }
    if operands.contains(.scalars) {
      writer.unsigned(UInt64(edit.position))
      if let text = edit.text {
        writer.text(text.string)
      } else {
        writer.unsigned(UInt64(edit.count))
      }
    }
    if operands.contains(.key) { writer.text(edit.key.string) }
    if operands.contains(.element) { write(edit.element) }
    if operands.contains(.slots) {
      write(edit.place.left)
      write(edit.place.right)
    }
    if edit.kind == .insertElements { writer.arrayHeader(edit.count) }
    for content in edit.contents { writer.content(content) }
  }
}

extension Operation.Kind {
  /// How many items follow the number of the kind and the container of an edit in a delta: one for
  /// each operand, but two for the place and the text of scalars, and for the slots on both sides.
  var deltaParts: Int {
    operands.rawValue.nonzeroBitCount
      + (operands.contains(.scalars) || operands.contains(.slots) ? 1 : 0)
  }
}
