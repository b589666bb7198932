extension Change {
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
  /// Whether two edits are the same, their strings by their bytes.
  package static func == (left: Edit, right: Edit) -> Bool {
    left.wording == right.wording
  }

  /// Feeds all that the edit says to the hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(wording)
  }

  /// The edit with every string as one that compares by its bytes.
  private enum Wording: Hashable {
    case insertText(ContainerID, Int, ExactString)
    case deleteText(ContainerID, Int, Int, Bool, ExactString?)
    case put(ContainerID, ExactString, Content)
    case remove(ContainerID, ExactString)
    case insertElements(ContainerID, ListPlace, [Content])
    case putElement(ContainerID, EventID, Content)
    case moveElement(ContainerID, EventID, ListPlace)
    case removeElement(ContainerID, EventID)
    case add(ContainerID, Value)
    case discard(ContainerID, Value)
    case increment(ContainerID, Int64)
  }

  private var wording: Wording {
    switch self {
    case .insertText(let container, let position, let text):
      .insertText(container, position, ExactString(text))
    case .deleteText(let container, let position, let count, let backward, let text):
      .deleteText(container, position, count, backward, text.map { ExactString($0) })
    case .put(let map, let key, let content): .put(map, ExactString(key), content)
    case .remove(let map, let key): .remove(map, ExactString(key))
    case .insertElements(let list, let place, let contents): .insertElements(list, place, contents)
    case .putElement(let list, let element, let content): .putElement(list, element, content)
    case .moveElement(let list, let element, let place): .moveElement(list, element, place)
    case .removeElement(let list, let element): .removeElement(list, element)
    case .add(let set, let value): .add(set, value)
    case .discard(let set, let value): .discard(set, value)
    case .increment(let counter, let amount): .increment(counter, amount)
    }
  }
}
