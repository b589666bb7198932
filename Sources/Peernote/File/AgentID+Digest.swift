import PeernoteDigest

extension AgentID {
  /// The agent that the first eight bytes of the SHA-256 of a text name.
  ///
  /// For changes that follow from what the text says, so that whoever makes one makes the same.
  package init(digestOf bytes: [UInt8]) {
    self.init(rawValue: SHA256.hash(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
