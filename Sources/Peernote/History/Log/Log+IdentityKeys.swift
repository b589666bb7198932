extension Log {
  /// What a line of a message begins with that names a key by which elements of lists are known.
  static let identityMark = "identity: "

  /// The keys that messages name, in the order of the messages.
  ///
  /// O(messages).
  var identityKeys: [String] {
    var keys: [String] = []
    for message in messages where message.utf8.contains(UInt8(ascii: ":")) {
      for line in message.splitAtLineFeeds() where line.hasPrefix(Self.identityMark) {
        let key = String(line.dropFirst(Self.identityMark.count))
        if !key.isEmpty, !keys.contains(key) { keys.append(key) }
      }
    }
    return keys
  }
}
