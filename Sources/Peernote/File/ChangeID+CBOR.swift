import PeernoteCBOR

extension CBORWriter {
  /// Writes the names of changes: an array of an agent's eight bytes and a number for each.
  mutating func changes(_ changes: [ChangeID]) {
    arrayHeader(changes.count)
    for change in changes {
      arrayHeader(2)
      bytes(change.agent.rawValue.bigEndianBytes)
      unsigned(UInt64(change.sequence))
    }
  }
}

extension CBORReader {
  /// Reads the name of a change, an element of what ``CBORWriter/changes(_:)`` writes.
  mutating func readChange() throws(CBORError) -> ChangeID {
    try readArrayHeader(count: 2)
    let agent = try readBytes(count: 8)
    let sequence = try readUnsigned(limit: UInt64(Limits().changes))
    return ChangeID(
      agent: AgentID(rawValue: UInt64(bigEndianBytes: bytes[agent])), sequence: Int(sequence))
  }

  /// Reads what ``CBORWriter/changes(_:)`` writes.
  mutating func readChanges() throws(CBORError) -> [ChangeID] {
    var result: [ChangeID] = []
    for _ in 0..<(try readArrayHeader()) { result.append(try readChange()) }
    return result
  }
}
