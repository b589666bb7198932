/// Makes the edits of another copy's change at the heads of a document.
///
/// Only those that mean here what they say: positions in texts, keys, members and counters. What
/// moves elements of lists about, or says that deleted text is redacted, is left to a merge.
enum DeltaEditor {
  /// Makes an edit, or throws if it needs a closer look.
  static func make(_ edit: Edit, _ editor: inout ChangeEditor) throws(HistoryError) {
    let log = editor.objects.log
    let parts = edit.parts
    guard let number = log.containerNumber(of: parts.container),
      log.containers[number].kind == parts.kind.containerKind
    else { throw HistoryError(.unknownElement) }
    switch edit {
    case .insertText(_, let position, let text):
      guard position <= editor.texts[number].scalarCount else {
        throw HistoryError(.unknownElement)
      }
      try editor.insertText(TextBuffer(text), into: number, at: position)
    case .deleteText(_, let position, let count, let backward, let text):
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
    case .put(_, let key, let content):
      try editor.put(map: number, key: key, content: content)
    case .remove(_, let key):
      try editor.remove(map: number, key: key)
    case .add(_, let value):
      try editor.add(value, toSet: number)
    case .discard(_, let value):
      try editor.discard(value, fromSet: number)
    case .increment(_, let amount):
      try editor.increment(number, by: amount)
    case .insertElements, .putElement, .moveElement, .removeElement:
      throw HistoryError(.unknownElement)
    }
  }
}
