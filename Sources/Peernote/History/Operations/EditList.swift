/// The edits of a change: as they were given, or those of a log, each made when it is asked for.
///
/// An edit takes some thirty times the memory of its row in a file, and a change can have one for
/// every byte of it.
package struct EditList: Sendable {
  private var given: [Edit] = []
  /// What the edits are made from, if they are not given.
  private var logged: LoggedEdits?
  /// What stands in the list for each of those, if not itself.
  private var replacement: (@Sendable (Edit) -> Edit)?

  /// No edits.
  package init() {}

  /// These edits.
  package init(_ edits: some Sequence<Edit>) {
    given = Array(edits)
  }

  init(of logged: LoggedEdits) {
    self.logged = logged
  }

  /// The list with another edit in the place of each; they are made when they are asked for, if
  /// these are.
  package func replacing(_ replacement: @escaping @Sendable (Edit) -> Edit) -> EditList {
    guard logged != nil else { return EditList(given.map(replacement)) }
    var list = self
    if let earlier = self.replacement {
      list.replacement = { replacement(earlier($0)) }
    } else {
      list.replacement = replacement
    }
    return list
  }

  /// Makes all edits, to change them.
  private mutating func settle() {
    guard logged != nil else { return }
    given = Array(self)
    logged = nil
    replacement = nil
  }
}

extension EditList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { logged?.count ?? given.count }

  package subscript(index: Int) -> Edit {
    get {
      guard let logged else { return given[index] }
      return replacement?(logged[index]) ?? logged[index]
    }
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
