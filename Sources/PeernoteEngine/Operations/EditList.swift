/// The edits of a change: as they were given, or those of a log, each made when it is asked for.
///
/// An edit takes some thirty times the memory of its row in a file, and a change can have one for
/// every byte of it.
package struct EditList: Sendable {
  private var given: [Edit] = []
  /// What the edits are made from, if they are not given.
  private var logged: LoggedEdits?

  /// No edits.
  package init() {}

  /// These edits.
  package init(_ edits: some Sequence<Edit>) {
    given = Array(edits)
  }

  init(of logged: LoggedEdits) {
    self.logged = logged
  }

  /// Makes all edits, to change them.
  private mutating func settle() {
    guard let logged else { return }
    given = Array(logged)
    self.logged = nil
  }
}

extension EditList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { logged?.count ?? given.count }

  package subscript(index: Int) -> Edit {
    get { logged?[index] ?? given[index] }
    set {
      settle()
      given[index] = newValue
    }
  }

  package mutating func replaceSubrange(
    _ range: Range<Int>, with edits: some Collection<Edit>
  ) {
    settle()
    given.replaceSubrange(range, with: edits)
  }
}

extension EditList: ExpressibleByArrayLiteral {
  package init(arrayLiteral edits: Edit...) {
    given = edits
  }
}

extension EditList: Equatable {
  package static func == (left: EditList, right: EditList) -> Bool { left.elementsEqual(right) }
}
