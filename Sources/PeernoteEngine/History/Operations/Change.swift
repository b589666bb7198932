/// One change in portable form: what one save added, with every reference by name.
///
/// This is the exchange form between the log and the rest (building documents, comparing them,
/// repairing them, the tests' oracle). The log itself keeps changes as runs of columns.
package struct Change: Hashable, Sendable {
  /// The change's name.
  package var id: ChangeID
  /// The heads when the change was made, in ascending order.
  package var parents: [ChangeID]
  /// Wall-clock time of the save.
  package var time: Timestamp
  /// Who made it; may be empty.
  package var author: String
  /// An optional message on the change.
  package var message: String?
  /// What it did, in order; at least one event in all.
  package var edits: EditList
}

/// One run of events of one kind on one container: an ``Operation`` with names instead of numbers.
///
/// It says what operations of its kind name (``Operation/Kind/operands``); all else has no meaning.
/// Text positions count Unicode scalars of the text as the change's author saw it when making the
/// first event of the run. List elements are named by the event that inserted them; the place of
/// an insertion or a move by its neighbours (``ListPlace``).
package struct Edit: Hashable, Sendable {
  /// What the events do; a deletion of one scalar may have either direction.
  package var kind: Operation.Kind
  /// To which container.
  package var container: ContainerID
  /// Where in its text they insert, or the first of the scalars that they delete.
  package var position = 0
  /// How many events.
  package var count = 1
  /// What they insert or delete, in document order; `nil` where that was redacted.
  package var text: ExactString?
  /// The key that they write or remove.
  package var key = ExactString("")
  /// The element that they write, move or remove.
  package var element: EventID?
  /// Where they put elements.
  package var place = ListPlace(left: nil, right: nil)
  /// What they write, add, discard or count, each of them one.
  package var contents: [Content] = []

  /// An edit of one event whose operands are set one by one.
  package init(_ kind: Operation.Kind, in container: ContainerID) {
    (self.kind, self.container) = (kind, container)
  }
}

/// A place in a list, between two slots.
///
/// A slot is made by the insertion of an element, and by each move; it is named by that event and
/// stays in the list's order for ever, whether or not an element is shown in it.
/// `left` is the slot of the element shown before the place (`nil`: the list's start). `right` is
/// the slot that follows `left` in the list's order as the author knew it, slots that show nothing
/// included (`nil`: the list's end). These are the left and right origins of FugueMax
/// (Weidner & Kleppmann, "The Art of the Fugue", section 5).
package struct ListPlace: Hashable, Sendable {
  package var left: EventID?
  package var right: EventID?

  package init(left: EventID?, right: EventID?) {
    self.left = left
    self.right = right
  }
}

extension Change {
  package init(
    id: ChangeID, parents: [ChangeID], time: Timestamp, author: String = "",
    message: String? = nil, edits: [Edit]
  ) {
    self.init(
      id: id, parents: parents, time: time, author: author, message: message,
      edits: EditList(edits))
  }

  /// Whether two changes say the same word for word: strings compare by their bytes, not by
  /// canonical equivalence.
  package static func == (left: Change, right: Change) -> Bool {
    left.id == right.id && left.parents == right.parents && left.time == right.time
      && ExactString(left.author) == ExactString(right.author)
      && left.message.map { ExactString($0) } == right.message.map { ExactString($0) }
      && left.edits == right.edits
  }

  /// Feeds the name to the hasher; it tells changes apart but for forks.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension Edit {
  /// How many containers the edit creates.
  var containerCount: Int {
    contents.count { content in
      if case .container = content { true } else { false }
    }
  }

  /// At most so many bytes does the edit take in a file; see ``Log/fileSize``.
  var fileSize: Int {
    let names = (text?.string.utf8.count ?? 0) + 2 * key.string.utf8.count
    return contents.reduce(64 + names) { $0 + 32 + 2 * $1.weight }
  }
}

/// The edits of a change: as they were given, or those of a log, each made when it is asked for.
///
/// An edit takes some thirty times the memory of its row in a file, and a change can have one for
/// every byte of it.
package struct EditList: Sendable {
  package let endIndex: Int
  /// Gives or makes the edit at an index.
  private let edit: @Sendable (Int) -> Edit

  init(count: Int, _ edit: @escaping @Sendable (Int) -> Edit) {
    (endIndex, self.edit) = (count, edit)
  }

  /// No edits.
  package init() { self.init([]) }

  /// These edits.
  package init(_ edits: some Sequence<Edit>) {
    let edits = Array(edits)
    self.init(count: edits.count) { edits[$0] }
  }
}

extension EditList: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  package var startIndex: Int { 0 }

  package subscript(index: Int) -> Edit {
    get {
      precondition(indices.contains(index), "an edit outside the change")
      return edit(index)
    }
    set { replaceSubrange(index..<index + 1, with: [newValue]) }
  }

  /// Replaces some edits; all are made for that.
  package mutating func replaceSubrange(
    _ range: Range<Int>, with edits: some Collection<Edit>
  ) {
    var all = Array(self)
    all.replaceSubrange(range, with: edits)
    self = EditList(all)
  }
}

extension EditList: ExpressibleByArrayLiteral {
  package init(arrayLiteral edits: Edit...) { self.init(edits) }
}

extension EditList: Equatable {
  package static func == (left: EditList, right: EditList) -> Bool { left.elementsEqual(right) }
}
