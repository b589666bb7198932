extension PlainHistory {
  /// Traps unless the document is one of a plain file.
  ///
  /// O(n log n + bytes); for tests.
  package func checkInvariants() {
    document.checkInvariants()
    precondition(PlainHistory(document: document) != nil, "it holds a text and what belongs to it")
  }
}
