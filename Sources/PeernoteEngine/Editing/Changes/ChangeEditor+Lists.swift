/// Editing lists, by the slots that they show.
extension ChangeEditor {
  /// How many elements a list shows; O(1) but for the first time that a list is asked for, as with
  /// all that follows.
  package mutating func count(ofList list: ContainerIndex) -> Int {
    noteSlots(of: list)
    return objects.shownSlots[list]?.count ?? 0
  }

  /// The element at an index of a list; `nil` outside.
  package mutating func child(at index: Int, ofList list: ContainerIndex) -> Objects.Child? {
    noteSlots(of: list)
    return objects.child(at: index, ofList: list)
  }

  /// The elements of a list, named by their insertions, in order; O(n log n).
  package mutating func elements(ofList list: ContainerIndex) -> [LocalVersion] {
    noteSlots(of: list)
    return (objects.shownSlots[list] ?? []).map {
      objects.slots.event(of: objects.slots.firstSlot(of: $0))
    }
  }

  /// Inserts elements before the one at an index, and gives the numbers of the containers created,
  /// in order; O(elements after it + elements inserted).
  @discardableResult
  package mutating func insertElements(
    list: ContainerIndex, at index: Int, contents: [Content]
  ) throws(HistoryError) -> [ContainerIndex] {
    if contents.isEmpty { return [] }
    try checkLimits(events: contents.count, contents: contents, in: list)
    // A new list has no slots to note, nor neighbours.
    let isNew = objects.firstSlot[list] == nil
    if !isNew { noteSlots(of: list) }
    let (left, right) = isNew ? (.edge, .edge) : neighbours(of: index, in: list)
    let first = ContentIndex(objects.log.contents.count)
    let containersBefore = ContainerIndex(objects.log.containers.count)
    for content in contents { _ = append(content) }
    let slotsBefore = objects.slots.endIndex
    try perform(.insertElements, on: list, length: Int32(contents.count)) {
      ($0.left, $0.right, $0.content) = (left, right, first)
    }
    let new = slotsBefore..<objects.slots.endIndex
    objects.shownSlots[list]?.insert(contentsOf: new, at: index)
    return Array(containersBefore..<ContainerIndex(objects.log.containers.count))
  }

  /// Writes an element, named by its insertion; one that was removed is shown again; O(writes to
  /// the element); O(slots) if it was removed.
  @discardableResult
  package mutating func putElement(
    list: ContainerIndex, element: LocalVersion, content: Content
  ) throws(HistoryError) -> ContainerIndex? {
    try checkLimits(contents: [content], in: list)
    let wasShown = isShown(element)
    let number = append(content)
    try perform(.putElement, on: list) { ($0.element, $0.content) = (element, number) }
    if !wasShown { objects.shownSlots[list] = nil }
    return createdContainer
  }

  /// Moves an element so that it stands at an index of the list without it; O(elements after the
  /// first of the two places) if the caller knows at which index it stands now; else O(slots).
  package mutating func moveElement(
    list: ContainerIndex, element: LocalVersion, to index: Int, from known: Int? = nil
  ) throws(HistoryError) {
    try checkLimits(in: list)
    noteSlots(of: list)
    let own = shownIndex(of: element, in: list, known: known)
    let (left, right) = neighbours(of: index < own ?? .max ? index : index + 1, in: list)
    let slot = objects.slots.endIndex
    try perform(.moveElement, on: list) {
      ($0.element, $0.left, $0.right) = (element, left, right)
    }
    guard let own else { return }
    objects.shownSlots[list]?.remove(at: own)
    objects.shownSlots[list]?.insert(slot, at: index)
  }

  /// Removes an element; O(elements after it) if the caller knows at which index it stands now;
  /// else O(slots).
  package mutating func removeElement(
    list: ContainerIndex, element: LocalVersion, at known: Int? = nil
  ) throws(HistoryError) {
    try checkLimits(in: list)
    let own = shownIndex(of: element, in: list, known: known)
    try perform(.removeElement, on: list) { $0.element = element }
    if let own { objects.shownSlots[list]?.remove(at: own) }
  }

  /// Notes which slots of a list are shown, so that its elements are found at once from then on.
  mutating func noteSlots(of list: ContainerIndex) {
    if objects.shownSlots[list] == nil {
      objects.shownSlots[list] = objects.shownSlots(ofList: list)
    }
  }

  private func isShown(_ element: LocalVersion) -> Bool {
    objects.element(insertedBy: element).map { objects.state(of: $0) != .removed } ?? false
  }

  /// Where an element stands in a list whose slots have been noted; `nil` if it is not shown.
  private func shownIndex(of element: LocalVersion, in list: ContainerIndex, known: Int?) -> Int? {
    guard let insertion = objects.slotIndex(madeBy: element), let shown = objects.shownSlots[list]
    else { return nil }
    if let known, shown.indices.contains(known),
      objects.slots.firstSlot(of: shown[known]) == insertion
    {
      return known
    }
    let slot = objects.shownSlot(of: objects.slots[element: insertion])
    return shown.firstIndex(of: slot)
  }

  /// The slots on both sides of an index: that of the element shown before it, and the one that
  /// follows that slot, shown or not.
  private func neighbours(
    of index: Int, in list: ContainerIndex
  ) -> (left: Neighbour, right: Neighbour) {
    guard let shown = objects.shownSlots[list], index <= shown.count else {
      preconditionFailure("an index lies in the list")
    }
    let left = index == 0 ? nil : shown[index - 1]
    let right = objects.slot(after: left, in: list)
    return (
      left.map { Neighbour(objects.slots[$0].event) } ?? .edge,
      right.map { Neighbour(objects.slots[$0].event) } ?? .edge
    )
  }
}
