package import PeernoteCBOR
import PeernoteDigest

extension AgentID {
  /// The agent that the first eight bytes of the SHA-256 of a text name: for changes that follow
  /// from what the text says, so that whoever makes one makes the same.
  package init(digestOf bytes: [UInt8]) {
    self.init(rawValue: SHA256.hash(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension ChangeID {
  /// How a name stands in a text of which an agent is the digest.
  package var digestedBytes: [UInt8] {
    agent.rawValue.bigEndianBytes + UInt64(sequence).bigEndianBytes
  }
}

extension CBORWriter {
  /// Writes the names of changes: an array of an agent's eight bytes and a number for each.
  package mutating func changes(_ changes: [ChangeID]) {
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
  package mutating func readChanges() throws(CBORError) -> [ChangeID] {
    var result: [ChangeID] = []
    for _ in 0..<(try readArrayHeader()) { result.append(try readChange()) }
    return result
  }
}

extension UniqueID {
  package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// The identifier made of sixteen bytes.
  package init(bytes: ArraySlice<UInt8>) {
    self.init(
      high: UInt64(bigEndianBytes: bytes.prefix(8)), low: UInt64(bigEndianBytes: bytes.suffix(8)))
  }
}

extension UInt64 {
  /// The eight bytes, the most significant first.
  package var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) }
  }

  /// The number made of eight bytes, the most significant first.
  init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
