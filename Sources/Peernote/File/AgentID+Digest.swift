import PeernoteDigest

extension AgentID {
  /// The agent that the first eight bytes of the SHA-256 of a text name.
  ///
  /// For changes that follow from what the text says, so that whoever makes one makes the same.
  package init(digestOf bytes: [UInt8]) {
    self.init(rawValue: SHA256.hash(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension ChangeID {
  /// How a name stands in a text of which an agent is the digest.
  var digestedBytes: [UInt8] { agent.rawValue.bigEndianBytes + UInt64(sequence).bigEndianBytes }
}
