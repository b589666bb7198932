extension Document {
  /// The keys by which elements of lists are known, besides `id`: those that were given when content came
  /// in, as messages of changes say.
  ///
  /// O(messages).
  package var identityKeys: [String] { log.identityKeys }

  /// A message, if it says anything, that also names the keys by which elements are known, without
  /// those that the document knows.
  package func message(_ message: String?, namingIdentityKeys keys: [String]) -> String? {
    let new = keys.filter { !identityKeys.contains($0) && !$0.contains("\n") && $0 != "id" }
    let lines = [message].compactMap(\.self) + new.map { Log.identityMark + $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
