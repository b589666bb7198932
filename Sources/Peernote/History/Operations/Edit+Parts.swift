/// What all kinds of edits have in common.
extension Edit {
  /// The container that the edit works on.
  var container: ContainerID {
    switch self {
    case .insertText(let container, _, _), .deleteText(let container, _, _, _, _),
      .put(let container, _, _), .remove(let container, _), .insertElements(let container, _, _),
      .putElement(let container, _, _), .moveElement(let container, _, _),
      .removeElement(let container, _), .add(let container, _), .discard(let container, _),
      .increment(let container, _):
      container
    }
  }

  /// What the edit writes, adds, discards or counts.
  var contents: [Content] {
    switch self {
    case .put(_, _, let content), .putElement(_, _, let content): [content]
    case .insertElements(_, _, let contents): contents
    case .add(_, let value), .discard(_, let value): [.value(value)]
    case .increment(_, let amount): [.value(.integer(amount))]
    case .insertText, .deleteText, .remove, .moveElement, .removeElement: []
    }
  }

  /// How many containers the edit creates.
  var containerCount: Int {
    contents.count { content in
      if case .container = content { true } else { false }
    }
  }

  /// At most so many bytes does the edit take in a file; see ``Log/fileSize``.
  var fileSize: Int {
    let names =
      switch self {
      case .insertText(_, _, let text): text.utf8.count
      case .deleteText(_, _, _, _, let text): text?.utf8.count ?? 0
      case .put(_, let key, _), .remove(_, let key): 2 * key.utf8.count
      case .insertElements, .putElement, .moveElement, .removeElement, .add, .discard, .increment:
        0
      }
    return contents.reduce(64 + names) { $0 + 32 + 2 * $1.weight }
  }

  /// How many events the edit holds.
  package var eventCount: Int {
    switch self {
    case .insertText(_, _, let text): text.unicodeScalars.count
    case .deleteText(_, _, let count, _, _): count
    case .insertElements(_, _, let contents): contents.count
    case .put, .remove, .putElement, .moveElement, .removeElement, .add, .discard, .increment: 1
    }
  }
}
