import PeernoteDigest
import PeernoteCBOR

/// Writes some changes of a document as a delta; see peernote(5).
struct DeltaWriter {
  private var writer = CBORWriter()
  private var agents: [AgentID] = []
  private var numbers: [AgentID: Int] = [:]

  /// Writes a delta of changes, each after its parents.
  ///
  /// O(size of the changes).
  static func bytes(of changes: some Collection<Change>, in id: UniqueID) -> [UInt8] {
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
    writer.encoded(body.writer.bytes[...])
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
    let parts = edit.parts
    let operands = parts.kind.operands
    writer.arrayHeader(2 + parts.kind.deltaParts)
    writer.unsigned(UInt64(parts.kind.rawValue))
    switch parts.container {
    case .root: writer.null()
    case .created(let event): write(event)
    }
    if operands.contains(.scalars) {
      writer.unsigned(UInt64(parts.position))
      if let text = parts.text {
        writer.text(text.string)
      } else {
        writer.unsigned(UInt64(parts.count))
      }
    }
    if operands.contains(.key) { writer.text(parts.key.string) }
    if operands.contains(.element) { write(parts.element) }
    if operands.contains(.slots) {
      write(parts.place.left)
      write(parts.place.right)
    }
    if parts.kind == .insertElements { writer.arrayHeader(parts.count) }
    for content in parts.contents { writer.content(content) }
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
