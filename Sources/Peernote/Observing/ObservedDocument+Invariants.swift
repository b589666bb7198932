extension ObservedDocument {
  /// Traps unless every listener knows some of what the document holds.
  ///
  /// O(n log n + bytes), and O(heads) for each listener; for tests.
  package func checkInvariants() {
    document.checkInvariants()
    for shown in shownToListeners {
      precondition(
        shown.heads.allSatisfy(document.contains), "a listener knows what is there")
    }
  }
}
