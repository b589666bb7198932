extension Editor {
  /// Traps unless the change so far is sound, and what is known of texts is known of texts.
  ///
  /// O(n log n + bytes); for tests.
  package func checkInvariants() {
    editor.checkInvariants()
    for container in rawEdited.union(passages.keys) {
      precondition(kind(of: container) == .text, "texts are edited and have passages")
    }
  }
}
