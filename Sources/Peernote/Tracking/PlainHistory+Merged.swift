extension PlainHistory {
  /// The texts of the saves that were merged last, each as the file showed it; none if somebody has
  /// saved what came of them.
  ///
  /// A walk over the history for each.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func mergedTexts() throws(DocumentError) -> [String] {
    let history = SeenHistory(of: document)
    let changes = Array(document.changes)
    var pending = document.heads
    var saves: [ChangeID] = []
    while let head = pending.popLast() {
      guard let number = history.numbers[head] else { continue }
      if changes[number].message == PlainTwins.message {
        pending += changes[number].parents
      } else {
        saves.append(head)
      }
    }
    let heads = history.heads(of: saves)
    guard heads.count > 1 else { return [] }
    return try heads.map { (head) throws(DocumentError) -> String in
      PlainHistory(document: try document.at(version: [head]))?.text ?? ""
    }
  }
}
