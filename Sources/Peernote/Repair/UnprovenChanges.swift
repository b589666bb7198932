extension Repair {
  /// Changes that no checksum proves, each after its parents.
  ///
  /// Takes four bytes for each: a document can hold a change for every few bytes of its file.
  package struct UnprovenChanges: RandomAccessCollection, Hashable, Sendable {
    private let changes: ChangeList
    private var witnesses: [Int32]

    /// No changes.
    init() {
      self.init(ChangeList())
    }

    /// Changes without witnesses.
    init(_ changes: ChangeList) {
      self.changes = changes
      witnesses = Array(repeating: 0, count: changes.count)
    }

    /// The place of the first change.
    package var startIndex: Int { 0 }
    /// One past the place of the last change.
    package var endIndex: Int { witnesses.count }

    /// A change.
    ///
    /// O(log n) for n changes of the document.
    package subscript(position: Int) -> UnprovenChange {
      UnprovenChange(summary: changes[position], witnesses: Int(witnesses[position]))
    }

    mutating func addWitness(at position: Int) { witnesses[position] += 1 }
  }
}
