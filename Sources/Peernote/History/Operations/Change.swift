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
  /// What it did, in order.
  ///
  /// At least one event in all.
  package var edits: EditList

  package init(
    id: ChangeID, parents: [ChangeID], time: Timestamp, author: String = "",
    message: String? = nil, edits: [Edit]
  ) {
    self.id = id
    self.parents = parents
    self.time = time
    self.author = author
    self.message = message
    self.edits = EditList(edits)
  }
}

/// One run of events of one kind on one container.
///
/// Text positions count Unicode scalars of the text as the change's author saw it when making the
/// first event of the run. List elements are named by the event that inserted them; the place of
/// an insertion or a move by its neighbours (``ListPlace``).
package enum Edit: Hashable, Sendable {
  /// Inserts text before the scalar at `position`: one event a scalar.
  case insertText(into: ContainerID, at: Int, text: String)
  /// Deletes the scalars at `position ..< position + text.count`, first to last (every event
  /// deletes at `position`) or, if `backward`, last to first: one event a scalar.
  /// `text` is what is deleted, in document order; `nil` where it was redacted.
  case deleteText(from: ContainerID, at: Int, count: Int, backward: Bool, text: String?)
  /// Writes a key of a map: one event.
  case put(map: ContainerID, key: String, content: Content)
  /// Removes a key of a map: one event.
  case remove(map: ContainerID, key: String)
  /// Inserts elements one after the other: one event an element.
  case insertElements(list: ContainerID, at: ListPlace, contents: [Content])
  /// Writes an element of a list: one event.
  case putElement(list: ContainerID, element: EventID, content: Content)
  /// Moves an element of a list: one event.
  case moveElement(list: ContainerID, element: EventID, to: ListPlace)
  /// Removes an element of a list: one event.
  case removeElement(list: ContainerID, element: EventID)
  /// Adds a value to a set: one event.
  case add(set: ContainerID, value: Value)
  /// Removes a value from a set: one event.
  case discard(set: ContainerID, value: Value)
  /// Adds to a counter: one event.
  case increment(counter: ContainerID, by: Int64)
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
