/// Makes the edits of another copy's change at the heads of a document.
///
/// Only those that mean here what they say: positions in texts, keys, members and counters. What
/// moves elements of lists about, or says that deleted text is redacted, is left to a merge.
enum DeltaEditor {
  /// Makes an edit, or throws if it needs a closer look.
  static func make(_ edit: Edit, _ editor: inout ChangeEditor) throws(HistoryError) {
    switch edit {
    case .insertText(let container, let position, let text):
      let number = try number(of: container, .text, editor)
      guard position <= editor.texts[number].scalarCount else {
        throw HistoryError(.unknownElement)
      }
      try editor.insertText(TextBuffer(text), into: number, at: position)
    case .deleteText(let container, let position, let count, let backward, let text):
      let number = try number(of: container, .text, editor)
      guard !backward || count == 1, let text,
        position + count <= editor.texts[number].scalarCount
      else { throw HistoryError(.unknownElement) }
      let buffer = editor.texts[number]
      let from = buffer.place(ofScalar: position)
      let to = buffer.place(ofScalar: position + count, from: from)
      guard buffer.utf8[from.byte..<to.byte].elementsEqual(text.utf8) else {
        throw HistoryError(.unknownElement)
      }
      try editor.deleteText(position..<position + count, from: number)
    case .put(let container, let key, let content):
      let number = try number(of: container, .map, editor)
      try editor.put(map: number, key: key, content: content)
    case .remove(let container, let key):
      let number = try number(of: container, .map, editor)
      try editor.remove(map: number, key: key)
    case .add(let container, let value):
      let number = try number(of: container, .set, editor)
      try editor.add(value, toSet: number)
    case .discard(let container, let value):
      let number = try number(of: container, .set, editor)
      try editor.discard(value, fromSet: number)
    case .increment(let container, let amount):
      let number = try number(of: container, .counter, editor)
      try editor.increment(number, by: amount)
    case .insertElements, .putElement, .moveElement, .removeElement:
      throw HistoryError(.unknownElement)
    }
  }

  /// The number of a container of a kind.
  private static func number(
    of container: ContainerID, _ kind: ContainerKind, _ editor: ChangeEditor
  ) throws(HistoryError) -> ContainerIndex {
    let log = editor.objects.log
    guard let number = log.containerNumber(of: container), log.containers[number].kind == kind
    else { throw HistoryError(.unknownElement) }
    return number
  }
}
